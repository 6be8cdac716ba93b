"""Gears, racks and belts, drawn from what their constraints say: pitch points, axes and radii."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.model.constraints.protocol import MeshRow
from torseur.model.constraints.relation import Relation
from torseur.model.constraints.selection import meshes
from torseur.model.description import GROUND, Joint
from torseur.model.joints.freedoms import Slide, common_axis
from torseur.model.joints.symbol import freedoms_of
from torseur.report.scene.movement import Movement
from torseur.report.scene.scene_solids import CylinderPart, MeshPart, Polyline, Size, Solid, strip
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import from_matrix

Array = np.ndarray
_TEETH = range(14, 31)  # of the smallest wheel: so many that all have a whole number
_WIDE = 0.16  # half of the width of wheels, in radii of the smallest
_SAME = 0.25  # of the radius: a cylinder that is the wheel itself
_ANGLE = 0.1  # sine of the angle of axes that are not meant to be parallel
_PARALLEL = 1e-6  # sine of the angle between two axes
_ROOM = 0.9  # of the distance of two axes that wheels of a belt may fill
_ARC = 24  # points of a belt about each wheel


@final
@dataclass(frozen=True)
class Wheel:
    """A wheel, or a rack (of no radius), of a body; frames at the first sample, in the ground."""

    body: str
    axis: Array  # of the wheel, or along the rack
    centre: Array  # of the wheel, in the plane of the pitch point
    radius: float
    pitch: Array  # the pitch point
    hollow: bool = False
    towards: Array | None = None  # of a rack: from its pitch line to its wheel


def wheel_parts(movement: Movement, size: Size) -> Iterator[tuple[str, Solid]]:
    """The parts of every wheel in the frame of its body; belts in that of what carries them."""
    yield from _geared(movement, gear_pairs(movement))
    yield from belt_parts(movement, size)


def belt_parts(movement: Movement, size: Size) -> Iterator[tuple[str, CylinderPart | Polyline]]:
    """The pulleys of belts in the frames of their bodies, belts in that of what carries them."""
    for constraint in movement.geometry.mechanism.constraints.values():
        if isinstance(constraint, Relation) and constraint.wound:
            yield from _belt(movement, constraint, size)


def gear_pairs(movement: Movement) -> list[tuple[Wheel, Wheel]]:
    """The two wheels of every gear, those of which the axes are known."""
    return [pair for row in meshes(movement.geometry.mechanism) if (pair := _pair(movement, row))]


def is_bevel(first: Wheel, second: Wheel) -> bool:
    """Whether the axes of two wheels are at an angle."""
    apart = float(np.linalg.norm(np.cross(first.axis, second.axis)))
    return bool(first.radius and second.radius and apart > _ANGLE)


def replaced(part: Solid, wheels: Iterable[Solid]) -> bool:
    """Whether a cylinder of a body is one of the wheels that are drawn for it."""
    if not isinstance(part, CylinderPart):
        return False
    sizes = [float(np.ptp(x.vertices, axis=0).max()) / 2 for x in wheels if isinstance(x, MeshPart)]
    return any(abs(part.radius - r) < _SAME * r for r in sizes)


# --- gears --------------------------------------------------------------------------------------


def _pair(movement: Movement, row: MeshRow) -> tuple[Wheel, Wheel] | None:
    """The two wheels of a gear; none where a wheel does not turn on the carrier."""
    first, second = (_wheel(movement, row, body) for body in (row.first, row.second))
    if first is None or second is None:
        return None
    if not (first.radius and second.radius):
        return _facing(first, second), _facing(second, first)
    inside = (first.centre - first.pitch) @ (second.centre - second.pitch) > 0
    if inside and np.linalg.norm(np.cross(first.axis, second.axis)) < _PARALLEL:
        larger = first.radius > second.radius
        return replace(first, hollow=larger), replace(second, hollow=not larger)
    return first, second


def _facing(wheel: Wheel, other: Wheel) -> Wheel:
    """A rack, with the direction in which its wheel is; a wheel stays as it is."""
    if wheel.radius or not other.radius:
        return wheel
    return replace(wheel, towards=(other.centre - other.pitch) / other.radius)


def _wheel(movement: Movement, row: MeshRow, body: str) -> Wheel | None:
    """The wheel of a body on the carrier: its axis is that of the joint between them."""
    poses = movement.poses(0)
    point = poses[row.carrier].point(movement.geometry.numbers(row.point))
    joint = _on_carrier(movement, body, row.carrier)
    if joint is None:
        return None
    p, along = _axis(movement, joint)
    if all(isinstance(x, Slide) for x in freedoms_of(joint.kind)):
        return Wheel(body, along, point, 0.0, point)
    centre = p + ((point - p) @ along) * along
    radius = float(np.linalg.norm(point - centre))
    return Wheel(body, along, centre, radius, point) if radius else None


def _on_carrier(movement: Movement, body: str, carrier: str) -> Joint | None:
    """The joint about whose axis a wheel turns on its carrier.

    That is the one between them, or one with a third body about the same axis as the carrier's.
    """
    numeric_joints = movement.geometry.numeric.joints.values()
    joints = [j for j in numeric_joints if common_axis(freedoms_of(j.kind)) is not None]
    direct = [j for j in joints if {j.first, j.second} == {body, carrier}]
    others = [
        one
        for one in joints
        for two in joints
        if one is not two and body in (one.first, one.second) and carrier in (two.first, two.second)
        if {one.first, one.second} & {two.first, two.second}
        if _coaxial(_axis(movement, one), _axis(movement, two))
    ]
    return next(iter([*direct, *others]), None)


def _axis(movement: Movement, joint: Joint) -> tuple[Array, Array]:
    """A point of the axis of a joint and its direction, in the ground."""
    X = movement.poses(0)[joint.first] @ joint.X_AF
    index = common_axis(freedoms_of(joint.kind))
    return X.p, X.R.matrix[:, index]


def _coaxial(one: tuple[Array, Array], two: tuple[Array, Array]) -> bool:
    (p, a), (q, b) = one, two
    away = float(np.linalg.norm(np.cross(q - p, a)))
    size = 1.0 + float(np.linalg.norm(q - p))
    return away < _PARALLEL * size and float(np.linalg.norm(np.cross(a, b))) < _PARALLEL


def _geared(movement: Movement, pairs: list[tuple[Wheel, Wheel]]) -> Iterator[tuple[str, Solid]]:
    """Every wheel once, with whole numbers of teeth that meet gaps at the pitch points."""
    radii = [wheel.radius for pair in pairs for wheel in pair if wheel.radius]
    if not radii:
        return
    trains = [Train(pairs, 2 * min(radii) / teeth) for teeth in _TEETH]
    train = min(trains, key=lambda one: one.misfit)
    for key, wheel in train.wheels.items():
        phase, half = train.phases[key], _WIDE * min(radii)
        yield wheel.body, _solid(movement, wheel, train.module, half, phase)


Key = tuple[str, float, bool]


@final
class Train:
    """Wheels that drive each other, and where their teeth are for a module.

    The place of a tooth is measured along the pitch line from where the wheel is met first.
    """

    def __init__(self, pairs: Sequence[tuple[Wheel, Wheel]], module: float) -> None:
        self.module, self.pitch = module, np.pi * module
        self.wheels: dict[Key, Wheel] = {}
        for wheel in (wheel for pair in pairs for wheel in pair):
            self.wheels.setdefault(_key(wheel), wheel)
        self.phases: dict[Key, float] = {}
        misfits = [self._meet(*pair) for pair in pairs]
        counts = np.array([2 * x.radius / module for x in self.wheels.values()])
        self.misfit = round(sum(misfits) + 10 * float(np.abs(counts - counts.round()).max()), 6)

    def _meet(self, first: Wheel, second: Wheel) -> float:
        """Put a tooth of one where the other has a gap; how far it is from there, in teeth."""
        if _key(first) not in self.phases and _key(second) in self.phases:
            first, second = second, first
        along = _tangent(first)
        (side1, base1), (side2, base2) = (self._sees(x, along) for x in (first, second))
        offset = side1 * (self.phases.setdefault(_key(first), base1) - base1)
        angle = base2 + side2 * (offset + self.pitch / 2)
        error = (self.phases.setdefault(_key(second), angle) - angle) / self.pitch
        return abs(error - round(error))

    def _sees(self, wheel: Wheel, along: Array) -> tuple[float, float]:
        """The side to which places grow along a direction, and the place of the pitch point."""
        met = self.wheels[_key(wheel)]
        side = 1.0 if _tangent(wheel) @ along >= 0 else -1.0
        if not wheel.radius:
            return side, float((wheel.pitch - met.pitch) @ met.axis)
        out, start = wheel.pitch - wheel.centre, met.pitch - met.centre
        turned = np.arctan2(out @ np.cross(met.axis, start), out @ start)
        return side, float(turned) * wheel.radius


def _key(wheel: Wheel) -> Key:
    return wheel.body, round(wheel.radius, 9), wheel.hollow


def _tangent(wheel: Wheel) -> Array:
    """The direction of the pitch line where a wheel is met, the way it turns."""
    if not wheel.radius:
        return wheel.axis
    return np.cross(wheel.axis, wheel.pitch - wheel.centre) / wheel.radius


def _solid(movement: Movement, wheel: Wheel, module: float, half: float, phase: float) -> Solid:
    """A wheel in the frame of its body; `phase` is the place of a tooth on the pitch line."""
    X_BW = movement.poses(0)[wheel.body].inverse
    if not wheel.radius:
        return _rack(movement, wheel, module, half, phase)
    count, angle = round(2 * wheel.radius / module), phase / wheel.radius
    out = (wheel.pitch - wheel.centre) / wheel.radius
    R = np.column_stack([out, np.cross(wheel.axis, out), wheel.axis])
    style = "ground" if wheel.body == GROUND else "own"
    shape = (
        ring(count, wheel.radius, half, angle, style)
        if wheel.hollow
        else toothed(count, wheel.radius, half, angle, style)
    )
    return shape.transformed(X_BW @ Pose(wheel.centre, from_matrix(R)))


def _rack(movement: Movement, wheel: Wheel, module: float, half: float, phase: float) -> Solid:
    """A rack as long as its way past the pitch point."""
    assert wheel.towards is not None, "a rack has a wheel on it"
    p = movement.frames[wheel.body][1]
    travel = (p - p[0]) @ wheel.axis  # past a point that stays
    room = 8 * module
    low, high = float(-travel.max()) - room, float(-travel.min()) + room
    turned = np.column_stack([wheel.axis, wheel.towards, np.cross(wheel.axis, wheel.towards)])
    shape = rack(module, low, high, half, phase)
    X_BW = movement.poses(0)[wheel.body].inverse
    return shape.transformed(X_BW @ Pose(wheel.pitch, from_matrix(turned)))


# --- belts --------------------------------------------------------------------------------------


def _belt(
    movement: Movement, belt: Relation, size: Size
) -> Iterator[tuple[str, CylinderPart | Polyline]]:
    """Two pulleys and what goes about them, where both turn on one body."""
    joints = [movement.geometry.numeric.joints[name] for name, _ in belt.wound]
    radii = np.array([float(movement.geometry.numbers(radius)) for _, radius in belt.wound])
    axes = [common_axis(freedoms_of(joint.kind)) for joint in joints]
    if axes[0] is None or axes[1] is None or joints[0].first != joints[1].first:
        return
    along = joints[0].X_AF.R.matrix[:, axes[0]]
    first, second = (joint.X_AF.p for joint in joints)
    between = second - first - ((second - first) @ along) * along
    distance = float(np.linalg.norm(between))
    if (
        not distance
        or np.linalg.norm(np.cross(along, joints[1].X_AF.R.matrix[:, axes[1]])) > _PARALLEL
    ):
        return
    radii = np.abs(radii) * min(1.0, _ROOM * distance / float(np.abs(radii).sum()))
    for joint, axis, radius in zip(joints, axes, radii, strict=True):
        direction = joint.X_BM.R.matrix[:, axis]
        yield joint.second, CylinderPart(joint.X_BM.p, direction, float(radius), 0.6 * size.half)
    u = between / distance
    path = _about(distance, float(radii[0]), float(radii[1]), crossed=belt.crossed)
    points = tuple(first + x * u + y * np.cross(along, u) for x, y in path)
    yield joints[0].first, Polyline((*points, points[0]), "belt", 0.1 * size.unit)


def _about(distance: float, r1: float, r2: float, *, crossed: bool) -> Array:
    """The way of a belt about two circles, the second at (distance, 0); its tangents touch both."""
    side = -1.0 if crossed else 1.0
    lean = float(np.arccos((r1 - side * r2) / distance))
    one = np.linspace(lean, 2 * np.pi - lean, _ARC)
    two = (
        np.linspace(-lean, lean, _ARC)
        if not crossed
        else np.linspace(np.pi - lean, lean - np.pi, _ARC)
    )
    first = r1 * np.column_stack([np.cos(one), np.sin(one)])
    second = np.array([distance, 0.0]) + r2 * np.column_stack([np.cos(two), np.sin(two)])
    return np.concatenate([first, second])


# --- teeth ----------------------------------------------------------------------------------------

# Toothed wheels, rings and racks as flat faces, about z or along x, with straight flanks.
#
# Proportions of ISO 53: with the module m, teeth are π m apart, 1 m high above the pitch line and
# 1.25 m deep below it; their flanks lean by 20°.

_ABOVE, _BELOW, _LEAN = 1.0, 1.25, np.tan(np.radians(20.0))
_RIM = 2.6  # modules of a ring beyond its pitch circle
_FLUSH = -1e-9  # a lift that is nothing: all faces have one depth, the ends after the sides


def toothed(count: int, radius: float, half: float, phase: float, style: str) -> MeshPart:
    """A wheel of some teeth about z, one of them at the angle `phase` from x."""
    return _prism(_around(count, radius, phase, 1.0), half, style)


def ring(count: int, radius: float, half: float, phase: float, style: str) -> MeshPart:
    """A ring with teeth inside; one of them at the angle `phase` from x."""
    inner = _around(count, radius, phase, -1.0)
    module = 2 * radius / count
    directions = inner / np.linalg.norm(inner, axis=1)[:, None]
    outer = (radius + _RIM * module) * directions
    vertices = np.concatenate([_thick(inner, half), _thick(outer, half)])
    low_in, high_in, low_out, high_out = np.arange(len(vertices)).reshape(4, -1).tolist()
    sides = (low_out, high_out), (high_in, low_in), (low_in, low_out), (high_out, high_in)
    return MeshPart(vertices, tuple(face for pair in sides for face in strip(*pair)), style)


def rack(module: float, low: float, high: float, half: float, phase: float) -> MeshPart:
    """A bar along x from `low` to `high`, its pitch line y = 0, with teeth towards y.

    One of them is at `phase`.
    """
    pitch = np.pi * module
    first, last = np.floor((low - phase) / pitch), np.ceil((high - phase) / pitch)
    xs = [
        (phase + k * pitch + shift * module, height * module)
        for k in np.arange(first, last + 1)
        for shift, height in _profile()
    ]
    outline = np.array([*xs[::-1], (xs[0][0], -3 * module), (xs[-1][0], -3 * module)])
    return _prism(outline, half, "own")


def _prism(outline: Array, half: float, style: str) -> MeshPart:
    """Prism of a counter-clockwise outline, from below its plane to above it."""
    n = len(outline)
    below, above = tuple(range(n)), tuple(range(n, 2 * n))
    faces = (*strip(below, above), below[::-1], above)
    return MeshPart(_thick(outline, half), faces, style, _FLUSH, edges=True)


def _profile() -> list[tuple[float, float]]:
    """The corners of a tooth in modules: along the pitch line from its middle, and its height."""
    at_pitch = np.pi / 4
    tip, root = at_pitch - _ABOVE * _LEAN, at_pitch + _BELOW * _LEAN
    return [(-root, -_BELOW), (-tip, _ABOVE), (tip, _ABOVE), (root, -_BELOW)]


def _around(count: int, radius: float, phase: float, side: float) -> Array:
    """The outline of teeth on a circle, outwards (1) or inwards (−1), counter-clockwise."""
    module = 2 * radius / count
    corners = [
        (phase + 2 * np.pi * k / count + along * module / radius, radius + side * height * module)
        for k in range(count)
        for along, height in _profile()
    ]
    return np.array([(r * np.cos(angle), r * np.sin(angle)) for angle, r in corners])


def _thick(outline: Array, half: float) -> Array:
    """An outline below and above its plane (2 n, 3)."""
    flat = np.ones(len(outline))
    return np.concatenate([np.column_stack([outline, z * flat]) for z in (-half, half)])
