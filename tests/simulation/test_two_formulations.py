"""Every smooth example in both formulations: one motion, one reaction a joint, one multiplier.

Where a mechanism is over-constrained, both leave the same reactions open, and what they give
differs by self-stresses only: wrenches that joints hold among themselves.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from example_states import ALIKE, mechanism, model
from two_formulations import absolute_jacobian, both, self_stresses

import torseur as ts
from torseur.analyse.mobility.balance import redundancy
from torseur.model.values.numeric import numeric_mechanism

CLOSE = 1e-9  # of the largest value of a signal
ROUNDING = 1e-12  # of the largest value of its kind: terms of that size make up one that vanishes
RATE = 40
# How long a motion is followed [s]; elsewhere two seconds.
DURATION = {"puma560": 0.1, "five_bar": 0.8}
# Dry friction is stiff, and the noise of explicit steps at the limit of their stability is not.
METHOD = {"puma560": "radau"}
# A radius that hardly changes on a large orbit.
RTOL = {"dumbbell_satellite": 1e-13}
REDUNDANT = [name for name in ALIKE if mechanism(name).reactions == "least_norm"]
SLOW = {"delta_robot", "stewart_platform", "puma560"}


def each(names):
    """One test for each example, some of them among the slow tests."""
    marked = [pytest.param(x, marks=pytest.mark.slow) if x in SLOW else x for x in names]
    return pytest.mark.parametrize("name", marked)


@cache
def runs(name):
    """The runs of an example in joint coordinates and in absolute ones."""
    options = {"rate": RATE, "rtol": RTOL.get(name, 1e-12), "method": METHOD.get(name, "auto")}
    duration = DURATION.get(name, 2.0)
    return both(model(name), duration, **options)


def size(*arrays):
    return max((float(np.abs(x).max(initial=0.0)) for x in arrays), default=0.0)


def assert_same(joint, absolute, least=0.0):
    """The same signals by name, each to a small part of itself or of the size of all."""
    assert list(joint) == list(absolute)
    floor = ROUNDING * max(least, size(*joint.values()))
    for name, expected in joint.items():
        error = size(absolute[name] - expected)
        assert error <= CLOSE * size(expected) + floor, (name, error, size(expected), floor)


def points(run, derivative):
    return {name: run.point(name, derivative) for name in run.model.mechanism.points}


def reactions(run, part, frame="joint"):
    names = list(run.samples.wrenches)
    return {name: run.reaction(name, frame=frame)[:, part] for name in sorted(names)}


def multipliers(run):
    """Of what is no joint."""
    named = dict.fromkeys((*run.model.mechanism.constraints, *run.model.mechanism.motions))
    return {name: run.multiplier(name) for name in named}


@pytest.mark.sampled(16)
@each(ALIKE)
def test_the_motion_is_the_same(name):
    joint, absolute = runs(name)
    assert joint.names == absolute.names
    np.testing.assert_array_equal(joint.t, absolute.t)
    q, v = (
        [{n: run[n] for n, unit in run.names.items() if unit.endswith("/s") == rate}
         for run in (joint, absolute)]
        for rate in (False, True)
    )  # fmt: skip
    assert_same(*q)
    assert_same(*v)
    turning = size(joint.v) ** 2  # centripetal and gyroscopic terms, where accelerations vanish
    speeds = joint.model.speeds
    a = (dict(zip(speeds, run.a.T, strict=True)) for run in (joint, absolute))
    assert_same(*a, least=turning)
    for derivative, least in enumerate((0.0, 0.0, turning)):
        assert_same(points(joint, derivative), points(absolute, derivative), least)
    assert_same(joint.energy, absolute.energy)


def loads(run):
    """The largest weight of a body [N], or what stops the motion over a metre [N]."""
    numbers = numeric_mechanism(run.model.mechanism, run.model.parameters)
    heaviest = max(float(body.mass) for body in numbers.bodies.values())
    return max(heaviest * np.linalg.norm(numbers.gravity), size(run.energy["kinetic"]))


@pytest.mark.sampled(16)
@each([name for name in ALIKE if name not in REDUNDANT])
def test_every_reaction_and_every_multiplier_is_the_same(name):
    joint, absolute = runs(name)
    assert absolute.samples.poses.model.left_out == 0
    forces = [reactions(run, slice(3)) for run in (joint, absolute)]
    couples = [reactions(run, slice(3, 6)) for run in (joint, absolute)]
    assert_same(*forces, least=loads(joint))
    assert_same(*couples, least=loads(joint))
    least = max(size(*x[0].values()) for x in (forces, couples))
    assert_same(multipliers(joint), multipliers(absolute), least)


# --- over-constrained mechanisms ----------------------------------------------------------------


@each(REDUNDANT)
def test_reactions_that_are_not_unique_differ_by_self_stresses_only(name):
    joint, left_open = runs(name)[0], redundancy(mechanism(name))
    assert left_open.degree > 0
    wrenches = [
        [reactions(x, slice(6), "ground")[n] for n in joint.samples.wrenches] for x in runs(name)
    ]
    scale = np.abs(wrenches[0]).max()
    for k in range(0, len(joint.t), 5):
        given, found = (np.array([x[k] for x in both]) for both in wrenches)
        stresses = self_stresses(joint, k)
        assert stresses.shape[2] == left_open.degree
        basis, difference = stresses.reshape(-1, left_open.degree), (found - given).ravel()
        held = basis @ np.linalg.lstsq(basis, difference, rcond=None)[0]
        np.testing.assert_allclose(held, difference, atol=CLOSE * scale)
        for n, one in enumerate(joint.samples.wrenches):
            if one not in left_open.joints:
                assert size(stresses[n]) < 1e-9 and size(found[n] - given[n]) < CLOSE * scale


@each(REDUNDANT)
def test_both_formulations_leave_the_same_reactions_open(name):
    absolute = runs(name)[1]
    left_open = redundancy(mechanism(name))
    J, owners = absolute_jacobian(absolute.samples, 0)
    scaled = J / np.linalg.norm(J, axis=1, keepdims=True)
    left, sizes, _ = np.linalg.svd(scaled)
    unfixed = left[:, int((sizes > 1e-9).sum()) :]
    assert unfixed.shape[1] == left_open.degree == absolute.samples.poses.model.left_out
    found = {owner for owner, row in zip(owners, unfixed, strict=True) if size(row) > 1e-7}
    assert found == set(left_open.joints)


@each(REDUNDANT)
def test_both_formulations_tell_how_often_a_mechanism_is_over_constrained(name):
    plain = replace(mechanism(name), reactions="")
    degree = redundancy(plain).degree
    told = [
        " ".join(ts.simulate(plain, 0.01, coordinates=kind).notices)
        for kind in ("joint", "absolute")
    ]
    assert f"Over-constrained {degree} times" in told[0]
    assert f"Over-constrained, at least {degree} times" in told[1]


@each(REDUNDANT)
def test_multipliers_that_are_unique_are_the_same_in_an_over_constrained_mechanism(name):
    left_open = redundancy(mechanism(name)).joints
    both = [{n: x for n, x in multipliers(run).items() if n not in left_open} for run in runs(name)]
    assert_same(*both, least=loads(runs(name)[0]))


# --- what acts in the joints of loops -------------------------------------------------------------

FOUR_BARS = {
    "gravity": [0, -9.81, 0],
    "parameters": {"D0": 1.2},
    "bodies": {
        "a": {"mass": 1, "centre": [0.5, 0, 0], "inertia": [0.1, 0.1, 0.1]},
        "b": {"mass": 1.5, "centre": [1, 0.1, 0], "inertia": [0.1, 0.3, 0.3]},
        "c": {"mass": 0.8, "centre": [0.7, 0, 0], "inertia": [0.1, 0.1, 0.12]},
    },
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "a"], "axis": "z"},
        "B": {"type": "pivot", "bodies": ["a", "b"], "axis": "z", "point": [[1, 0, 0], [0, 0, 0]]},
        "C": {"type": "pivot", "bodies": ["b", "c"], "axis": "z",
              "point": [[2, 0, 0], [1.4, 0, 0]]},
        "D": {"type": "pivot", "bodies": ["ground", "c"], "axis": "z",
              "point": [[2, 0, 0], [0, 0, 0]]},
    },
    "forces": {name: {"type": "joint", "joint": name, "value": f"2 + {name} - 0.3*{name}."}
               for name in "ABCD"},
    "initial": {"A": 1.0},
    "reactions": "least_norm",
}  # fmt: skip
ACTING = {
    "forces": {},
    "a law": {"motions": {"drive": {"coordinate": "D", "law": "D0 + 0.3*t"}},
              "initial": {"A": 1.0, "D": "D0"}},
    "a relation of speeds": {"constraints": {"tie": {
        "type": "relation", "zero": "D. + 0.3*A. - 0.1*sin(t)"}}},
}  # fmt: skip


@pytest.mark.parametrize("case", ACTING)
def test_a_joint_that_closes_a_loop_carries_what_acts_in_it(case):
    """Forces in all four joints, so that one of them closes the loop."""
    joint, absolute = both(FOUR_BARS | ACTING[case], 0.3, rate=20, rtol=1e-12)
    assert "D" in joint.samples.owners
    assert_same({n: joint[n] for n in joint.names}, {n: absolute[n] for n in joint.names})
    assert_same(multipliers(joint), multipliers(absolute))
    whole = slice(6)  # the mechanism is plane: what is not unique is zero in both
    assert_same(reactions(joint, whole), reactions(absolute, whole))
    exerted = joint.reaction("D", frame="joint")[:, 5]
    given = 2 + joint["D"] - 0.3 * joint["D."]
    given += joint.drive("drive") if case == "a law" else 0.0
    given += joint.multiplier("tie")[:, 0] if case == "a relation of speeds" else 0.0
    np.testing.assert_allclose(exerted, given, atol=1e-10)


def braked_arm(**more) -> dict:
    """An arm that its motor holds by dry friction."""
    return {
        "gravity": [0, -9.81, 0],
        "bodies": {"arm": {"mass": 1, "centre": [0.3, 0, 0], "inertia": [0.1, 0.1, 0.1]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z"}},
        "motors": {"M": {"joint": "O", "dry": {"output": [5, 5]}, **more}},
        "initial": {"O": 0.2, "O.": 0.01},
    }


@pytest.mark.parametrize("time", [1.0, 1e-6])
def test_dry_friction_of_a_motor_sticks_in_both_coordinates(time):
    """However fast the arm is: nothing depends on the unit of time."""
    arm = braked_arm(dry={"output": [5 / time**2, 5 / time**2]})
    arm |= {"gravity": [0, -9.81 / time**2, 0], "initial": {"O": 0.2, "O.": 0.01 / time}}
    joint, absolute = both(arm, 4e-3 * time, rate=1e5 / time, rtol=1e-12)
    stuck = joint.t > joint.events[-1].t
    assert 10 < stuck.sum() < len(stuck) - 10
    for run in (joint, absolute):
        assert run["O."][stuck] * time == pytest.approx(0.0, abs=1e-15)
        assert not run.notices
    assert absolute.events[-1].t == pytest.approx(joint.events[-1].t, rel=1e-9)
    np.testing.assert_allclose(absolute["O"], joint["O"], rtol=0, atol=1e-13)


def test_dry_friction_of_a_motor_creeps_where_its_rotor_turns_with_a_body_in_absolute_coordinates():
    arm = braked_arm(rotor_inertia=1e-9, axis="z")
    joint, absolute = both(arm, 4e-3, rate=1e5, rtol=1e-12, method="radau")
    stuck = joint.t > joint.events[-1].t
    assert (joint["O."][stuck] == 0).all()
    assert (joint["O.."][stuck] == 0).all()
    assert 0 < size(absolute["O."][-1:]) < 1e-4
    assert any("Dry friction is smoothed" in note for note in absolute.notices)
    for run in (joint, absolute):
        middle = (run["O."][2:] - run["O."][:-2]) * 1e5 / 2
        late = run.t[1:-1] > 3.5e-3  # where differences are accurate
        np.testing.assert_allclose(run.a[1:-1, 0][late], middle[late], atol=1e-4)


TOP = {
    "bodies": {"top": {"mass": 1, "centre": [0, 0, 0.1], "inertia": [0.1, 0.1, 0.2]}},
    "joints": {"O": {"type": "rotule", "bodies": ["ground", "top"]}},
    "initial": {"O_w": -0.6, "O_x": 0.8, "O_y": 0, "O_z": 0, "O_wz": 200, "O_wx": 3},
}


def test_a_quaternion_starts_as_it_is_given_and_has_no_jumps_though_samples_are_few():
    joint, absolute = both(TOP, 0.5, rate=30, rtol=1e-12)
    assert joint["O_w"][0] == -0.6
    assert_same({n: joint[n] for n in joint.names}, {n: absolute[n] for n in joint.names})


GEARED = {
    "gravity": [0, -9.81, 0],
    "reactions": "least_norm",
    "bodies": {
        name: {"mass": mass, "centre": [x, 0, 0], "inertia": [0.1, 0.1, 0.1]}
        for name, mass, x in (("a", 1, 0.3), ("c", 0.5, 0.6), ("d", 0.6, 0.6), ("b", 1.2, 0.2))
    },
    "joints": {
        name: {"type": "pivot", "bodies": bodies, "axis": "z", "point": [[x, 0, 0], [y, 0, 0]]}
        for name, bodies, x, y in (
            ("A", ["ground", "a"], 0, 0),
            ("C", ["a", "c"], 0.5, 0),
            ("E", ["c", "d"], 1.2, 1.2),
            ("D", ["d", "b"], 0, 0.5),
            ("B", ["ground", "b"], 1, 0),
        )
    },
    "constraints": {
        "mesh": {"type": "gear", "joints": ["A", "B"], "radii": [0.4, 0.6],
                 "pressure_angle": "20 deg"},
    },
    "initial": {"A": 2.0, "C": -1.0},
}  # fmt: skip


def test_a_bearing_that_closes_a_loop_holds_what_pushes_its_wheel_apart():
    """Five bars, two of them geared; no pivot carries a couple about its axis."""
    joint, absolute = both(GEARED, 0.3, rate=20, rtol=1e-12)
    assert "B" in joint.samples.owners
    assert_same({n: joint[n] for n in joint.names}, {n: absolute[n] for n in joint.names})
    assert_same(reactions(joint, slice(3)), reactions(absolute, slice(3)))
    assert_same(multipliers(joint), multipliers(absolute))
    assert max(size(x[:, 2]) for x in reactions(joint, slice(3, 6)).values()) < 1e-10
