"""Rays and range sensors: the nearest shape along a line, against points inside of shapes."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import torseur as ts

CORNERS = np.random.default_rng(5).normal(size=(16, 3)) * [0.3, 0.2, 0.25]
SOLIDS: dict[str, dict[str, Any]] = {
    "sphere": {"shape": {"sphere": {"radius": 0.3}}},
    "capsule": {"shape": {"capsule": {"radius": 0.15, "length": 0.5, "axis": "y"}}},
    "box": {"shape": {"box": {"size": [0.3, 0.5, 0.4]}}},
    "cylinder": {"shape": {"cylinder": {"radius": 0.25, "length": 0.4, "axis": "x"}}},
    "hull": {"collision": [{"hull": CORNERS.tolist()}]},
}


def is_inside(kind: str, x: np.ndarray) -> np.ndarray:
    """Whether points (n, 3) of its frame are in a solid."""
    if kind == "sphere":
        return np.linalg.norm(x, axis=1) <= 0.3
    if kind == "box":
        return (np.abs(x) <= [0.15, 0.25, 0.2]).all(axis=1)
    if kind == "hull":
        sides = ConvexHull(CORNERS).equations
        return (x @ sides[:, :3].T + sides[:, 3] <= 0).all(axis=1)
    if kind == "cylinder":
        return (np.hypot(x[:, 1], x[:, 2]) <= 0.25) & (np.abs(x[:, 0]) <= 0.2)
    along = np.clip(x[:, 1], -0.25, 0.25)
    return np.linalg.norm(x - along[:, None] * [0, 1, 0], axis=1) <= 0.15


def free(kind: str, **more: Any) -> ts.Mechanism:
    """A free body with a solid, and a floor."""
    body = {"mass": 1, "inertia": [1, 1, 1], **SOLIDS[kind]}
    return ts.load({
        "name": kind,
        "bodies": {"thing": body},
        "joints": {"F": {"type": "free", "bodies": ["ground", "thing"]}},
        **more,
    })  # fmt: skip


@pytest.mark.parametrize("kind", list(SOLIDS))
def test_a_ray_ends_at_the_first_point_inside_of_a_shape(kind):
    model, random, hits = free(kind), np.random.default_rng(1), 0
    f, t = ts.compile(model), np.linspace(0, 3, 6001)
    for _ in range(40):
        p, R = random.normal(size=3) * 0.5, Rotation.random(rng=random)
        state = np.zeros(7)
        x, y, z, w = R.as_quat()
        names = {n.rsplit("_", 1)[-1]: k for k, n in enumerate(f.coordinates)}
        for key, value in zip(
            ("x", "y", "z", "qx", "qy", "qz", "qw"), (*p, x, y, z, w), strict=True
        ):
            state[names[key]] = value
        d = p + random.normal(size=3) * 0.2
        d /= np.linalg.norm(d)
        inside = is_inside(kind, R.inv().apply(t[:, None] * d - p))
        found = ts.robots.ray(model, "ground", d, state)
        if not inside.any():
            assert found.distance > 2.9 or found.distance == np.inf
            continue
        hits += 1
        assert found.distance == pytest.approx(t[inside.argmax()], abs=6e-4)
        np.testing.assert_allclose(found.point, found.distance * d, atol=1e-12)
        assert found.body == "thing"
    assert hits > 15


SCENE = {
    "name": "scene",
    "parameters": {"sigma": 0.01},
    "bodies": {
        "cart": {"mass": 1, "shape": {"box": {"size": [0.2, 0.2, 0.2]}}},
        "post": {"mass": 1, "shape": {"sphere": {"radius": 0.25}}},
    },
    "joints": {
        "A": {"type": "slider", "bodies": ["ground", "cart"], "axis": "x", "coordinate": "x"},
        "B": {"type": "fixed", "bodies": ["ground", "post"], "point": [[5, 0, 0], [0, 0, 0]]},
    },
    "contacts": {"floor": {"among": ["cart"], "normal": "z", "through": [0, 0, -1]}},
    "sensors": {
        "ahead": {"type": "range", "body": "cart", "axis": "x", "reach": 4.5},
        "down": {"type": "range", "body": "cart", "axis": [1, 0, -1], "point": [0, 0, 0.5]},
        "rough": {"type": "range", "body": "cart", "axis": "x", "noise": "sigma"},
        "fixed": {"type": "range", "body": "ground", "axis": "-x", "point": [8, 0, 0]},
    },
    "initial": {"x.": 1.0},
}
BY_STEPS: dict[str, Any] = {"method": "moreau", "step": 0.01}


def test_a_range_sensor_measures_the_way_to_what_is_ahead():
    run = ts.simulate(ts.load(SCENE), at=[0.0, 1.0, 3.0], **BY_STEPS)
    ahead = run.sensor("ahead")
    np.testing.assert_allclose(ahead["distance"], [4.5, 3.75, 1.75], atol=1e-9)
    assert ahead.units == ("m",)
    np.testing.assert_allclose(run.sensor("down").values[:, 0], 1.5 * np.sqrt(2), atol=1e-12)
    np.testing.assert_allclose(run.sensor("fixed").values[:, 0], 2.75, atol=1e-12)


def test_a_range_sensor_reads_absolute_coordinates_and_rows_of_batches():
    model = ts.load(SCENE)
    run = ts.simulate(model, at=[1.0], coordinates="absolute", **BY_STEPS)
    np.testing.assert_allclose(run.sensor("ahead").values, [[3.75]], atol=1e-9)
    rows = ts.simulate(model, at=[1.0], initial={"x.": np.array([0.5, 2.0])}, **BY_STEPS)
    np.testing.assert_allclose(rows.row(1).sensor("ahead").values, [[2.75]], atol=1e-9)


def test_the_noise_of_a_range_sensor_is_that_of_the_description():
    run = ts.simulate(ts.load(SCENE), at=np.linspace(0, 1, 2001), **BY_STEPS)
    exact = 4.75 - run["x"]
    errors = run.sensor("rough", seed=2)["distance"] - exact
    assert errors.std() == pytest.approx(0.01, rel=0.05)
    assert abs(errors.mean()) < 5 * 0.01 / np.sqrt(2000)


def test_a_range_sensor_is_saved_and_read_again(tmp_path):
    model = ts.load(SCENE)
    again = ts.load(model.save(tmp_path / "scene.yaml"))
    run = ts.simulate(again, at=[1.0], **BY_STEPS)
    np.testing.assert_allclose(run.sensor("ahead").values, [[3.75]], atol=1e-9)


def test_rays_of_a_scanner_are_rows_of_directions():
    model, angles = ts.load(SCENE), np.radians([-5, -2, 0, 2, 5])
    fan = np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
    found = ts.robots.ray(model, "cart", fan, [[0.0], [2.0]])
    across = np.abs(np.array([[5.0], [3.0]]) * np.sin(angles))
    expected = np.array([[5.0], [3.0]]) * np.cos(angles) - np.sqrt(
        np.maximum(0.25**2 - across**2, 0)
    )
    expected[across > 0.25] = np.inf
    np.testing.assert_allclose(found.distance, expected, atol=1e-12)
    assert (found.body[np.isfinite(expected)] == "post").all() and "of 10 rays" in str(found)
    none = ts.robots.ray(model, "cart", [1, 0, 0], {"x": 0.0}, reach=4.0)
    assert not np.isfinite(none.distance) and str(none) == "nothing is hit"
    through = ts.robots.ray(model, "cart", [0, 0, -1], {"x": 0.0}, without=["ground"])
    assert not np.isfinite(through.distance)
    inside = ts.robots.ray(model, "ground", [0, 1, 0], {"x": 0.05})
    assert inside.distance == 0 and inside.body == "cart"


@pytest.mark.parametrize(("call", "message"), [
    (lambda m: ts.robots.ray(m, "cart", [0, 0, 0]), "directions"),
    (lambda m: ts.robots.ray(m, "car", [1, 0, 0]), "car"),
    (lambda m: ts.robots.ray(m, "cart", [1, 0, 0], without=["pole"]), "pole"),
])  # fmt: skip
def test_rays_that_are_none_are_explained(call, message):
    with pytest.raises(ts.ModelError, match=message):
        call(ts.load(SCENE))
