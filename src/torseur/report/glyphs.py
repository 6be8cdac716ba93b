"""Each joint with its symbol and its label; the ground and the axes of frames."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.joints.protocol import JointType
from torseur.joints.reversed import Reversed
from torseur.report.camera import Camera
from torseur.report.placed import Placed
from torseur.report.solids import Cylinder, Path, Solid
from torseur.report.symbols import SYMBOLS, Site, Size, axis_index

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


def behind(joint: JointType) -> JointType:
    """The joint itself when it is crossed backwards."""
    return joint.kind if isinstance(joint, Reversed) else joint


def axis_of(placed: Placed, i: int) -> Array | None:
    """The axis of a joint in the ground, if it has one."""
    index = axis_index(behind(placed.tree.links[i].joint))
    return None if index is None else placed.F[i].R.matrix[:, index]


def glyph(
    placed: Placed, i: int, place: Array, size: Size, view: Camera, nearest: float
) -> tuple[list[Solid], Label | None]:
    """The symbol of a joint and the label of its coordinates.

    `nearest` is the depth of the nearest of the bodies whose ends the symbol hides.
    """
    link = placed.tree.links[i]
    joint = behind(link.joint)
    out = placed.M[i].p - placed.F[i].p
    lift = max(0.0, nearest - view.depth(place)) + 0.01 * size.unit
    site = Site(joint, place, placed.F[i].R.matrix, out, size, view, lift)
    solids = list(SYMBOLS[type(joint)](site))
    names = placed.mechanism.joints[link.joint_name].coordinates
    if not names:
        return solids, None
    index = axis_index(joint)
    if index is None:
        return solids, Label(place, names, "coordinate", None, 2.2 * size.radius)
    axis = site.R[:, index]
    end = place + (size.half + 0.3 * size.unit * size.factor) * axis
    return solids, Label(end, names, "coordinate", axis, 0.07 * size.unit)


# --- ground and frames --------------------------------------------------------------------------


def plate(
    up: Array, place: Array, axis: Array | None, leaving: Array, size: Size
) -> Iterator[Solid]:
    """The hatched ground under a joint, or over it when the mechanism hangs."""
    side = -up if stands(up, axis, leaving) else up
    first = np.roll(np.eye(3)[np.argmax(np.abs(up))], 1)
    first = first - (first @ up) * up
    first = first / np.linalg.norm(first)
    second = np.cross(up, first)
    upright = _is_upright(up, axis)
    height = size.half if upright else 0.42 * size.unit
    foot, half = place + height * side, 0.34 * size.unit
    corners = tuple(foot + half * (a * first + b * second) for a, b in _SQUARE)
    yield Path(corners, "ground-plate", -2 * size.unit, closed=True)
    if not upright:
        middle = place + height / 2 * side
        yield Cylinder(middle, up, 0.9 * size.thick, height / 2, "ground", -0.5 * size.unit)


def stands(up: Array, axis: Array | None, leaving: Array) -> bool:
    """Whether a mechanism stands on its joint: a vertical axis, or a body that does not hang."""
    return _is_upright(up, axis) or leaving @ up >= -0.2 * float(np.linalg.norm(leaving))


def _is_upright(up: Array, axis: Array | None) -> bool:
    return axis is not None and abs(float(axis @ up)) > 0.95


_SQUARE = ((1, 1), (1, -1), (-1, -1), (-1, 1))


def triad(place: Array, R: Array, size: Size) -> Iterator[Solid]:
    """The axes of a frame."""
    for k, name in enumerate("xyz"):
        ends = (place, place + 0.34 * size.unit * R[:, k])
        yield Path(ends, f"frame-{name}", 2 * size.thick, head=0.08 * size.unit)
