"""Pairs of convex shapes: gaps, normals and points of contact, proved by separating planes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import torseur as ts

KINDS = ("sphere", "capsule", "box", "cylinder", "hull")
PAIRS = [(a, b) for k, a in enumerate(KINDS) for b in KINDS[k:] if b in ("cylinder", "hull")]
SAMPLES = 16


def solid(kind: str, rng: np.random.Generator) -> dict[str, Any]:
    """A random solid as the YAML form has it, about 0.4 m large."""
    x = rng.uniform(0.08, 0.25, 3)
    if kind == "hull":
        return {"hull": (rng.normal(size=(20, 3)) * x).tolist()}
    sizes: dict[str, Any] = {"radius": float(x[0])}
    if kind == "box":
        sizes = {"size": (2 * x).tolist()}
    elif kind != "sphere":
        sizes |= {"length": float(2 * x[1]), "axis": str(rng.choice(list("xyz")))}
    return {"shape": {kind: sizes}}


def farthest(part: dict[str, Any], d: np.ndarray) -> np.ndarray:
    """Points of a solid that are farthest along directions (n, 3), in its own frame."""
    if "hull" in part:
        points = np.array(part["hull"])
        return points[np.argmax(d @ points.T, axis=1)]
    ((kind, sizes),) = part["shape"].items()
    unit = d / np.linalg.norm(d, axis=1, keepdims=True)
    if kind == "sphere":
        return sizes["radius"] * unit
    if kind == "box":
        return np.sign(d) * np.array(sizes["size"]) / 2
    axis = np.eye(3)["xyz".index(sizes["axis"])]
    ends = np.outer(np.sign(d @ axis) * sizes["length"] / 2, axis)
    if kind == "capsule":
        return ends + sizes["radius"] * unit
    across = d - np.outer(d @ axis, axis)
    size = np.linalg.norm(across, axis=1, keepdims=True)
    return ends + sizes["radius"] * across / np.maximum(size, 1e-300)


def is_inside(part: dict[str, Any], x: np.ndarray, slack: float) -> bool:
    """Whether a point of its frame is in a solid."""
    if "hull" in part:
        sides = ConvexHull(part["hull"]).equations
        return bool((sides[:, :3] @ x + sides[:, 3] <= slack).all())
    ((kind, sizes),) = part["shape"].items()
    if kind == "sphere":
        return bool(np.linalg.norm(x) <= sizes["radius"] + slack)
    if kind == "box":
        return bool((np.abs(x) <= np.array(sizes["size"]) / 2 + slack).all())
    axis, half = np.eye(3)["xyz".index(sizes["axis"])], sizes["length"] / 2
    along = float(x @ axis)
    if kind == "capsule":
        nearest = np.clip(along, -half, half) * axis
        return bool(np.linalg.norm(x - nearest) <= sizes["radius"] + slack)
    across = np.linalg.norm(x - along * axis)
    return bool(across <= sizes["radius"] + slack and abs(along) <= half + slack)


class Pair:
    """Two free bodies with a solid each, at random poses."""

    def __init__(self, kinds: tuple[str, str], rng: np.random.Generator) -> None:
        self.parts = [solid(kind, rng) for kind in kinds]
        self.names = ["a", "b"]
        self.R = Rotation.random(2, rng=rng).as_matrix()
        away = rng.normal(size=3)
        self.p = np.array([away / np.linalg.norm(away) * rng.uniform(0.02, 0.7), np.zeros(3)])
        self.p += rng.normal(size=3)

    def collision(self, order: tuple[int, int] = (0, 1)) -> ts.robots.Collision:
        """The deepest contact, or the nearest points."""
        bodies = {self.names[k]: {"mass": 1, "collision": [self.parts[k]]} for k in order}
        joints = {f"J{k}": {"type": "free", "bodies": ["ground", self.names[k]]} for k in order}
        start = {}
        for k in order:
            x, y, z, w = Rotation.from_matrix(self.R[k]).as_quat()
            values = (*self.p[k], w, x, y, z)
            names = ("x", "y", "z", "qw", "qx", "qy", "qz")
            start |= {f"J{k}_{name}": float(v) for name, v in zip(names, values, strict=True)}
        bodies = {name: {**body, "inertia": [1, 1, 1]} for name, body in bodies.items()}
        model = ts.load({"bodies": bodies, "joints": joints, "initial": start})
        (found,) = ts.robots.collisions(model, margin=10.0)
        return found

    def separation(self, n: np.ndarray) -> np.ndarray:
        """How far apart the solids are along directions (n, 3) from the second to the first."""
        one, other = (
            farthest(self.parts[k], sign * n @ self.R[k]) @ self.R[k].T + self.p[k]
            for k, sign in ((0, -1), (1, 1))
        )
        return np.einsum("ij,ij->i", n, one - other)


def directions(n: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Unit vectors everywhere, and near one of them."""
    near = [n + size * rng.normal(size=(60, 3)) for size in (1e-1, 1e-3, 1e-5, 1e-7)]
    d = np.concatenate([rng.normal(size=(2000, 3)), *near])
    return d / np.linalg.norm(d, axis=1, keepdims=True)


@pytest.mark.parametrize("kinds", PAIRS)
def test_no_direction_separates_two_shapes_more_than_the_one_that_is_found(kinds):
    rng = np.random.default_rng(7)
    inside = 0
    for _ in range(SAMPLES):
        pair = Pair(kinds, rng)
        found = pair.collision()
        gap = -found.depth
        assert np.linalg.norm(found.normal) == pytest.approx(1, abs=1e-12)
        assert pair.separation(found.normal[None])[0] == pytest.approx(gap, abs=2e-11)
        assert pair.separation(directions(found.normal, rng)).max() <= gap + 1e-10
        inside += gap < 0
        if gap > 0:  # the points at both ends of the gap are of the bodies: it is the distance
            for k, sign in ((0, 0.5), (1, -0.5)):
                x = (found.point + sign * gap * found.normal - pair.p[k]) @ pair.R[k]
                assert is_inside(pair.parts[k], x, 1e-9)
    assert 2 <= inside <= SAMPLES - 2


@pytest.mark.parametrize("kinds", PAIRS)
def test_two_shapes_in_either_order_have_the_same_contact(kinds):
    rng = np.random.default_rng(8)
    for _ in range(10):
        pair = Pair(kinds, rng)
        one, other = pair.collision(), pair.collision((1, 0))
        turned = 1 if (one.first, one.second) == (other.first, other.second) else -1
        assert other.depth == pytest.approx(one.depth, abs=1e-11)
        assert other.normal == pytest.approx(turned * one.normal, abs=1e-7)


# --- faces and lines in motion --------------------------------------------------------------------

CYLINDER = {"shape": {"cylinder": {"radius": 0.1, "length": 0.1}}}
PRISM = {"hull": [[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.05, 0.05)]}
BOX = {"shape": {"box": {"size": [0.2, 0.2, 0.1]}}}
LYING = {"x": {"shape": {"cylinder": {"radius": 0.05, "length": 0.2, "axis": "x"}}}}
STACKS = {
    "cylinder on cylinder": (CYLINDER, CYLINDER),
    "cylinder on box": (CYLINDER, BOX),
    "box on cylinder": (BOX, CYLINDER),
    "hull on hull": (PRISM, PRISM),
    "hull on box": (PRISM, BOX),
    "cylinder on hull": (CYLINDER, PRISM),
    "cylinder lying on box": (LYING["x"], BOX),
    "capsule lying on hull": (
        {"shape": {"capsule": {"radius": 0.05, "length": 0.15, "axis": "x"}}},
        PRISM,
    ),
}


@pytest.mark.parametrize("name", STACKS)
def test_what_lies_on_a_face_stays_and_carries_its_weight_at_several_points(name):
    upper, lower = STACKS[name]
    floor = {"normal": "z", "friction": 0.5}
    model = ts.load(
        {
            "gravity": [0.5, 0, -9.81],
            "bodies": {
                k: {"mass": 1, "inertia": [0.01] * 3, "collision": [part]}
                for k, part in (("low", lower), ("top", upper))
            },
            "joints": {k: {"type": "free", "bodies": ["ground", k]} for k in ("low", "top")},
            "contacts": {
                "pair": {"among": ["low", "top"], "friction": 0.5},
                "floor": {"among": ["low"], **floor},
            },
            "initial": {"low_z": 0.05, "top_z": 0.15, "top_x": 0.02, "top_y": 0.01},
        }
    )
    run = ts.simulate(model, 0.3, method="moreau", step=1e-3, rate=10)
    touches = [x for x in run.touching[-2] if x.second == "low" or x.first == "low"]
    on_top = [x for x in touches if "top" in (x.first, x.second)]
    assert 2 <= len(on_top) <= 4
    force = sum(x.force if x.first == "top" else -x.force for x in on_top)
    assert force == pytest.approx([-0.5, 0, 9.81], abs=1e-6)
    for k in ("low", "top"):
        assert np.ptp(run[f"{k}_x"]) < 1e-9
        assert np.ptp(run[f"{k}_z"]) < 1e-9
