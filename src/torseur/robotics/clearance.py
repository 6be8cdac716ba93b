"""Shapes of a robot that must keep clear: distances along a motion, with nothing in between missed.

Between two samples nothing is seen, but no distance changes by more than joints can move points
(`ShapeDistances.most_moved`). Intervals are halved until that settles each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import final

import numpy as np
import scipy

from torseur.errors import ModelError, SolveError
from torseur.language.text.given import given_state
from torseur.machine.collision import probe_layout as at
from torseur.machine.collision.distances import Pairs, ShapeDistances
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.robotics.couplings import AFFINE, linear_rows, slopes
from torseur.robotics.joint_paths import Points, given_positions
from torseur.robotics.trajectory import Trajectory
from torseur.simulation.constraints.displacement import named_state
from torseur.simulation.start.assemble import given_values
from torseur.words.sentence import say

Array = np.ndarray
_MOST = 1 << 20  # samples of a path
_BATCH = 512  # samples at once
_FINEST = 1e-4  # of the size of the mechanism: motions of bodies that are not halved further


@final
class PathClearance(Result):
    """Least distance of all pairs of bodies along a path, and its place."""

    distance: float  # [m]; negative: how deep they are in each other
    tolerance: float  # by which the distance may be less somewhere [m]
    first: str
    second: str
    t: float  # of the trajectory [s]; of points: 1.5 is half-way from the second to the third
    coordinates: dict[str, float]
    samples: int

    def __str__(self) -> str:
        return self.say(
            "{distance:.6g} m between {first} and {second} at {t:.6g}, to {tolerance:.2g} m"
        )


def path_clearance(
    mechanism: Mechanism | CompiledModel,
    path: Trajectory | Points,
    *,
    tolerance: float = 1e-4,
    pairs: Pairs | None = None,
    at: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> PathClearance:
    """Least distance between bodies along a path, with a bound between samples.

    The path is a trajectory, or straight lines between points that are given by name. Other
    coordinates keep the values of `at`, completed by the initial values; those of a coupling
    follow. Pairs are those of `collisions`, or `pairs` by name. Nowhere is the distance less than
    the result by more than `tolerance` [m].
    """
    model = compiled_at(mechanism, parameters)
    if not tolerance > 0:
        problem = say("the tolerance must be positive, got {tolerance}.", tolerance)
        raise ModelError("path_clearance", problem)
    names, course = _course("path_clearance", path)
    motion = ClearMotion(model, names, at, pairs)
    return motion.least(motion.whole(course), tolerance)


def _course(
    place: str, path: Trajectory | Points
) -> tuple[tuple[str, ...], scipy.interpolate.PPoly]:
    """Names and positions, by time or by the number of the point."""
    if isinstance(path, Trajectory):
        return path.names, path.course
    names, q = given_positions(place, path)
    return names, straight(q)


def straight(q: Array) -> scipy.interpolate.PPoly:
    """Straight lines through points, by their numbers."""
    return scipy.interpolate.PPoly(np.stack([np.diff(q, axis=0), q[:-1]]), np.arange(len(q)))


def nearness(first: str, second: str, gap: float, clearance: float) -> str:
    """Sentence on two bodies that are nearer than a clearance."""
    if gap < 0:
        return say(
            "{first} and {second} are {depth:.4g} m deep in each other.", first, second, -gap
        )
    return say(
        "{first} and {second} are {gap:.4g} m apart; the clearance is {clearance:.4g} m.",
        first,
        second,
        gap,
        clearance,
    )


def pairs_that_move(
    model: CompiledModel, pairs: Pairs | None, place: str = "pairs"
) -> ShapeDistances:
    """The pairs of shapes whose distance a motion can change; a ModelError where there is none."""
    key = f"moving distances {sorted(map(tuple, pairs))}" if pairs else "moving distances"
    result: ShapeDistances = model.value(
        key, lambda: ShapeDistances(model, pairs or None, place).without_still()
    )
    if not len(result.pairs):
        raise ModelError(
            place,
            "no two bodies with shapes move past each other.",
            'Give bodies a shape, or load a robot with collisions="all".',
        )
    return result


def leading(model: CompiledModel, names: Sequence[str], q: Array) -> tuple[str, ...]:
    """Those of some coordinates that follow no others by a coupling; the first ones lead."""
    if not model.system.constrained:
        return tuple(names)
    known, _ = _required_rows(model, q)
    rank, result = np.linalg.matrix_rank(known, tol=AFFINE), []
    for name in names:
        more = np.vstack([known, np.eye(len(model.speeds))[model.speeds.index(f"{name}.")]])
        if (count := np.linalg.matrix_rank(more, tol=AFFINE)) > rank:
            known, rank = more, count
            result.append(name)
    return tuple(result)


def _required_rows(model: CompiledModel, q: Array) -> tuple[Array, Array]:
    """J and the gap of linear constraints; a ModelError where loops are not linear."""
    rows = linear_rows(model, q)
    if rows is None:
        raise ModelError(
            f'mechanism "{model.mechanism.name}"',
            "its loops bend the path between samples: distances there are unknown.",
            "Check samples of the motion: ts.robots.collisions(m, rows).",
        )
    return rows


@final
class ClearMotion:
    """Distances of the bodies of a model while some coordinates move and others follow or rest."""

    def __init__(
        self,
        model: CompiledModel,
        names: Sequence[str],
        at: Mapping[str, float] | None = None,
        pairs: Pairs | None = None,
    ) -> None:
        self.model, self.names = model, tuple(names)
        self._columns = [_column(model, name) for name in self.names]
        self._start, self._slope = self._completed(at)
        self.distances = pairs_that_move(model, pairs)
        own = [name for name in model.coordinates if f"{name}." in model.speeds]
        self._of_speeds = [model.speeds.index(f"{name}.") for name in own]
        self._own = [model.coordinates.index(name) for name in own]

    def _completed(self, at: Mapping[str, float] | None) -> tuple[Array, Array]:
        """All coordinates, start + slope x: some rest, and couplings move others along."""
        model, columns = self.model, self._columns
        state = given_state(model.mechanism, at or {}, "at")
        given = given_values(model.mechanism, model.parameters, state)
        q = named_state(model.system.tree, model.coordinates, model.speeds, given)[0]
        slope = np.zeros((len(q), len(columns)))
        slope[columns, np.arange(len(columns))] = 1.0
        q[columns] = 0.0
        if model.system.constrained:
            J, gap = _required_rows(model, q)
            moving, others, left = slopes(model, J, self.names)
            if left > AFFINE:
                raise ModelError(
                    "path",
                    say("couplings do not let {names} move freely.", ", ".join(self.names)),
                    "Leave out coordinates that follow others.",
                )
            places = [model.coordinates.index(model.speeds[k][:-1]) for k in others]
            slope[places] = moving[others]
            q[places] += np.linalg.lstsq(J[:, others], -gap, rcond=None)[0]
        return q, slope

    @property
    def scale(self) -> Array:
        """Characteristic displacements of the names."""
        speeds = [self.model.speeds.index(f"{name}.") for name in self.names]
        return np.asarray(self.model.sizes.displacements[speeds])

    @property
    def still(self) -> tuple[str, ...]:
        """The coordinates that rest."""
        rests = np.flatnonzero(~(self._slope != 0).any(axis=1))
        return tuple(self.model.coordinates[k] for k in rests)

    def nearest(self, x: Array) -> tuple[float, tuple[str, str]]:
        """The least distance at values of the names, and its pair."""
        gaps = self.distances.at(self.states(x[np.newaxis]))[0, :, at.GAP]
        k = int(gaps.argmin())
        return float(gaps[k]), self.distances.pair(k)

    def states(self, x: Array) -> Array:
        """(rows, coordinates): all coordinates at rows of the names."""
        return np.asarray(self._start + x @ self._slope.T)

    def whole(self, course: scipy.interpolate.PPoly) -> scipy.interpolate.PPoly:
        """A course of all coordinates."""
        c = course.c @ self._slope.T
        c[-1] += self._start
        return scipy.interpolate.PPoly(c, course.x)

    # --- along a course -------------------------------------------------------------------------

    def least(self, course: scipy.interpolate.PPoly, tolerance: float) -> PathClearance:
        """The least distance along a course of all coordinates, to a tolerance."""
        best, place, pair, samples = np.inf, 0.0, 0, 0
        t, h = _intervals(course)
        while len(t):
            if samples > _MOST:
                problem = say("{count} samples of the path do not settle it.", samples)
                raise SolveError("path_clearance", problem, "Give a larger tolerance.")
            left = []
            for k in range(0, len(t), _BATCH):
                now, half = t[k : k + _BATCH], h[k : k + _BATCH]
                gaps, moved = self._seen(course, now, half, best)
                samples += len(now)
                row, column = np.unravel_index(int(gaps.argmin()), gaps.shape)
                if gaps[row, column] < best:
                    best, place, pair = float(gaps[row, column]), float(now[row]), int(column)
                left.append((gaps - moved).min(axis=1))
            unsettled = np.concatenate(left) < best - tolerance
            t, h = t[unsettled], h[unsettled] / 2
            t, h = np.concatenate([t - h, t + h]), np.concatenate([h, h])
        first, second = self.distances.pair(pair)
        q = dict(zip(self.model.coordinates, map(float, course(place)), strict=True))
        return PathClearance(best, tolerance, first, second, place, q, samples)

    def is_clear(self, course: scipy.interpolate.PPoly, clearance: float) -> bool:
        """Whether all distances exceed a clearance all along a course of all coordinates.

        A part that is not settled where bodies hardly move counts as not clear.
        """
        finest = _FINEST * float(self.model.sizes.scales.length)
        t, h = _intervals(course)
        while len(t):
            gaps, moved = self._seen(course, t, h, clearance)
            left = gaps - moved
            if (gaps <= clearance).any() or ((left <= clearance) & (moved < finest)).any():
                return False
            unsettled = (left <= clearance).any(axis=1)
            t, h = t[unsettled], h[unsettled] / 2
            t, h = np.concatenate([t - h, t + h]), np.concatenate([h, h])
        return True

    def _seen(
        self, course: scipy.interpolate.PPoly, t: Array, h: Array, near: float
    ) -> tuple[Array, Array]:
        """Distances in the middle of intervals, and how much they change there at most."""
        q = np.asarray(course(t))
        D = np.zeros_like(q)
        for order in range(1, len(course.c)):
            scale = h**order / float(scipy.special.factorial(order))
            D += np.abs(course(t, order)) * scale[:, np.newaxis]
        speeds = np.zeros((len(t), len(self.model.speeds)))
        speeds[:, self._of_speeds] = D[:, self._own]
        moved = self.distances.most_moved(q, speeds)
        within = near + float(moved.max(initial=0.0))
        return self.distances.at(q, within)[:, :, at.GAP], moved


def _intervals(course: scipy.interpolate.PPoly) -> tuple[Array, Array]:
    """Middles and halves of the pieces of a course."""
    h = np.diff(course.x) / 2
    used = h > 0
    return (course.x[:-1] + h)[used], h[used]


def _column(model: CompiledModel, name: str) -> int:
    if name not in model.coordinates or f"{name}." not in model.speeds:
        known = [x for x in model.coordinates if f"{x}." in model.speeds]
        raise ModelError(
            "path",
            say('"{name}" is not a coordinate with its own speed.', name),
            say("These are: {names}.", ", ".join(known)),
        )
    return model.coordinates.index(name)
