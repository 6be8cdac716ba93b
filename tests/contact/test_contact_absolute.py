"""Contacts, stops and friction in absolute coordinates: the motion is that of the joints.

Every body is placed by itself there, by the position of its centre and a quaternion, and joints are
constraints beside the rows of contacts: a second formulation of everything that touches.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import yaml
from contact_laws import broken_laws
from example_states import mechanism
from random_contacts import FAMILIES, random_scene
from test_contact_random import PARADOX, moved
from two_formulations import both

import torseur as ts
from torseur.simulation.run.files import load_run

RTOL = 1e-12
CLOSE = 1e-9  # of the largest value of a signal, and of instants
FORCES = 1e-8  # forces follow from accelerations of stiff rows: a digit less
EARTH = 9.81


def size(x: Any) -> float:
    return float(np.abs(x).max(initial=0.0))


def assert_close(found: Any, expected: Any, part: float, least: float = 1e-3) -> None:
    """The same to a part of the largest value; what vanishes is compared with a least size."""
    assert size(np.asarray(found) - expected) <= part * max(size(expected), least)


def told(run: Any) -> list[tuple[str, str, str]]:
    return [(event.name, event.cause, event.effect) for event in run.events]


def assert_same(joint: Any, absolute: Any) -> None:
    """One motion, one list of events, one force of each contact, one reaction of each joint."""
    np.testing.assert_array_equal(joint.t, absolute.t)
    assert joint.names == absolute.names
    for name in joint.names:
        assert_close(absolute[name], joint[name], CLOSE, 1.0)
    assert told(absolute) == told(joint)
    instants = [[event.t for event in run.events] for run in (absolute, joint)]
    assert_close(*instants, CLOSE, 1.0)
    for name in joint.samples.contacts_named:
        seen, expected = absolute.contact(name), joint.contact(name)
        assert (seen.state == expected.state).all()
        assert_close(seen.force, expected.force, FORCES)
        assert_close(seen.work, expected.work, CLOSE, 1.0)
    reactions = {name: joint.reaction(name) for name in joint.samples.wrenches}
    largest = max(map(size, reactions.values()), default=0.0)
    rounded = max(1e-5 * largest, 1e-3)  # a reaction that vanishes has the rounding of others
    for name, expected in reactions.items():
        assert_close(absolute.reaction(name), expected, FORCES, rounded)
    assert absolute.energy_drift < 1e-10
    assert absolute.closure_error < 1e-12


# --- closed forms -------------------------------------------------------------------------------


def box(degrees: float, friction: float) -> Any:
    """A box on two corners; x goes down the slope."""
    slope = np.radians(degrees)
    corner = {"bodies": ["ground", "A"], "normal": "y", "friction": friction}
    return ts.load({
        "gravity": [EARTH * np.sin(slope), -EARTH * np.cos(slope), 0],
        "bodies": {"A": {"mass": 1, "inertia": [0.1, 0.1, 0.1]}},
        "joints": {"J": {"type": "planar", "bodies": ["ground", "A"], "normal": "z",
                         "coordinates": ["x", "y", "theta"]}},
        "contacts": {f"c{k}": corner | {"point": [0.2 * k, -0.1, 0]} for k in (-1, 1)},
        "reactions": "least_norm",
        "initial": {"y": 0.1},
    })  # fmt: skip


def test_a_box_on_a_gentle_slope_stays_exactly():
    run = ts.simulate(box(10, 0.5), 3600.0, rate=0.01, coordinates="absolute")
    assert np.ptp(run["x"]) == 0.0
    assert not run.v.any()
    assert (run.contact("c1").state == "stick").all()


def test_a_box_on_a_steep_slope_slides_by_coulomb():
    run = ts.simulate(box(30, 0.3), 1.0, rate=10, coordinates="absolute")
    expected = EARTH * (np.sin(np.pi / 6) - 0.3 * np.cos(np.pi / 6))
    np.testing.assert_allclose(run["x.."], expected, rtol=1e-9)
    np.testing.assert_allclose(run["x"], expected * run.t**2 / 2, atol=1e-9)


def test_a_cylinder_thrown_up_a_slope_rolls_from_its_instant():
    run = ts.simulate(mechanism("cylinder_sliding"), 0.5, rtol=RTOL, coordinates="absolute")
    (event,) = run.events
    assert event.t == pytest.approx(0.171647833, abs=1e-9)
    assert run["x.."][-1] == pytest.approx(-2.236811737, abs=1e-9)


# --- the same as by joints ------------------------------------------------------------------------

SLOW = {"legged_robot": 0.3, "governor_with_friction": 1.0, "wheelie": 0.5, "screw_jack": 0.5}
QUICK = {"bouncing_ball": 3.0, "rocking_block": 1.0, "pendulum_between_stops": 2.0}
EXAMPLES = [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_moves_as_by_its_joints(name):
    assert_same(*both(mechanism(name), (QUICK | SLOW)[name], rate=20, rtol=RTOL))


def slider_crank(friction: float) -> Any:
    """The example, with friction in all its joints by their own loads."""
    entries = yaml.safe_load(mechanism("slider_crank").yaml())
    for name in "OAB":
        entries["joints"][name]["friction"] = {"coefficient": friction, "radius": 0.005}
    entries["joints"]["P"]["friction"] = friction
    return ts.load(entries | {"initial": {"alpha": 0.7, "alpha.": 10}})


def test_a_slider_crank_rubs_in_all_its_joints_those_that_close_its_loop_too():
    joint, absolute = both(slider_crank(0.02), 0.2, rate=50, rtol=RTOL)
    assert {event.name for event in joint.events} == {"B: friction", "P: friction"}
    assert_same(joint, absolute)


@pytest.mark.slow
def test_a_four_bar_linkage_that_strikes_a_wall_bounces_as_by_its_joints():
    entries = yaml.safe_load(mechanism("four_bar").yaml())
    entries["contacts"] = {
        "wall": {"bodies": ["ground", "rocker"], "point": ["l3", 0, 0], "normal": [-1, 0, 0],
                 "through": [0.3, 0, 0], "friction": 0.3, "restitution": 0.5},
    }  # fmt: skip
    joint, absolute = both(ts.load(entries), 0.6, rate=50, rtol=RTOL)
    assert any(event.cause == "shock" for event in joint.events)
    assert_same(joint, absolute)


WOUND = {
    "bodies": {"wheel": {"mass": 1, "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"O": {"type": "revolute", "bodies": ["ground", "wheel"], "axis": "z",
                     "coordinate": "a", "limits": [-9, 16], "stop": {"restitution": 0.5}}},
    "forces": {"k": {"type": "joint", "joint": "O", "value": "-0.05*(a - 5)"}},
    "initial": {"a": 7, "a.": 9},
}  # fmt: skip


def test_a_wheel_winds_a_spring_over_many_turns_up_to_its_stop():
    joint, absolute = both(ts.load(WOUND), 12.0, rate=3, rtol=RTOL)
    assert np.ptp(joint["a"]) > 4 * np.pi
    assert any(event.name == "a: upper stop" for event in joint.events)
    assert_same(joint, absolute)


DRIVEN = {
    "gravity": [0, -EARTH, 0],
    "bodies": {"arm": {"mass": 1, "centre": [0.3, 0, 0], "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"O": {"type": "revolute", "bodies": ["ground", "arm"], "axis": "z",
                     "coordinate": "a", "limits": [-1, 1], "stop": {"restitution": 0.4}}},
    "motors": {"M": {"joint": "O", "ratio": 20, "rotor_inertia": 1e-3, "torque": "0.2*sin(3*t)",
                     "dry": {"motor": [0.01, 0.02]}}},
    "initial": {"a": 0.5},
}  # fmt: skip


def test_a_motor_with_a_rotor_and_dry_friction_drives_an_arm_between_stops():
    joint, absolute = both(ts.load(DRIVEN), 2.0, rate=20, rtol=RTOL)
    assert {event.name for event in joint.events} >= {"a: lower stop", "M: dry friction"}
    assert_same(joint, absolute)


# --- random scenes --------------------------------------------------------------------------------


def assert_scene_agrees(seed: int) -> None:
    """The laws of contacts hold, and the motion is that of the joints."""
    scene = random_scene(seed)
    joint, absolute = (moved(scene, rtol=RTOL, coordinates=kind) for kind in ("joint", "absolute"))
    assert broken_laws(scene, absolute) == []
    sizes = joint.model.sizes.coordinates + np.abs(joint.q).max(axis=0)
    assert size((absolute.q - joint.q) / sizes) < 1e-7
    shocks = [[e.t for e in run.events if e.cause == "shock"] for run in (joint, absolute)]
    assert_close(np.divide(shocks[1], scene.second), np.divide(shocks[0], scene.second), 1e-8, 1.0)


@pytest.mark.parametrize("seed", [0, 9, 17])
def test_a_random_scene_moves_as_by_its_joints(seed):
    assert_scene_agrees(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [k for k in range(2 * len(FAMILIES)) if k not in PARADOX])
def test_scenes_of_every_family_move_as_by_their_joints(seed):
    assert_scene_agrees(seed)


# --- runs -----------------------------------------------------------------------------------------


def test_a_run_goes_on_from_its_end_and_is_known_between_its_samples():
    ball = mechanism("bouncing_ball")
    first = ts.simulate(ball, 0.5, rate=10, rtol=RTOL, coordinates="absolute")
    rest = ts.simulate(ball, 1.0, rate=10, rtol=RTOL, coordinates="absolute", initial=first)
    whole = ts.simulate(ball, 1.5, rate=10, rtol=RTOL, coordinates="absolute")
    assert_close(rest.q[-1], whole.q[-1], CLOSE)
    assert_close(whole.at(first.t).q, first.q, CLOSE)


def test_a_run_is_saved_and_read_back(tmp_path):
    run = ts.simulate(ts.load(WOUND), 4.0, rate=3, coordinates="absolute")
    run.save(tmp_path / "run.nc")
    read = load_run(tmp_path / "run.nc")
    np.testing.assert_array_equal(read["a"], run["a"])
    np.testing.assert_array_equal(
        read.contact("a: upper stop").gap, run.contact("a: upper stop").gap
    )
    np.testing.assert_array_equal(read.reaction("O"), run.reaction("O"))


def test_events_tell_the_coordinates_of_joints():
    run = ts.simulate(mechanism("pendulum_between_stops"), 1.0, rate=20, coordinates="absolute")
    shock = next(event for event in run.events if event.cause == "shock")
    there = run.at(shock.t)
    assert len(shock.state) == len(run.model.coordinates) + len(run.model.speeds) + 1
    assert shock.state[0] == pytest.approx(there.q[0, 0], abs=1e-9)


# --- what is refused ------------------------------------------------------------------------------


def test_a_joint_that_its_user_defines_is_refused_by_name():
    slide = {"type": "defined", "bodies": ["ground", "A"], "coordinates": ["s"],
             "position": ["s", 0, 0]}  # fmt: skip
    bead = ts.load({
        "bodies": {"A": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"S": slide},
        "contacts": {"wall": {"gap": "1 - s"}},
        "initial": {"s.": 1},
    })  # fmt: skip
    with pytest.raises(ts.ModelError, match="follows from s only"):
        ts.simulate(bead, 1.0, coordinates="absolute")


def test_a_rotor_that_turns_in_a_body_is_refused_by_name():
    motor = DRIVEN["motors"]["M"] | {"axis": [0, 0, 1]}
    arm = ts.load(DRIVEN | {"motors": {"M": motor}})
    with pytest.raises(ts.ModelError, match=r"M.*do not take a rotor with an axis"):
        ts.simulate(arm, 1.0, coordinates="absolute")


def test_laws_in_absolute_coordinates_measure_the_reactions_of_joints():
    """A law that pushes by a reaction moves the mechanism alike in both kinds of coordinates."""
    model = ts.load(OFF_CENTRE)
    loop = ts.control.Loop(
        lambda t, q, v, r: [0.02 * r[0]], 0.01, actuators=["a"], reactions=["X_O"]
    )
    joint, absolute = both(model, 0.5, rate=100, rtol=RTOL, control=loop)
    assert np.ptp(joint["a"]) > 0.1
    assert_same(joint, absolute)


OFF_CENTRE = {
    "gravity": [0, -EARTH, 0],
    "bodies": {"wheel": {"mass": 1, "centre": [0.1, 0, 0], "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"O": {"type": "revolute", "bodies": ["ground", "wheel"], "axis": "z",
                     "coordinate": "a", "limits": [-9, 16], "stop": {"restitution": 0.5}}},
    "initial": {"a": 0.2, "a.": 3},
}  # fmt: skip


def test_a_quaternion_is_not_spoken_of_where_its_joint_carries_nothing():
    top = ts.load({
        "bodies": {"top": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"O": {"type": "ball", "bodies": ["ground", "top"], "friction": {"constant": 1}}},
        "events": {"turned": {"zero": "O_w"}},
        "initial": {"O_wz": 1},
    })  # fmt: skip
    with pytest.raises(ts.ModelError, match='"O_w" of its quaternion'):
        ts.simulate(top, 1.0, coordinates="absolute")
