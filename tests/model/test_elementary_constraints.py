"""Elementary constraints of one's own, stacked: a joint by its rows is the joint by its name."""

from functools import cache

import numpy as np
import pytest

import torseur as ts

BASE = {
    "torseur": 1,
    "name": "two arms",
    "gravity": [0, -9.81, 0.5],
    "bodies": {
        "a": {"mass": 1, "inertia": [0.1, 0.2, 0.3], "centre": [0.5, 0, 0]},
        "b": {"mass": 2, "inertia": [0.2, 0.1, 0.3], "centre": [0.3, 0.1, 0.05]},
    },
}
A = {"type": "pivot", "bodies": ["ground", "a"], "axis": "y", "coordinate": "theta"}
FREE = {"type": "free", "bodies": ["ground", "b"]}
POINT = [[1, 0, 0], [0, 0, 0]]
PAIR = {"bodies": ["a", "b"]}
P = {"type": "coincidence", **PAIR, "point": POINT}


def orthogonal(first, second):
    return {
        "type": "orthogonality", **PAIR, "first_direction": first, "second_direction": second
    }  # fmt: skip


def on_plane(normal):
    return {"type": "point on plane", **PAIR, "point": POINT, "normal": normal}


STACKS = {
    "pivot": {"P": P, "D1": orthogonal("x", "y"), "D2": orthogonal("x", "z")},
    "rotule": {"P": P},
    "pivot glissant": {
        "N1": on_plane("y"),
        "N2": on_plane("z"),
        "D1": orthogonal("x", "y"),
        "D2": orthogonal("x", "z"),
    },
    "distance": {"S": {"type": "separation", **PAIR, "point": [[0.2, 0, 0], [0, 0, 0]],
                       "length": 0.8}},
}  # fmt: skip
GIVEN = {
    "pivot": {"type": "pivot", **PAIR, "point": POINT, "axis": "x"},
    "rotule": {"type": "rotule", **PAIR, "point": POINT},
    "pivot glissant": {"type": "pivot glissant", **PAIR, "point": POINT, "axis": "x"},
    "distance": {"type": "distance", **PAIR, "point": [[0.2, 0, 0], [0, 0, 0]], "length": 0.8},
}


@cache
def stacked(kind):
    return ts.load({**BASE, "joints": {"A": A, "F": FREE}, "constraints": STACKS[kind],
                    "initial": {"F_x": 1.0}})  # fmt: skip


@cache
def named(kind):
    extra = {"F": FREE} if kind == "distance" else {}
    start = {"initial": {"F_x": 1.0}} if extra else {}
    return ts.load({**BASE, "joints": {"A": A, **extra, "B": GIVEN[kind]}, **start})


@pytest.mark.parametrize("kind", ["pivot", "pivot glissant", "distance"])
def test_a_stack_of_elementary_constraints_moves_and_carries_as_the_joint_it_makes(kind):
    mine = ts.simulate(stacked(kind), 0.3, rate=20)
    theirs = ts.simulate(named(kind), 0.3, rate=20)
    np.testing.assert_allclose(mine["theta"], theirs["theta"], atol=1e-8)
    total = sum(mine.reaction(name, at=np.zeros(3)) for name in STACKS[kind])
    np.testing.assert_allclose(total, theirs.reaction("B", at=np.zeros(3)), atol=1e-6)
    assert ts.mobility(stacked(kind)).degree == ts.mobility(named(kind)).degree


def test_a_stack_moves_alike_in_absolute_coordinates():
    joint = ts.simulate(stacked("pivot"), 0.3, rate=20)
    absolute = ts.simulate(stacked("pivot"), 0.3, rate=20, coordinates="absolute")
    np.testing.assert_allclose(joint["theta"], absolute["theta"], atol=1e-8)
    for name in STACKS["pivot"]:
        np.testing.assert_allclose(joint.reaction(name), absolute.reaction(name), atol=1e-6)


def test_a_height_lifts_the_plane_and_oblique_directions_are_kept_orthogonal():
    raised = {**BASE, "joints": {"A": A, "F": FREE}, "constraints": {
        "N": {**on_plane("z"), "height": 0.2},
        "D": orthogonal([1, 1, 0], [1, 0, 2]),
    }}  # fmt: skip
    run = ts.simulate(raised, 0.2, rate=20)
    assert run.closure_error < 1e-9
    assert [one for one in run.model.mechanism.constraints["D"].meanings if "couple" in one]
    N = run.reaction("N", frame="joint")
    np.testing.assert_allclose(N[:, 3:], 0, atol=1e-9)


@pytest.mark.parametrize("length", [-1, 0, "-l"])
def test_points_are_kept_at_a_positive_distance(length):
    free = {"type": "free", "bodies": ["ground", "b"]}
    apart = {"type": "separation", "bodies": ["ground", "b"], "length": length}
    with pytest.raises(ts.ModelError, match=r"length: .* is not positive"):
        ts.load({"parameters": {"l": 2}, "bodies": {"b": {"mass": 1}}, "joints": {"F": free},
                 "constraints": {"k": apart}})  # fmt: skip
