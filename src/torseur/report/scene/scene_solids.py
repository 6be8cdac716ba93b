"""Plain solids and their sizes: what everything that is seen is made of, before it is drawn.

`style` is whose colours a solid has: "own" those of its body, "hint" the same but transparent,
"joint", "ground"; a path has the style of its line. `lift` is added to the depth of a solid: a
joint is seen before the bodies it links.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import final

import numpy as np

from torseur.report.scene.camera import level
from torseur.spatial.pose import Pose

Array = np.ndarray


@final
@dataclass(frozen=True)
class Limb:
    """A tapered rod from a to b with round ends, or flat ones where it stands on a surface."""

    a: Array
    b: Array
    thick: float
    thin: float
    style: str = "own"
    lift: float = 0.0  # of the flat ends alone, if there are any
    flat: tuple[bool, bool] = (False, False)

    def transformed(self, X: Pose) -> Limb:
        return replace(self, a=X.point(self.a), b=X.point(self.b))

    @property
    def corners(self) -> Array:
        return np.array([self.a, self.b])


@final
@dataclass(frozen=True)
class CylinderPart:
    """A cylinder about a unit axis."""

    centre: Array
    axis: Array
    radius: float
    half: float
    style: str = "own"
    lift: float = 0.0

    def transformed(self, X: Pose) -> CylinderPart:
        return replace(self, centre=X.point(self.centre), axis=X.R.out(self.axis))

    @property
    def corners(self) -> Array:
        along = np.abs(self.axis)
        reach = self.radius * np.sqrt(1 - np.minimum(along**2, 1.0)) + self.half * along
        return np.array([self.centre - reach, self.centre + reach])


@final
@dataclass(frozen=True)
class BallPart:
    """A ball."""

    centre: Array
    radius: float
    style: str = "own"
    lift: float = 0.0

    def transformed(self, X: Pose) -> BallPart:
        return replace(self, centre=X.point(self.centre))

    @property
    def corners(self) -> Array:
        return np.array([self.centre - self.radius, self.centre + self.radius])


@final
@dataclass(frozen=True)
class MeshPart:
    """Flat faces, each a row of vertices seen counter-clockwise from outside."""

    vertices: Array  # (n, 3)
    faces: tuple[tuple[int, ...], ...]
    style: str = "own"
    lift: float = 0.0
    edges: bool = False  # its edges are drawn
    open: bool = False  # it has no inside: both sides are seen

    def transformed(self, X: Pose) -> MeshPart:
        return replace(self, vertices=self.vertices @ X.R.matrix.T + X.p)

    @property
    def corners(self) -> Array:
        return self.vertices


@final
@dataclass(frozen=True)
class Polyline:
    """A broken line, closed or with an arrowhead at its end."""

    points: tuple[Array, ...]
    style: str
    lift: float = 0.0
    head: float = 0.0  # length of the arrowhead
    closed: bool = False

    def transformed(self, X: Pose) -> Polyline:
        return replace(self, points=tuple(X.point(point) for point in self.points))

    @property
    def corners(self) -> Array:
        return np.array(self.points)


Solid = Limb | CylinderPart | BallPart | MeshPart | Polyline


@final
@dataclass(frozen=True)
class Size:
    """The sizes of symbols, from the usual length of a lever."""

    unit: float
    factor: float = 1.0

    @property
    def radius(self) -> float:
        return 0.135 * self.unit * self.factor

    @property
    def half(self) -> float:
        return 0.17 * self.unit * self.factor

    @property
    def thick(self) -> float:
        return 0.085 * self.unit

    @property
    def thin(self) -> float:
        return 0.055 * self.unit

    @property
    def small(self) -> Size:
        """For joints at one place."""
        return replace(self, factor=0.72)


_CORNERS = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], dtype=float)
_SIDES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def box(half: Array, style: str = "own", lift: float = 0.0, at: Array | None = None) -> MeshPart:
    """A box along the axes, its centre at the origin or at a given point."""
    centre = np.zeros(3) if at is None else at
    return MeshPart(centre + _CORNERS * half, _SIDES, style, lift, edges=True)


def strip(first: Sequence[int], second: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The faces between two closed rows of vertices, which go the same way round."""
    after = [*range(1, len(first)), 0]
    return tuple((first[k], first[j], second[j], second[k]) for k, j in enumerate(after))


def covers(parts: list[Solid], point: Array) -> bool:
    """Whether a point is in the box around the parts."""
    corners = np.concatenate([part.corners for part in parts])
    margin = 0.02 * float(np.ptp(corners, axis=0).max())
    inside = (corners.min(axis=0) - margin <= point) & (point <= corners.max(axis=0) + margin)
    return bool(inside.all())


# --- ground ---------------------------------------------------------------------------------------

# The ground under a mechanism: hatched plates, posts, beds of rails; and axes of frames.

_SQUARE = ((1, 1), (1, -1), (-1, -1), (-1, 1))


def foot(
    up: Array, place: Array, axis: Array | None, leaving: Array, size: Size
) -> Iterator[Solid]:
    """The hatched ground under a joint, or over it when the mechanism hangs."""
    side = -up if stands(up, axis, leaving) else up
    first, second = level(up)
    upright = is_upright(up, axis)
    height = size.half if upright else 0.42 * size.unit
    below, half = place + height * side, 0.34 * size.unit
    corners = tuple(below + half * (a * first + b * second) for a, b in _SQUARE)
    yield Polyline(corners, "ground-plate", -2 * size.unit, closed=True)
    if not upright:
        middle = place + height / 2 * side
        yield CylinderPart(middle, up, 0.9 * size.thick, height / 2, "ground", -0.5 * size.unit)


def bed(up: Array, low: Array, high: Array, size: Size) -> Polyline:
    """The hatched ground under a rail from one point to another."""
    along = (high - low) / float(np.linalg.norm(high - low))
    down, across = -1.25 * size.radius * up, 0.3 * size.unit * np.cross(along, up)
    sides = (low - across, high - across, high + across, low + across)
    return Polyline(tuple(x + down for x in sides), "ground-plate", -2 * size.unit, closed=True)


def floor_or_wall(up: Array, normal: Array, through: Array, room: Array, size: Size) -> Polyline:
    """A plane of the ground beside what moves between the corners `room` (2, 3).

    A floor is hatched; of a wall there is the outline, because one looks through it.
    """
    n = normal / float(np.linalg.norm(normal))
    corners = np.array(list(product(*room.T)))
    on_plane = corners - np.outer((corners - through) @ n, n)
    first, second = level(n)
    spans = np.array([(on_plane @ e) for e in (first, second)])
    (a, c), (b, d) = spans.min(axis=1), spans.max(axis=1)
    middle = float(through @ n) * n
    sides = [middle + x * first + y * second for x, y in ((a, c), (b, c), (b, d), (a, d))]
    is_floor = float(n @ up) > 0.5
    listed = tuple(sides) if is_floor else (*sides, sides[0])
    style = "ground-plate" if is_floor else "wall"
    return Polyline(listed, style, -20.0 * size.unit, closed=is_floor)


def stands(up: Array, axis: Array | None, leaving: Array) -> bool:
    """Whether a mechanism stands on its joint: a vertical axis, or a body that does not hang."""
    return is_upright(up, axis) or leaving @ up >= -0.2 * float(np.linalg.norm(leaving))


def is_upright(up: Array, axis: Array | None) -> bool:
    """Whether an axis is vertical."""
    return axis is not None and abs(float(axis @ up)) > 0.95


def triad(place: Array, R: Array, size: Size) -> Iterator[Solid]:
    """The axes of a frame."""
    for k, name in enumerate("xyz"):
        ends = (place, place + 0.34 * size.unit * R[:, k])
        yield Polyline(ends, f"frame-{name}", 2 * size.thick, head=0.08 * size.unit)
