"""Runs in absolute coordinates: same motions, singular positions, long chains."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from long_mechanisms import EARTH, chain, windows
from two_formulations import both

import torseur as ts
from torseur.algebra.core.expr import TIME, expression, symbol
from torseur.model.description import GROUND, Event, JointLoad, Motor
from torseur.model.forces.line import Spring
from torseur.model.forces.protocol import Attachment
from torseur.model.joints.library import Spherical
from torseur.simulation.formulations.selection import why_absolute
from torseur.spatial.pose import Pose

MODELS = Path(__file__).parents[1] / "models"
END = np.array([200.0, -3.0, 0.0])

PENDULUM = {
    "gravity": [0, -9.81, 0],
    "bodies": {"bob": {"mass": 1, "centre": [0, -1, 0], "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"O": {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z"}},
    "initial": {"O": 1.0},
}
GEARS = {
    "parameters": {"r1": 0.02, "r2": 0.06, "C": 3.0},
    "bodies": {
        "pinion": {"mass": 0, "inertia": [0, 0, 1e-4]},
        "wheel": {"mass": 0, "inertia": [0, 0, 1e-3]},
    },
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "pinion"], "axis": "z"},
        "B": {"type": "pivot", "bodies": ["ground", "wheel"], "axis": "z",
              "point": [["r1 + r2", 0, 0], [0, 0, 0]]},
    },
    "constraints": {"mesh": {"type": "gear", "joints": ["A", "B"], "radii": ["r1", "r2"],
                             "pressure_angle": "20 deg"}},
    "motions": {"drive": {"coordinate": "A", "law": "50*t + sin(9*t)"}},
    "forces": {"load": {"type": "joint", "joint": "B", "value": "C"}},
}  # fmt: skip


def assert_same_motion(first, second, close):
    assert first.names == second.names
    for name in first.names:
        size = 1 + np.abs(first[name]).max()
        np.testing.assert_allclose(second[name], first[name], atol=close * size, err_msg=name)
    for name, values in first.energy.items():
        size = 1 + np.abs(values).max()
        np.testing.assert_allclose(second.energy[name], values, atol=close * size, err_msg=name)


@pytest.mark.parametrize("name", ["slider_crank", "cart_pendulum", "cardan_shaft"])
def test_a_run_is_that_of_the_joint_formulation(name):
    joint, absolute = both(MODELS / f"{name}.yaml", 0.5, rate=40, rtol=1e-11)
    assert_same_motion(joint, absolute, 1e-9)
    assert absolute.closure_error < 1e-12 and absolute.energy_drift < 1e-9
    if name != "cardan_shaft":  # whose bearings hold it twice
        for at in joint.model.mechanism.joints:
            expected = joint.reaction(at)
            size = 1 + np.abs(expected).max()
            np.testing.assert_allclose(absolute.reaction(at), expected, atol=1e-8 * size)


def test_a_driven_pair_of_gears_has_the_same_drive_and_loads_its_bearings_alike():
    joint, absolute = both(GEARS, 0.3, rate=40, rtol=1e-11)
    assert_same_motion(joint, absolute, 1e-9)
    np.testing.assert_allclose(absolute.drive("drive"), joint.drive("drive"), rtol=1e-9)
    np.testing.assert_allclose(absolute.multiplier("mesh"), joint.multiplier("mesh"), rtol=1e-9)
    for name in ("A", "B"):  # with the force that pushes the wheels apart
        np.testing.assert_allclose(absolute.reaction(name), joint.reaction(name), atol=1e-8)


def test_points_and_accelerations_are_those_of_the_joint_formulation():
    model = PENDULUM | {"points": {"P": ["bob", [0.2, -1, 0.3]], "Q": ["ground", [1, 2, 3]]}}
    joint, absolute = both(model, 1.0, rate=20, rtol=1e-11)
    np.testing.assert_allclose(absolute.a, joint.a, atol=1e-8)
    for name in ("P", "Q"):
        for derivative in range(3):
            expected = joint.point(name, derivative)
            np.testing.assert_allclose(absolute.point(name, derivative), expected, atol=1e-8)


def test_events_and_fixed_steps_are_those_of_the_joint_formulation():
    stop = {"zero": "O.", "direction": "rising", "stop": True}
    model = PENDULUM | {"events": {"low": {"zero": "O"}, "turn": stop}}
    joint, absolute = both(model, 5.0, rtol=1e-11)
    assert [x.name for x in absolute.events] == ["low", "turn"]
    for first, second in zip(joint.events, absolute.events, strict=True):
        assert second.t == pytest.approx(first.t, abs=1e-10)
        np.testing.assert_allclose(second.state, first.state, atol=1e-9)
    assert 'Stopped by the event "turn"' in absolute.notices[-1]
    joint, absolute = both(PENDULUM, 0.5, method="rk4", step=1e-3)
    assert_same_motion(joint, absolute, 1e-10)


def test_an_angle_is_followed_through_many_turns_between_two_samples():
    spun = PENDULUM | {"initial": {"O": 0.3, "O.": 40.0}, "gravity": [0, 0, 0]}
    run = ts.simulate(ts.load(spun), 2.0, rate=1, coordinates="absolute")
    np.testing.assert_allclose(run["O"], 0.3 + 40.0 * run.t, rtol=1e-9)


# --- singular positions -------------------------------------------------------------------------


def horizontal(run, exact):
    """The error of B0 at given seconds."""
    position = run.point("B0")
    return max(np.abs(position[10 * t, :2] - xy).max() for t, xy in exact.items())


def test_two_windows_pass_their_singular_positions_for_ten_seconds():
    """IFToMM benchmark A02: the reference is the reduction to one freedom."""
    run = ts.simulate(windows(2), 10.0, rate=10, rtol=1e-10, coordinates="absolute")
    exact = {
        1: (-0.195020301949, -0.980799205662),
        5: (-0.811310461000, -0.584615545356),
        10: (0.328458111533, 0.944518538181),
    }
    assert horizontal(run, exact) < 1e-7
    assert run.energy_drift < 1e-8 and run.closure_error < 1e-12
    np.testing.assert_allclose(
        run.point("B0", 1)[-1, :2], [1.423051470190, -0.494868845469], atol=1e-6
    )
    assert "Over-constrained, at least 6 times" in run.notices[-1]


@pytest.mark.slow
def test_forty_windows_pass_their_singular_positions_for_ten_seconds():
    run = ts.simulate(windows(40), 10.0, rate=10, rtol=1e-10)
    exact = {
        1: (-0.115356880632, -0.993324111300),
        5: (-0.540190050667, -0.841543052470),
        10: (0.180512226681, 0.983572740583),
    }
    assert horizontal(run, exact) < 1e-7
    assert run.energy_drift < 1e-8 and run.closure_error < 1e-12
    assert "Absolute coordinates were used: 81 bodies make 40 loops." in run.notices


# --- long chains --------------------------------------------------------------------------------


def attitudes(run):
    """The norms of all quaternions at all samples."""
    bodies = [run.samples.poses.state(name)[:, 3:7] for name in run.model.mechanism.bodies]
    return np.linalg.norm(bodies, axis=2)


@pytest.mark.parametrize(
    "bodies", [100, pytest.param(1000, marks=pytest.mark.slow)], ids=["100", "1000"]
)
def test_a_hanging_chain_stays_closed_and_keeps_its_energy(bodies):
    run = ts.simulate(chain(bodies), 1.0, rate=10, rtol=1e-8, coordinates="absolute")
    assert run.closure_error < 1e-9 and run.energy_drift < 1e-6
    np.testing.assert_allclose(attitudes(run), 1.0, atol=1e-14, rtol=0)
    centres = np.array(
        [run.samples.poses.state(name)[:, :3] for name in run.model.mechanism.bodies]
    )
    speeds = np.array(
        [run.samples.poses.state(name)[:, 7:10] for name in run.model.mechanism.bodies]
    )
    momentum = speeds.sum(axis=0)  # of links of one kilogram
    assert centres.shape == (bodies, 11, 3)
    # the support alone and the weight change the momentum
    force = run.reaction("pin0")[:, :3] + bodies * np.array([0.0, -9.81, 0.0])
    accelerations = np.array([report.accelerations[:, :3] for report in run.samples.poses.reports])
    np.testing.assert_allclose(accelerations.sum(axis=1), force, atol=1e-8 * bodies)
    np.testing.assert_allclose(momentum[0], 0.0, atol=1e-12)


# --- start --------------------------------------------------------------------------------------


def test_a_large_mechanism_is_assembled_from_what_is_given():
    crooked, given = windows(16), {"G0": 1.2, "G0.": -0.5}
    start = {name: expression(1.0 if name[0] == "G" else -1.0) for name in crooked.joints}
    free = replace(crooked, initial={n: x for n, x in start.items() if n[0] != "B"})
    run = ts.simulate(free, 0.01, rate=100, initial=given, coordinates="absolute")
    assert run["G0"][0] == pytest.approx(1.2, abs=1e-12)
    assert run["G0."][0] == pytest.approx(-0.5, abs=1e-12)
    np.testing.assert_allclose([run[f"G{k}"][0] for k in range(17)], 1.2, atol=1e-10)
    assert "did not fit loops, conditions and laws" in run.notices[0]


def test_a_loop_that_cannot_close_is_named():
    torn = windows(16)
    far = replace(torn.joints["G4"], X_AF=Pose(np.array([40.0, 0.0, 0.0])))
    with pytest.raises(ts.SolveError, match=r"stays open by"):
        ts.simulate(replace(torn, joints={**torn.joints, "G4": far}), 0.1, coordinates="absolute")


# --- what there is to say -----------------------------------------------------------------------


def test_a_long_chain_that_falls_in_a_loop_over_its_bodies_falls_as_in_absolute_coordinates():
    falling = chain(60, spatial=True)
    joint, absolute = both(falling, 0.5, rtol=1e-10)
    assert_same_motion(joint, absolute, 1e-8)
    assert joint.energy_drift < 1e-9
    for name in ("pin0", "pin30", "pin59"):
        weight = 60 * np.linalg.norm(EARTH)
        np.testing.assert_allclose(
            joint.reaction(name), absolute.reaction(name), atol=1e-8 * weight
        )
    fixed = ts.simulate(falling, 0.5, method="rk4", step=1e-3)
    np.testing.assert_allclose(fixed.q, joint.q, atol=1e-6)


def pushed_chain():
    """Sixty links on a ball joint, pushed, with a motor that brakes too, and an event."""
    made = chain(60, spatial=True)
    names = [f"ball.{x}" for x in ("w", "x", "y", "z")]
    ball = replace(made.joints["pin0"], kind=Spherical(), coordinates=tuple(names),
                   speeds=("ball.wx", "ball.wy", "ball.wz"))  # fmt: skip
    push = JointLoad("push", "pin3", 200 * TIME.sin())
    motor = Motor("M", "pin5", expression(5), expression(0.01), viscous_motor=expression(0.2))
    passing = Event("passing", symbol("pin3", "coordinate") - 0.01)
    return replace(made, joints={**made.joints, "pin0": ball}, motors={"M": motor},
                   loads={"push": push}, events={"passing": passing})  # fmt: skip


def test_a_long_chain_that_is_pushed_runs_in_a_loop_over_its_bodies_too():
    joint, absolute = both(pushed_chain(), 0.4, rtol=1e-10)
    assert_same_motion(joint, absolute, 1e-8)
    assert joint.energy_drift < 1e-8
    np.testing.assert_allclose(joint.work, absolute.work, atol=1e-7)
    assert np.abs(joint.work).max() > 1e-3, "the forces act"
    np.testing.assert_allclose(np.linalg.norm(joint.q[:, :4], axis=1), 1.0, rtol=1e-14)
    assert [x.name for x in joint.events] == [x.name for x in absolute.events] != []
    for ours, theirs in zip(joint.events, absolute.events, strict=True):
        assert ours.t == pytest.approx(theirs.t, abs=1e-8)
    np.testing.assert_allclose(joint.a, absolute.a, atol=1e-5)


def test_coordinates_are_chosen_by_what_a_motion_costs():
    assert why_absolute("auto", windows(1)) is None
    assert why_absolute("auto", windows(20)) == "41 bodies make 20 loops"
    falling = chain(200)
    assert why_absolute("auto", falling) is None
    last = Attachment("link199", np.zeros(3))
    tied = replace(falling, loads={"tie": Spring("tie", (Attachment(GROUND, END), last), 1.0, 2.0)})
    assert why_absolute("auto", tied) == "there are 200 bodies"
    assert why_absolute("joint", windows(20)) is None
    assert why_absolute("absolute", windows(1)) == ""
    for method in ("auto", "moreau", "symplectic"):
        with pytest.raises(ts.ModelError, match="cartesian"):
            ts.simulate(windows(1), 0.1, method=method, coordinates="cartesian")


def test_a_motion_that_no_inertia_resists_is_told():
    loose = {
        "bodies": {"arm": {"mass": 1, "inertia": [1, 1, 1]}, "leaf": {"mass": 0}},
        "joints": {
            "O": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z"},
            "P": {"type": "pivot", "bodies": ["arm", "leaf"], "axis": "z"},
        },
        "initial": {"O.": 1.0},
    }
    run = ts.simulate(ts.load(loose), 1.0, coordinates="absolute")
    assert (
        run.notices[-1] == 'No inertia resists a motion of "leaf": in it the body keeps its speed.'
    )
    np.testing.assert_allclose(run["O"] + run["P"], run.t, atol=1e-9)


def test_what_absolute_coordinates_cannot_express_is_named():
    spoken = {
        "bodies": {"top": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"O": {"type": "rotule", "bodies": ["ground", "top"]}},
        "forces": {"odd": {"type": "wrench", "body": "top", "couple": ["O_x", 0, 0]}},
    }
    with pytest.raises(ts.ModelError, match='"O_x" cannot be read'):
        ts.simulate(ts.load(spoken), 0.1, coordinates="absolute")
    defined = {
        "bodies": {"bead": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"wire": {"type": "defined", "bodies": ["ground", "bead"], "coordinates": ["s"],
                            "position": ["s", "s^2", 0]}},
    }  # fmt: skip
    with pytest.raises(ts.ModelError, match=r'(?s)"wire".*elementary constraints.*of the joints'):
        ts.derive(ts.load(defined), formalism="absolute")


def test_a_run_in_absolute_coordinates_is_saved_like_any_other(tmp_path):
    run = ts.simulate(ts.load(PENDULUM), 0.2, rate=50, coordinates="absolute")
    run.save(tmp_path / "run.nc")
    np.testing.assert_array_equal(ts.load_run(tmp_path / "run.nc")["O"], run["O"])
    assert run.multiplier_meanings[0].startswith('"O": force along x of the ground')


def test_a_stiff_damper_is_integrated_implicitly_and_moves_as_in_joint_coordinates():
    # a pendulum whose slider creeps at c v = m g: the rate c/m = 2e4 1/s is soon over
    described = {
        "gravity": [0, 0, -9.81],
        "bodies": {"slider": {"mass": 0.5}, "bob": {"mass": 1, "centre": [0, 0, -0.4],
                                                  "inertia": [0.01, 0.01, 0.01]}},
        "joints": {
            "S": {"type": "slider", "bodies": ["ground", "slider"], "axis": "z",
                  "coordinate": "z"},
            "P": {"type": "pivot", "bodies": ["slider", "bob"], "axis": "y",
                  "coordinate": "theta"},
        },
        "forces": {"oil": {"type": "law", "joint": "S", "value": "-1e4*rate"}},
        "initial": {"theta": 1.0},
    }  # fmt: skip
    joint, absolute = both(described, 1.0, rtol=1e-7)
    assert "Stiff" in absolute.notices[0] and "Radau" in absolute.notices[0]
    np.testing.assert_allclose(absolute.q, joint.q, rtol=0, atol=1e-5)
