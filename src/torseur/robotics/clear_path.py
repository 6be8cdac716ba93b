"""Paths between two postures that keep clear of everything: trees from both ends, then shortcuts.

Kuffner and LaValle (2000), RRT-Connect: two trees of postures grow, one towards a random posture,
the other towards what was added, until they meet. Each straight line is clear as a whole, not at
samples only (`ClearMotion.is_clear`). Chance has a fixed seed, so that a path can be repeated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import final

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.machine.collision.distances import Pairs
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.robotics.clearance import (
    ClearMotion,
    PathClearance,
    leading,
    nearness,
    straight,
)
from torseur.robotics.inverse_kinematics import given_coordinates
from torseur.robotics.joint_limits import joint_limits
from torseur.robotics.joint_paths import trapezoidal
from torseur.robotics.timing.blends import blended
from torseur.robotics.trajectory import Trajectory
from torseur.words.sentence import say

Array = np.ndarray
_PLACE = "clear_path"
_FREE = 6  # speeds of a joint that holds nothing
_STEP = 0.5  # of characteristic displacements: the longest line that is added to a tree
_SHORTCUTS = 150  # that are tried
_BLENDS = 8  # halvings of the deviation at corners
_SAME = 1e-9  # of positions
_TRAPPED, _ADVANCED, _REACHED = range(3)


@final
class ClearPath(Result):
    """Straight lines between postures that keep clear, and a trajectory that rounds the corners."""

    names: tuple[str, ...]
    points: Array  # (points, names)
    clearance: float  # that was asked for [m]
    postures: int  # in both trees
    motion: ClearMotion

    def __repr__(self) -> str:
        return f"<ClearPath of {', '.join(self.names)}: {len(self.points)} points>"

    def __str__(self) -> str:
        least = self.least
        return self.say(
            "{count} points, at least {distance:.4g} m clear ({first} and {second})",
            count=len(self.points),
            distance=least.distance,
            first=least.first,
            second=least.second,
        )

    @property
    def path(self) -> dict[str, list[float]]:
        """Positions by name, as `trapezoidal` takes them."""
        return {name: self.points[:, k].tolist() for k, name in enumerate(self.names)}

    @cached_property
    def least(self) -> PathClearance:
        """The least distance along the straight lines."""
        course = self.motion.whole(straight(self.points))
        return self.motion.least(course, 1e-2 * max(self.clearance, 1e-3))

    @cached_property
    def trajectory(self) -> Trajectory:
        """Lines with blends as large as remain clear, at half the limits of speed.

        Where none does, the motion rests at the points. `time_optimal` makes it faster.
        """
        fastest = joint_limits(self.motion.model, self.names).speed
        speeds = np.where(np.isfinite(fastest), fastest / 2, self.motion.scale)
        speed = dict(zip(self.names, speeds.tolist(), strict=True))
        acceleration = {name: 4 * x for name, x in speed.items()}
        if len(self.points) > 2:
            for halvings in range(_BLENDS):
                away = dict(zip(self.names, self.motion.scale * 0.2 / 2**halvings, strict=True))
                tried = blended(self.path, speed, acceleration, deviation=away)
                if self.motion.is_clear(self.motion.whole(tried.course), self.clearance):
                    return tried
        return trapezoidal(self.path, speed, acceleration)


def clear_path(
    mechanism: Mechanism | CompiledModel,
    start: Mapping[str, float],
    goal: Mapping[str, float],
    *,
    clearance: float = 0.01,
    moving: Sequence[str] | None = None,
    pairs: Pairs | None = None,
    budget: int = 5000,
    seed: int = 0,
    parameters: Mapping[str, float] | None = None,
) -> ClearPath:
    """Path between two postures that keeps a clearance between bodies [m].

    Start and goal are coordinates by name, completed by the initial values. All coordinates may
    move but those of free bodies and those that follow by a coupling, or only those of `moving`;
    they stay within their limits. Pairs are those of `collisions`, or `pairs` by name. At most
    `budget` postures are tried. The same seed gives the same path.
    """
    model = compiled_at(mechanism, parameters)
    if not clearance >= 0:
        problem = say("the clearance is {clearance}; 0 or more is expected.", clearance)
        raise ModelError(_PLACE, problem)
    ends = [given_coordinates(model, x, what) for x, what in ((start, "start"), (goal, "goal"))]
    names = _plan_names(model, moving, ends[0])
    at_start = dict(zip(model.coordinates, map(float, ends[0]), strict=True))
    rest = {name: x for name, x in at_start.items() if name not in names}
    motion = ClearMotion(model, names, rest, pairs)
    columns = [model.coordinates.index(name) for name in names]
    first, last = (q[columns] for q in ends)
    _require_same_rest(model, motion, first, ends)
    planner = _Planner(motion, clearance, (first, last), np.random.default_rng(seed))
    planner.require_clear(first, say("clear_path, start"))
    planner.require_clear(last, say("clear_path, goal"))
    points = planner.shortened(planner.connected(first, last, budget))
    return ClearPath(names, points, clearance, planner.postures, motion)


def _plan_names(model: CompiledModel, moving: Sequence[str] | None, q: Array) -> tuple[str, ...]:
    """The coordinates that a plan moves."""
    if moving is not None:
        return tuple(moving)
    joints = (joint for joint in model.mechanism.joints.values() if joint.kind.nv < _FREE)
    known = {name for joint in joints for name in joint.coordinates}
    own = [name for name in model.coordinates if name in known and f"{name}." in model.speeds]
    return leading(model, own, q)


def _require_same_rest(
    model: CompiledModel, motion: ClearMotion, first: Array, ends: Sequence[Array]
) -> None:
    """Raise if a coordinate that neither moves nor follows differs at the goal."""
    still = motion.still
    for name, one, other in zip(model.coordinates, *ends, strict=True):
        if name in still and abs(one - other) > _SAME * max(1.0, abs(one)):
            problem = say(
                '"{name}" does not move, but {one:.6g} at the start is {other:.6g} at the goal.',
                name,
                one,
                other,
            )
            raise ModelError(_PLACE, problem, say('Let it move: moving=[…, "{name}"].', name))


@final
class _Planner:
    """Trees of postures of a motion that keeps a clearance."""

    def __init__(
        self,
        motion: ClearMotion,
        clearance: float,
        ends: tuple[Array, Array],
        chance: np.random.Generator,
    ) -> None:
        self._motion, self._clearance, self._chance = motion, clearance, chance
        self._limits = joint_limits(motion.model, motion.names)
        self._scale = motion.scale
        far = np.pi * self._scale  # beyond both ends, where there is no limit
        low, high = np.minimum(*ends) - far, np.maximum(*ends) + far
        limits = self._limits
        self._low = np.where(np.isfinite(limits.low), limits.low, low)
        self._high = np.where(np.isfinite(limits.high), limits.high, high)
        self.postures = 2

    def require_clear(self, x: Array, place: str) -> None:
        """Raise if a posture is not clear, or beyond a limit."""
        limits = self._limits
        for name, value, low, high in zip(
            self._motion.names, x, limits.low, limits.high, strict=True
        ):
            if not low - _SAME <= value <= high + _SAME:
                problem = say(
                    "{name} is {value:.6g}, outside of its limits {low:.6g} to {high:.6g}.",
                    name,
                    float(value),
                    float(low),
                    float(high),
                )
                raise ModelError(place, problem)
        gap, (first, second) = self._motion.nearest(x)
        if gap > self._clearance:
            return
        raise ModelError(
            place,
            nearness(first, second, gap, self._clearance),
            "Choose another posture, for instance by ts.robots.inverse_kinematics(…, clear=0.01).",
            "Pairs that may touch are left out by pairs=[…], which names the others.",
        )

    def _is_clear(self, one: Array, other: Array) -> bool:
        course = self._motion.whole(straight(np.array([one, other])))
        return self._motion.is_clear(course, self._clearance)

    # --- trees ----------------------------------------------------------------------------------

    def connected(self, first: Array, last: Array, budget: int) -> Array:
        """Points from the first posture to the last."""
        if self._is_clear(first, last):
            return np.array([first, last])
        here, there = _Tree(first, budget), _Tree(last, budget)
        for _ in range(budget):
            goal = self._chance.uniform(self._low, self._high)
            if self._grow(here, goal) != _TRAPPED:
                new = here.points[here.count - 1]
                while (state := self._grow(there, new)) == _ADVANCED:
                    pass
                if state == _REACHED:
                    ways = here.way(here.count - 1), there.way(there.count - 1)
                    both = np.concatenate([ways[0], ways[1][-2::-1]])
                    return both if np.array_equal(both[0], first) else both[::-1]
            if self.postures >= budget:
                break
            here, there = there, here
        raise SolveError(
            _PLACE,
            say("no path was found with {count} postures, at a clearance of {clearance:.4g} m.",
                self.postures, self._clearance),
            "There may be none. Give a smaller clearance, or a larger budget.",
        )  # fmt: skip

    def _grow(self, tree: _Tree, goal: Array) -> int:
        """A line from the nearest posture of a tree towards a goal, if it is clear."""
        if self.postures >= tree.most:
            return _TRAPPED
        k = tree.nearest(goal, self._scale)
        way = goal - tree.points[k]
        length = float(np.linalg.norm(way / self._scale))
        reaches = length <= _STEP
        new = goal if reaches else tree.points[k] + way * (_STEP / length)
        if not self._is_clear(tree.points[k], new):
            return _TRAPPED
        tree.add(new, k)
        self.postures += 1
        return _REACHED if reaches else _ADVANCED

    # --- shortcuts ------------------------------------------------------------------------------

    def shortened(self, points: Array) -> Array:
        """Points of a path with straight lines between random places where these are clear."""
        for _ in range(_SHORTCUTS if len(points) > 2 else 0):
            s = np.sort(self._chance.uniform(0, len(points) - 1, 2))
            i, j = int(s[0]), int(s[1])
            if i == j:
                continue
            ends = straight(points)(s)
            if self._is_clear(*ends):
                points = np.concatenate([points[: i + 1], ends, points[j + 1 :]])
                points = points[self._is_new(points)]
        k = 1
        while k < len(points) - 1:  # a corner that is not needed
            if self._is_clear(points[k - 1], points[k + 1]):
                points = np.delete(points, k, axis=0)
            else:
                k += 1
        return points

    def _is_new(self, points: Array) -> Array:
        """Points that are not the one before."""
        steps = np.abs(np.diff(points, axis=0) / self._scale).max(axis=1)
        return np.concatenate([[True], steps > _SAME])


@final
class _Tree:
    """Postures, each with the one that it was reached from."""

    def __init__(self, root: Array, most: int) -> None:
        self.points, self.parent, self.count = np.zeros((most + 2, len(root))), [-1], 1
        self.points[0], self.most = root, most

    def nearest(self, goal: Array, scale: Array) -> int:
        """The posture nearest to a goal."""
        away = (self.points[: self.count] - goal) / scale
        return int(np.einsum("kn,kn->k", away, away).argmin())

    def add(self, point: Array, parent: int) -> None:
        """Add a posture."""
        self.points[self.count] = point
        self.parent.append(parent)
        self.count += 1

    def way(self, k: int) -> Array:
        """Postures from the root to one."""
        order = [k]
        while self.parent[order[-1]] >= 0:
            order.append(self.parent[order[-1]])
        return self.points[order[::-1]]
