"""The ground under a mechanism: hatched plates, posts, beds of rails; and axes of frames."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from torseur.report.scene.camera import level
from torseur.report.scene.scene_solids import CylinderPart, Polyline, Size, Solid

Array = np.ndarray
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
