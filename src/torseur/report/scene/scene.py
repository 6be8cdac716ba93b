"""The scene of a mechanism: solids in the frames of its bodies, and ties between bodies.

Everything that shows a mechanism draws this: the drawing of a pose, the picture of a moment, the
page of an animation. A scene on paper shows the structure: no shapes of bodies, larger symbols,
joints at one place apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.model.constraints.pile import Pile
from torseur.model.constraints.protocol import JointRows
from torseur.model.constraints.selection import between_frames
from torseur.model.description import GROUND, Joint
from torseur.model.joints.mesh_points import Meshes, MeshPoint
from torseur.model.joints.symbol import Bar, Plate, Symbol
from torseur.report.scene.arms_and_shoes import arm_mass, brake_shoes
from torseur.report.scene.body_looks import LIFT, BodyLook, bar_ends, joint_parts, look
from torseur.report.scene.movement import Movement
from torseur.report.scene.scene_solids import (
    BallPart,
    Limb,
    Size,
    Solid,
    bed,
    covers,
    floor_or_wall,
    foot,
    is_upright,
)
from torseur.report.scene.shape_solids import convex
from torseur.report.scene.skeleton import BodyPlace, Skeleton, attached
from torseur.report.scene.ties import Tie, TieLine, drum_parts, ties
from torseur.report.scene.wheels import replaced, wheel_parts
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import from_matrix

Array = np.ndarray
_SMALLER, _SCREEN = 0.65, 2.2  # symbols than on paper; the mechanism beside a lever, at least
_MANY = 3  # ends of a body from which it is a star about their middle


@final
@dataclass(frozen=True)
class Site:
    """Where the symbol of a joint is: its frames on the two bodies, and its size."""

    joint: Joint | JointRows
    symbol: Symbol
    X_AF: Pose
    X_BM: Pose
    size: Size


@final
@dataclass(frozen=True)
class Scene:
    """Parts by body, what is tied between bodies, and the size of symbols."""

    parts: dict[str, list[Solid]]  # in the frames of the bodies
    ties: list[Tie]
    size: Size
    places: dict[str, list[Array]]  # that a view must show
    sites: list[Site]
    shaped: set[str]  # bodies that are drawn as they look, and not by levers

    def solids(self, movement: Movement, sample: int = 0) -> Iterator[tuple[str, Solid]]:
        """Every part with its body, in the ground."""
        for body, X in movement.poses(sample).items():
            yield from ((body, part.transformed(X)) for part in self.parts[body])

    def lines(self, movement: Movement, sample: int = 0) -> Iterator[TieLine]:
        """Ties between bodies, in the ground."""
        for tie in self.ties:
            a, b = (movement.way(*end)[sample] for end in tie.ends)
            yield TieLine(a, b, tie.style, 0.09 * self.size.unit, tie.shift)


def scene(movement: Movement, paper: Skeleton | None = None, unit: float | None = None) -> Scene:
    """The parts of every body, as large as the mechanism and its travels ask for, or by a unit.

    On `paper`, the structure at the first sample, of which the skeleton is given.
    """
    builder = _Builder(movement, paper, unit)
    mechanism = movement.geometry.numeric
    hidden = {joint.name for joint in mechanism.joints.values() if builder.hides(joint)}
    for joint in mechanism.joints.values():
        if joint.name not in hidden:
            builder.add_joint(joint, joint.kind.symbol)
    for contact in between_frames((*mechanism.constraints.values(), *mechanism.contacts.values())):
        if isinstance(contact.kind, MeshPoint):
            builder.add_meshes(contact, contact.kind.shape)
        else:
            builder.add_joint(contact, contact.kind.numeric(builder.number).symbol)
    for pile in mechanism.contacts.values():
        if isinstance(pile, Pile) and pile.normal is not None:
            builder.add_plane(pile.normal, pile.through)
    for name in movement.frames:
        if name != GROUND:
            builder.add_body(name)
    if paper is None:
        builder.add_wheels(movement)
        builder.add_drums()
        builder.add_shoes(movement)
        builder.add_balls()
    shaped = {body for body, look in builder.looks.items() if look}
    lines = [tie for tie in ties(movement.geometry) if tie.name not in hidden]
    return Scene(builder.parts, lines, builder.size, builder.reach, builder.sites, shaped)


@final
class _Builder:
    """The parts gathered so far."""

    def __init__(self, movement: Movement, paper: Skeleton | None, unit: float | None) -> None:
        self.geometry, self.frames, self.paper = movement.geometry, movement.frames, paper
        self.mechanism = self.geometry.numeric
        places = attached(self.geometry)
        self.shifts = paper.shifts if paper else {}
        self.grouped = paper.grouped if paper else set()
        self.places = {
            body: [self._shifted(body, place) for place in points]
            for body, points in places.items()
        }
        self.looks = {body: self._look(body) for body in self.frames}
        reach = max(look.reach for look in self.looks.values())
        travel = max(float(np.ptp(p, axis=0).max()) for _, p in self.frames.values())
        usual = Skeleton(movement, 0, places).usual(_SCREEN, reach, travel)
        self.size = Size(paper.unit if paper else unit or _SMALLER * usual)
        self.parts: dict[str, list[Solid]] = {name: [] for name in self.frames}
        self.sites: list[Site] = []
        self.reach = {body: [place.at for place in points] for body, points in self.places.items()}

    # --- places and sizes

    def number(self, x: Any) -> float:
        """Value of a length."""
        return float(self.geometry.numbers(x))

    def _shift(self, body: str, joint: str) -> Array:
        """Offset of a drawn joint from its place, in the axes of a body."""
        return np.asarray(self.frames[body][0][0].T @ self.shifts.get(joint, np.zeros(3)))

    def _shifted(self, body: str, place: BodyPlace) -> BodyPlace:
        shift = self._shift(body, place.joint.name) if place.joint else np.zeros(3)
        return replace(place, at=place.at + shift)

    def _frames_of(self, joint: Joint | JointRows) -> tuple[Pose, Pose]:
        X_AF, X_BM = self.geometry.pose(joint.X_AF), self.geometry.pose(joint.X_BM)
        first, second = (self._shift(body, joint.name) for body in (joint.first, joint.second))
        return Pose(X_AF.p + first, X_AF.R), Pose(X_BM.p + second, X_BM.R)

    def _size_at(self, joint: str) -> Size:
        """The size of a symbol: small where joints are at one place."""
        return self.size.small if joint in self.grouped else self.size

    def _look(self, body: str) -> BodyLook:
        """Look of a body; empty on paper."""
        described = self.mechanism.bodies.get(body)
        return BodyLook() if self.paper or described is None else look(self.geometry, described)

    def _centre(self, body: str) -> Array:
        return self.mechanism.bodies[body].centre

    def _is_near(self, a: Array, b: Array) -> bool:
        return float(np.linalg.norm(a - b)) < 1e-3 * self.size.unit

    # --- joints

    def hides(self, joint: Joint) -> bool:
        """Whether a joint that links nothing, or a body one sees, is left out; never on paper."""
        line, contacts = joint.kind.symbol.line, self.mechanism.constraints.values()
        rolling = {contact.second for contact in between_frames(contacts)}
        is_seen = bool(self.looks[joint.second]) or joint.second in rolling
        return not self.paper and (line == "free" or (line == "link" and is_seen))

    def add_joint(self, joint: Joint | JointRows, symbol: Symbol) -> None:
        """The symbol of a joint or of a contact on both of its bodies, and the ground under it."""
        (X_AF, X_BM), up = self._frames_of(joint), self.geometry.up
        p = self._relative(joint, X_AF, X_BM)
        travel = np.array([p.min(axis=0), p.max(axis=0)])
        R = self.frames[joint.first][0][0] @ X_AF.R.matrix
        axis = None if symbol.axis is None else R[:, symbol.axis]
        if symbol.on_rail is not None and joint.first == GROUND:
            if not is_upright(up, axis) or self.looks[joint.second]:
                symbol = symbol.on_rail
            elif not self.paper:
                X_AF, travel = _at_travel(X_AF, travel, symbol.axis or 0)
        if axis is not None and abs(float(axis @ up)) <= 0.5:  # no plane that stands upright
            symbol = replace(symbol, first=tuple(x for x in symbol.first if type(x) is not Plate))
        size = self._size_at(joint.name)
        self.sites.append(Site(joint, symbol, X_AF, X_BM, size))
        sized = symbol.radius is not None
        radius = self.number(symbol.radius) if sized else size.radius
        wide = 0.0
        if isinstance(joint, JointRows) and not radius:  # a floor under all of what stands on it
            wide = max(self.looks[joint.second].reach, size.unit) / 2
        room = travel + wide * np.array([[-1.0], [1.0]])
        first, second = joint_parts(symbol, room, size, radius)
        self.parts[joint.first] += [part.transformed(X_AF) for part in first]
        if not (sized and self.looks[joint.second]):
            self.parts[joint.second] += [part.transformed(X_BM) for part in second]
        self.reach[joint.first] += [X_AF.point(end) for end in travel]
        if GROUND in (joint.first, joint.second) and symbol.foot:
            self._add_ground(joint, symbol, (X_AF, X_BM), axis, travel)

    def _relative(self, joint: Joint | JointRows, X_AF: Pose, X_BM: Pose) -> Array:
        """The origin of M in F at every sample."""
        (R_A, p_A), (R_B, p_B) = self.frames[joint.first], self.frames[joint.second]
        away = p_B + R_B @ X_BM.p - (p_A + R_A @ X_AF.p)
        return np.asarray(np.einsum("nji,nj->ni", R_A @ X_AF.R.matrix, away))

    def _add_ground(
        self,
        joint: Joint | JointRows,
        symbol: Symbol,
        frames: tuple[Pose, Pose],
        axis: Array | None,
        travel: Array,
    ) -> None:
        """The bed of a rail, or a foot."""
        (X_AF, X_BM), up = frames, self.geometry.up
        rails = [part for part in symbol.first if isinstance(part, Bar)]
        if rails and joint.first == GROUND and not is_upright(up, axis):
            low, high = bar_ends(rails[0], travel, self.size.radius)
            self.parts[GROUND].append(bed(up, X_AF.point(low), X_AF.point(high), self.size))
            return
        grounded, other, X = (
            (X_AF, joint.second, X_BM) if joint.first == GROUND else (X_BM, joint.first, X_AF)
        )
        places = [place.at for place in self.places[other]]
        ends = [place - X.p for place in (*places, self._centre(other))]
        leaving = self.frames[other][0][0] @ max(ends, key=lambda end: float(end @ end))
        self.parts[GROUND] += list(foot(up, grounded.p, axis, leaving, self.size))

    def add_meshes(self, contact: JointRows, shape: Meshes) -> None:
        """Both bodies of a contact between meshes, as the convex bodies they touch by."""
        X_AF, X_BM = self._frames_of(contact)
        both = (contact.first, X_AF, shape.first), (contact.second, X_BM, shape.second)
        for body, X, corners in both:
            numbers = np.array([[self.number(x) for x in corner] for corner in corners])
            style = "ground" if body == GROUND else "own"
            self.parts[body].append(convex(numbers, style).transformed(X))

    def add_plane(self, normal: Any, through: Any) -> None:
        """A plane that bodies of a pile meet, as large as the room in which they move."""
        bodies = [name for name in self.frames if name != GROUND]
        ways = np.concatenate([self.frames[body][1] for body in bodies])
        reach = max(self.looks[body].reach for body in bodies)
        room = np.array([ways.min(axis=0) - reach, ways.max(axis=0) + reach])
        n, point = self.geometry.numbers(normal), self.geometry.numbers(through)
        self.parts[GROUND].append(floor_or_wall(self.geometry.up, n, point, room, self.size))

    def add_wheels(self, movement: Movement) -> None:
        """Gears, racks and belts; a wheel is drawn in the place of the cylinder that it is."""
        solids: dict[str, list[Solid]] = {}
        for body, part in wheel_parts(movement, self.size):
            solids.setdefault(body, []).append(part)
        for body, wheels in solids.items():
            others = [part for part in self.parts[body] if not replaced(part, wheels)]
            self.parts[body] = [*others, *wheels]

    def add_drums(self) -> None:
        """Counterparts of brakes, contacts and ropes, for bodies without shapes."""
        for body, part in drum_parts(self.geometry, self.size):
            if not self.looks[body]:
                self.parts[body].append(part)

    def add_balls(self) -> None:
        """A ball at the end of each arm whose mass is there, for bodies without shapes."""
        for body, ends in self.places.items():
            at = None if body == GROUND or self.looks[body] else self._ball(body, ends)
            if at is not None:
                self.parts[body].append(BallPart(at, 1.6 * self.size.radius))

    def _ball(self, body: str, ends: list[BodyPlace]) -> Array | None:
        """The centre of mass of a body that is a mass at the end of an arm."""
        joined = [place.at for place in ends if place.joint]
        return arm_mass(self.geometry.numeric.bodies[body], joined)

    def add_shoes(self, movement: Movement) -> None:
        """The shoes of brakes, carried by the bodies that press them."""
        poses = movement.poses(0)

        def levers(body: str) -> list[Array]:
            return [poses[body].point(place.at) for place in self.places[body]]

        for shoe in brake_shoes(self.geometry, poses, levers, self.geometry.up):
            solids: list[Solid] = [shoe.solid(0.5 * self.size.half)]
            if shoe.foot is not None:
                thick = 0.6 * self.size.radius
                solids.append(Limb(shoe.back, shoe.foot, thick, thick))
            inverse = poses[shoe.body].inverse
            self.parts[shoe.body] += [x.transformed(inverse) for x in solids]

    # --- bodies

    def add_body(self, body: str) -> None:
        """Its shape, or levers from the joint that carries it to everything else."""
        centre, ends_here = self._centre(body), self.places[body]
        if self.looks[body]:
            self._add_shape(body, centre, ends_here)
            return
        start = ends_here[0] if ends_here else BodyPlace(centre)
        origin = start.at - (self._shift(body, start.joint.name) if start.joint else 0.0)
        ends: list[BodyPlace] = []
        for place in ends_here[1:]:
            occupied = (start.at, origin, *(other.at for other in ends))
            if not any(self._is_near(place.at, at) for at in occupied):
                ends.append(place)
        if len(ends) >= _MANY and not self.paper:
            ends = [start, *ends]
            start = BodyPlace(np.mean([place.at for place in ends], axis=0))
        thick = self.size.thick
        if not ends and self.paper:
            X = Pose(self.frames[body][1][0], from_matrix(self.frames[body][0][0])).inverse
            ends = [BodyPlace(X.point(tip)) for tip in self.paper.tips(body)]
        elif not ends and not self._is_near(centre, start.at):
            ends = [BodyPlace(centre)]
            self.parts[body].append(BallPart(centre, 1.8 * thick, lift=2 * thick))
        elif not ends and not self.parts[body]:
            self.parts[body].append(BallPart(start.at, 1.1 * thick))
        far = [end for end in ends if not self._is_near(end.at, start.at)]
        self.parts[body] += [self._limb(body, start, end) for end in far]

    def _limb(self, body: str, start: BodyPlace, end: BodyPlace) -> Limb:
        """A lever; where it leaves a pin along its axis, it stands on the end of the pin."""
        slender = end.joint is not None and end.joint.name in self.shifts
        thick = self.size.thin if slender else self.size.thick
        lever = end.at - start.at
        out = lever / float(np.linalg.norm(lever))
        cut = [self._cut(body, place, lever) for place in (start, end)]
        flat, radius = (cut[0] > 0, cut[1] > 0), self.size.radius
        lift = (LIFT - 0.1) * radius if any(flat) else 0.0
        a, b = start.at + cut[0] * out, end.at - cut[1] * out
        return Limb(a, b, thick, self.size.thin, lift=lift, flat=flat)

    def _cut(self, body: str, place: BodyPlace, lever: Array) -> float:
        """Length of a lever inside the pin of the joint at one of its ends, along the axis."""
        pin = place.joint.kind.symbol.pin if place.joint else None
        if place.joint is None or pin is None:
            return 0.0
        X = place.joint.X_AF if place.joint.first == body else place.joint.X_BM
        length, half = float(np.linalg.norm(lever)), self._size_at(place.joint.name).half
        along = abs(float(X.R.matrix[:, pin] @ lever)) > 0.95 * length
        return half if along and length > 2.5 * half else 0.0

    def _add_shape(self, body: str, centre: Array, places: list[BodyPlace]) -> None:
        thin = self.size.thin
        solids = self.looks[body].drawn(thin)
        self.parts[body] += solids
        bare = [place.at for place in places if not covers(solids, place.at)]
        self.parts[body] += [Limb(centre, at, thin, thin) for at in bare]


def _at_travel(X_AF: Pose, travel: Array, index: int) -> tuple[Pose, Array]:
    """A guide of the ground where the body that slides in it is, if it never is at its origin."""
    if travel[0, index] * travel[1, index] <= 0:
        return X_AF, travel
    middle = travel.mean(axis=0)
    return X_AF @ Pose(middle), travel - middle
