"""The shape of a body as parts of a picture, in the axes of the body."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.model.mass.solids import SOLIDS
from torseur.report.scene.camera import Camera
from torseur.report.scene.solids import Ball, Cylinder, Limb, Stroke

Array = np.ndarray
_AROUND = 32  # faces around an axis
_TURNS = {"z": 0, "x": 1, "y": 2}  # of x → y → z → x, which bring z onto the axis
_THIN = 0.015  # thickness of what has none, of its size
_LIGHT = np.array([-0.49, 0.68, 0.54])  # to the right, to the top, to the reader


@final
@dataclass(frozen=True)
class Mesh:
    """Flat faces, each a row of vertices seen counter-clockwise from outside."""

    vertices: Array  # (n, 3)
    faces: tuple[tuple[int, ...], ...]
    style: str = "own"
    edges: bool = False  # its edges are drawn
    open: bool = False  # it has no inside: both sides are seen

    def strokes(self, view: Camera, name: str) -> Iterator[Stroke]:
        """The faces that are seen, each lit as it stands."""
        for face in self.faces:
            corners = self.vertices[list(face)]
            normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])
            normal = normal / (float(np.linalg.norm(normal)) or 1.0)
            if normal @ view.reader <= 0 and not self.open:
                continue
            normal = normal if normal @ view.reader > 0 else -normal
            light = _LIGHT @ [normal @ view.right, normal @ view.top, normal @ view.reader]
            share = round(100 * (0.1 + 0.9 * max(0.0, float(light))))
            places = [view.at(corner) for corner in corners]
            outline = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places) + "Z"
            kind = "line" if self.edges else "seam"
            svg = f'<path class="{self.style}-face {kind}" style="--lit:{share}%" d="{outline}"/>'
            discs = tuple((float(x), float(y), 1.0) for x, y in places)
            yield Stroke(view.depth(corners.mean(axis=0)), svg, discs=discs)


Part = Mesh | Ball | Cylinder | Limb


def shape_parts(shape: tuple[str, Mapping[str, Any]], centre: Array, thin: float) -> list[Part]:
    """A solid with its centre of mass at `centre`; a line is drawn with the radius `thin`."""
    name, given = shape
    solid = SOLIDS[name]
    dimensions = dict(given)
    axis = dimensions.pop(solid.directed_by, "z") if solid.directed_by else "z"
    own = np.array(solid.geometry(**dimensions).centre, dtype=float)
    R = np.roll(np.eye(3), _TURNS[axis], axis=0)
    return [_moved(part, R, centre - R @ own) for part in _PARTS[name](thin, **dimensions)]


def _moved(part: Part, R: Array, p: Array) -> Part:
    """The part turned by R, then moved by p."""
    if isinstance(part, Mesh):
        vertices = part.vertices @ R.T + p
        return Mesh(vertices, part.faces, part.style, part.edges, part.open)
    if isinstance(part, Limb):
        return Limb(R @ part.a + p, R @ part.b + p, part.thick, part.thin, part.style)
    if isinstance(part, Cylinder):
        return Cylinder(R @ part.centre + p, R @ part.axis, part.radius, part.half, part.style)
    return Ball(R @ part.centre + p, part.radius, part.style)


def covers(parts: list[Part], point: Array) -> bool:
    """Whether a point is in the box around the parts."""
    corners = np.concatenate([_corners(part) for part in parts])
    margin = 0.02 * float(np.ptp(corners, axis=0).max())
    inside = (corners.min(axis=0) - margin <= point) & (point <= corners.max(axis=0) + margin)
    return bool(inside.all())


def _corners(part: Part) -> Array:
    if isinstance(part, Mesh):
        return part.vertices
    if isinstance(part, Limb):
        return np.array([part.a, part.b])
    reach = np.full(3, part.radius)
    if isinstance(part, Cylinder):
        along = np.abs(part.axis)
        reach = part.radius * np.sqrt(1 - np.minimum(along**2, 1.0)) + part.half * along
    return np.array([part.centre - reach, part.centre + reach])


# --- each solid, about z ------------------------------------------------------------------------

_Z = np.array([0.0, 0.0, 1.0])
_CORNERS = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], dtype=float)
_SIDES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def _box(thin: float, size: Any) -> list[Part]:
    return [Mesh(_CORNERS * np.asarray(size, dtype=float) / 2, _SIDES, edges=True)]


def _plate(thin: float, size: Any) -> list[Part]:
    return _box(thin, [*size, _THIN * max(size)])


def _bar(thin: float, length: float) -> list[Part]:
    return [Limb(-length / 2 * _Z, length / 2 * _Z, thin, thin, "own")]


def _cylinder(thin: float, radius: float, length: float) -> list[Part]:
    return [Cylinder(np.zeros(3), _Z, radius, length / 2, "own")]


def _hollow_cylinder(
    thin: float, inner_radius: float, outer_radius: float, length: float
) -> list[Part]:
    a, b, h = max(inner_radius, 1e-3 * outer_radius), outer_radius, length / 2
    return [_turned([(a, h), (a, -h), (b, -h), (b, h)])]


def _torus(thin: float, minor_radius: float, major_radius: float) -> list[Part]:
    angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = [(major_radius + minor_radius * np.cos(t), minor_radius * np.sin(t)) for t in angles]
    return [_turned(ring)]


def _hoop(thin: float, radius: float) -> list[Part]:
    return _torus(thin, min(0.5 * thin, 0.2 * radius), radius)


def _cone(thin: float, radius: float, height: float) -> list[Part]:
    angles = 2 * np.pi * np.arange(_AROUND) / _AROUND
    base = [(radius * np.cos(t), radius * np.sin(t), height) for t in angles]
    sides = tuple((0, 1 + (k + 1) % _AROUND, 1 + k) for k in range(_AROUND))
    cap = tuple(range(1, _AROUND + 1))
    return [Mesh(np.array([(0.0, 0.0, 0.0), *base]), (*sides, cap))]


def _sphere(thin: float, radius: float) -> list[Part]:
    return [Ball(np.zeros(3), radius, "own")]


def _hollow_sphere(thin: float, inner_radius: float, outer_radius: float) -> list[Part]:
    return _sphere(thin, outer_radius)


def _disc(thin: float, radius: float) -> list[Part]:
    return [Cylinder(np.zeros(3), _Z, radius, _THIN * radius, "own")]


def _half_disc(thin: float, radius: float) -> list[Part]:
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


_PARTS: dict[str, Callable[..., list[Part]]] = {
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
