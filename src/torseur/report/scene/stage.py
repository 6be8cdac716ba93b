"""The bodies of a mechanism as parts of a picture, each part in the frame of its body."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from torseur.model.description import GROUND, Contact, Joint
from torseur.model.forces.damper import Damper
from torseur.model.forces.line import LineForce
from torseur.model.forces.spring import Spring
from torseur.model.joints.cylindrical import Cylindrical
from torseur.model.joints.distance import Distance
from torseur.model.joints.fixed import Fixed
from torseur.model.joints.prismatic import Prismatic
from torseur.model.joints.revolute import Revolute
from torseur.model.joints.rolling import RollingAlong, RollingBall, RollingCylinder, RollingDisc
from torseur.model.joints.screw import Screw
from torseur.model.joints.spherical import Spherical
from torseur.model.joints.universal import Universal
from torseur.report.drawing.glyphs import is_upright, plate
from torseur.report.scene.geometry import Geometry
from torseur.report.scene.joint_parts import Travel, joint_parts, moved
from torseur.report.scene.movement import Frames, Movement
from torseur.report.scene.sizes import Size
from torseur.report.scene.solid_parts import Mesh, covers, shape_parts
from torseur.report.scene.solids import Ball, Cylinder, Limb, Path, Solid
from torseur.report.scene.symbols import axis_index
from torseur.spatial.pose import Pose

Array = np.ndarray
Rolling = RollingDisc | RollingBall | RollingCylinder | RollingAlong
_STANDING = (Revolute, Prismatic, Cylindrical, Screw, Universal, Spherical, Fixed)  # on the ground
_SMALLER = 0.65  # than in a drawing on paper, which has less room
_MANY = 3  # ends of a body from which it is a star about their middle
_NEAR = 1e-6  # of the size of the mechanism: places that are one


@final
@dataclass(frozen=True)
class Tie:
    """A line between points of two bodies: a spring, a damper, a rod."""

    name: str
    style: str
    ends: tuple[tuple[str, Array], tuple[str, Array]]
    shift: float = 0.0  # beside others that have the same ends, in widths


@final
@dataclass(frozen=True)
class Stage:
    """Parts by body, what is tied between bodies, and the size of symbols."""

    parts: dict[str, list[Solid | Mesh]]
    ties: list[Tie]
    size: Size
    places: dict[str, list[Array]] = field(default_factory=dict)  # that a view must show


def stage(movement: Movement, frames: dict[str, Frames]) -> Stage:
    """The parts of every body, as large as the mechanism and its travels ask for."""
    found = _Builder(movement, frames)
    for joint in movement.geometry.mechanism.joints.values():
        found.add_joint(joint)
    for contact in movement.geometry.mechanism.constraints.values():
        if isinstance(contact, Contact) and isinstance(contact.kind, Rolling):
            found.add_wheel(contact, contact.kind)
    for name in frames:
        if name != GROUND:
            found.add_body(name)
    return Stage(found.parts, _side_by_side(movement.geometry), found.size, found.reach)


@final
class _Builder:
    """The parts gathered so far."""

    def __init__(self, movement: Movement, frames: dict[str, Frames]) -> None:
        self.geometry = movement.geometry
        self.mechanism = movement.geometry.mechanism
        self.frames = frames
        self.places = {name: self._attached(name) for name in frames}
        self.size = self._sized()
        self.parts: dict[str, list[Solid | Mesh]] = {name: [] for name in frames}
        self.reach = {name: list(places) for name, places in self.places.items()}

    # --- places and sizes

    def _frames_of(self, joint: Joint | Contact) -> tuple[Pose, Pose]:
        return self.geometry.pose(joint.X_AF), self.geometry.pose(joint.X_BM)

    def _attached(self, body: str) -> list[Array]:
        """The places of a body where something is: the joint that carries it first."""
        carrying = {link.joint_name for link in self.geometry.structure.tree.links
                    if link.name == body}  # fmt: skip
        joints = sorted(self.mechanism.joints.values(), key=lambda j: j.name not in carrying)
        found = []
        for joint in joints:
            X_AF, X_BM = self._frames_of(joint)
            found += [X_AF.p] if joint.first == body else []
            found += [X_BM.p] if joint.second == body else []
        for point in self.mechanism.points.values():
            found += [self.geometry.numbers(point.position)] if point.body == body else []
        for tie in _ties(self.geometry):
            found += [place for owner, place in tie.ends if owner == body]
        return found

    def _sized(self) -> Size:
        """The unit of symbols: a usual lever, neither too small nor too large."""
        seen = [self._seen(body, place) for body in self.frames for place in self.places[body]]
        centres = [self._seen(b, self._centre(b)) for b in self.frames if b != GROUND]
        extent = float(np.ptp(np.array([*seen, *centres]), axis=0).max(initial=0.0))
        extent = max([extent, *(self._reach(body) for body in self.frames)])
        levers = [
            float(np.linalg.norm(other - places[0]))
            for body, places in self.places.items()
            if body != GROUND and places
            for other in (*places[1:], *self._bare_centre(body))
        ]
        usual = [lever for lever in levers if lever > _NEAR * (extent or 1.0)]
        unit = float(np.median(usual)) if usual else extent or 1.0
        return Size(_SMALLER * (float(np.clip(unit, extent / 7, extent / 2.2)) if extent else unit))

    def _bare_centre(self, body: str) -> list[Array]:
        """The centre of a body that has no shape around it."""
        return [self._centre(body)] if self.mechanism.bodies[body].shape is None else []

    def _reach(self, body: str) -> float:
        """The size of a shape that is drawn."""
        described = self.mechanism.bodies.get(body)
        if described is None or described.shape is None:
            return 0.0
        dimensions = [x for x in described.shape[1].values() if not isinstance(x, str)]
        return max(float(self.geometry.numbers(x).max()) for x in dimensions)

    def _seen(self, body: str, place: Array) -> Array:
        """A place of a body in the ground, at the first sample."""
        R, p = self.frames[body]
        return p[0] + R[0] @ place

    def _centre(self, body: str) -> Array:
        return self.geometry.numbers(self.mechanism.bodies[body].centre)

    def _is_near(self, a: Array, b: Array) -> bool:
        return float(np.linalg.norm(a - b)) < 1e-3 * self.size.unit

    # --- joints

    def add_joint(self, joint: Joint) -> None:
        """The symbol of a joint on both of its bodies, and the ground under it."""
        X_AF, X_BM = self._frames_of(joint)
        p = self._relative(joint, X_AF, X_BM)
        kind = _with_numbers(self.geometry, joint)
        axis = self._axis(joint, X_AF)
        up = self.geometry.up
        rail = joint.first == GROUND and isinstance(kind, Prismatic) and not is_upright(up, axis)
        level = axis is None or abs(float(axis @ up)) > 0.5
        travel = Travel(kind, p.min(axis=0), p.max(axis=0), self.size, rail, level)
        if joint.first == GROUND and isinstance(kind, Prismatic) and not rail:
            X_AF, travel = _at_travel(X_AF, travel)
        first, second = joint_parts(travel)
        self.parts[joint.first] += [moved(part, X_AF) for part in first]
        self.parts[joint.second] += [moved(part, X_BM) for part in second]
        self.reach[joint.first] += [X_AF.point(travel.low), X_AF.point(travel.high)]
        if GROUND in (joint.first, joint.second) and isinstance(kind, _STANDING):
            self._add_ground(joint, X_AF, X_BM, axis, travel)

    def _relative(self, joint: Joint | Contact, X_AF: Pose, X_BM: Pose) -> Array:
        """The origin of M in F at every sample."""
        (R_A, p_A), (R_B, p_B) = self.frames[joint.first], self.frames[joint.second]
        away = p_B + R_B @ X_BM.p - (p_A + R_A @ X_AF.p)
        return np.einsum("nji,nj->ni", R_A @ X_AF.R.matrix, away)

    def _axis(self, joint: Joint, X_AF: Pose) -> Array | None:
        """The axis of a joint in the ground, at the first sample."""
        index = axis_index(joint.kind)
        return None if index is None else self.frames[joint.first][0][0] @ X_AF.R.matrix[:, index]

    def _add_ground(
        self, joint: Joint, X_AF: Pose, X_BM: Pose, axis: Array | None, travel: Travel
    ) -> None:
        up = self.geometry.up
        if travel.rail and axis is not None:
            self.parts[GROUND].append(self._bed(X_AF, axis, travel))
            return
        grounded, other, X = (
            (X_AF, joint.second, X_BM) if joint.first == GROUND else (X_BM, joint.first, X_AF)
        )
        ends = [place - X.p for place in (*self.places[other], self._centre(other))]
        leaving = self.frames[other][0][0] @ max(ends, key=lambda end: float(end @ end))
        self.parts[GROUND] += list(plate(up, grounded.p, axis, leaving, self.size))

    def _bed(self, X_AF: Pose, axis: Array, travel: Travel) -> Path:
        """The hatched ground under a rail."""
        index, up, size = axis_index(travel.kind) or 0, self.geometry.up, self.size
        down, across = -1.25 * size.radius * up, 0.3 * size.unit * np.cross(axis, up)
        beyond = 0.45 * size.unit
        low, high = (
            X_AF.p + x * axis + down
            for x in (travel.low[index] - beyond, travel.high[index] + beyond)
        )
        corners = (low - across, high - across, high + across, low + across)
        return Path(corners, "ground-plate", -2 * size.unit, closed=True)

    # --- bodies

    def add_body(self, body: str) -> None:
        """Its shape, or levers from the joint that carries it to everything else."""
        described = self.mechanism.bodies[body]
        centre, own = self._centre(body), list(self.places[body])
        if described.shape is not None:
            self._add_shape(body, centre, own)
            return
        start = own[0] if own else centre
        ends: list[Array] = []
        for place in own[1:]:
            if not any(self._is_near(place, other) for other in (start, *ends)):
                ends.append(place)
        if len(ends) >= _MANY:
            start, ends = np.mean([start, *ends], axis=0), [start, *ends]
        thick, thin = self.size.thick, self.size.thin
        if not ends and not self._is_near(centre, start):
            ends = [centre]
            self.parts[body].append(Ball(centre, 1.9 * thick, "own", 2 * thick))
        elif not ends and not self.parts[body]:
            self.parts[body].append(Ball(start, 1.1 * thick, "own"))
        self.parts[body] += [Limb(start, end, thick, thin, "own") for end in ends]

    def _add_shape(self, body: str, centre: Array, places: list[Array]) -> None:
        shape = self.mechanism.bodies[body].shape
        assert shape is not None, "a shape is drawn only where there is one"
        name, given = shape
        numbers = {
            key: x if isinstance(x, str) else self.geometry.numbers(x).tolist()
            for key, x in given.items()
        }
        solids = shape_parts((name, numbers), centre, self.size.thin)
        self.parts[body] += solids
        for place in places:
            if not covers(solids, place):
                self.parts[body].append(Limb(centre, place, self.size.thin, self.size.thin, "own"))

    def add_wheel(self, contact: Contact, kind: Rolling) -> None:
        """The plane of a contact, and its wheel or its ball unless the body has a shape."""
        X_AF, X_BM = self._frames_of(contact)
        self.parts[contact.first].append(self._plane(contact, kind.normal, X_AF, X_BM))
        if self.mechanism.bodies[contact.second].shape is not None:
            return
        radius = float(self.geometry.numbers(kind.radius))
        if isinstance(kind, RollingBall):
            self.parts[contact.second].append(Ball(X_BM.p, radius, "own"))
            return
        index = 3 - kind.along - kind.normal if isinstance(kind, RollingAlong) else kind.axis
        half = (0.8 if isinstance(kind, RollingCylinder) else 0.05) * radius
        wheel = Cylinder(X_BM.p, X_BM.R.matrix[:, index], radius, half, "own")
        self.parts[contact.second].append(wheel)

    def _plane(self, contact: Contact, normal: int, X_AF: Pose, X_BM: Pose) -> Path:
        """The plane on which it rolls, as large as its way."""
        p = self._relative(contact, X_AF, X_BM)
        low, high = p.min(axis=0) - 1.2 * self.size.unit, p.max(axis=0) + 1.2 * self.size.unit
        i, j = (normal + 1) % 3, (normal + 2) % 3
        corners = []
        for a, b in ((low, low), (high, low), (high, high), (low, high)):
            corner = np.zeros(3)
            corner[i], corner[j] = a[i], b[j]
            corners.append(X_AF.point(corner))
        return Path(tuple(corners), "ground-plate", -20 * self.size.unit, closed=True)


def _at_travel(X_AF: Pose, travel: Travel) -> tuple[Pose, Travel]:
    """A guide of the ground where the body that slides in it is, if it never is at its origin."""
    index = travel.kind.axis
    if travel.low[index] * travel.high[index] <= 0:
        return X_AF, travel
    middle = (travel.low + travel.high) / 2
    X = X_AF @ Pose(middle)
    return X, replace(travel, low=travel.low - middle, high=travel.high - middle)


def _with_numbers(found: Geometry, joint: Joint) -> Any:
    """The type of a joint with numbers, as the tree or the closing joints have it."""
    for link in found.structure.tree.links:
        if link.joint_name == joint.name:
            return getattr(link.joint, "kind", link.joint)
    return next((cut.joint for cut in found.structure.cuts if cut.name == joint.name), joint.kind)


def _ties(found: Geometry) -> Iterator[Tie]:
    """Springs, dampers and other forces along a line; rods without mass."""
    for load in found.mechanism.loads.values():
        if isinstance(load, Spring | Damper | LineForce):
            style = {Spring: "spring", Damper: "damper"}.get(type(load), "rod")
            first, second = ((end.body, found.numbers(end.point)) for end in load.between)
            yield Tie(load.name, style, (first, second))
    for joint in found.mechanism.joints.values():
        if isinstance(joint.kind, Distance):
            ends = (joint.first, found.pose(joint.X_AF).p), (joint.second, found.pose(joint.X_BM).p)
            yield Tie(joint.name, "rod", ends)


def _side_by_side(found: Geometry) -> list[Tie]:
    """The ties, those between the same two places one beside the other."""
    groups: dict[Any, list[Tie]] = {}
    for tie in _ties(found):
        key = tuple((body, *np.round(place, 9)) for body, place in tie.ends)
        groups.setdefault(key, []).append(tie)
    return [
        replace(tie, shift=k - (len(group) - 1) / 2)
        for group in groups.values()
        for k, tie in enumerate(group)
    ]
