"""A moment of a movement: its parts, lines and points in the ground, and the view that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, final

import numpy as np

from torseur.model.description import GROUND
from torseur.model.joints.freedoms import Slide, Turn
from torseur.model.joints.symbol import freedoms_of
from torseur.report.scene.camera import Camera, facing, from_front, plane_normal
from torseur.report.scene.movement import Movement
from torseur.report.scene.scene import Scene, scene
from torseur.report.scene.scene_solids import BallPart, CylinderPart, Polyline, Solid, triad
from torseur.report.scene.shape_solids import hint, loose, wheel
from torseur.report.scene.skeleton import best

Array = np.ndarray
_TURNS = 3  # speeds of a joint that lets a body turn in every direction


@final
class Moment:
    """One sample of a movement, and the camera that sees it."""

    def __init__(self, movement: Movement, t: float, reader: Any) -> None:
        self.movement, self.geometry, self.frames = movement, movement.geometry, movement.frames
        self.now = int(np.argmin(np.abs(movement.axis.values - t)))
        self.scene = scene(movement)
        parts = {body: self._parts_of(body) for body in self.frames}
        self.scene = replace(self.scene, parts=parts)
        self._normal = plane_of(movement, self.scene, self.now)
        self.view = (
            outlook(movement, self.scene, self.now)
            if reader is None
            else facing(np.asarray(reader, dtype=float), self.geometry.up)
        )

    @property
    def is_plane(self) -> bool:
        """Whether everything moves in the plane of the page."""
        return self._normal is not None and bool(abs(self._normal @ self.view.reader) > 1 - 1e-9)

    # --- what is seen, in the ground

    def places(self) -> Array:
        """Joints, points and centres."""
        return places(self.movement, self.scene, self.now)

    def ways(self) -> Iterator[tuple[str, Array]]:
        """The named points that move: body and way."""
        for point in self.geometry.mechanism.points.values():
            way = self.movement.way(point.body, self.geometry.numbers(point.position))
            if np.ptp(way, axis=0).max() > 0.01 * self.scene.size.unit:
                yield point.body, way

    # --- parts of bodies

    def _parts_of(self, body: str) -> list[Solid]:
        """The parts of a body in its frame, with marks by which one sees it turn."""
        parts: list[Solid] = list(self.scene.parts[body])
        if body == GROUND:
            return parts or list(triad(np.zeros(3), np.eye(3), self.scene.size))
        if not any(self._is_wheel(part) for part in parts):
            parts += self._hint(body)
        return parts + [mark for part in parts if self._is_wheel(part) for mark in _marks(part)]

    def _is_wheel(self, part: Solid) -> bool:
        """Whether a part is a body of its own, and no symbol."""
        large = (
            isinstance(part, CylinderPart | BallPart) and part.radius > 2.5 * self.scene.size.thick
        )
        return large and part.style in ("own", "hint")

    def _hint(self, body: str) -> list[Solid]:
        """The solid that a body without a shape would be, where its inertia tells."""
        described, tree = self.geometry.numeric.bodies[body], self.geometry.structure.tree
        if body in self.scene.shaped:
            return []
        i, link = next((i, x) for i, x in tree if x.name == body)
        kind, X_BM = self.geometry.numeric.joints[link.joint_name].kind, link.X_MB.inverse
        freedoms, centre = freedoms_of(kind), described.centre
        data = float(self.geometry.numbers(described.mass)), described.inertia, centre - X_BM.p
        slides = sum(isinstance(freedom, Slide) for freedom in freedoms)
        shape = loose(*data) if kind.nv - slides >= _TURNS else None
        if len(freedoms) == 1 and isinstance(freedoms[0], Turn):
            axis = X_BM.R.matrix[:, freedoms[0].axis]
            is_bare = self._levers(body, X_BM.p, axis) <= 1 and not tree.children(i)
            k = int(np.argmax(np.abs(axis)))
            shape = wheel(*data, k) if is_bare and abs(axis[k]) > 1 - 1e-9 else None
        return [hint(shape, centre)] if shape else []

    def _levers(self, body: str, start: Array, axis: Array) -> int:
        """Number of places of a body off its axis of rotation."""
        off = (np.linalg.norm(np.cross(axis, x - start)) for x in self.scene.places[body])
        return sum(float(length) > 0.01 * self.scene.size.unit for length in off)


def _marks(part: Solid) -> Iterator[Polyline]:
    """A diameter on both ends of a cylinder."""
    if not isinstance(part, CylinderPart):
        return
    side = np.eye(3)[np.argmin(np.abs(part.axis))]
    spoke = np.cross(part.axis, side)
    spoke = part.radius * spoke / np.linalg.norm(spoke)
    for half in (-part.half, part.half):
        middle = part.centre + half * part.axis
        yield Polyline((middle - spoke, middle + spoke), "mark", part.lift)


# --- outlook --------------------------------------------------------------------------------------

# From where a movement is seen first: a plane one from the front, another where it shows best.


def outlook(movement: Movement, scene: Scene, sample: int) -> Camera:
    """The camera that sees a movement at one sample."""
    normal = plane_of(movement, scene, sample)
    if normal is not None:
        return from_front(normal, movement.geometry.up)
    return best(movement, [sample])[1]


def plane_of(movement: Movement, scene: Scene, sample: int) -> Array | None:
    """The normal of the plane in which everything moves, if there is one."""
    points = places(movement, scene, sample)
    axes, lines = tuple(_axes(movement, sample)), tuple(_lines(movement, sample))
    return plane_normal(movement.frames, points, axes, lines)


def places(movement: Movement, scene: Scene, sample: int) -> Array:
    """Joints, points and centres at one sample, in the ground (n, 3)."""
    placed = [(body, place) for body, points in scene.places.items() for place in points]
    bodies = movement.geometry.numeric.bodies.values()
    placed += [(body.name, body.centre) for body in bodies if body.name != GROUND]
    return np.array([movement.way(body, at)[sample] for body, at in placed])


def _axes(movement: Movement, sample: int) -> Iterator[Array]:
    """The axes about which joints turn that do nothing else, or slide across: first F, last M."""
    poses = movement.poses(sample)
    for joint in movement.geometry.numeric.joints.values():
        freedoms = freedoms_of(joint.kind)
        turns = [x.axis for x in freedoms if isinstance(x, Turn)]
        slides = {x.axis for x in freedoms if isinstance(x, Slide)}
        is_plane = len(turns) == 1 and len(slides) == 2 and turns[0] not in slides
        if turns and (len(turns) == joint.kind.nv or is_plane):
            yield (poses[joint.first] @ joint.X_AF).R.matrix[:, turns[0]]
            yield (poses[joint.second] @ joint.X_BM).R.matrix[:, turns[-1]]


def _lines(movement: Movement, sample: int) -> Iterator[Array]:
    """The lines along which joints that do nothing else slide, and that of the weight.

    None of joints that do more and rest: what they would do is not known then.
    """
    poses, geometry = movement.poses(sample), movement.geometry
    joints = geometry.numeric.joints.values()
    slides = {x.name: [f for f in freedoms_of(x.kind) if isinstance(f, Slide)] for x in joints}
    rests = not any(np.ptp(p, axis=0).any() for _, p in movement.frames.values())
    if rests and any(len(slides[x.name]) < x.kind.nv for x in joints):
        return
    for joint in joints:
        if len(slides[joint.name]) == joint.kind.nv:
            R = (poses[joint.first] @ joint.X_AF).R.matrix
            yield from (R[:, slide.axis] for slide in slides[joint.name])
    if np.any(geometry.gravity):
        yield geometry.up
