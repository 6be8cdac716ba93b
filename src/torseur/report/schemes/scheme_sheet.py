"""Sheets of schemes: view, poses, places of bodies, classes and sizes on the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Any, final

import numpy as np

from torseur.model.description import GROUND, Mechanism
from torseur.model.joints.freedoms import slides
from torseur.model.joints.rolling import ContactType
from torseur.model.joints.symbol import Plate, freedoms_of
from torseur.report.scene.body_looks import joint_parts, look
from torseur.report.scene.camera import Camera, facing, from_front, level
from torseur.report.scene.geometry import geometry
from torseur.report.scene.movement import Movement
from torseur.report.scene.movement_sources import still
from torseur.report.scene.scene import Site, scene
from torseur.report.scene.scene_solids import BallPart, CylinderPart, Solid
from torseur.report.scene.skeleton import attached, best
from torseur.report.scene.wheels import Wheel, belt_parts, gear_pairs, is_bevel
from torseur.report.schemes.lines import COLOURS
from torseur.spatial.pose import Pose

Array = np.ndarray
SPAN = 560.0  # of the mechanism on the page [px]
_SAME = 1e-6  # of a usual lever: places that are one
_THIN = 0.02  # of a hoop: the radius of its wire
_SLENDER = 0.3  # of its length: a body that is its lever, and not a solid


def classes(mechanism: Mechanism) -> dict[str, int]:
    """The class of each body: those that fixed joints hold together share one; the ground has 0."""
    owner = {name: name for name in (GROUND, *mechanism.bodies)}

    def root(name: str) -> str:
        return name if owner[name] == name else root(owner[name])

    for joint in mechanism.joints.values():
        if joint.kind.nv == 0:
            first, other = sorted((root(joint.first), root(joint.second)), key=[*owner].index)
            owner[other] = first
    numbers: dict[str, int] = {}
    for name in owner:
        numbers.setdefault(root(name), len(numbers))
    return {name: numbers[root(name)] for name in owner}


@final
class Sheet:
    """A mechanism in one pose, and the page that it is drawn on."""

    def __init__(self, mechanism: Mechanism, q: Any, parameters: Any, view: str) -> None:
        self.geometry = geometry(mechanism, parameters)
        choices = still(self.geometry, q)
        fixed, self.is_plane = self._fixed(choices.at(0), view)
        self.is_axial = view == "auto" and _plane_of_axes(choices.at(0)) is not None
        skeleton, best_view = best(choices, views=fixed, apart=not self.is_plane)
        self.pose: Movement = choices.at(skeleton.sample)
        self.seen, self.shifts = scene(self.pose, skeleton), skeleton.shifts
        self.poses = self.pose.poses(0)
        self.classes = classes(mechanism)
        self.wheels: list[Wheel] = [x for pair in gear_pairs(self.pose) for x in pair]
        width = (
            float(np.ptp(best_view.at(self._reach(best_view)), axis=0).max()) or self.seen.size.unit
        )
        self.camera = replace(best_view, scale=SPAN / max(width, 1e-300))
        # symbols between a fiftieth and a fifteenth of the page
        length = 0.72 * self.seen.size.radius * self.camera.scale
        self.radius = float(np.clip(length, SPAN / 55, SPAN / 28)) / self.camera.scale

    def _fixed(self, pose: Movement, view: str) -> tuple[list[Camera] | None, bool]:
        """The only camera from which it may be seen, if there is one; whether it is plane."""
        places = [
            X.point(place.at)
            for body, X in pose.poses(0).items()
            for place in attached(self.geometry)[body]
        ]
        points = np.array([*places, *(pose.poses(0)[x].p for x in pose.frames)])
        normal, up = plane_normal(pose, points), self.geometry.up
        if view in ("x", "y", "z"):
            return [facing(np.eye(3)["xyz".index(view)], up)], normal is not None
        if view == "plane" or (view == "auto" and normal is not None):
            return [from_front(usual_normal(pose, points), up)], normal is not None
        across = _plane_of_axes(pose)
        if view == "auto" and across is not None:  # bevel wheels are drawn in the plane of axes
            return [from_front(across, up)], False
        return None, normal is not None

    # --- what there is

    @cached_property
    def touching(self) -> list[Site]:
        """The contacts, and what rolls."""
        return [site for site in self.seen.sites if isinstance(site.joint.kind, ContactType)]

    @cached_property
    def joined(self) -> list[Site]:
        """The joints, and constraints that are like joints."""
        return [site for site in self.seen.sites if not isinstance(site.joint.kind, ContactType)]

    @cached_property
    def solids(self) -> dict[str, list[Solid]]:
        """Bodies that are drawn as they look, in the ground.

        They touch something or carry nothing, and are neither rods nor wheels that are drawn by
        their pitch circles: their lever would tell less.
        """
        by_body: dict[str, list[Solid]] = {}
        joints = self.geometry.numeric.joints.values()
        ends = [body for joint in joints for body in (joint.first, joint.second)]
        touch = {body for x in self.touching for body in (x.joint.first, x.joint.second)}
        geared = {wheel.body for wheel in self.wheels}
        geared |= {name for name, _ in belt_parts(self.pose, self.seen.size)}
        for name, body in self.geometry.numeric.bodies.items():
            shapes = look(self.geometry, self.geometry.mechanism.bodies[name]).shapes
            appearance = look(self.geometry, body)
            body_solids = appearance.drawn(_THIN * appearance.reach) if shapes else []
            visible = (name in touch or ends.count(name) == 1) and name not in geared
            if body_solids and visible and not _is_slender(body_solids):
                by_body[name] = [part.transformed(self._carried(name)) for part in body_solids]
        return by_body

    def touched(self, site: Site) -> list[tuple[str, Solid]]:
        """Touching solids of bodies drawn by symbols, and surfaces other than planes.

        Each with its body, in the ground.
        """
        F, M = self.frames(site)
        symbol, joint = site.symbol, site.joint
        surface = tuple(part for part in symbol.first if not isinstance(part, Plate))
        touching = (
            symbol.second if symbol.radius is not None and joint.second not in self.solids else ()
        )
        travel = np.tile((F.inverse @ M).p, (2, 1))
        size = float(self.geometry.numbers(1.0 if symbol.radius is None else symbol.radius))
        symbol_shown = replace(symbol, first=surface, second=touching)
        first, second = joint_parts(symbol_shown, travel, self.seen.size, size)
        solids = [(joint.first, x.transformed(F)) for x in first]
        return solids + [(joint.second, x.transformed(M)) for x in second]

    def _carried(self, body: str) -> Pose:
        """The pose of a body where the joint that carries it is drawn."""
        link = next(x for x in self.geometry.structure.tree.links if x.name == body)
        X = self.poses[body]
        return Pose(X.p + self.shifts.get(link.joint_name, 0.0), X.R)

    def _reach(self, camera: Camera) -> Array:
        """Corners of everything that is drawn with a size of its own, and all places."""
        sides = [s * e for s in (1.0, -1.0) for e in (camera.right, camera.top)]
        points = [
            self.poses[b].point(at) for b, places in self.seen.places.items() for at in places
        ]
        points += [self.poses[b].point(centre) for b, centre in self._ends()]
        solids = [x for places in self.solids.values() for x in places]
        solids += [x.transformed(self.poses[b]) for b, x in belt_parts(self.pose, self.seen.size)]
        for x in solids:
            low, high = x.corners.min(axis=0), x.corners.max(axis=0)
            points += list(np.array(list(product(*zip(low, high, strict=True)))))
        for site in self.touching:  # and the plane under it
            middle, parts = self.frames(site)[1].p, [x for _, x in self.touched(site)]
            radius = max((float(np.ptp(x.corners, axis=0).max()) / 2 for x in parts), default=0.0)
            points += [middle + 1.3 * radius * side for side in sides]
        points += [x.centre + x.radius * side for x in self.wheels for side in sides]
        return np.array(points)

    def _ends(self) -> Iterator[tuple[str, Array]]:
        """The centre of mass of each body that has one place alone, to which its line goes."""
        for name, body in self.geometry.numeric.bodies.items():
            places = self.seen.places.get(name) or [np.zeros(3)]
            if (
                name not in self.solids
                and np.ptp(places, axis=0).max() <= _SAME * self.seen.size.unit
            ):
                yield name, np.array(body.centre, dtype=float)

    # --- helpers

    @property
    def px(self) -> float:
        """The radius of symbols on the page."""
        return self.radius * self.camera.scale

    def colour(self, body: str) -> int:
        """The colour of the class of a body."""
        number = self.classes[body]
        return 1 + (number - 1) % (len(COLOURS) - 1) if number else 0

    def distinct(self, places: Sequence[Array]) -> list[Array]:
        """Each place once."""
        points: list[Array] = []
        for at in places:
            if not any(self.is_near(at, x) for x in points):
                points.append(at)
        return points

    def is_near(self, a: Array, b: Array, within: float = 0.0) -> bool:
        """Whether two places are one, or as near as so many radii."""
        least = max(_SAME * self.seen.size.unit, within * self.radius)
        return float(np.linalg.norm(a - b)) <= least

    def frames(self, site: Site) -> tuple[Pose, Pose]:
        """F and M of a joint or of a contact, in the ground.

        A slide that has come out is not moved from its place: there is room along its axis.
        """
        joint = site.joint
        F, M = self.poses[joint.first] @ site.X_AF, self.poses[joint.second] @ site.X_BM
        shift = self.shifts.get(joint.name)
        if shift is None or self.is_near(F.p, M.p) or len(slides(freedoms_of(joint.kind))) != 1:
            return F, M
        return Pose(F.p - shift, F.R), Pose(M.p - shift, M.R)


def _is_slender(solids: list[Solid]) -> bool:
    """Whether a body is much longer than wide."""
    corners = np.concatenate([x.corners for x in solids])
    if len(solids) == 1 and isinstance(solids[0], BallPart | CylinderPart):
        part = solids[0]
        return isinstance(part, CylinderPart) and part.radius < _SLENDER * part.half
    sides = np.linalg.svd(corners - corners.mean(axis=0))[1]
    return bool(sides[1] < _SLENDER * sides[0]) if len(sides) > 1 else True


_SMALL = 1e-6
_DEEP = 0.4  # of its width: what is seen in a plane reaches no farther along the normal


def _plane_of_axes(pose: Movement) -> Array | None:
    """Normal of the plane in which the axes of all bevel wheels lie, if there is one."""
    pairs = [x for x in gear_pairs(pose) if is_bevel(*x)]
    normals = [np.cross(first.axis, second.axis) for first, second in pairs]
    if not normals:
        return None
    normal = normals[0] / float(np.linalg.norm(normals[0]))
    aligned = all(abs(x @ normal) > (1 - _SMALL) * float(np.linalg.norm(x)) for x in normals)
    return normal if aligned else None


def plane_normal(pose: Movement, points: Array) -> Array | None:
    """The normal of the plane of all relative motions of a pose, if there is one.

    `points` (n, 3) are those that are to be seen: what is long along the normal, as a rotor is, is
    no plane figure.
    """
    turns, moves = _motions(pose)
    normal = turns[0] if len(turns) else _beside(moves, points, pose.geometry.up)
    if normal is None or np.abs(moves @ normal).max(initial=0.0) > _SMALL:
        return None
    if np.linalg.norm(np.cross(turns, normal), axis=-1).max(initial=0.0) > _SMALL:
        return None
    heights = points @ normal
    across = points - np.outer(heights, normal)
    deep = np.ptp(heights) > _DEEP * float(np.ptp(across, axis=0).max())
    return None if deep else np.asarray(normal)


def usual_normal(pose: Movement, points: Array) -> Array:
    """That of the plane, or the axis about which most joints turn; z where none does."""
    normal = plane_normal(pose, points)
    turns, _ = _motions(pose)
    if normal is not None or not len(turns):
        return np.array([0.0, 0.0, 1.0]) if normal is None else normal
    shared = (np.abs(turns @ turns.T) > 1 - _SMALL).sum(axis=1)
    return np.asarray(turns[int(np.argmax(shared))])


def _motions(pose: Movement) -> tuple[Array, Array]:
    """The directions about which joints let turn, and along which they let their points move."""
    turns: list[Array] = []
    moves: list[Array] = []
    for R, S in _subspaces(pose):
        for motion in np.asarray(S, dtype=float).T:
            for part, directions in ((motion[:3], turns), (motion[3:], moves)):
                size = float(np.linalg.norm(part))
                directions += [R @ part / size] if size > _SMALL else []
    return np.array(turns).reshape(-1, 3), np.array(moves).reshape(-1, 3)


def _subspaces(pose: Movement) -> Iterator[tuple[Array, Array]]:
    """The axes of M in the ground and the free motions in them, of every joint but rods."""
    geometry, poses, q = pose.geometry, pose.poses(0), pose.q[0]
    for link in geometry.structure.tree.links:
        frame = poses[link.name] @ link.X_MB.inverse
        yield frame.R.matrix, link.joint.motion_subspace(q[link.q])
    for cut in geometry.structure.cuts:
        joint = geometry.numeric.joints[cut.name]
        if joint.kind.freedoms is not None:
            F, M = poses[joint.first] @ joint.X_AF, poses[joint.second] @ joint.X_BM
            X = F.inverse @ M
            yield M.R.matrix, joint.kind.motions_at(X.R.matrix, X.p)


def _beside(moves: Array, points: Array, up: Array) -> Array | None:
    """Normal of the directions of sliding; for one direction, a level normal.

    It is the one along which points reach least.
    """
    if not len(moves):
        return None
    sizes, directions = np.linalg.svd(moves)[1:]
    if len(sizes) > 1 and sizes[1] > _SMALL:
        return None if len(sizes) > 2 and sizes[2] > _SMALL else np.asarray(directions[2])
    level_one = np.cross(moves[0], up)
    if np.linalg.norm(level_one) > _SMALL:
        return np.asarray(level_one / np.linalg.norm(level_one))
    first, second = level(up)
    return min((second, first), key=lambda e: round(float(np.ptp(points @ e)), 9))
