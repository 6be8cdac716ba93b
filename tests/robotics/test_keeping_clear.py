"""Robots that keep clear: whole paths, postures and plans, against closed-form distances."""

from itertools import pairwise

import numpy as np
import pytest
from arm_scenes import arm, ball_distance, own_distance

import torseur as ts

BALL, SIZE = np.array([0.7, 0.5, 0.0]), 0.1
SCENE = arm({"ball": ({"sphere": {"radius": SIZE}}, BALL)})
POINTS = {"q1": [-1.2, 0.2, 1.5], "q2": [0.9, -0.4, 0.8], "q3": [0.3, 0.7, -0.5]}


def distance(q):
    """The least distance in the scene, which shares no code with Torseur's."""
    return min(ball_distance(q, BALL, SIZE), own_distance(q))


def densely(points, count):
    """Rows along straight lines through points."""
    q, s = np.array(list(points.values())).T, np.linspace(0, 1, count)[:, None]
    return np.concatenate([a + s * (b - a) for a, b in pairwise(q)])


# --- whole paths ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_least_distance_of_a_path_is_that_of_dense_samples(seed):
    random = np.random.default_rng(seed)
    points = {f"q{k}": random.uniform(-1.5, 1.5, 4).tolist() for k in (1, 2, 3)}
    found = ts.robots.path_clearance(SCENE, points, tolerance=1e-4)
    dense = min(distance(q) for q in densely(points, 400))
    if dense < -0.1:
        assert found.distance < 0  # depths of capsules that cross are another question
    else:
        assert found.distance - 1e-4 <= dense <= found.distance + 2e-3
    at = distance(np.array([found.coordinates[f"q{k}"] for k in (1, 2, 3)]))
    assert at == pytest.approx(found.distance, abs=1e-9) or at < 0
    assert found.samples < 3000


def test_nothing_slips_through_between_samples():
    """A thin rod passes a pin of 1 mm at full speed: every 100th of the path is far from it."""
    pin = arm({"pin": ({"sphere": {"radius": 5e-4}}, [1.1, 0.0, 0.0])}, links=3)
    course = ts.robots.quintic({"q1": [-1.5, 1.4]}, [0, 1])
    rows = np.zeros((100, 3))
    rows[:, 0] = course.q(np.linspace(0, 1, 100))[:, 0]
    assert ts.robots.path_clearance(pin, course).distance < 0
    samples = [q for q in rows if ts.robots.collisions(pin, q)]
    assert len(samples) < 10
    found = ts.robots.path_clearance(pin, course, pairs=[("link1", "pin")])
    assert (found.first, found.second) == ("link1", "pin")
    assert found.distance == pytest.approx(1.1 - 0.45 - 5e-4, abs=1e-4)


def test_a_trajectory_that_bends_is_bounded_between_samples():
    path = ts.robots.spline(POINTS, [0, 1, 2])
    found = ts.robots.path_clearance(SCENE, path)
    dense = np.array([distance(q) for q in path.q(np.linspace(0, 2, 2000))])
    assert found.distance - 1e-4 <= dense.min() <= found.distance + 1e-3
    assert found.t == pytest.approx(2 * dense.argmin() / 1999, abs=5e-3)
    assert "between link" in str(found)


def test_coordinates_of_a_coupling_follow_and_others_rest():
    text = {"constraints": {"C": {"type": "relation", "zero": "q3 + 2*q2 - 0.3"}}}
    coupled = arm({"ball": ({"sphere": {"radius": SIZE}}, BALL)}, **text)
    found = ts.robots.path_clearance(coupled, {"q2": [-0.6, 0.8]}, at={"q1": 0.2})
    q2 = np.linspace(-0.6, 0.8, 1000)
    rows = np.column_stack([np.full(1000, 0.2), q2, 0.3 - 2 * q2])
    assert found.distance == pytest.approx(min(map(distance, rows)), abs=1e-3)
    assert found.coordinates["q3"] == pytest.approx(0.3 - 2 * found.coordinates["q2"])
