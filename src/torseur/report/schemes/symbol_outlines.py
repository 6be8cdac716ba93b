"""The normalised symbol of a joint, from its freedoms (ISO 3952-1; NF EN ISO 3952-1).

A symbol is made of outlines in space, on the first body about F and on the second about M, in
radii; seen along an axis or across it they are the plane symbols of the norm. A joint that is not
made of elementary freedoms has a frame with its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.model.joints.freedoms import Ball, Freedom, Helix, slides, turns
from torseur.report.scene.camera import Camera
from torseur.report.scene.scene_solids import (
    BallPart,
    CylinderPart,
    Limb,
    MeshPart,
    Polyline,
    Solid,
)
from torseur.spatial.hulls import outline as convex

Array = np.ndarray
LONG = 1.7  # half a sleeve
OUT = 2.5  # half a rod
RAIL = 3.2  # half a rod that slides
_CIRCLE = np.linspace(0, 2 * np.pi, 73)[:-1]


@final
@dataclass(frozen=True)
class SymbolHull:
    """A convex solid: it hides what is behind the outline of its corners; edges are drawn."""

    corners: Array  # (n, 3)
    edges: tuple[Array, ...] = ()  # polylines, of which those that face the reader are drawn
    normals: tuple[Array, ...] = ()  # the direction that each edge faces


@final
@dataclass(frozen=True)
class Wire:
    """A line in space."""

    points: Array  # (n, 3)
    style: str = "line"


@final
@dataclass(frozen=True)
class Cup:
    """The part of a circle about the origin that leaves an opening towards the other body."""

    radius: float
    opening: float  # half of it [rad]


@final
@dataclass(frozen=True)
class Trough:
    """Half a tube about an axis, which leaves an opening towards the other body."""

    axis: int


Outline = SymbolHull | Wire | Cup | Trough
_CUP = Cup(1.25, np.radians(75))


@final
@dataclass(frozen=True)
class Scheme:
    """The symbol: what is behind, then what is before, on each body."""

    first: tuple[Outline, ...] = ()
    second: tuple[Outline, ...] = ()
    second_behind: tuple[Outline, ...] = ()  # drawn before the outlines of the first


def scheme_symbol(freedoms: Sequence[Freedom] | None) -> Scheme | None:
    """The symbol of a joint; None where the norm has none."""
    if freedoms is None:
        return None
    given = tuple(freedoms)
    along, about, ball = slides(given), turns(given), Ball() in given
    if not given or (ball and len(along) == 3):
        return Scheme()
    match ball, along, about, given:
        case _, _, _, [Helix(axis)]:  # a sleeve and a wave in it
            return Scheme((_tube(axis),), (_wave(axis),), (_rod(axis, RAIL),))
        case True, [], _, _:  # a ball in its cup
            return Scheme((_CUP,), (_sphere(0.85),))
        case True, [axis], _, _:  # a ball in a half tube
            return Scheme((Trough(axis),), (_sphere(0.85),))
        case True, [_, _], _, _:  # a ball on a plate
            return Scheme((_plate(3 - sum(along), -0.85),), (_sphere(0.85),))
        case _, [], [axis], _:  # a sleeve and a shaft with two stops; from the end, two circles
            return Scheme((_tube(axis),), (_rod(axis, LONG), *_stops(axis)), (_rod(axis),))
        case _, [], [_, axis], _:  # a ball with a finger in the slot of its cup
            finger = Wire(np.array([np.zeros(3), 1.7 * _unit(axis)]), "thick")
            return Scheme((_CUP,), (_sphere(0.85), finger))
        case _, [axis], [], _:  # a square sleeve that hides the rod
            return Scheme((_box(axis),), (), (_rod(axis, RAIL),))
        case _, [axis], [same], _ if axis == same:  # a sleeve and a shaft without stops
            return Scheme((_tube(axis),), (_rod(axis, LONG),), (_rod(axis, RAIL),))
        case _, [_, _], [_], _:  # two plates that face each other
            normal = 3 - sum(along)
            return Scheme((_plate(normal, -0.35),), (_plate(normal, 0.35),))
        case _, [_, _], [_, axis], _:  # a wedge whose edge lies on a plate
            normal = 3 - sum(along)
            return Scheme((_plate(normal, 0.0),), (_wedge(normal, axis),))
    return None


def _unit(axis: int) -> Array:
    return np.asarray(np.eye(3)[axis])


def ring(axis: int, radius: float, at: float = 0.0) -> Array:
    """Points of a circle about an axis."""
    u, v = _unit((axis + 1) % 3), _unit((axis + 2) % 3)
    turn = np.outer(np.cos(_CIRCLE), u) + np.outer(np.sin(_CIRCLE), v)
    return np.asarray(radius * turn + at * _unit(axis))


def closed(points: Array) -> Array:
    """The line, closed by its first point."""
    return np.concatenate([points, points[:1]])


def _tube(axis: int, radius: float = 1.0, half: float = LONG) -> SymbolHull:
    ends = [ring(axis, radius, side * half) for side in (1, -1)]
    normals = (_unit(axis), -_unit(axis))
    return SymbolHull(np.concatenate(ends), tuple(map(closed, ends)), normals)


def _square(axis: int, side: float) -> Array:
    u, v = _unit((axis + 1) % 3), _unit((axis + 2) % 3)
    return np.array([side * (a * u + b * v) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))])


def _box(axis: int, side: float = 0.95, half: float = LONG) -> SymbolHull:
    """A square sleeve; its ends have their diagonals."""
    square, along = _square(axis, side), half * _unit(axis)
    ends, edges, normals = (square + along, square - along), [], []
    for end, sign in zip(ends, (1, -1), strict=True):
        edges += [closed(end), end[[0, 2]], end[[1, 3]]]
        normals += [sign * _unit(axis)] * 3
    u, v = _unit((axis + 1) % 3), _unit((axis + 2) % 3)
    for k, direction in enumerate((v, -u, -v, u)):
        edges += [np.array([ends[0][j], ends[1][j]]) for j in (k, (k + 1) % 4)]
        normals += [direction] * 2
    return SymbolHull(np.concatenate(ends), tuple(edges), tuple(normals))


def _rod(axis: int, half: float = OUT) -> Wire:
    return Wire(np.array([-half * _unit(axis), half * _unit(axis)]))


def _stops(axis: int) -> list[Wire]:
    return [Wire(closed(ring(axis, 0.75, side * (LONG + 0.35)))) for side in (1, -1)]


def _wave(axis: int) -> Wire:
    t = np.linspace(-1, 1, 61)
    side = _unit((axis + 1) % 3)
    wave = np.outer(LONG * t, _unit(axis)) + np.outer(0.55 * np.sin(3.5 * np.pi * t), side)
    return Wire(wave)


def _sphere(radius: float) -> SymbolHull:
    steps = np.linspace(0, np.pi, 9)
    rings = [ring(2, radius * np.sin(t), radius * np.cos(t)) for t in steps]
    return SymbolHull(np.concatenate(rings))


def trough(axis: Array, opening: Array) -> list[Array]:
    """Half a tube of radius 1 about a unit axis, open along a unit vector across it.

    Its edges and its bottom, and half a circle at each end.
    """
    side = np.cross(axis, opening)
    angles = np.linspace(0, np.pi, 25)[:, None]
    half = np.cos(angles) * side - np.sin(angles) * opening
    rails = [np.array([x - LONG * axis, x + LONG * axis]) for x in (side, -side, -opening)]
    return [*rails, half - LONG * axis, half + LONG * axis]


def _plate(normal: int, at: float, size: float = 1.9) -> SymbolHull:
    return SymbolHull(_square(normal, size) + at * _unit(normal))


def _wedge(normal: int, line: int) -> SymbolHull:
    side = 3 - normal - line
    edge = [s * 1.7 * _unit(line) for s in (1, -1)]
    top = [p + t * 0.8 * _unit(side) + 1.3 * _unit(normal) for p in edge for t in (1, -1)]
    corners = np.array([*edge, *top])
    ends = tuple(closed(np.array([edge[k], top[2 * k], top[2 * k + 1]])) for k in (0, 1))
    return SymbolHull(corners, ends, (_unit(line), -_unit(line)))


# --- outlines of solids on a sheet: silhouettes, and the edges that are seen ----------------------

_SEEN = 0.02  # of its size: a face that is seen


def solid_lines(camera: Camera, part: Solid) -> Iterator[Array]:
    """The broken lines on the page, each (n, 2), that show a solid."""
    if isinstance(part, BallPart):
        page = np.column_stack([camera.right, camera.top, camera.reader])
        yield camera.at(part.centre + closed(ring(2, part.radius)) @ page.T)
    elif isinstance(part, CylinderPart):
        yield from _cylinder(camera, part)
    elif isinstance(part, MeshPart):
        yield from (camera.at(line) for line in _silhouette(part, camera.reader))
    elif isinstance(part, Limb) and part.thick:
        yield from _capsule(camera, part)
    elif isinstance(part, Polyline) and part.closed:
        yield camera.at(closed(part.corners))
    else:
        yield camera.at(part.corners)


def _cylinder(camera: Camera, part: CylinderPart) -> Iterator[Array]:
    """The outline, and the end that is seen."""
    u = np.cross(part.axis, np.eye(3)[int(np.argmin(np.abs(part.axis)))])
    u = u / np.linalg.norm(u)
    axes = np.column_stack([u, np.cross(part.axis, u), part.axis])
    sides = [part.centre + ring(2, part.radius, side * part.half) @ axes.T for side in (1, -1)]
    both = [camera.at(closed(side)) for side in sides]
    yield closed(convex(np.concatenate(both)))
    towards = float(part.axis @ camera.reader)
    if _SEEN < abs(towards) < 1 - _SEEN:
        yield both[0 if towards > 0 else 1]


def _capsule(camera: Camera, part: Limb) -> Iterator[Array]:
    """The outline of a rod with round ends."""
    around = ring(2, 1.0)[:, :2] * camera.scale
    ends = zip((part.a, part.b), (part.thick, part.thin), strict=True)
    yield closed(convex(np.concatenate([camera.at(at) + r * around for at, r in ends])))


def _silhouette(mesh: MeshPart, reader: Array) -> list[Array]:
    """The edges between a face that is seen and one that is not, and all that are to be drawn."""
    beside: dict[tuple[int, int], list[bool]] = {}
    for face in mesh.faces:
        corners = mesh.vertices[list(face)]
        normal = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
        facing = float(normal @ reader) > _SEEN * float(np.linalg.norm(normal))
        for a, b in zip(face, (*face[1:], face[0]), strict=True):
            beside.setdefault((min(a, b), max(a, b)), []).append(facing)
    visible = [
        edge
        for edge, faces in beside.items()
        if (mesh.edges and any(faces)) or len(set(faces)) == 2 or (mesh.open and len(faces) == 1)
    ]
    return [mesh.vertices[line] for line in _chained(visible)]


def _chained(edges: list[tuple[int, int]]) -> Iterator[list[int]]:
    """Edges one after the other as broken lines."""
    near: dict[int, set[int]] = {}
    for a, b in edges:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    starts = sorted(near, key=lambda vertex: len(near[vertex]) == 2)
    for start in starts:
        while near[start]:
            line = [start]
            while near[line[-1]]:
                after = near[line[-1]].pop()
                near[after].discard(line[-1])
                line.append(after)
            yield line
