"""Bodies as solids in their axes: the shape that was given, or one that has the same inertia."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from torseur.model.description import Shape
from torseur.model.mass.solids import SOLIDS
from torseur.report.scene.scene_solids import (
    BallPart,
    CylinderPart,
    Limb,
    MeshPart,
    Solid,
    box,
    strip,
)
from torseur.spatial.hulls import hull
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import from_matrix

Array = np.ndarray
_AROUND = 48  # faces around an axis
_RINGS = 12  # of points, from pole to pole
_ANGLES = 2 * np.pi * np.arange(_AROUND) / _AROUND
_TURNS = {"z": 0, "x": 1, "y": 2}  # of x → y → z → x, which bring z onto the axis
_EQUAL = 0.02  # of the largest moment
_THIN = 0.015  # thickness of what has none, of its size


def centred(shape: Shape, centre: Array) -> Pose:
    """The pose of the frame of a solid whose centre of mass is at `centre`."""
    R, dimensions = _about(shape)
    middle = np.array(SOLIDS[shape[0]].geometry(**dimensions).centre, dtype=float)
    return Pose(centre - R @ middle)


def shape_solid(shape: Shape, centre: Array, thin: float = 0.0) -> Solid:
    """A solid with its centre of mass at `centre`."""
    return part_solid(shape, centred(shape, centre), thin)


def part_solid(shape: Shape, X: Pose, thin: float = 0.0) -> Solid:
    """A solid whose own frame has the pose X; a line is drawn with the radius `thin`."""
    R, dimensions = _about(shape)
    return _solid(shape[0], thin, dimensions).transformed(X @ Pose(R=from_matrix(R)))


def _about(shape: Shape) -> tuple[Array, dict[str, Any]]:
    """Rotation of a solid that makes its axis x, y or z, and its dimensions."""
    name, given = shape
    dimensions = dict(given)
    axis = dimensions.pop(SOLIDS[name].directed_by or "", "z")
    return np.roll(np.eye(3), _TURNS[axis], axis=0), dimensions


def convex(corners: Array, style: str) -> MeshPart:
    """The smallest convex body around points."""
    faces = hull(corners).faces
    starts = np.cumsum([0, *map(len, faces)])
    listed = tuple(tuple(range(a, b)) for a, b in pairwise(starts.tolist()))
    return MeshPart(np.concatenate(faces), listed, style, edges=True)


def _solid(name: str, thin: float, dimensions: Mapping[str, Any]) -> Solid:
    """Each solid, about z."""
    origin, z = np.zeros(3), np.array([0.0, 0.0, 1.0])
    match name, dimensions:
        case "box", {"size": size}:
            return box(np.asarray(size, dtype=float) / 2)
        case "plate", {"size": size}:
            return box(np.asarray([*size, _THIN * max(size)], dtype=float) / 2)
        case "bar", {"length": length}:
            return Limb(-length / 2 * z, length / 2 * z, thin, thin)
        case "capsule", {"radius": r, "length": length}:
            return Limb(-length / 2 * z, length / 2 * z, r, r)
        case "cylinder", {"radius": r, "length": length}:
            return CylinderPart(origin, z, r, length / 2)
        case "disc", {"radius": r}:
            return CylinderPart(origin, z, r, _THIN * r)
        case "sphere" | "shell", {"radius": r}:
            return BallPart(origin, r)
        case "hollow_sphere", {"outer_radius": r}:
            return BallPart(origin, r)
        case "hollow_cylinder", {"inner_radius": inner, "outer_radius": b, "length": length}:
            a, h = max(inner, 1e-3 * b), length / 2
            return _turned([(a, h), (a, -h), (b, -h), (b, h)])
        case "torus", {"minor_radius": r, "major_radius": R}:
            return _torus(r, R)
        case "hoop", {"radius": r}:
            return _torus(min(0.5 * thin, 0.2 * r), r)
        case "cone", {"radius": r, "height": height}:
            sides = tuple((0, 1 + (k + 1) % _AROUND, 1 + k) for k in range(_AROUND))
            base = [(r * np.cos(t), r * np.sin(t), height) for t in _ANGLES]
            vertices = np.array([(0.0, 0.0, 0.0), *base])
            return MeshPart(vertices, (*sides, tuple(range(1, _AROUND + 1))))
        case "half_disc", {"radius": r}:
            angles = np.linspace(0, np.pi, _AROUND)
            rim = np.array([(r * np.cos(t), r * np.sin(t), 0.0) for t in angles])
            return MeshPart(rim, (tuple(range(_AROUND)),), edges=True, open=True)
    raise NotImplementedError(f"the shape {name} is not drawn")


def _torus(r: float, R: float) -> MeshPart:
    angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    return _turned([(R + r * np.cos(t), r * np.sin(t)) for t in angles])


def _turned(profile: list[tuple[float, float]]) -> MeshPart:
    """A closed profile (radius, height), counter-clockwise, turned about z."""
    vertices = [(r * np.cos(t), r * np.sin(t), z) for t in _ANGLES for r, z in profile]
    n = len(profile)
    faces = tuple(
        (k * n + i, (k + 1) % _AROUND * n + i, (k + 1) % _AROUND * n + j, k * n + j)
        for k in range(_AROUND)
        for i, j in ((i, (i + 1) % n) for i in range(n))
    )
    return MeshPart(np.array(vertices), faces)


def ellipsoid(radii: Array, style: str, lift: float) -> MeshPart:
    """Rings of faces about z between two small caps."""
    heights = np.linspace(-np.pi, np.pi, 2 * _RINGS + 1)[1::2] / 2
    rings = np.arange(_RINGS * _AROUND).reshape(_RINGS, _AROUND).tolist()
    points = [
        (np.cos(h) * np.cos(t), np.cos(h) * np.sin(t), np.sin(h)) for h in heights for t in _ANGLES
    ]
    sides = (face for low, high in pairwise(rings) for face in strip(low, high))
    caps = (tuple(rings[0][::-1]), tuple(rings[-1]))
    return MeshPart(radii * np.array(points), (*sides, *caps), style, lift)


# --- bodies given by their mass and inertia, as the simple solid that has them -------------------


def wheel(mass: float, inertia: Array, arm: Array, axis: int) -> Shape | None:
    """The flat cylinder of a body that turns about the axis through its centre of mass.

    `inertia` (3×3) is about the centre of mass, `arm` leads there from the joint.
    """
    moments = _moments(mass, inertia)
    off_axis = float(np.linalg.norm(np.delete(arm, axis)))
    if moments is None or not _is_round(moments, axis) or moments.argmax() != axis:
        return None
    shape, radius = _cylinder(mass, moments, axis)
    return shape if off_axis < 0.01 * radius else None


def loose(mass: float, inertia: Array, arm: Array) -> Shape | None:
    """The cylinder, the ball or the box of a body that may turn in every direction."""
    moments = _moments(mass, inertia)
    if moments is None:
        return None
    same = np.ptp(moments) <= _EQUAL * moments.max()
    if same and not arm.any():
        return "sphere", {"radius": float(np.sqrt(2.5 * moments[0] / mass))}
    axes = [int(np.argmax(np.abs(arm)))] if same else [k for k in range(3) if _is_round(moments, k)]
    if axes:
        return _cylinder(mass, moments, axes[0])[0]
    squares = 6 * (moments.sum() - 2 * moments) / mass
    return ("box", {"size": np.sqrt(squares).tolist()}) if squares.min() > 0 else None


def hint(shape: Shape, centre: Array) -> Solid:
    """Such a solid, drawn so that one sees through it."""
    return replace(shape_solid(shape, centre), style="hint")


def _moments(mass: float, inertia: Array) -> Array | None:
    """The moments of a body of some volume whose axes are principal, or nearly."""
    moments: Array = np.diag(inertia)
    products = float(np.abs(inertia - np.diag(moments)).max())
    known = mass > 0 and moments.min() > 0 and products <= _EQUAL * moments.max()
    return moments if known else None


def _is_round(moments: Array, axis: int) -> bool:
    """Whether the axis is one of symmetry, and the only one."""
    first, second = np.delete(moments, axis)
    least = _EQUAL * float(moments.max())
    return bool(abs(first - second) <= least < abs(moments[axis] - first))


def _cylinder(mass: float, moments: Array, axis: int) -> tuple[Shape, float]:
    """I = m r²/2 along its axis and m (3 r² + h²)/12 across; a disc is a little thick."""
    across = float(np.delete(moments, axis).mean())
    radius = float(np.sqrt(2 * moments[axis] / mass))
    length = float(np.sqrt(max(12 * across / mass - 3 * radius**2, (0.15 * radius) ** 2)))
    return ("cylinder", {"radius": radius, "length": length, "axis": "xyz"[axis]}), radius
