"""The parts of a joint that move with its first body, in F, and with its second, in M."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.model.joints.annular_contact import AnnularContact
from torseur.model.joints.cylindrical import Cylindrical
from torseur.model.joints.fixed import Fixed
from torseur.model.joints.line_contact import LineContact
from torseur.model.joints.planar import Planar
from torseur.model.joints.point_contact import PointContact
from torseur.model.joints.prismatic import Prismatic
from torseur.model.joints.protocol import unit
from torseur.model.joints.revolute import Revolute
from torseur.model.joints.screw import Screw
from torseur.model.joints.spherical import Spherical
from torseur.model.joints.universal import Universal
from torseur.report.scene.sizes import Size
from torseur.report.scene.solids import Ball, Box, Cylinder, Limb, Path, Solid
from torseur.spatial.pose import Pose

Array = np.ndarray
Parts = tuple[list[Solid], list[Solid]]  # on the first body, on the second


@final
@dataclass(frozen=True)
class Travel:
    """A joint whose second frame goes from `low` to `high`, in the axes of F; its symbol's size."""

    kind: Any
    low: Array
    high: Array
    size: Size
    rail: bool = False  # a block on a rail of its first body, which is the ground
    level: bool = True  # the plane it slides on is horizontal, as far as one can tell

    @property
    def lift(self) -> float:
        """How much nearer it is drawn, so that it hides the ends of the bodies it links."""
        return 2.4 * self.size.radius


def joint_parts(joint: Travel) -> Parts:
    """The symbol of a joint, cut in two; nothing for a joint that is no contact at all."""
    made = _PARTS.get(type(joint.kind))
    return made(joint) if made else ([], [])


def moved(part: Solid, X: Pose) -> Solid:
    """A part of a joint in the frame that X is given in."""
    R = X.R.matrix
    if isinstance(part, Limb):
        a, b = X.point(part.a), X.point(part.b)
        return Limb(a, b, part.thick, part.thin, part.style, lift=part.lift)
    if isinstance(part, Cylinder):
        return Cylinder(
            X.point(part.centre), R @ part.axis, part.radius, part.half, part.style, part.lift
        )
    if isinstance(part, Ball):
        return Ball(X.point(part.centre), part.radius, part.style, part.lift)
    if isinstance(part, Path):
        return replace(part, points=tuple(X.point(point) for point in part.points))
    return type(part)(X.point(part.centre), R @ part.R, part.half, part.style, part.lift)


def _pin(joint: Travel) -> Parts:
    size = joint.size
    axis = unit(joint.kind.axis)
    pin = Cylinder(np.zeros(3), axis, size.radius, size.half, "joint", joint.lift)
    return [pin], []


def _slide(joint: Travel) -> Parts:
    """A rod in a sleeve, or a block on a rail."""
    index, size = joint.kind.axis, joint.size
    half = _sides(0.95 * size.radius, index, 1.25 * size.half)
    if not joint.rail:
        return [Box(np.zeros(3), np.eye(3), half, "joint", joint.lift)], [_rod(joint)]
    low, high = (x[index] * unit(index) for x in (joint.low, joint.high))
    beyond = 0.45 * size.unit * unit(index)
    rail = _bar(low - beyond, high + beyond, 0.6 * size.thin, size)
    return [rail], [Box(np.zeros(3), np.eye(3), half, "joint", 0.3 * joint.lift)]


def _bar(a: Array, b: Array, radius: float, size: Size) -> Limb:
    """A bar of the ground, behind what moves along it."""
    return Limb(a, b, radius, radius, "ground", lift=-size.unit)


def _rod(joint: Travel) -> Limb:
    """The part of the second body that is in the sleeve at one time or another, in M."""
    index, size = joint.kind.axis, joint.size
    back = 2.0 * size.half
    start, end = -joint.high[index] - back, max(-joint.low[index] + back, 0.0)
    return Limb(start * unit(index), end * unit(index), size.thin, size.thin, "own")


def _sleeve(joint: Travel) -> Parts:
    size = joint.size
    axis = unit(joint.kind.axis)
    tube = Cylinder(np.zeros(3), axis, size.radius, 1.4 * size.half, "joint", joint.lift)
    return [tube], [_rod(joint)]


def _cross(joint: Travel) -> Parts:
    size = joint.size

    def arm(axis: int) -> Cylinder:
        return Cylinder(
            np.zeros(3), unit(axis), 0.55 * size.radius, 1.7 * size.half, "joint", joint.lift
        )

    middle = Ball(np.zeros(3), 0.8 * size.radius, "joint", 1.05 * joint.lift)
    return [arm(joint.kind.first), middle], [arm(joint.kind.second)]


def _ball(joint: Travel) -> Parts:
    return [], [Ball(np.zeros(3), 1.2 * joint.size.radius, "joint", joint.lift)]


def _on_a_plate(joint: Travel, block: Solid) -> Parts:
    """A block, a ball or an edge on a plane as large as its travel; none that stands upright."""
    if not joint.level:
        return [], [block]
    n, room = joint.kind.normal, 2.6 * joint.size.radius
    low, high = joint.low - room, joint.high + room
    i, j = (n + 1) % 3, (n + 2) % 3
    corners = np.zeros((4, 3))
    corners[:, i] = low[i], high[i], high[i], low[i]
    corners[:, j] = low[j], low[j], high[j], high[j]
    plane = Path(tuple(corners), "ground-plate", -4 * joint.size.unit, closed=True)
    return [plane], [block]


def _block(joint: Travel) -> Parts:
    n, r = joint.kind.normal, joint.size.radius
    block = Box(0.45 * r * unit(n), np.eye(3), _sides(0.9 * r, n, 0.45 * r), "joint", joint.lift)
    return _on_a_plate(joint, block)


def _touching_ball(joint: Travel) -> Parts:
    return _on_a_plate(joint, Ball(np.zeros(3), 0.9 * joint.size.radius, "joint", joint.lift))


def _edge(joint: Travel) -> Parts:
    size = joint.size
    along = unit(joint.kind.line)
    roller = Cylinder(np.zeros(3), along, 0.4 * size.radius, 1.4 * size.half, "joint", joint.lift)
    return _on_a_plate(joint, roller)


def _ball_in_a_tube(joint: Travel) -> Parts:
    index, size = joint.kind.axis, joint.size
    low, high = (x[index] * unit(index) for x in (joint.low, joint.high))
    beyond = 0.3 * size.unit * unit(index)
    tube = _bar(low - beyond, high + beyond, 0.5 * size.thin, size)
    return [tube], [Ball(np.zeros(3), size.radius, "joint", joint.lift)]


def _weld(joint: Travel) -> Parts:
    half = 0.6 * joint.size.radius
    return [Box(np.zeros(3), np.eye(3), (half, half, half), "ground", joint.lift)], []


def _sides(across: float, index: int, along: float) -> tuple[float, float, float]:
    half = [across] * 3
    half[index] = along
    return half[0], half[1], half[2]


_PARTS: dict[type, Callable[[Travel], Parts]] = {
    Revolute: _pin,
    Prismatic: _slide,
    Cylindrical: _sleeve,
    Screw: _sleeve,
    Universal: _cross,
    Spherical: _ball,
    Planar: _block,
    PointContact: _touching_ball,
    LineContact: _edge,
    AnnularContact: _ball_in_a_tube,
    Fixed: _weld,
}
