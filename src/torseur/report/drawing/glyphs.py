"""Each joint with its symbol and its label; the ground and the axes of frames."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.model.joints.prismatic import Prismatic
from torseur.report.scene.camera import Camera, level
from torseur.report.scene.placed import Placed
from torseur.report.scene.sizes import Size
from torseur.report.scene.solids import Cylinder, Path, Solid
from torseur.report.scene.symbols import Site, axis_index, symbol
from torseur.topology.tree import GROUND_INDEX

Array = np.ndarray


@final
@dataclass(frozen=True)
class Label:
    """Words to be written near a point of space, on the side of `towards` if there is room."""

    at: Array
    words: tuple[str, ...]
    style: str
    towards: Array | None = None
    distance: float = 0.0


def axis_of(placed: Placed, i: int) -> Array | None:
    """The axis of joint i in the ground, if it has one."""
    joint = placed.joints[i]
    index = axis_index(joint.kind)
    return None if index is None else joint.F.R.matrix[:, index]


def on_rail(placed: Placed, i: int) -> bool:
    """Whether joint i is a block on a rail of the ground, rather than a rod in a sleeve."""
    joint, axis = placed.joints[i], axis_of(placed, i)
    if joint.bodies[0] != GROUND_INDEX or not isinstance(joint.kind, Prismatic) or axis is None:
        return False
    return not is_upright(placed.geometry.up, axis)


def glyph(
    placed: Placed, i: int, place: Array, size: Size, view: Camera, nearest: float
) -> tuple[list[Solid], Label | None]:
    """The symbol of a joint and the label of its coordinates.

    `nearest` is the depth of the nearest of the bodies whose ends the symbol hides.
    """
    joint = placed.joints[i]
    out = joint.M.p - joint.F.p
    lift = max(0.0, nearest - view.depth(place)) + 0.01 * size.unit
    rail = on_rail(placed, i)
    axes = joint.F.R.matrix, joint.M.R.matrix
    site = Site(joint.kind, place, *axes, out, size, view, lift, rail)
    solids = list(symbol(site))
    names = joint.joint.coordinates
    if not names:
        return solids, None
    axis = axis_of(placed, i)
    if axis is None:
        return solids, Label(place, names, "coordinate", None, 2.2 * size.radius)
    middle = place + out if rail else place
    end = middle + (size.half + 0.3 * size.unit * size.factor) * axis
    return solids, Label(end, names, "coordinate", axis, 0.07 * size.unit)


# --- ground and frames --------------------------------------------------------------------------


def plate(
    up: Array, place: Array, axis: Array | None, leaving: Array, size: Size
) -> Iterator[Solid]:
    """The hatched ground under a joint, or over it when the mechanism hangs."""
    side = -up if stands(up, axis, leaving) else up
    first, second = level(up)
    upright = is_upright(up, axis)
    height = size.half if upright else 0.42 * size.unit
    foot, half = place + height * side, 0.34 * size.unit
    corners = tuple(foot + half * (a * first + b * second) for a, b in _SQUARE)
    yield Path(corners, "ground-plate", -2 * size.unit, closed=True)
    if not upright:
        middle = place + height / 2 * side
        yield Cylinder(middle, up, 0.9 * size.thick, height / 2, "ground", -0.5 * size.unit)


def stands(up: Array, axis: Array | None, leaving: Array) -> bool:
    """Whether a mechanism stands on its joint: a vertical axis, or a body that does not hang."""
    return is_upright(up, axis) or leaving @ up >= -0.2 * float(np.linalg.norm(leaving))


def is_upright(up: Array, axis: Array | None) -> bool:
    """Whether an axis is vertical."""
    return axis is not None and abs(float(axis @ up)) > 0.95


_SQUARE = ((1, 1), (1, -1), (-1, -1), (-1, 1))


def triad(place: Array, R: Array, size: Size) -> Iterator[Solid]:
    """The axes of a frame."""
    for k, name in enumerate("xyz"):
        ends = (place, place + 0.34 * size.unit * R[:, k])
        yield Path(ends, f"frame-{name}", 2 * size.thick, head=0.08 * size.unit)
