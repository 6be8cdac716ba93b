"""A moment of a movement: its parts, lines and points in the ground, and the view that shows it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, final

import numpy as np

from torseur.model.description import GROUND, Body
from torseur.model.joints.defined import Defined
from torseur.model.joints.planar import Planar
from torseur.model.joints.revolute import Revolute
from torseur.model.joints.universal import Universal
from torseur.report.drawing.glyphs import triad
from torseur.report.scene.camera import Camera
from torseur.report.scene.equivalent import hint, loose, wheel
from torseur.report.scene.joint_parts import moved
from torseur.report.scene.movement import Movement
from torseur.report.scene.placed import behind, placed
from torseur.report.scene.plane import facing, from_front, plane_normal
from torseur.report.scene.scene import scene
from torseur.report.scene.solid_parts import Mesh
from torseur.report.scene.solids import Ball, Cylinder, Path, Solid
from torseur.report.scene.stage import stage
from torseur.report.scene.ties import Line
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import from_matrix

Array = np.ndarray
_TURNS = 3  # speeds of a joint that lets a body turn in every direction


@final
class Moment:
    """One sample of a movement, and the camera that sees it."""

    def __init__(self, found: Movement, t: float, reader: Any) -> None:
        self.geometry, self.frames = found.geometry, found.frames
        self.now = int(np.argmin(np.abs(found.axis.values - t)))
        self._stage = stage(found, self.frames)
        self._parts = {body: self._parts_of(body) for body in self.frames}
        self._placed = placed(found.geometry, found.q[self.now])
        self._normal = plane_normal(self.frames, self.places(), self._axes())
        self.view = self._view(reader)

    @property
    def is_plane(self) -> bool:
        """Whether everything moves in the plane of the page."""
        return self._normal is not None and bool(abs(self._normal @ self.view.reader) > 1 - 1e-9)

    def _view(self, reader: Any) -> Camera:
        up = self.geometry.up
        if reader is not None:
            return facing(np.asarray(reader, dtype=float), up)
        if self._normal is not None:
            return from_front(self._normal, up)
        return scene([self._placed])[1].view

    def _axes(self) -> Iterator[Array]:
        """The axes about which joints turn."""
        for joint in self._placed.joints:
            if isinstance(joint.kind, Revolute):
                yield joint.F.R.matrix[:, joint.kind.axis]
            elif isinstance(joint.kind, Universal):
                yield joint.F.R.matrix[:, joint.kind.first]
                yield joint.M.R.matrix[:, joint.kind.second]

    # --- what is seen, in the ground

    def way(self, body: str, place: Array) -> Array:
        """The places of a point of a body (samples, 3)."""
        R, p = self.frames[body]
        found: Array = p + R @ place
        return found

    def places(self) -> Array:
        """Joints, points and centres."""
        found = [(body, place) for body, own in self._stage.places.items() for place in own]
        bodies = self.geometry.mechanism.bodies.values()
        found += [(b.name, self.geometry.numbers(b.centre)) for b in bodies if b.name != GROUND]
        return np.array([self.way(body, place)[self.now] for body, place in found])

    def shapes(self, sample: int) -> Iterator[tuple[str, Solid | Mesh]]:
        """Every part with its body."""
        for body, (R, p) in self.frames.items():
            X = Pose(p[sample], from_matrix(R[sample]))
            yield from ((body, _moved(part, X)) for part in self._parts[body])

    def lines(self, sample: int) -> list[Line]:
        """Springs, dampers and rods; and from the ground to points whose place is a formula."""
        found = [(tie.ends, tie.style, tie.shift) for tie in self._stage.ties]
        for joint in self.geometry.mechanism.joints.values():
            if isinstance(joint.kind, Defined) and self._described(joint.second).shape is None:
                F, M = self.geometry.pose(joint.X_AF), self.geometry.pose(joint.X_BM)
                found.append((((joint.first, F.p), (joint.second, M.p)), "link", 0.0))
        width = 0.09 * self._stage.size.unit
        return [
            Line(self.way(*a)[sample], self.way(*b)[sample], style, width, shift)
            for (a, b), style, shift in found
        ]

    def _described(self, body: str) -> Body:
        return self.geometry.mechanism.bodies[body]

    def ways(self) -> Iterator[tuple[str, Array]]:
        """The named points that move: body and way."""
        for point in self.geometry.mechanism.points.values():
            way = self.way(point.body, self.geometry.numbers(point.position))
            if np.ptp(way, axis=0).max() > 0.01 * self._stage.size.unit:
                yield point.body, way

    # --- parts of bodies

    def _parts_of(self, body: str) -> list[Any]:
        """The parts of a body in its frame, with marks by which one sees it turn."""
        parts: list[Any] = list(self._stage.parts[body])
        if body == GROUND:
            return parts or list(triad(np.zeros(3), np.eye(3), self._stage.size))
        if not any(self._is_wheel(part) for part in parts):
            parts += self._hint(body)
        return parts + [mark for part in parts if self._is_wheel(part) for mark in _marks(part)]

    def _is_wheel(self, part: Any) -> bool:
        """Whether a part is a body of its own, and no symbol."""
        large = isinstance(part, Cylinder | Ball) and part.radius > 2.5 * self._stage.size.thick
        return large and part.style in ("own", "hint")

    def _hint(self, body: str) -> list[Any]:
        """The solid that a body without a shape would be, where its inertia tells."""
        described, number = self._described(body), self.geometry.numbers
        if described.shape is not None:
            return []
        tree = self.geometry.structure.tree
        i, link = next((i, x) for i, x in tree if x.name == body)
        joint, X_BM = behind(link.joint), link.X_MB.inverse
        centre = number(described.centre)
        data = float(number(described.mass)), number(described.inertia), centre - X_BM.p
        found = loose(*data) if joint.nv >= _TURNS and not isinstance(joint, Planar) else None
        if isinstance(joint, Revolute):
            axis = X_BM.R.matrix[:, joint.axis]
            is_bare = self._levers(body, X_BM.p, axis) <= 1 and not tree.children(i)
            k = int(np.argmax(np.abs(axis)))
            found = wheel(*data, k) if is_bare and abs(axis[k]) > 1 - 1e-9 else None
        return hint(found, centre) if found else []

    def _levers(self, body: str, start: Array, axis: Array) -> int:
        """How many places of a body are off the axis about which it turns."""
        off = (np.linalg.norm(np.cross(axis, x - start)) for x in self._stage.places[body])
        return sum(float(length) > 0.01 * self._stage.size.unit for length in off)


def _marks(part: Cylinder | Ball) -> Iterator[Path]:
    """A diameter on both ends of a cylinder."""
    if isinstance(part, Ball):
        return
    side = np.eye(3)[np.argmin(np.abs(part.axis))]
    spoke = np.cross(part.axis, side)
    spoke = part.radius * spoke / np.linalg.norm(spoke)
    for half in (-part.half, part.half):
        middle = part.centre + half * part.axis
        yield Path((middle - spoke, middle + spoke), "mark", part.lift)


def _moved(part: Any, X: Pose) -> Solid | Mesh:
    if isinstance(part, Mesh):
        return replace(part, vertices=part.vertices @ X.R.matrix.T + X.p)
    return moved(part, X)
