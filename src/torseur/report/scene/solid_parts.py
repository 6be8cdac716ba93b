"""The shape of a body as parts of a picture, in the axes of the body."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from torseur.model.mass.solids import SOLIDS
from torseur.report.scene.solids import Ball, Cylinder, Limb, Mesh, Solid, box
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import from_matrix

Array = np.ndarray
_AROUND = 32  # faces around an axis
_TURNS = {"z": 0, "x": 1, "y": 2}  # of x → y → z → x, which bring z onto the axis
_THIN = 0.015  # thickness of what has none, of its size


def shape_parts(shape: tuple[str, Mapping[str, Any]], centre: Array, thin: float) -> list[Solid]:
    """A solid with its centre of mass at `centre`; a line is drawn with the radius `thin`."""
    name, given = shape
    solid = SOLIDS[name]
    dimensions = dict(given)
    axis = dimensions.pop(solid.directed_by, "z") if solid.directed_by else "z"
    own = np.array(solid.geometry(**dimensions).centre, dtype=float)
    R = np.roll(np.eye(3), _TURNS[axis], axis=0)
    X = Pose(centre - R @ own, from_matrix(R))
    return [part.moved(X) for part in _PARTS[name](thin, **dimensions)]


# --- each solid, about z ------------------------------------------------------------------------

_Z = np.array([0.0, 0.0, 1.0])


def _box(thin: float, size: Any) -> list[Solid]:
    return [box(np.asarray(size, dtype=float) / 2)]


def _plate(thin: float, size: Any) -> list[Solid]:
    return _box(thin, [*size, _THIN * max(size)])


def _bar(thin: float, length: float) -> list[Solid]:
    return [Limb(-length / 2 * _Z, length / 2 * _Z, thin, thin)]


def _cylinder(thin: float, radius: float, length: float) -> list[Solid]:
    return [Cylinder(np.zeros(3), _Z, radius, length / 2)]


def _hollow_cylinder(
    thin: float, inner_radius: float, outer_radius: float, length: float
) -> list[Solid]:
    a, b, h = max(inner_radius, 1e-3 * outer_radius), outer_radius, length / 2
    return [_turned([(a, h), (a, -h), (b, -h), (b, h)])]


def _torus(thin: float, minor_radius: float, major_radius: float) -> list[Solid]:
    angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = [(major_radius + minor_radius * np.cos(t), minor_radius * np.sin(t)) for t in angles]
    return [_turned(ring)]


def _hoop(thin: float, radius: float) -> list[Solid]:
    return _torus(thin, min(0.5 * thin, 0.2 * radius), radius)


def _cone(thin: float, radius: float, height: float) -> list[Solid]:
    angles = 2 * np.pi * np.arange(_AROUND) / _AROUND
    base = [(radius * np.cos(t), radius * np.sin(t), height) for t in angles]
    sides = tuple((0, 1 + (k + 1) % _AROUND, 1 + k) for k in range(_AROUND))
    cap = tuple(range(1, _AROUND + 1))
    return [Mesh(np.array([(0.0, 0.0, 0.0), *base]), (*sides, cap))]


def _sphere(thin: float, radius: float) -> list[Solid]:
    return [Ball(np.zeros(3), radius)]


def _hollow_sphere(thin: float, inner_radius: float, outer_radius: float) -> list[Solid]:
    return _sphere(thin, outer_radius)


def _disc(thin: float, radius: float) -> list[Solid]:
    return [Cylinder(np.zeros(3), _Z, radius, _THIN * radius)]


def _half_disc(thin: float, radius: float) -> list[Solid]:
    angles = np.linspace(0, np.pi, _AROUND)
    rim = np.array([(radius * np.cos(t), radius * np.sin(t), 0.0) for t in angles])
    return [Mesh(rim, (tuple(range(_AROUND)),), edges=True, open=True)]


def _turned(profile: list[tuple[float, float]]) -> Mesh:
    """A closed profile (radius, height), counter-clockwise, turned about z."""
    angles = 2 * np.pi * np.arange(_AROUND) / _AROUND
    vertices = [(r * np.cos(t), r * np.sin(t), z) for t in angles for r, z in profile]
    n = len(profile)
    faces = tuple(
        (k * n + i, (k + 1) % _AROUND * n + i, (k + 1) % _AROUND * n + j, k * n + j)
        for k in range(_AROUND)
        for i, j in ((i, (i + 1) % n) for i in range(n))
    )
    return Mesh(np.array(vertices), faces)


_PARTS: dict[str, Callable[..., list[Solid]]] = {
    "box": _box,
    "plate": _plate,
    "bar": _bar,
    "cylinder": _cylinder,
    "hollow_cylinder": _hollow_cylinder,
    "torus": _torus,
    "hoop": _hoop,
    "cone": _cone,
    "sphere": _sphere,
    "shell": _sphere,
    "hollow_sphere": _hollow_sphere,
    "disc": _disc,
    "half_disc": _half_disc,
}
