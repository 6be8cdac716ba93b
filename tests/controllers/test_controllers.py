"""Ready controllers: closed forms of errors, laws of energy, one law in three forms."""

import pickle
from importlib.resources import files

import numpy as np
import pytest
from scipy.linalg import expm

import torseur as ts
from torseur.controllers.adaptive import column_of
from torseur.controllers.controller import known_model
from torseur.equations.functions.regressor import columns
from torseur.errors import ModelError

ARM = {
    "gravity": [0, -9.81, 0],
    "parameters": {"m1": 2, "m2": 1, "l": 0.4},
    "bodies": {
        "upper": {"mass": "m1", "centre": ["l/2", 0, 0], "inertia": [0, 0, "m1*l^2/12"]},
        "fore": {"mass": "m2", "centre": ["l/2", 0, 0], "inertia": [0, 0, "m2*l^2/12"]},
    },
    "joints": {
        "shoulder": {
            "type": "pivot",
            "bodies": ["ground", "upper"],
            "axis": "z",
            "coordinate": "q1",
        },
        "elbow": {
            "type": "pivot",
            "bodies": ["upper", "fore"],
            "axis": "z",
            "coordinate": "q2",
            "point": [["l", 0, 0], [0, 0, 0]],
        },
    },
    "points": {"tip": ["fore", ["l", 0, 0]]},
}
SLED = {
    "bodies": {"sled": {"mass": 2}},
    "joints": {
        "rail": {"type": "prismatic", "bodies": ["ground", "sled"], "axis": "x", "coordinate": "x"}
    },
    "forces": {"load": {"type": "joint", "joint": "rail", "value": -3}},
    "initial": {"x": 0.3},
}
REFERENCE = {"q1": "0.5*sin(2*t)", "q2": "30 deg*cos(t)"}


@pytest.fixture(scope="module")
def arm():
    return ts.load(ARM)


@pytest.fixture(scope="module")
def model(arm):
    return ts.compile(arm)


@pytest.fixture(scope="module")
def sled():
    return ts.load(SLED)


def states(count=6, seed=0):
    return np.random.default_rng(seed).normal(size=(count, 3, 2))


def example(name):
    return ts.load(files("torseur.examples") / f"{name}.yaml")


# --- laws of joints -------------------------------------------------------------------------------


def test_a_mass_under_pd_moves_by_the_poles_of_its_sampled_motion(sled):
    m, kp, kd, T = 2.0, 40.0, 6.0, 0.01
    run = ts.simulate(sled, 0.5, control=ts.control.pd(sled, {"x": 0.1}, kp, kd), sample=T)
    A, B = np.array([[0, 1], [0, 0]]), np.array([[0], [1 / m]])
    held = expm(T * np.block([[A, B], [np.zeros((1, 3))]]))
    step = held[:2, :2] - held[:2, 2:] @ [[kp, kd]]
    rest = 0.1 - 3 / kp  # where the load leaves it
    expected = [np.linalg.matrix_power(step, k) @ [0.3 - rest, 0.0] for k in range(len(run.t))]
    assert run["x"] - rest == pytest.approx(np.array(expected)[:, 0], abs=1e-13)


def test_pid_leaves_no_error_under_a_load_and_stays_within_its_limits(sled):
    law = ts.control.pid(sled, {"x": 1.0}, 40, 60, 20, limits=8)
    run = ts.simulate(sled, 15.0, control=law, sample=0.01)
    assert run["x"][-1] == pytest.approx(1.0, abs=1e-6)
    assert run.input("x")[-1] == pytest.approx(3.0, abs=1e-5)
    assert np.abs(run.input("x")).max() <= 8


def test_an_integral_that_waits_at_the_limit_overshoots_less(sled):
    """Conditional integration against the same law whose limits only the actuator knows."""
    waits = ts.control.pid(sled, {"x": 3.0}, 40, 60, 20, limits=8)
    winds = ts.control.Loop(ts.control.pid(sled, {"x": 3.0}, 40, 60, 20), 0.01, saturation=8.0)
    beyond = [
        ts.simulate(sled, 8.0, control=waits, sample=0.01)["x"].max() - 3.0,
        ts.simulate(sled, 8.0, control=winds)["x"].max() - 3.0,
    ]
    assert beyond[0] < beyond[1] / 3


def test_gravity_compensation_holds_any_pose(arm):
    law = ts.control.gravity_compensation(arm)
    for q in states(3)[:, 0]:
        run = ts.simulate(arm, 1.0, control=law, sample=0.01, initial=dict(q1=q[0], q2=q[1]))
        assert run.q == pytest.approx(np.tile(q, (len(run.t), 1)), abs=1e-9)


def test_under_computed_torque_errors_obey_their_linear_equation(arm, model):
    """ë + kd ė + kp e = 0 at any state: the accelerations that the forces make say so."""
    law = ts.control.computed_torque(arm, REFERENCE, {"q1": 100, "q2": 60}, 20)
    wanted = ts.control.Reference(REFERENCE)
    for k, (q, v, _) in enumerate(states()):
        t = 0.3 * k
        a = model.forward_dynamics(q, v, law(t, q, v))
        e, de, dde = (x - wanted.at(t, n) for n, x in enumerate((q, v, a)))
        assert dde + 20 * de + np.array([100, 60]) * e == pytest.approx(np.zeros(2), abs=1e-10)


def test_predicted_forces_alone_follow_a_reference_from_its_start(arm):
    """The error that is left is that of holding forces: half as large at half the sampling time."""
    law = ts.control.feed_forward(arm, REFERENCE)
    start = {"q2": "30 deg", "q1.": 1.0}
    wanted = ts.control.Reference(REFERENCE)
    left = []
    for T in (2e-3, 1e-3):
        run = ts.simulate(arm, 0.5, control=law, sample=T, initial=start)
        left.append(np.abs(run.q[-1] - wanted.at(run.t[-1])).max())
    assert left[0] < 2e-2 and left[0] / left[1] == pytest.approx(2.0, rel=0.05)


def test_a_law_believes_in_its_own_values_and_a_run_may_change_them(arm):
    law = ts.control.gravity_compensation(arm, parameters={"m2": 1.5})
    assert law.parameters["m2_model"] == 1.5
    right = ts.compile(arm, parameters={"m2": 1.5}).gravity([0.2, 0.1])
    assert law(0.0, [0.2, 0.1], [0.0, 0.0]) == pytest.approx(right)
    told = {"m2_model": 1.0}  # the right value again: it stays where it is
    run = ts.simulate(arm, 0.2, control=law, sample=0.01, parameters=told)
    assert np.abs(run.q).max() < 1e-12
    run = ts.simulate(arm, 0.2, control=law, sample=0.01)
    assert np.abs(run.q).max() > 0.01


# --- a place in space -----------------------------------------------------------------------------


def test_a_point_to_reach_is_given_by_names_or_as_an_array(arm):
    state = (0.0, [0.3, 0.4], [0.1, 0.2])
    point = np.array([0.5, 0.2, 0.0])
    soft = {"softness": 1e-3}  # a flat arm does not move along z
    named = {"x": 0.5, "y": 0.2, "z": 0.0}
    by_name = ts.control.operational_space(arm, "tip", named, 90, 19, **soft)
    as_array = ts.control.operational_space(arm, "tip", point, 90, 19, **soft)
    assert as_array(*state) == pytest.approx(by_name(*state))


def test_a_place_is_accelerated_as_asked_in_operational_space(arm, model):
    law = ts.control.operational_space(arm, "tip", {"x": "0.5", "y": "0.2*sin(t)"}, 90, 19)
    for k, (q, v, _) in enumerate(states()):
        t = 0.2 * k
        a = model.forward_dynamics(q, v, law(t, q, v))
        J, rate = model.jacobian("tip", q)[:2], model.jacobian_rate("tip", q, v)[:2]
        e = model.point("tip", q)[:2] - [0.5, 0.2 * np.sin(t)]
        de = J @ v - [0, 0.2 * np.cos(t)]
        dde = J @ a + rate @ v - [0, -0.2 * np.sin(t)]
        size = np.linalg.cond(J) * np.abs(a).max()
        assert dde + 19 * de + 90 * e == pytest.approx(np.zeros(2), abs=1e-12 * max(size, 1))


def test_motions_that_a_place_does_not_feel_are_damped(arm, model):
    """One row, two joints: the free motion v' with J v' = 0 obeys v̇ = −damping v."""
    law = ts.control.operational_space(arm, "tip", {"x": 0.5}, 90, 19, damping=3.0)
    q, v = np.array([0.4, 0.7]), np.array([0.3, -0.8])
    a = model.forward_dynamics(q, v, law(0.0, q, v))
    J, M = model.jacobian("tip", q)[:1], model.mass_matrix(q)
    free = np.array([-J[0, 1], J[0, 0]])  # J free = 0; what is felt is M-orthogonal to it
    assert free @ M @ (a + 3.0 * v) == pytest.approx(0.0, abs=1e-12)


def test_forces_stay_bounded_near_a_singular_pose_where_a_law_is_soft(arm):
    """The tip of a stretched arm cannot move along it: A = J M⁻¹ Jᵀ has no inverse there."""
    goal = {"x": 0.9, "y": 0.0}  # out of reach, by 0.1
    hard = ts.control.operational_space(arm, "tip", goal, 90, 19)
    soft = ts.control.operational_space(arm, "tip", goal, 90, 19, softness=1e-2)
    still, stretched, bent = np.zeros(2), np.array([0.0, 1e-5]), np.array([-0.5, 1.2])
    assert np.abs(hard(0.0, stretched, still)).max() > 1e5
    assert np.abs(soft(0.0, stretched, still)).max() < 1e3
    apart = np.abs(soft(0.0, bent, still) - hard(0.0, bent, still)).max()
    assert apart < 0.05 * np.abs(hard(0.0, bent, still)).max()
    start = {"q1": -0.5, "q2": 1.2}
    run = ts.simulate(arm, 4.0, control=soft, sample=1e-3, initial=start, rtol=1e-6)
    assert np.abs(run.inputs).max() < 1e3
    assert np.abs(run.point("tip")[-1] - [0.8, 0, 0]).max() < 1e-2


@pytest.mark.slow
def test_a_robot_of_six_axes_holds_position_and_attitude():
    robot = example("robot_1980")
    goal = ts.compile(robot).pose("tool", ts.assemble(robot).q)
    target = dict(zip("xyz", goal[:3, 3] + [0.05, -0.04, 0.03], strict=True))
    law = ts.control.operational_space(robot, "tool", target, 100, 20, attitude=goal[:3, :3])
    run = ts.simulate(robot, 1.5, control=law, sample=2e-3, rtol=1e-6)
    there = ts.compile(robot).pose("tool", run.q[-1])
    assert there[:3, 3] == pytest.approx(np.array(list(target.values())), abs=1e-5)
    assert there[:3, :3] == pytest.approx(goal[:3, :3], abs=1e-4)


# --- adaptive control -----------------------------------------------------------------------------


def test_the_regressor_of_two_speeds_has_the_coriolis_matrix_of_the_passivity_identity(arm, model):
    """Σ columns π = M a + C(q, v) w + g, with the C for which Ṁ − 2C is skew-symmetric."""
    known = known_model(arm, None)
    rng = np.random.default_rng(3)
    q, v, w, a = rng.normal(size=(4, 2))
    values = dict(zip(known.system.coordinates, q, strict=True))
    values |= dict(zip(known.system.speeds, v, strict=True)) | arm.parameters
    from torseur.algebra.core.graph import evaluate

    total = sum(
        np.array(evaluate(column_of(known, x, w, a) * x.value, values), dtype=float)
        for x in columns(known.system)
    )
    C = model.coriolis_matrix(q, v)
    assert total == pytest.approx(model.mass_matrix(q) @ a + C @ w + model.gravity(q), abs=1e-12)


def test_the_function_of_slotine_and_li_never_grows_and_the_error_goes_to_zero(arm, model):
    """V = ½ sᵀ M s + ½ π̃ᵀ π̃/rate; V̇ = −kd sᵀ s in the limit of quick samples."""
    slope, kd, rate, T = 5.0, 4.0, 0.5, 5e-4
    law = ts.control.adaptive(arm, REFERENCE, slope, kd, rate, parameters={"m1": 1, "m2": 0.4})
    names = [name for name in law.memory if name != "t_last"]
    true = dict(zip(model.regressor_names, model.regressor_parameters, strict=True))
    running, seen = law.running(), []

    def watched(t, q, v):
        seen.append((t, *q, *v, *(running.memory[name] - true[name] for name in names)))
        return running(t, q, v)

    ts.simulate(arm, 2.0, control=watched, sample=T, initial={"q2": 0.2}, rtol=1e-7)
    t, q, v, wrong = np.split(np.array(seen), [1, 3, 5], axis=1)
    wanted = ts.control.Reference(REFERENCE)
    e = q - wanted.at(t[:, 0])
    s = v - wanted.at(t[:, 0], 1) + slope * e
    M = np.array([model.mass_matrix(row) for row in q])
    V = np.einsum("ki,kij,kj->k", s, M, s) / 2 + (wrong**2).sum(axis=1) / rate / 2
    assert np.diff(V).max() < 1e-3 * V[0] * T  # rounding of the samples, beside what V loses
    fed = kd * (s**2).sum(axis=1)
    lost = T * np.cumsum(fed[1:] + fed[:-1]) / 2
    assert V[0] - V[1:] == pytest.approx(lost, abs=0.01 * V[0])  # of the first order in T
    assert np.abs(e[-200:]).max() < 0.1 * np.abs(e).max()


def test_only_what_is_asked_for_is_learned(arm):
    law = ts.control.adaptive(arm, REFERENCE, 5, 4, 1, learned=["fore"])
    assert set(law.memory) == {"m of fore", "mx of fore", "my of fore", "Izz of fore", "t_last"}
    with pytest.raises(ModelError, match='column "mass" does not exist'):
        ts.control.adaptive(arm, REFERENCE, 5, 4, 1, learned=["mass"])


# --- regulators -----------------------------------------------------------------------------------


def test_a_governor_that_feels_the_shaft_keeps_its_speed_whatever_the_load():
    """The integral finds the feed that balances the load and the couple of the description."""
    governor = example("speed_governor")
    law = ts.control.regulator(governor, "alpha", "alpha.", 30.0, 0.2, 1.0, limits=(0.0, 2.0))
    loop = ts.control.Loop(law, 5e-3, actuators=["alpha"])
    run = ts.simulate(governor, 12.0, control=loop, parameters={"Cm": -0.3}, rtol=1e-7)
    assert run["alpha."][-200:].mean() == pytest.approx(30.0, abs=0.02)
    assert run.input("alpha")[-200:].mean() == pytest.approx(0.3, abs=0.01)


@pytest.mark.parametrize("load", [0.3, 0.5])
def test_a_governor_that_feels_its_sleeve_has_a_droop(load, tmp_path):
    """Feed C0 + kp (λ_r − λ), no integral: the sleeve stands where the feed is the load.

    M b (a + b cos β) ω² = k c (λ − λ0) and λ = c cos β give a speed that falls with it.
    """
    written = (files("torseur.examples") / "speed_governor.yaml").read_text(encoding="utf-8")
    oiled = tmp_path / "oiled.yaml"  # so that the sleeve does not hunt
    oiled.write_text(written.replace("(distance - lam0)", "(distance - lam0) - 40*rate"), "utf-8")
    calm = ts.load(oiled)
    law = ts.control.regulator(calm, "alpha", "lam", 0.035, 40.0, feed=0.3)
    loop = ts.control.Loop(law, 5e-3, actuators=["alpha"])
    start = {"beta": np.arccos(0.7), "lam": 0.035, "alpha.": 18.0}
    run = ts.simulate(calm, 10.0, control=loop, parameters={"Cm": -load}, initial=start, rtol=1e-7)
    assert run.input("alpha") == pytest.approx(0.3 + 40 * (0.035 - held(run)), abs=1e-9)
    p = calm.parameters
    sleeve = 0.035 - (load - 0.3) / 40
    weight = p["M"] * p["b"] * (p["a"] + p["b"] * sleeve / p["c"])
    speed = np.sqrt(p["k"] * p["c"] * (sleeve - p["lam0"]) / weight)
    assert run["lam"][-1] == pytest.approx(sleeve, abs=1e-9)
    assert run["alpha."][-1] == pytest.approx(speed, rel=1e-7)


def held(run):
    """The place of the sleeve at the sample before each instant."""
    T = 5e-3
    return np.array([run(max(np.floor((t + 1e-9) / T) * T, 0.0))["lam"] for t in run.t])


def test_the_motor_of_a_gyroscope_gives_what_friction_takes():
    described = {
        "bodies": {"rotor": {"mass": 1, "inertia": [0.002, 0.002, 0.004]}},
        "joints": {
            "spin": {"type": "pivot", "bodies": ["ground", "rotor"], "axis": "z",
                     "coordinate": "phi"},
        },
        "forces": {"drag": {"type": "joint", "joint": "spin", "value": "-1e-4*phi."}},
        "initial": {"phi.": 200},
    }  # fmt: skip
    gyroscope = ts.load(described)
    law = ts.control.regulator(gyroscope, "phi", "phi.", 209.4, 0.05, 0.5, limits=0.2)
    run = ts.simulate(gyroscope, 2.0, control=law, sample=1e-3)
    assert run["phi."][-1] == pytest.approx(209.4, abs=1e-3)
    assert run.input("phi")[-1] == pytest.approx(1e-4 * 209.4, abs=1e-4)


# --- the linear-quadratic regulator ---------------------------------------------------------------


@pytest.fixture(scope="module")
def upright():
    return ts.linearise(example("cart_pole"), {"x": 0, "theta": 0}, inputs=["x"])


def test_a_pole_comes_back_from_twenty_degrees(upright):
    found = ts.control.lqr(upright, {"x": 10, "theta": 10}, 0.1)
    assert found.eigenvalues.real.max() < 0
    run = ts.simulate(example("cart_pole"), 6.0, control=found.law, sample=5e-3)
    assert run["theta"][0] == pytest.approx(np.radians(20))
    assert np.abs(run.q[-1]).max() < 1e-3


@pytest.mark.parametrize("T", [None, 0.05])
def test_the_cost_of_a_small_displacement_is_its_quadratic_form(upright, T):
    """∫ (xᵀ Q x + uᵀ R u) dt = xᵀ P x: exact for the sampled law, nearly so for quick samples."""
    Q, R = {"x": 10, "theta": 10, "theta.": 1}, 0.1
    found = ts.control.lqr(upright, Q, R, T)
    start = {"x": 1e-4, "theta": 2e-4}
    run = ts.simulate(
        example("cart_pole"), 8.0, control=found.law, sample=T or 1e-3, initial=start, rate=1000.0
    )
    weighted = sum(weight * run[name] ** 2 for name, weight in Q.items())
    spent = np.trapezoid(weighted, run.t) + R * np.sum(run.input("x")[:-1] ** 2 * np.diff(run.t))
    x0 = [start.get(name, 0.0) for name in found.states]
    assert spent == pytest.approx(found.cost(x0), rel=2e-3)


# --- one law, three forms -------------------------------------------------------------------------


def test_a_law_in_the_loop_is_the_law_that_is_called(sled):
    law = ts.control.pid(sled, {"x": "0.2*sin(3*t)"}, 40, 60, 20, limits=5)
    first = ts.simulate(sled, 1.0, control=law, sample=0.01)
    second = ts.simulate(sled, 1.0, control=law.running(), sample=0.01)
    np.testing.assert_allclose(first.q, second.q, atol=1e-14)
    with pytest.raises(ModelError, match='remembers "integral_x"'):
        law(0.0, [0.0], [0.0])


def test_a_law_written_as_source_gives_the_forces_of_the_call(arm, tmp_path, monkeypatch):
    law = ts.control.computed_torque(arm, REFERENCE, 100, 20) + ts.control.pid(
        arm, {"q1": 0.1}, {"q1": 1.0}, {"q1": 2.0}, {"q1": 0.5}
    )
    (path,) = law.export("numpy", tmp_path, name="written_law")
    monkeypatch.syspath_prepend(tmp_path)
    import written_law

    running, memory = law.running(), np.array(list(law.memory.values()))
    constants = written_law.control_constants(written_law.PARAMETERS)
    for k, (q, v, _) in enumerate(states(3)):
        result = written_law.control(constants, np.array([0.1 * k]), q, v, memory)
        memory = result[2:]
        assert result[:2] == pytest.approx(running(0.1 * k, q, v), rel=1e-12)
    assert path.name == "written_law.py"
    header, _ = law.export("c", tmp_path)
    assert "const double *memory" in header.read_text(encoding="utf-8")


def test_controllers_are_copied_and_shown(arm):
    law = ts.control.pd(arm, REFERENCE, 10, 1) + ts.control.gravity_compensation(arm)
    assert repr(law) == '<Controller pd + gravity of "model" along q1, q2>'
    q, v, _ = states(1)[0]
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(law))(0.1, q, v), law(0.1, q, v))


# --- references -----------------------------------------------------------------------------------


def test_a_reference_is_a_text_a_number_or_samples():
    t = np.linspace(0, 2, 81)
    wanted = ts.control.Reference({"a": "2*t^2", "b": 0.5, "c": (t, np.cos(np.pi * t))})
    there = wanted.at(0.6)
    assert there == pytest.approx([0.72, 0.5, np.cos(0.6 * np.pi)], abs=1e-6)
    assert wanted.at(0.6, 1) == pytest.approx([2.4, 0, -np.pi * np.sin(0.6 * np.pi)], abs=1e-4)
    assert wanted.at(5.0)[2] == pytest.approx(1.0) and wanted.at(5.0, 1)[2] == 0


def test_reaching_goes_from_rest_to_rest():
    wanted = ts.control.reaching({"a": 1.0}, {"a": 3.0}, 2.0, begin=1.0)
    t = np.array([0.0, 1.0, 2.0, 3.0, 9.0])
    assert wanted.at(t)[:, 0] == pytest.approx([1, 1, 2, 3, 3])
    assert wanted.at(t, 1)[:, 0] == pytest.approx([0, 0, 15 / 8, 0, 0])
    assert wanted.at(t, 2)[:, 0] == pytest.approx(np.zeros(5), abs=1e-12)


def test_what_has_expressions_is_a_reference(arm):
    class Trajectory:
        def expressions(self):
            return REFERENCE

    law = ts.control.pd(arm, Trajectory(), 10, 1)
    q, v, _ = states(1)[0]
    np.testing.assert_array_equal(law(0.3, q, v), ts.control.pd(arm, REFERENCE, 10, 1)(0.3, q, v))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda arm: ts.control.pd(arm, {"q3": 0}, 1, 1), 'coordinate "q3" does not exist'),
        (lambda arm: ts.control.pd(arm, {}, 1, 1), "positions by name are expected"),
        (lambda arm: ts.control.pd(arm, {"q1": "k*t"}, 1, 1), '"k" does not exist'),
        (lambda arm: ts.control.pd(arm, {"q1": [1, 2, 3]}, 1, 1), "two arrays, got 3"),
        (lambda arm: ts.control.pd(arm, {"q1": [1, [2, 3]]}, 1, 1), "two arrays, got 2 entries"),
        (lambda arm: ts.control.pd(arm, {"q1": None}, 1, 1), r"None \(NoneType\), not a number"),
        (lambda arm: ts.control.pd(arm, {"q1": np.inf}, 1, 1), "position is inf, not a finite"),
        (lambda arm: ts.control.pd(arm, REFERENCE, "x", 1), 'argument "kp" is'),
        (lambda arm: ts.control.pd(arm, REFERENCE, np.nan, 1), 'gain "kp" is nan'),
        (lambda arm: ts.control.pd(arm, REFERENCE, {"q1": 1, "q2": "x"}, 1), "not a number"),
        (lambda arm: ts.control.pd(arm, REFERENCE, {"q1": 1}, 1), 'no value for "q2"'),
        (lambda arm: ts.control.feed_forward(arm, {"q1": 0}), "the position of q2 is missing"),
        (
            lambda arm: ts.control.pd(arm, REFERENCE, 1, 1) + ts.control.pd(arm, REFERENCE, 2, 1),
            'one law has "kp" = 1, the other 2',
        ),
        (
            lambda arm: ts.control.operational_space(arm, "tip", {"q1": 1}, 1, 1),
            'axis "q1" does not exist',
        ),
        (
            lambda arm: ts.control.operational_space(
                arm, "fore", {"x": 1}, 1, 1, attitude=np.ones((3, 3))
            ),
            "no rotation matrix",
        ),
        (
            lambda arm: ts.control.operational_space(
                arm, "tip", {"x": 1}, 1, 1, attitude=np.eye(3)
            ),
            '"tip" is a point, which has none',
        ),
        (
            lambda arm: ts.control.pid(arm, REFERENCE, 1, 1, 1, limits=(2, 1)),
            '"q1" are 2.0 and 1.0',
        ),
        (lambda arm: ts.control.reaching({}, {"q1": 1}, -1.0), "must be positive, got -1"),
        (
            lambda arm: ts.control.computed_torque(example("four_bar"), {"a": 1}, 1, 1),
            "would ignore",
        ),
    ],
)
def test_what_is_wrong_with_a_controller_is_said(arm, make, message):
    with pytest.raises(ModelError, match=message):
        make(arm)
