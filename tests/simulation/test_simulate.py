"""Assembly, mobility and motion: closed forms, conservation laws, Newton on every body."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from ruamel.yaml import YAML
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import torseur as ts
from torseur.analyse.mobility.diagnose import diagnose
from torseur.simulation.constraints.multipliers import RESOLUTIONS, accelerations
from torseur.simulation.run.samples import energy_drift

MODELS = Path(__file__).parents[1] / "models"
BAR = {"mass": 1.2, "centre": [0.1, 0.02, 0], "inertia": [0.01, 0.02, 0.025]}
FOUR_BAR = {
    "name": "four-bar",
    "gravity": [0, -9.81, 0],
    "bodies": {"crank": BAR, "coupler": BAR, "rocker": BAR},
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z"},
        "B": {
            "type": "pivot",
            "bodies": ["crank", "coupler"],
            "point": [[0.2, 0, 0], [0, 0, 0]],
            "axis": "z",
        },
        "C": {
            "type": "pivot",
            "bodies": ["coupler", "rocker"],
            "point": [[0.5, 0, 0], [0.4, 0, 0]],
            "axis": "z",
        },
        "D": {
            "type": "pivot",
            "bodies": ["ground", "rocker"],
            "point": [[0.5, 0, 0], [0, 0, 0]],
            "axis": "z",
        },
    },
    "points": {"middle": ["coupler", [0.25, 0, 0]]},
}
GUESS = {"A": 1.0, "B": -0.5, "C": 1.0}


@pytest.mark.parametrize("redundant", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_four_resolutions_of_the_multiplier_system_agree(seed, redundant):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(6, 6))
    M, S = root @ root.T + np.eye(6), rng.normal(size=6)
    J, gamma = rng.normal(size=(3, 6)), rng.normal(size=3)
    if redundant:
        J, gamma = np.vstack([J, J[0] + J[1]]), np.append(gamma, gamma[0] + gamma[1])
    a, lam = accelerations(M, S, J, gamma)
    np.testing.assert_allclose(J @ a, -gamma, atol=1e-10)
    np.testing.assert_allclose(M @ a, S + J.T @ lam, atol=1e-9)
    for solve in RESOLUTIONS.values():
        other_a, other_lam = solve(M, S, J, gamma)
        np.testing.assert_allclose(other_a, a, atol=1e-9)
        np.testing.assert_allclose(J.T @ other_lam, J.T @ lam, atol=1e-8)


# --- assembly and mobility ----------------------------------------------------------------------


@pytest.mark.parametrize("error", [-0.5, 0.0, 0.5])
def test_a_four_bar_closes_from_a_guess_thirty_degrees_off(error):
    guess = {name: value + error * (name != "A") for name, value in GUESS.items()}
    found = ts.assemble(ts.load(FOUR_BAR), guess, pinned=("A",))
    assert found.closure_error < 1e-11
    assert found.coordinates["A"] == 1.0
    assert found.coordinates["B"] == pytest.approx(-0.526088824933592, abs=1e-9)


def test_speeds_are_made_consistent_with_the_one_that_is_given():
    model = ts.load(MODELS / "slider_crank.yaml")
    found = ts.assemble(model, {"alpha": 0.7, "alpha.": 2.0}, pinned=("alpha",))
    p, alpha = model.parameters, 0.7
    root = np.sqrt(p["l2"] ** 2 - (p["l1"] * np.sin(alpha)) ** 2)
    f = -p["l1"] * np.cos(alpha) / root
    assert found.speeds["beta."] == pytest.approx(2.0 * (f - 1), rel=1e-11)
    expected = 2.0 * p["l1"] * (f * np.sin(alpha) - np.sin(alpha))
    assert found.speeds["x."] == pytest.approx(expected, rel=1e-11)


def test_a_loop_that_cannot_close_names_its_joint_and_the_gap():
    joints = FOUR_BAR["joints"]
    far = {**joints, "D": {**joints["D"], "point": [[5, 0, 0], [0, 0, 0]]}}
    with pytest.raises(ts.SolveError, match=r'joint "D": the loop it closes stays open by 3\.\d+'):
        ts.assemble(ts.load(FOUR_BAR | {"joints": far}), GUESS)


def test_a_plane_four_bar_of_spatial_pivots_moves_once_and_is_overconstrained_three_times():
    found = ts.mobility(ts.assemble(ts.load(FOUR_BAR), GUESS))
    assert (found.degree, found.overconstraint, found.loops, found.freedoms) == (1, 3, 1, 4)
    assert set(found.directions) == {
        'rotation about x (joint "D")',
        'rotation about y (joint "D")',
        'translation along z (joint "D")',
    }


def test_freeing_the_guilty_directions_makes_it_isostatic():
    joints = {**FOUR_BAR["joints"]}
    joints["C"] = {**joints["C"], "type": "rotule"}
    del joints["C"]["axis"]
    joints["D"] = {**joints["D"], "type": "pivot glissant"}
    found = ts.mobility(ts.assemble(ts.load(FOUR_BAR | {"joints": joints}), {"A": 1.0, "B": -0.5}))
    assert (found.degree, found.overconstraint) == (1, 0)


def test_an_open_chain_has_the_mobility_of_its_joints():
    found = ts.mobility(ts.load(files("torseur.examples") / "satellite.yaml"))
    assert (found.degree, found.overconstraint, found.loops) == (7, 0, 0)


@pytest.mark.parametrize("phi", [0.0, 0.4, 1.1, 2.0])
def test_a_cardan_turns_its_output_unevenly(phi):
    """ω2/ω1 = cos δ / (1 − sin² δ sin² φ1), the first arm of the cross being normal to the plane
    of the shafts at φ1 = π/2."""
    data = YAML(typ="safe").load((MODELS / "cardan_shaft.yaml").read_text(encoding="utf-8"))
    del data["motions"]
    found = ts.assemble(ts.load(data), {"phi1": phi, "phi1.": 20.0}, pinned=("phi1",))
    model = found.model
    run = ts.Run.of_states(
        model, np.zeros(1), np.concatenate([found.q, found.v, [0.0]])[np.newaxis]
    )
    delta = np.pi / 6
    ratios = {np.cos(delta) / (1 - np.sin(delta) ** 2 * f(phi) ** 2) for f in (np.sin, np.cos)}
    names = dict(zip(model.speeds, found.v, strict=True))
    if "phi2." in names:
        output = abs(names["phi2."])
    else:
        step = 1e-6
        ahead = ts.assemble(model, {"phi1": phi + step}, pinned=("phi1",))
        later = ts.Run.of_states(
            model, np.zeros(1), np.concatenate([ahead.q, ahead.v, [0.0]])[np.newaxis]
        )
        output = abs(later["phi2"][0] - run["phi2"][0]) / step * 20.0
    assert min(abs(output / 20.0 - ratio) for ratio in ratios) < 1e-5


# --- motion -------------------------------------------------------------------------------------


def test_a_pendulum_has_the_period_of_the_elliptic_integral():
    bob = {"mass": 2.0, "centre": [0, -0.5, 0]}
    model = ts.load(
        {
            "gravity": [0, -9.81, 0],
            "bodies": {"bob": bob},
            "joints": {"O": {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z"}},
        }
    )
    start = 2.0
    period = 4 * np.sqrt(0.5 / 9.81) * ellipk(np.sin(start / 2) ** 2)
    run = ts.simulate(model, period, rate=50 / period, initial={"O": start}, rtol=1e-11)
    assert run["O"][-1] == pytest.approx(start, abs=1e-8)
    assert run["O"][len(run.t) // 2] == pytest.approx(-start, abs=1e-8)
    assert run.energy_drift < 1e-9


@pytest.mark.parametrize("name", ["double_pendulum", "free_body", "cart_pendulum"])
def test_another_integrator_of_the_first_order_form_moves_as_a_run_does(name):
    """ẏ = (rates(q, v), a(q, v)) of y = (q, v): distances, angles and quaternions alike."""
    model = ts.compile(name)
    run = ts.simulate(model, 0.3, rtol=1e-11)
    names, nq = (*model.coordinates, *model.speeds), len(model.coordinates)
    still = np.zeros(len(model.speeds))

    def rate(t, y):
        q, v = y[:nq], y[nq:]
        return np.concatenate([model.rates(q, v), model.forward_dynamics(q, v, still)])

    start = [run[x][0] for x in names]
    other = solve_ivp(rate, (0, 0.3), start, method="DOP853", rtol=1e-11, atol=1e-12)
    size = np.abs(other.y).max()
    np.testing.assert_allclose(other.y[:, -1], [run[x][-1] for x in names], atol=1e-7 * size)


def test_the_multiplier_form_of_the_slider_crank_is_its_reduced_equation():
    """N-SC1 and N-SC2: I_eq α̈ + ½ I_eq' α̇² + F_r l1 g = C_m."""
    model = ts.load(MODELS / "slider_crank.yaml")
    p = model.parameters
    l1, l2, m2, m3 = p["l1"], p["l2"], p["m2"], p["m3"]

    def equivalent(alpha):
        f = -l1 * np.cos(alpha) / np.sqrt(l2**2 - (l1 * np.sin(alpha)) ** 2)
        g = f * np.sin(alpha) - np.sin(alpha)
        inertia = p["I1"] + m2 * l2**2 / 3 * f**2 - m2 * l1**2 * f * g * np.sin(alpha)
        return inertia + (m2 + m3) * l1**2 * g**2, g

    def rate(t, y):
        step = 1e-5
        slope = (equivalent(y[0] + step)[0] - equivalent(y[0] - step)[0]) / (2 * step)
        inertia, g = equivalent(y[0])
        return [y[1], (p["Cm"] - p["Fr"] * l1 * g - slope * y[1] ** 2 / 2) / inertia]

    run = ts.simulate(model, 0.8, initial={"alpha": 0.3}, rtol=1e-10)
    reduced = solve_ivp(rate, (0, 0.8), [0.3, 0.0], method="DOP853", rtol=1e-11, atol=1e-12)
    assert run["alpha"][-1] == pytest.approx(reduced.y[0, -1], rel=1e-8)
    assert run.closure_error < 1e-11
    assert run.energy_drift < 1e-7


@pytest.fixture(scope="module")
def swinging():
    return ts.simulate(ts.load(FOUR_BAR), 0.5, rate=20, initial={"A": 1.0}, rtol=1e-10)


def test_a_swinging_four_bar_stays_closed_and_keeps_its_energy(swinging):
    assert swinging.closure_error < 1e-11
    assert swinging.energy_drift < 1e-8
    assert np.ptp(swinging["A"]) > 0.1
    assert np.ptp(swinging["D"]) > 0.05


def test_the_wrenches_on_every_body_are_mass_times_acceleration(swinging):
    """Σ forces = m a of the centre, for bodies held by carrying and by closing joints alike."""
    joints = swinging.model.mechanism.joints
    mass, weight = BAR["mass"], BAR["mass"] * np.array([0, -9.81, 0])
    centres = {f"G_{name}": [name, BAR["centre"]] for name in ("crank", "coupler", "rocker")}
    data = FOUR_BAR | {"points": centres}
    again = ts.simulate(ts.load(data), 0.5, rate=20, initial={"A": 1.0}, rtol=1e-10)
    for body in ("crank", "coupler", "rocker"):
        force = np.zeros((len(again.t), 3)) + weight
        for name, joint in joints.items():
            reaction = again.reaction(name)[:, :3]
            force += reaction * ((joint.second == body) * 1.0 - (joint.first == body) * 1.0)
        acceleration = again.point(f"G_{body}", derivative=2)
        np.testing.assert_allclose(force, mass * acceleration, atol=1e-8)


def test_the_velocity_of_a_point_is_the_rate_of_its_position():
    run = ts.simulate(ts.load(FOUR_BAR), 0.2, rate=1000, initial={"A": 1.0})
    position, velocity = run.point("middle"), run.point("middle", derivative=1)
    central = (position[2:] - position[:-2]) * 500
    np.testing.assert_allclose(velocity[1:-1], central, atol=1e-4)
    rate = (velocity[2:] - velocity[:-2]) * 500
    np.testing.assert_allclose(run.point("middle", derivative=2)[1:-1], rate, atol=2e-3)


@pytest.mark.parametrize("coordinates", ["auto", "absolute"])
def test_a_body_is_a_point_at_its_origin_as_for_the_functions_of_a_model(coordinates):
    run = ts.simulate(ts.load(FOUR_BAR), 0.1, rate=20, initial={"A": 1.0}, coordinates=coordinates)
    f = ts.compile(run.model.mechanism)
    for body in ("coupler", "ground"):
        np.testing.assert_allclose(run.point(body), f.pose(body, run.q)[:, :3, 3], atol=1e-9)
    J = f.jacobian("coupler", run.q)[:, 3:]
    np.testing.assert_allclose(
        run.point("coupler", 1), np.einsum("kij,kj->ki", J, run.v), atol=1e-9
    )
    with pytest.raises(ts.ModelError, match='point "coupleur" does not exist'):
        run.point("coupleur")


def test_a_closing_distance_is_not_taken_for_an_angle():
    """A slide of ten metres between samples stays a slide: only angles are followed in turns."""
    box = {"mass": 1, "inertia": [1, 1, 1]}
    slide = {"type": "glissiere", "bodies": ["ground", "a"], "axis": "x"}
    model = ts.load({"bodies": {"a": box}, "joints": {"P": slide, "Q": slide}})
    run = ts.simulate(model, 2.0, rate=1.0, initial={"P": 0.0, "P.": 10.0})
    np.testing.assert_allclose(run["Q"], run["P"], atol=1e-9)


def test_a_free_body_keeps_its_energy_and_a_unit_quaternion():
    model = ts.load(files("torseur.examples") / "satellite.yaml")
    start = {"flight_wx": 0.5, "flight_wy": 1.0, "flight_wz": -0.2}
    run = ts.simulate(model, 5.0, rate=5, initial=start, rtol=1e-10)
    names = [f"flight_q{axis}" for axis in "wxyz"]
    norms = sum(run[name] ** 2 for name in names)
    np.testing.assert_allclose(norms, 1.0, atol=1e-12)
    assert run.energy_drift < 1e-8


def test_a_damped_cart_loses_exactly_the_work_of_its_damper():
    run = ts.simulate(ts.load(MODELS / "cart_pendulum.yaml"), 2.0)
    total = run.energy["kinetic"] + run.energy["potential"]
    assert total[-1] < total[0]
    assert run.energy_drift < 1e-8


def test_a_run_is_saved_and_read_again(tmp_path, swinging):
    swinging.save(tmp_path / "run.nc")
    found = ts.load_run(tmp_path / "run.nc")
    np.testing.assert_array_equal(found["A"], swinging["A"])
    np.testing.assert_array_equal(found["D"], swinging["D"])
    np.testing.assert_array_equal(found.energy["kinetic"], swinging.energy["kinetic"])
    np.testing.assert_array_equal(found.reaction("A"), swinging.reaction("A"))
    assert found.model.mechanism.name == "four-bar"
    swinging.to_csv(tmp_path / "run.csv")
    table = np.genfromtxt(tmp_path / "run.csv", delimiter=",", skip_header=1)
    np.testing.assert_array_equal(table[:, 0], swinging.t)
    with pytest.raises(ts.ModelError, match="not a netCDF file"):
        ts.load_run(tmp_path / "run.csv")


def test_what_a_run_does_not_have_is_named(swinging):
    with pytest.raises(ts.ModelError, match='coordinate "E" does not exist'):
        swinging["E"]
    with pytest.raises(ts.ModelError, match='joint "E" does not exist'):
        swinging.reaction("E")
    with pytest.raises(ts.ModelError, match="must be positive"):
        ts.simulate(swinging.model, -1.0)


def test_watching_a_joint_that_closes_the_loop_changes_neither_the_motion_nor_its_code():
    described = YAML(typ="safe").load(
        (files("torseur.examples") / "four_bar.yaml").read_text(encoding="utf-8")
    )
    plain = ts.load(described)
    watched = ts.load(described | {"events": {"bent": {"zero": "gamma - 1.7"}}})
    one, other = (ts.simulate(m, 0.5, rtol=1e-11) for m in (plain, watched))
    np.testing.assert_allclose(one["alpha"], other["alpha"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(one["gamma"], other["gamma"], rtol=0, atol=1e-9)
    for event in other.events:
        at = np.interp(event.time, other.t, other["gamma"])
        assert abs(at - 1.7) < 1e-3


@pytest.mark.parametrize("side", [1, -1])
def test_the_coordinate_of_a_closing_joint_chooses_between_two_assemblies(side):
    described = YAML(typ="safe").load(
        (files("torseur.examples") / "four_bar.yaml").read_text(encoding="utf-8")
    )
    found = ts.assemble(ts.load(described | {"initial": {"alpha": 0.4}}))
    closing = ts.simulate(found.model, 0.01)["gamma"][0]
    described["initial"] = {"alpha": 0.4, "gamma": side * float(closing)}
    chosen = ts.assemble(ts.load(described), pinned=("alpha",))
    run = ts.simulate(ts.load(described), 0.01)
    assert chosen.closure_error < 1e-12
    assert chosen.coordinates["alpha"] == 0.4
    # mirrored in the line of the fixed joints' diagonal: the same angle the other way round
    assert run["gamma"][0] == pytest.approx(side * closing, abs=1e-9)


# --- energy ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("height", [0.0, 1.0, 1e6])
@pytest.mark.parametrize("speed", [0.0, 1e-9, 1e-3])
def test_energy_drift_is_beside_what_is_exchanged_and_not_beside_rounding(height, speed):
    """A door on a vertical hinge keeps its potential, of any size, but for rounding."""
    door = {"mass": 20, "centre": [0.4, 0.01, height], "inertia": [5, 6, 1.2]}
    hinge = {"type": "pivot", "bodies": ["ground", "door"], "axis": "z", "coordinate": "a"}
    made = ts.load({"gravity": [0, 1e-15, -9.81], "bodies": {"door": door}, "joints": {"h": hinge}})
    run = ts.simulate(made, 1.0, rate=50, initial={"a": 0.3, "a.": speed})
    assert run.energy_drift < 1e-6


def test_energy_drift_sees_what_is_lost():
    """Explicit steps that are too long gain energy: the drift is that part of what is exchanged."""
    t = np.linspace(0, 10, 101)
    energy = {"kinetic": np.cos(t) ** 2, "potential": 5 + np.sin(t) ** 2, "work": 0 * t}
    assert energy_drift(energy, 1.0) < 1e-14
    energy["kinetic"] = energy["kinetic"] + 0.01 * t
    assert energy_drift(energy, 1.0) == pytest.approx(0.1 / 1.1, rel=0.02)
    energy["work"] = 0.01 * t
    assert energy_drift(energy, 1.0) < 1e-14


def test_what_cannot_move_is_simulated_at_rest_and_has_nothing_to_analyse():
    """Fixed joints alone: functions answer, or say that there is nothing for them."""
    fixed = {"type": "fixed", "bodies": ["ground", "a"]}
    welded = ts.load({"name": "sign", "bodies": {"a": {"mass": 1}}, "joints": {"post": fixed}})
    assert ts.mobility(welded).degree == 0
    still = "It cannot move: its mobility is 0, and this run shows it at rest."
    assert ts.simulate(welded, 0.1).notices == (still,)  # nothing was integrated
    assert any("cannot move (m = 0)" in x for x in diagnose(welded).notices)
    assert ts.formalisms.compare(welded).agree
    for function in (ts.first_integrals, ts.linearise, ts.equilibria, ts.robots.base_parameters):
        with pytest.raises(ts.ModelError, match=r"no coordinate: .* does not apply"):
            function(welded)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_structure_is_told_to_be_one_and_what_moves_is_not(coordinates):
    """Two bars on two pins make a triangle: 6 × 2 freedoms less 12 independent conditions."""
    bars = {name: FOUR_BAR["bodies"]["crank"] for name in ("a", "b")}
    pins = {
        "A": {"type": "pivot", "bodies": ["ground", "a"], "axis": "z"},
        "B": {"type": "pivot", "bodies": ["ground", "b"], "axis": "z",
              "point": [[0.3, 0, 0], [0, 0, 0]]},
        "C": {"type": "pivot", "bodies": ["a", "b"], "axis": "z",
              "point": [[0.3, 0, 0], [0.3, 0, 0]]},
    }  # fmt: skip
    frame = {"bodies": bars, "joints": pins, "initial": {"A": np.pi / 3, "B": 2 * np.pi / 3}}
    told = [x for x in ts.simulate(frame, 0.05, coordinates=coordinates).notices if "mobility" in x]
    assert told[0].startswith("It cannot move: its mobility is 0")
    driven = frame | {"joints": {k: pins[k] for k in "AC"}, "initial": {}}
    laws = {k: {"coordinate": k, "law": "t"} for k in "AC"}
    for moving in (FOUR_BAR, driven | {"motions": laws}):
        notices = ts.simulate(moving, 0.05, coordinates=coordinates).notices
        assert not [x for x in notices if "cannot move" in x]


def test_a_reaction_is_read_at_a_named_point_in_the_axes_of_a_body():
    """A pendulum at rest turns nothing: along its arm the joint carries m (g cos θ + ω² l)."""
    arm = {"mass": 2.0, "centre": [0, -0.5, 0], "inertia": [0, 0, 0.1]}
    run = ts.simulate(
        {
            "gravity": [0, -9.81, 0],
            "bodies": {"arm": arm},
            "joints": {"O": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z"}},
            "frames": {
                "tip": {"body": "arm", "position": [0, -1, 0], "rotation": [{"z": "90 deg"}]}
            },
            "points": {"G": ["arm", [0, -0.5, 0]]},
            "initial": {"O": "60 deg"},
        },
        1.0,
        rate=50,
    )
    along = 2 * (9.81 * np.cos(run["O"]) + run["O."] ** 2 * 0.5)
    assert run.reaction("O", frame="arm")[:, 1] == pytest.approx(along, rel=1e-9)
    assert run.reaction("O", frame="tip")[:, 0] == pytest.approx(along, rel=1e-9)
    moment = run.reaction("O", at="G")[:, 5]  # about the centre of mass
    assert moment == pytest.approx(0.1 * run["O.."], rel=1e-9, abs=1e-9)
    assert run.reaction("O", at=run.point("G"))[:, 5] == pytest.approx(moment, rel=1e-12)
    for wrong in ([1, 2], "nowhere", [0, 0, np.nan], "P 1", object()):
        with pytest.raises(ts.ModelError):
            run.reaction("O", at=wrong)
    with pytest.raises(ts.ModelError, match="Known frames of a reaction: arm, ground, joint, tip"):
        run.reaction("O", frame="leg")
