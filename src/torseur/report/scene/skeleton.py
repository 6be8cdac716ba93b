"""The skeleton of a mechanism at one sample: its joints, levers and axes, and the view of them.

Joints at one place are moved apart along the way out, for drawings that are to show each.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.model.constraints.elementary_constraints import (
    ElementaryConstraint,
    OrthogonalDirections,
)
from torseur.model.description import GROUND, Joint
from torseur.report.scene.camera import Camera, cameras, merit
from torseur.report.scene.geometry import SceneGeometry
from torseur.report.scene.movement import Movement
from torseur.report.scene.scene_solids import stands
from torseur.report.scene.ties import pulled

Array = np.ndarray
_NEAR = 1e-6  # of the size of the mechanism: joints at one place
_APART = 0.36  # between joints at one place, in usual levers
_OPEN = 2.0  # how much a pose is preferred that is not stretched out
_MET = 2.0  # and one where no joints meet that are not at one place in others
_LEAST, _PAPER = 7, 2.6  # the size of a mechanism over that of a usual lever: at most, at least


@final
@dataclass(frozen=True)
class BodyPlace:
    """Where something is on a body: a joint, a named point, what is held, an end of a spring."""

    at: Array  # in the frame of the body
    vector: Any = None  # the same as it was described
    joint: Joint | None = None


def attached(geometry: SceneGeometry) -> dict[str, list[BodyPlace]]:
    """The places of every body, that of the joint that carries it first."""
    carrying = {link.name: link.joint_name for link in geometry.structure.tree.links}
    places: dict[str, list[BodyPlace]] = {name: [] for name in (GROUND, *carrying)}
    for joint in geometry.numeric.joints.values():
        described = geometry.mechanism.joints[joint.name]
        for body, X, given in (
            (joint.first, joint.X_AF, described.X_AF),
            (joint.second, joint.X_BM, described.X_BM),
        ):
            first = 0 if carrying.get(body) == joint.name else len(places[body])
            places[body].insert(first, BodyPlace(X.p, given.p, joint))
    for point in geometry.mechanism.points.values():
        places[point.body].append(BodyPlace(geometry.numbers(point.position), point.position))
    for constraint in geometry.mechanism.constraints.values():
        if isinstance(constraint, ElementaryConstraint) and not isinstance(
            constraint, OrthogonalDirections
        ):
            for body, X in (
                (constraint.first, constraint.X_AF),
                (constraint.second, constraint.X_BM),
            ):
                if body != GROUND:
                    places[body].append(BodyPlace(geometry.numbers(X.p), X.p))
    for tie in pulled(geometry):
        for body, at in tie.ends:
            places[body].append(BodyPlace(at))
    return places


@final
class Skeleton:
    """The joints that carry bodies and the ends of bodies, in the ground, by index in the tree."""

    def __init__(
        self,
        movement: Movement,
        sample: int,
        places: dict[str, list[BodyPlace]],
        *,
        apart: bool = True,
    ) -> None:
        self.sample, self.geometry = sample, movement.geometry
        self.tree, self._poses = self.geometry.structure.tree, movement.poses(sample)
        self._places = places
        names = [link.joint_name for link in self.tree.links]
        self._joints = [self.geometry.numeric.joints[name] for name in names]
        self._F = [self._of_joint(i, carried=False) for i in range(len(names))]
        self._M = [self._of_joint(i, carried=True) for i in range(len(names))]
        self._ends = [self._ends_of(i, names) for i in range(len(names))]
        self.extent = float(np.ptp(self._all, axis=0).max(initial=0.0))
        self._near = _NEAR * (self.extent or 1.0)
        self.unit = self.usual(_PAPER)
        self.ranks = self._ranks() if apart else [0] * len(names)
        self._apart = apart
        self._shown = [self._drawn_place(i) for i in range(len(names))]

    def _of_joint(self, i: int, carried: bool) -> Array:
        """The place of joint i, on the body that it carries or on the other."""
        joint, name = self._joints[i], self.tree.links[i].name
        if (joint.second == name) == carried:
            return self._poses[joint.second].point(joint.X_BM.p)
        return self._poses[joint.first].point(joint.X_AF.p)

    def _ends_of(self, i: int, names: list[str]) -> list[Array]:
        """Where a body ends, apart from the bodies it carries.

        Joints that close loops, named points, springs; its centre of mass when there is neither.
        """
        body, children = self.tree.links[i].name, self.tree.children(i)
        known = {names[k] for k in (i, *children)}
        free = [p.at for p in self._places[body] if p.joint is None or p.joint.name not in known]
        if not free and not children:
            free = [self.geometry.numeric.bodies[body].centre]
        return [self._poses[body].point(at) for at in free]

    def usual(self, most: float, reach: float = 0.0, travel: float = 0.0) -> float:
        """A usual lever, neither too small nor too large beside the mechanism.

        Without levers, the size of what is drawn; without that, how far it travels, if further.
        """
        extent = max(self.extent, reach)
        levers = (end - self._M[i] for i in range(len(self.tree)) for end in self._next(i, self._F))
        sizes = [s for v in levers if (s := float(np.linalg.norm(v))) > self._near]
        if not sizes and not reach and travel > extent:
            return travel
        usual = float(np.median(sizes)) if sizes else reach or extent or 1.0
        return float(np.clip(usual, extent / _LEAST, extent / most)) if extent else usual

    def _next(self, i: int, joints: list[Array]) -> list[Array]:
        """Where body i leads to: the joints that it carries, at given places, and its ends."""
        return [joints[c] for c in self.tree.children(i)] + self._ends[i]

    def axis(self, i: int) -> Array | None:
        """The axis of joint i, if it has one."""
        joint = self._joints[i]
        index = joint.kind.symbol.axis
        R = self._poses[joint.first].R.matrix @ joint.X_AF.R.matrix
        return None if index is None else R[:, index]

    def views(self, choices: list[Camera]) -> Iterator[tuple[float, Camera]]:
        """Each direction with its merit; a mechanism that stands should not go under the ground."""
        up, n = self.geometry.up, len(self.tree)
        segments = [(self._shown[i], end) for i in range(n) for end in self._next(i, self._shown)]
        segments = [pair for pair in segments if not self._is_near(*pair)]
        axes = [axis for i in range(n) if (axis := self.axis(i)) is not None]
        shape = np.array(segments).reshape(-1, 2, 3)
        heights = shape @ up - self._F[0] @ up
        standing = stands(up, self.axis(0), self.leaving(0))
        sunk = float(np.minimum(heights, 0.0).sum()) / self.unit if standing else 0.0
        opened = _OPEN * float(np.log(min(self._breadth, 0.4) + 0.05)) - _MET * self._meetings
        for view in choices:
            value = merit(view, shape, np.array(axes).reshape(-1, 3), self.unit)
            yield value + sunk + opened, view

    @property
    def _breadth(self) -> float:
        """Ratio of breadth to length of all places: small for a stretched mechanism."""
        sizes = np.linalg.svd(self._all - self._all.mean(axis=0), compute_uv=False)
        return float(sizes[1] / sizes[0]) if len(sizes) > 1 and sizes[0] else 1.0

    @property
    def _meetings(self) -> int:
        """Number of coinciding pairs of places: an accident if larger than in other poses."""
        away = np.linalg.norm(self._all[:, None] - self._all, axis=-1)
        return int((away <= self._near).sum() - len(away)) // 2

    @property
    def _all(self) -> Array:
        ground = [place.at for place in self._places[GROUND]]
        ends = [end for ends in self._ends for end in ends]
        return np.array([*self._F, *self._M, *ends, *ground])

    # --- joints at one place

    @property
    def shifts(self) -> dict[str, Array]:
        """Offsets of joints at the same place, by name."""
        shifted = zip(self._joints, self._shown, self._F, self.ranks, strict=True)
        return {joint.name: place - F for joint, place, F, rank in shifted if rank}

    @property
    def grouped(self) -> set[str]:
        """The joints that are at the place of another one."""
        links, closing = self.tree.links, self.geometry.structure.cuts if self._apart else ()
        names = {
            links[k].joint_name for i, r in enumerate(self.ranks) if r for k in (i, links[i].parent)
        }
        for joint in (self.geometry.numeric.joints[cut.name] for cut in closing):
            place = self._poses[joint.first].point(joint.X_AF.p)
            names |= {joint.name} if any(self._is_near(place, F) for F in self._F) else set()
        return names

    def _ranks(self) -> list[int]:
        """Number of earlier joints at the place of each joint; a closing joint keeps its place."""
        ranks: list[int] = []
        for i, link in self.tree:
            p = link.parent
            same = p >= 0 and not self._travels(p) and self._is_near(self._F[i], self._F[p])
            beside = [k for k in range(i) if self.tree.links[k].parent == p]
            twins = sum(self._is_near(self._F[k], self._F[i]) for k in beside)
            ranks.append((ranks[p] + 1 if same else 0) + (twins if p >= 0 else 0))
        return ranks

    def _travels(self, i: int) -> bool:
        return not self._is_near(self._M[i], self._F[i])

    def _is_near(self, a: Array, b: Array) -> bool:
        return float(np.linalg.norm(a - b)) <= self._near

    def leaving(self, i: int) -> Array:
        """From the place of joint i to the next one, or to the end; its axis when there is none."""
        pending = [i]
        while pending:
            k = pending.pop(0)
            if self._travels(k):
                return np.asarray(self._M[k] - self._F[k])
            for end in self._next(k, self._F):
                if not self._is_near(end, self._M[k]):
                    return np.asarray(end - self._M[k])
            pending += self.tree.children(k)
        axis = self.axis(i)
        return self.unit * (axis if axis is not None else self.geometry.up)

    def tips(self, body: str) -> list[Array]:
        """Where a body that carries no other and closes no loop ends: its frame is drawn there.

        Its named points, its centre of mass, or a little on the way out when it has no extent.
        """
        i = next(i for i, link in self.tree if link.name == body)
        others = self._places[body][1:]
        if self.tree.children(i) or any(place.joint for place in others):
            return []
        named = [place.at for place in others if place.vector is not None]
        places = named or [self.geometry.numeric.bodies[body].centre]
        ends = [self._poses[body].point(at) for at in places]
        far = [end for end in ends if not self._is_near(end, self._M[i])]
        return far or [self._shown[i] + self._M[i] - self._F[i] + 0.6 * self.leaving(i)]

    def _drawn_place(self, i: int) -> Array:
        """The place where joint i is drawn."""
        if not self.ranks[i]:
            return self._F[i]
        out = self.leaving(i)
        length = float(np.linalg.norm(out))
        last = max(self.ranks[k] for k, _ in self.tree if i in self.tree.ancestors(k))
        step = min(_APART * self.unit, 0.7 * length / (last + 0.5))
        return self._F[i] + self.ranks[i] * step * out / length


def best(
    movement: Movement,
    samples: list[int] | None = None,
    views: list[Camera] | None = None,
    *,
    apart: bool = True,
) -> tuple[Skeleton, Camera]:
    """The sample that shows a mechanism best, and from where; joints at one place `apart`."""
    places = attached(movement.geometry)
    chosen = range(len(movement.q)) if samples is None else samples
    cast = [Skeleton(movement, k, places, apart=apart) for k in chosen]
    judged = (
        (merit, skeleton, view)
        for skeleton in cast
        for merit, view in skeleton.views(views or cameras(movement.geometry.up))
    )
    _, skeleton, view = max(judged, key=lambda choice: choice[0])
    return skeleton, view
