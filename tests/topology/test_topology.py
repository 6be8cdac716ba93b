"""The joint graph: order and direction of the description do not matter; loops are found."""

import random
from pathlib import Path

import numpy as np
import pytest
from random_trees import EVERY_JOINT, random_coordinates, random_tree

from torseur.equations.formalisms.derive import derive
from torseur.language.load import load
from torseur.model.joint_graph import spanning
from torseur.model.joints.reversed import Reversed

MODELS = Path(__file__).parents[1] / "models"
BODY = {"mass": 1.5, "centre": [0.1, 0.2, -0.3], "inertia": [0.2, 0.3, 0.4, 0.01, 0.02, 0.03]}


def model(order, turned):
    """A tree of four bodies whose joints are listed in any order and crossed in any direction."""
    pairs = [("ground", "a"), ("a", "b"), ("b", "c"), ("a", "d")]
    joints = {}
    for k in order:
        first, second = pairs[k]
        points = [[0.3, 0.1 * k, 0], [0, 0, 0.2]]
        joint = {"type": ["pivot", "glissiere", "pivot glissant", "cardan"][k], "axis": "z"}
        if k == 3:
            joint = {"type": "cardan", "axes": ["x", "y"]}
        if k in turned:
            first, second, points = second, first, points[::-1]
        joints[f"J{k}"] = joint | {"bodies": [first, second], "point": points}
    bodies = {name: BODY for name in "abcd"}
    return load({"gravity": [0, -9.81, 0], "bodies": bodies, "joints": joints})


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_joints_does_not_matter(seed):
    order = random.Random(seed).sample(range(4), 4)
    names = model(range(4), ()).coordinates
    rng = np.random.default_rng(seed)
    q, v = (dict(zip(names, rng.normal(size=len(names)), strict=True)) for _ in range(2))
    v = {f"{name}.": value for name, value in v.items()}
    found = {}
    for listed in (range(4), order):
        equations = derive(model(listed, ()))
        h = equations.evaluate(q, v).h
        found[tuple(listed)] = dict(zip(equations.speeds, h, strict=True))
    first, second = found.values() if len(found) == 2 else (*found.values(), *found.values())
    for name, value in first.items():
        assert second[name] == pytest.approx(value, rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("turned", [(0,), (1,), (2,), (0, 1, 2)])
def test_a_joint_written_from_the_outside_in_turns_the_other_way(turned):
    rng = np.random.default_rng(0)
    straight, crossed = derive(model(range(4), ())), derive(model(range(4), turned))
    q, v = rng.normal(size=(2, len(straight.speeds)))
    owners = [name.split("_")[0] for name in straight.coordinates]
    sign = np.array([-1.0 if int(name[1]) in turned else 1.0 for name in owners])
    there, here = crossed.evaluate(sign * q, sign * v), straight.evaluate(q, v)
    np.testing.assert_allclose(here.M, sign[:, None] * there.M * sign, atol=1e-12)
    np.testing.assert_allclose(here.h, sign * there.h, atol=1e-11)
    np.testing.assert_allclose(here.g, sign * there.g, atol=1e-11)


def test_a_loop_leaves_one_joint_over_and_it_is_named():
    crank = load(MODELS / "slider_crank.yaml")
    found = spanning(crank)
    assert [joint.name for joint in found.closing] == ["B"]
    assert len(found.carrying) == 3


@pytest.mark.parametrize("seed", range(20))
def test_the_coordinates_of_a_joint_are_read_from_its_pose(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, EVERY_JOINT, bodies=4)
    q = random_coordinates(rng, tree)
    for _, link in tree:
        for joint in (link.joint, Reversed(link.joint)):
            X = joint.transform(q[link.q])
            again = joint.transform(joint.read(X.R.matrix, X.p))
            np.testing.assert_allclose(again.homogeneous, X.homogeneous, atol=1e-12)
