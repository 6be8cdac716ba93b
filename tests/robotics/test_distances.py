"""Distances of bodies by their shapes: closed forms, gradients, batches, planes of the ground."""

import numpy as np
import pytest
from arm_scenes import RADIUS, arm, ball_distance, links_of, own_distance, to_segment

import torseur as ts

BALL = np.array([0.6, 0.5, 0.0])
SCENE = arm({"ball": ({"sphere": {"radius": 0.1}}, BALL)})
FLOOR = {"contacts": {"floor": {"among": "all", "normal": "y", "through": [0, -1, 0]}}}


def states(count, links=3, seed=0):
    return np.random.default_rng(seed).uniform(-2.5, 2.5, (count, links))


def test_a_model_knows_the_distance_of_capsules_and_a_ball():
    f, rows = ts.compile(SCENE), states(50)
    for k in range(3):
        expected = [to_segment(BALL, links_of(q)[k]) - RADIUS - 0.1 for q in rows]
        found = f.distance(f"link{k + 1}", "ball", rows)
        np.testing.assert_allclose(found, expected, atol=1e-12)
        assert f.distance("ball", f"link{k + 1}", rows[0]) == pytest.approx(expected[0], abs=1e-12)
    apart = [q for q in rows if own_distance(q) > -RADIUS]
    found = [float(f.distance("link1", "link3", q)) for q in apart]
    np.testing.assert_allclose(found, [own_distance(q) for q in apart], atol=1e-12)


@pytest.mark.parametrize("solid", [
    {"sphere": {"radius": 0.1}},
    {"capsule": {"radius": 0.05, "length": 0.3, "axis": "y"}},
    {"box": {"size": [0.1, 0.3, 0.2]}},
    {"cylinder": {"radius": 0.1, "length": 0.3, "axis": "z"}},
])  # fmt: skip
def test_the_gradient_of_a_distance_is_its_rate(solid):
    model = arm({"thing": (solid, [0.5, 0.4, 0.3])}, axes="zyx")
    f, h, checked = ts.compile(model), 1e-6, 0
    for q in states(20, seed=3):
        found = f.nearest("link3", "thing", q)
        if found.distance < 0.01:
            continue
        ends = [
            f.distance("link3", "thing", q + h * d * np.eye(3)[k])
            for k in range(3)
            for d in (1, -1)
        ]
        rates = (np.array(ends[::2]) - ends[1::2]) / (2 * h)
        np.testing.assert_allclose(found.gradient, rates, atol=1e-5)
        between = found.on_first - found.on_second
        np.testing.assert_allclose(between, found.distance * found.normal, atol=1e-9)
        checked += 1
    assert checked > 5


def test_the_ground_stands_for_its_planes():
    f, rows = ts.compile(arm({}, **FLOOR)), states(30, seed=1)
    expected = [min(p[1] for p in links_of(q)[2]) + 1 - RADIUS for q in rows]
    np.testing.assert_allclose(f.distance("link3", "ground", rows), expected, atol=1e-12)
    found = f.nearest("link3", "ground", rows)
    np.testing.assert_allclose(found.on_second[:, 1], -1, atol=1e-12)
    np.testing.assert_allclose(found.on_first[:, 1], np.array(expected) - 1, atol=1e-12)
    turned = f.nearest("ground", "link3", rows)
    np.testing.assert_allclose(turned.normal, -found.normal, atol=1e-12)
    np.testing.assert_allclose(turned.gradient, found.gradient, atol=1e-12)
    touching = [ball_distance(q, BALL, 0.1) for q in rows]
    assert np.isfinite(touching).all()


def test_an_obstacle_that_no_contact_names_meets_all_others():
    among = {"contacts": {"links": {"among": ["link1", "link2", "link3"]}}}
    model = arm({"ball": ({"sphere": {"radius": 0.1}}, BALL)}, **among)
    for q in states(30, seed=2):
        pairs = {(x.first, x.second) for x in ts.robots.collisions(model, q)}
        assert (("link1", "link3") in pairs) == (own_distance(q) < 0)
        assert bool(pairs - {("link1", "link3")}) == (ball_distance(q, BALL, 0.1) < 0)


def test_solids_of_one_body_do_not_meet_each_other():
    balls = [{"shape": {"sphere": {"radius": 0.2}}, "position": [x, 0, 0]} for x in (0, 0.1)]
    bodies = {name: {"mass": 1, "collision": balls} for name in "ab"}
    joints = {name: {"type": "slider", "bodies": ["ground", name], "axis": "x", "coordinate": x}
              for name, x in (("a", "y"), ("b", "x"))}  # fmt: skip
    model = ts.load({"name": "two", "bodies": bodies, "joints": joints})
    assert ts.robots.collisions(model, {"x": 1.0, "y": 0.0}) == []
    (touching,) = ts.robots.collisions(model, {"x": 0.4, "y": 0.0})
    assert (touching.first, touching.second) == ("a", "b")
    assert touching.depth == pytest.approx(0.1, abs=1e-12)


@pytest.mark.parametrize(("call", "message"), [
    (lambda f: f.distance("link1", "hand", [0, 0, 0]), "hand"),
    (lambda f: f.distance("link1", "link1", [0, 0, 0]), "no distance from itself"),
    (lambda f: f.distance("link1", "ground", [0, 0, 0]), "ground has no plane"),
    (lambda f: f.distance("link1", "ball", [0, 0]), "3 coordinates are expected"),
])  # fmt: skip
def test_distances_that_are_none_are_explained(call, message):
    with pytest.raises(ts.ModelError, match=message):
        call(ts.compile(SCENE))
