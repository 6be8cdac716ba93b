"""Identification: base parameters, exciting motions, estimates and errors, bodies, loads."""

import builtins
from functools import cache
from importlib.resources import files

import numpy as np
import pytest

import torseur as ts
from torseur.dynamics.tree.base_parameters import invisible_part
from torseur.equations.functions.regressor import inertia_of, ten_parameters
from torseur.robotics.identification.base_parameters import (
    SMALLEST,
    _VisibleParameters,
    numbers_of,
    relations,
    sampled_columns,
)
from torseur.robotics.identification.excitation_search import MotionLimits, Search
from torseur.robotics.identification.identification import ordinary_fit, weighted_fit
from torseur.robotics.states import random_states, regressor
from torseur.spatial.inertia import inertia

PLANAR = "RZ(q1), TXK(L1), RZ(q2), TXK(L2);"
SCARA = "RZ(q1), TXK(L1), RZ(q2), TXK(L2), TZ(q3), RZ(q4), TXK(L4);"
PANDA = (
    "RZ(q1), TZK(0.333), RXK(-90deg), RZ(q2), RXK(90deg), TZK(0.316), RZ(q3), TXK(0.0825), "
    "RXK(90deg), RZ(q4), TXK(-0.0825), RXK(-90deg), TZK(0.384), RZ(q5), RXK(90deg), RZ(q6), "
    "TXK(0.088), RXK(90deg), RZ(q7), TZK(0.107);"
)
LENGTHS = {"L1": 0.5, "L2": 0.4, "L4": 0.2}
WEIGHT = (0, 0, -9.81)
TOOL = {"body": "lower", "position": [0.02, -0.4, 0.01], "rotation": [{"z": "30 deg"}]}


@cache
def phrase(text, gravity=WEIGHT):
    f = ts.compile(ts.load(text, masses="full", gravity=gravity))
    return f.with_parameters(**{k: x for k, x in LENGTHS.items() if k in f.parameters})


@cache
def example(name):
    return ts.compile(ts.load(files("torseur.examples") / f"{name}.yaml"))


@cache
def pendulum():
    """Two bodies with a motor, friction and a tool."""
    return ts.compile(ts.load({
        "name": "arm", "gravity": [0, -9.81, 0], "parameters": {"l": 0.5},
        "bodies": {
            "upper": {"mass": 3, "centre": [0, "-l/2", 0], "inertia": [0.06, 0.01, 0.06]},
            "lower": {"mass": 2, "centre": [0.01, "-l/2", 0], "inertia": [0.04, 0.01, 0.04]},
        },
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "upper"], "axis": "z", "coordinate": "q1"},
            "B": {"type": "pivot", "bodies": ["upper", "lower"], "axis": "x",
                  "point": [[0, "-l", 0], [0, 0, 0]], "coordinate": "q2"},
        },
        "motors": {"M": {"joint": "A", "ratio": 20, "rotor_inertia": 1e-4,
                         "viscous": {"output": 0.3}, "dry": {"output": 0.5}}},
        "frames": {"tool": TOOL},
    }))  # fmt: skip


def log_of(f, count=200, seed=1, noise=0.0, load=None):
    """Forces at random states, with errors of a share of their size, joint by joint."""
    rng, states = np.random.default_rng(seed), random_states(f, count, seed)
    Q = f.inverse_dynamics(states.q, states.v, states.a)
    if load is not None:
        Q = Q + regressor(f, states) @ load
    sigma = noise * np.sqrt((Q**2).mean(axis=0))
    Q = Q + sigma * rng.normal(size=Q.shape)
    return ts.robots.Log(np.arange(count) * 0.01, states.q, Q, states.v, states.a)


def inside(found, true):
    low, high = found.intervals.T
    return (low <= true) & (true <= high)


# --- base parameters ----------------------------------------------------------------------------


@pytest.mark.parametrize(("model", "count"), [
    (lambda: phrase(PLANAR), 4),
    (lambda: phrase(SCARA), 8),
    (lambda: example("stanford_arm"), 33),
    (lambda: example("puma560"), 36),
    pytest.param(lambda: phrase(PANDA), 43, marks=pytest.mark.slow),
], ids=["planar", "scara", "stanford", "puma", "panda"])  # fmt: skip
def test_an_arm_has_as_many_base_parameters_as_the_rank_of_its_regressor_says(model, count):
    f = model()
    base = ts.robots.base_parameters(f)
    Y = regressor(f, random_states(f, 120, 7))[:, :, : len(f.inertial_names)]
    rank = np.linalg.matrix_rank(Y.reshape(-1, Y.shape[2]), rtol=SMALLEST)
    assert base.inertial == rank == count


@pytest.mark.parametrize("model", [lambda: phrase(SCARA), pendulum, lambda: example("puma560")],
                         ids=["scara", "pendulum", "puma"])  # fmt: skip
def test_base_parameters_give_the_forces_of_any_state(model):
    f = model()
    base = ts.robots.base_parameters(f)
    Y = regressor(f, random_states(f, 20, 11))
    size = np.abs(Y).max(axis=(0, 1))
    np.testing.assert_allclose(base.grouping @ base.columns, np.eye(len(base)), atol=1e-9)
    left = (Y @ base.columns @ base.grouping - Y) / np.where(size > 0, size, 1)
    np.testing.assert_allclose(left, 0, atol=1e-9)


def test_regrouping_formulas_span_what_the_numerical_null_space_leaves():
    """What formulas call equal is what no state tells apart, and nothing else."""
    f = phrase(SCARA)
    base = ts.robots.base_parameters(f)
    Y = regressor(f, random_states(f, 60, 5)).reshape(-1, 40)
    _, s, right = np.linalg.svd(Y)
    null = right[int((s > 1e-9 * s[0]).sum()) :]
    np.testing.assert_allclose(base.grouping @ null.T, 0, atol=1e-9)
    assert np.linalg.matrix_rank(base.grouping) + len(null) == 40


def test_a_planar_arm_regroups_by_the_formula_of_the_books():
    base = ts.robots.base_parameters(phrase(PLANAR))
    told = dict(zip(base.names, base.formulas, strict=True))
    assert told == {
        "IzzR of 1": "Izz[1] + L1^2*m[2]",
        "mx of 2": "mx[2]",
        "my of 2": "my[2]",
        "Izz of 2": "Izz[2]",
    }
    assert "m of 1" in base.invisible


def test_a_long_planar_chain_regroups_by_the_formula_of_the_books():
    """Each link shows mx, my and Izz, with the masses that it carries at its end."""
    count, length = 20, 0.5
    bar = {"mass": 1, "centre": [0.2, 0, 0], "inertia": [0.1, 0.1, 0.1]}
    joints = {}
    for k in range(count):
        point = [[length if k else 0, 0, 0], [0, 0, 0]]
        carrier = f"b{k - 1}" if k else "ground"
        joints[f"J{k}"] = {"type": "pivot", "bodies": [carrier, f"b{k}"], "point": point,
                           "axis": "z"}  # fmt: skip
    bodies = {f"b{k}": bar for k in range(count)}
    found = ts.robots.base_parameters(
        ts.load({"gravity": [0, -9.81, 0], "bodies": bodies, "joints": joints})
    )
    assert len(found) == 3 * count
    mx, my, izz = found.values.reshape(count, 3).T
    beyond = np.arange(count - 1, -1, -1)  # masses that a link carries
    assert mx == pytest.approx(0.2 + length * beyond)
    assert my == pytest.approx(0.0, abs=1e-12)
    assert izz == pytest.approx(0.1 + 0.2**2 + length**2 * beyond)
    assert found.formulas[-4] == f"Izz[b{count - 2}] + 1/4*m[b{count - 1}]"


def test_formulas_hold_for_other_lengths_too():
    f = phrase(SCARA)
    told = ts.robots.base_parameters(f).formulas
    assert ts.robots.base_parameters(f.with_parameters(L1=0.9, L2=1.3)).formulas == told


@pytest.mark.parametrize("i", [2, 4, 5])
def test_behind_skew_axes_what_moves_is_what_the_joint_hides(i):
    """Seen in the regressor or known from the joint, the same three go to the carrier."""
    f = example("puma560")
    moved = np.array(list(_VisibleParameters(f, sampled_columns(f)).moved[i].values()))
    joint = f.system.tree.links[i].joint
    units = (invisible_part(joint, inertia_of(unit.tolist())) for unit in np.eye(10))
    hidden = np.array([ten_parameters(unit) for unit in units], float)
    assert [np.linalg.matrix_rank(x, tol=1e-6) for x in (moved, hidden)] == [3, 3]
    assert np.linalg.matrix_rank(np.vstack([moved, hidden]), tol=1e-6) == 3


def test_a_rotor_about_the_first_axis_is_not_told_from_the_arm():
    base = ts.robots.base_parameters(pendulum())
    first = dict(zip(base.names, base.formulas, strict=True))["IzzR of upper"]
    assert "400*rotor inertia[M]" in first
    assert ts.robots.base_parameters(pendulum(), known=["rotor inertia of M"]).known == (
        "rotor inertia of M",
    )


def test_relations_are_solved_for_the_columns_that_are_preferred():
    table = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 3.0], [2.0, 4.0, 1.0]])
    assert list(relations(table, [1, 0, 2])) == [1]
    np.testing.assert_allclose(relations(table, [1, 0, 2])[1], [-2, 1, 0], atol=1e-12)
    np.testing.assert_allclose(relations(table, [0, 1, 2])[0], [1, -0.5, 0], atol=1e-12)


# --- least squares ------------------------------------------------------------------------------


def test_the_error_of_a_scalar_estimate_is_the_closed_form():
    """y = x w + e: x = Σ w y / Σ w², var x = Σ (y − w x)² / (n − 1) / Σ w²."""
    rng = np.random.default_rng(0)
    w, y = rng.normal(size=50), rng.normal(size=50)
    fit = ordinary_fit(w[:, None], y, np.zeros(50, int))
    x = w @ y / (w @ w)
    variance = ((y - w * x) ** 2).sum() / 49 / (w @ w)
    assert fit.x[0] == pytest.approx(x, rel=1e-13)
    assert fit.covariance[0, 0] == pytest.approx(variance, rel=1e-13)
    assert np.diff(fit.intervals()[0])[0] == pytest.approx(2 * 2.009575 * variance**0.5, rel=1e-6)


def test_two_groups_weigh_by_their_own_variance():
    """Two means of one number: the weighted mean of Gauss, and 1/var = Σ n/σ²."""
    rng = np.random.default_rng(1)
    y = np.concatenate([3 + 0.1 * rng.normal(size=400), 3 + 2.0 * rng.normal(size=400)])
    group = np.repeat([0, 1], 400)
    fit = weighted_fit(np.ones((800, 1)), y, group)
    share = 400 / fit.sigma**2
    means = np.array([y[:400].mean(), y[400:].mean()])
    assert fit.x[0] == pytest.approx(share @ means / share.sum(), rel=1e-6)
    assert fit.covariance[0, 0] == pytest.approx(1 / share.sum(), rel=1e-6)
    np.testing.assert_allclose(fit.sigma, [0.1, 2.0], rtol=0.1)


# --- estimates from logs ------------------------------------------------------------------------


@pytest.mark.parametrize("is_weighted", [True, False])
def test_without_noise_the_estimate_is_the_truth(is_weighted):
    found = ts.robots.identify(pendulum(), log_of(pendulum()), weighted=is_weighted)
    np.testing.assert_allclose(found.values, found.base.values, atol=1e-9, rtol=1e-9)
    states = random_states(pendulum(), 7, 9)
    Q = pendulum().inverse_dynamics(states.q, states.v, states.a)
    np.testing.assert_allclose(found.forces(states.q, states.v, states.a), Q, atol=1e-8)


def covered(seeds):
    f = example("puma560")
    shares = []
    for seed in range(seeds):
        found = ts.robots.identify(f, log_of(f, 250, 100 + seed, noise=0.02))
        shares.append(inside(found, found.base.values).mean())
    return np.array(shares)


def test_intervals_of_the_puma_hold_the_truth_as_often_as_they_say():
    """116 of them: 95 % ± 3 × √(0.95 · 0.05 / 116) = 6 %."""
    assert abs(covered(2).mean() - 0.95) < 0.06


@pytest.mark.slow
def test_intervals_of_the_puma_hold_the_truth_over_many_noises():
    """1160 of them: 95 % ± 3 × 0.64 %; those of one log are not independent, so twice that."""
    assert abs(covered(20).mean() - 0.95) < 0.04


def test_a_column_that_is_known_is_not_looked_for():
    f = pendulum()
    name = "viscous friction of M"
    found = ts.robots.identify(f, log_of(f), known=[name])
    assert name not in found.names
    np.testing.assert_allclose(found.values, found.base.values, atol=1e-9)
    with pytest.raises(ts.ModelError, match="does not exist"):
        ts.robots.base_parameters(f, known=["friction"])


def test_a_motion_that_shows_too_little_is_refused_with_names():
    f = pendulum()
    t = np.arange(200) * 0.01
    still = np.zeros((200, 2))
    with pytest.raises(ts.SolveError, match=r"does not distinguish .* \(condition"):
        ts.robots.identify(f, ts.robots.Log(t, still, still, still, still))


def smooth_log(f, rate=500.0, noise=0.0, seed=0, scale=1.0):
    """Slow motions with the forces they need, positions read with errors; no speeds."""
    t, rng = np.arange(0, 8, 1 / rate), np.random.default_rng(seed)
    w, phase = np.array([1.9, 2.6]), np.array([0.3, 1.1])
    at = np.outer(t, w) + phase
    more = np.outer(t, 2.3 * w)
    q = scale * (np.sin(at) + 0.4 * np.sin(more))
    v = scale * (w * np.cos(at) + 0.92 * w * np.cos(more))
    a = -scale * (w**2 * np.sin(at) + 2.116 * w**2 * np.sin(more))
    Q = f.inverse_dynamics(q, v, a)
    sigma = noise * np.sqrt((Q**2).mean(axis=0))
    q = q + 1e-3 * noise * rng.normal(size=q.shape)
    return ts.robots.Log(t, q, Q + sigma * rng.normal(size=Q.shape))


def test_positions_alone_are_filtered_and_differentiated():
    f = pendulum()
    found = ts.robots.identify(f, smooth_log(f, noise=0.02))
    true = found.base.values
    assert np.abs((found.values - true) / found.deviations).max() < 5
    assert inside(found, true).mean() > 0.7
    told = "\n".join(found.told)
    assert "Butterworth" in told and "central differences" in told
    left = ts.robots.validate(found, smooth_log(f, noise=0.02, seed=5, scale=0.8))
    assert (left.relative < 0.05).all()
    assert "pseudo" not in str(found) and "rms" in found.said("en")


@pytest.mark.slow
def test_intervals_hold_the_truth_after_the_filter_too():
    """40 noises of 12 parameters: filtered noise that is kept is nearly independent."""
    f = pendulum()
    founds = [ts.robots.identify(f, smooth_log(f, noise=0.02, seed=k)) for k in range(40)]
    assert abs(np.mean([inside(x, x.base.values).mean() for x in founds]) - 0.95) < 0.05


def test_a_log_is_read_back_with_units_and_motors(tmp_path):
    f, path = pendulum(), tmp_path / "log.csv"
    log = log_of(f, 30)
    log.save(f, path)
    again = ts.robots.read_log(f, path)
    for name in ("t", "q", "Q", "v", "a"):
        np.testing.assert_array_equal(getattr(again, name), getattr(log, name))
    degrees = np.column_stack([log.t * 1e3, np.degrees(log.q), log.Q[:, 0] / 20, log.Q[:, 1]])
    head = "t [ms],q1 [deg],q2 [deg],M [N.m],Q_q2"
    path.write_text("\n".join([head, *(",".join(map(repr, row)) for row in degrees.tolist())]))
    again = ts.robots.read_log(f, path)
    np.testing.assert_allclose(again.q, log.q, rtol=1e-12)
    np.testing.assert_allclose(again.Q, log.Q, rtol=1e-12)
    np.testing.assert_allclose(again.t, log.t, rtol=1e-12)
    path.write_text("t,q1,q2,Q_q1\n0,0,0,0\n1,0,0,0\n")
    with pytest.raises(ts.ModelError, match='a column "Q_q2" is needed'):
        ts.robots.read_log(f, path)


def test_the_report_is_said_in_french_and_is_plain_data():
    found = ts.robots.identify(pendulum(), log_of(pendulum(), noise=0.01))
    assert "paramètres de base" in found.said("fr")
    document = found.document
    assert [x["name"] for x in document["parameters"]] == list(found.names)
    assert document["residuals"]["q1."]["relative"] == pytest.approx(0.01, rel=0.2)
    assert found.figure() is not None


# --- consistent bodies --------------------------------------------------------------------------


def test_every_body_of_the_consistent_estimate_can_exist():
    """The Puma as it is published has bodies that cannot: what forces show of it can."""
    f = example("puma560")
    found = ts.robots.identify(f, log_of(f, 250, 3, noise=0.02))
    bodies = ts.robots.consistent_estimate(found)
    assert len(bodies.links) == 6
    assert all(link.consistent for link in bodies.links)
    for link in bodies.links:
        assert not ts.mass.faults(link.properties)
    assert {x.name for x in bodies.described if not x.consistent} == {"link1", "link3"}
    away = (bodies.base_values - found.values) / found.deviations
    assert np.abs(away).max() < 3
    assert bodies.worse < 1.05
    assert "cohérent" in bodies.said("fr")


def test_a_load_that_makes_an_inertia_negative_is_brought_back():
    """Where least squares leave a moment below zero, the nearest body stands in for it."""
    f = pendulum()
    load = np.zeros(len(f.regressor_names))
    load[[f.regressor_names.index("Ixx of lower")]] = -0.5
    found = ts.robots.identify(f, log_of(f, load=load, noise=0.01))
    bodies = ts.robots.consistent_estimate(found)
    assert all(link.consistent for link in bodies.links)
    assert bodies.worse > 1.5


def test_without_the_solver_the_remedy_is_told(monkeypatch):
    found = ts.robots.identify(pendulum(), log_of(pendulum(), noise=0.01))
    real = builtins.__import__

    def missing(name, *rest, **more):
        if name == "clarabel":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr("torseur.packages.import_module", missing)
    with pytest.raises(ts.SolveError, match=r"pip install .torseur\[identification\]"):
        ts.robots.consistent_estimate(found)


# --- loads --------------------------------------------------------------------------------------


def test_the_load_at_the_tool_of_the_puma_is_found_from_two_logs():
    """Placed on the last body, whose wrist turns it about three axes."""
    f = example("puma560")
    true = np.array(ten_parameters(inertia(2.5, np.array([0.02, 0.03, 0.05]),
                                           np.diag([0.01, 0.012, 0.008]))), float)  # fmt: skip
    columns = np.zeros(len(f.regressor_names))
    columns[50:60] = true
    found = ts.robots.identify_payload(
        f, log_of(f, 150, 1, 0.01), log_of(f, 150, 2, 0.01, load=columns), "wrist"
    )
    assert np.abs((found.values - true) / found.deviations).max() < 4
    assert found.consistent
    assert found.properties.mass == pytest.approx(2.5, rel=0.02)
    assert "charge" in found.said("fr")


def test_what_an_arm_does_not_show_of_a_load_is_said():
    """A planar arm turns its load about one axis: mass, first moments in the plane, one moment."""
    f = phrase(PLANAR, (0, -9.81, 0)).with_parameters(
        **{name: 1.0 for name, x in phrase(PLANAR, (0, -9.81, 0)).parameters.items() if x is None}
    )
    load = np.zeros(20)
    load[10:20] = [1.5, 0.3, 0.1, 0, 0, 0, 0, 0, 0, 0.2]
    found = ts.robots.identify_payload(f, log_of(f), log_of(f, seed=2, load=load), "2")
    assert found.hidden == ("mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz")
    np.testing.assert_allclose(found.values[[0, 1, 2, 9]], [1.5, 0.3, 0.1, 0.2], atol=1e-8)
    assert found.properties is None and "mz" in str(found)
    assert "nan" not in str(found)


def test_a_load_is_told_in_the_frame_of_the_tool():
    """The same load at the tool of a body is that load seen from the body."""
    from torseur.robotics.identification.payload import _columns_of_load

    f = pendulum()
    own = inertia(1.5, np.array([0.1, 0.0, 0.2]), np.diag([0.02, 0.03, 0.04]))
    pose = f.mechanism.frames["tool"].pose.numeric(numbers_of(f))
    seen = np.array(ten_parameters(own.seen_from(pose)), float)
    ten = _columns_of_load(f, "tool")[10:20] @ np.array(ten_parameters(own), float)
    np.testing.assert_allclose(ten, seen, atol=1e-14)
    with pytest.raises(ts.ModelError, match="does not move"):
        _columns_of_load(f, "ground")


# --- exciting motions ---------------------------------------------------------------------------


def test_an_exciting_motion_keeps_its_limits_starts_at_rest_and_shows_more(tmp_path):
    f = pendulum()
    found = ts.robots.excite(
        f, speed={"q1": 2.0, "q2": 3.0}, acceleration=9.0, position={"q1": (-1.0, 0.5)}, period=4.0,
        harmonics=3, searches=1,
    )  # fmt: skip
    t = np.linspace(0, 4, 2001)
    states = found.motion.at(t)
    assert (np.abs(states.v).max(axis=0) <= [2.0, 3.0]).all()
    assert (np.abs(states.a) <= 9.0).all()
    assert states.q[:, 0].min() >= -1.0 and states.q[:, 0].max() <= 0.5
    np.testing.assert_allclose([states.v[0], states.a[0]], 0, atol=1e-9)
    assert found.condition < found.first_condition
    path = found.save(tmp_path / "motion.csv", rate=50)
    table = np.genfromtxt(path, delimiter=",", names=True, deletechars="")
    assert table.dtype.names == ("t", "q1", "q2", "q1.", "q2.", "q1..", "q2..")
    np.testing.assert_allclose(np.gradient(table["q1"], 0.02)[5:-5], table["q1."][5:-5], atol=0.01)


def test_the_largest_determinant_shows_all_parameters_in_the_least_volume():
    given = {"speed": 2.0, "acceleration": 9.0, "period": 4.0, "harmonics": 3, "searches": 1}
    condition = ts.robots.excite(pendulum(), **given)
    volume = ts.robots.excite(pendulum(), determinant=True, **given)
    assert volume.log_determinant > condition.log_determinant + 0.5
    assert volume.condition > condition.condition


@pytest.mark.parametrize("determinant", [False, True])
def test_the_slope_of_the_search_is_that_of_what_is_judged(determinant):
    f = pendulum()
    wide = MotionLimits(-np.ones(2), np.ones(2), np.full(2, 2.0), np.full(2, 9.0))
    search = Search(f, ts.robots.base_parameters(f), wide, 3, 4.0, determinant=determinant)
    x = search.random(np.random.default_rng(2))
    _, slope = search.slope(x)
    for k in (1, 5, 8, 12):
        step = np.zeros_like(x)
        step[k] = 1e-5
        change = search.slope(x + step)[0] - search.slope(x - step)[0]
        assert slope[k] == pytest.approx(change / 2e-5, rel=1e-4, abs=1e-5)
