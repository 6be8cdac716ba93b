"""Dead points along the path of a mechanism: a coordinate stands still and cannot drive it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import final

import numpy as np
import scipy

from torseur.algebra.core.graph import evaluate
from torseur.analyse.at_a_state.pose import Posed, inside, posed, ranks
from torseur.analyse.mobility.internal import internal_motions
from torseur.brief import values_text, without_rounding
from torseur.errors import ModelError, SolveError, require_known
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.simulation.run.run import Run
from torseur.simulation.start.assemble import Assembled
from torseur.words.sentence import say

Array = np.ndarray
Range = tuple[float, float]
_STILL = 1e-9  # rate of a coordinate that never moves
# Stations are placed so that a dead point at the start is between two of them.
_BACK = 0.37
_ZERO = 1e-9  # of a coordinate that is printed [rad or m]
_VANISHED = 1e-6  # a smallest singular value, relative to its middle value along the path
STEP = 0.04  # rad, or part of the size of the mechanism: about 160 steps a turn
_MOST = 3000
_RANK = 1e-7


@final
class DeadPoint(Result):
    """A configuration where a coordinate stands still, or where two paths meet."""

    coordinate: str  # "" where paths meet
    joint: str
    coordinates: dict[str, float]  # the configuration: every coordinate by name
    t: float | None = None  # when, in a run [s]

    def __str__(self) -> str:
        rounded = {name: without_rounding(x, _ZERO) for name, x in self.coordinates.items()}
        where = values_text(rounded)
        when = "" if self.t is None else f"t = {self.t:.4g} s, "
        if not self.coordinate:
            return say("singular, paths meet: {when}{where}", when, where)
        return self.say(
            'dead point of {coordinate} (joint "{joint}"): {when}{where}', when=when, where=where
        )


def dead_points(
    mechanism: Mechanism | Assembled | Run,
    along: str = "",
    *,
    of: str | None = None,
    between: Range | None = None,
    pinned: tuple[str, ...] = (),
) -> tuple[DeadPoint, ...]:
    """Dead points in the range of the coordinate `along`; default: the first coordinate.

    The mechanism is followed from its assembled configuration along its one useful motion (hold
    others with `pinned`), through `between`, else through the limits of the coordinate, else until
    it comes back or has made a turn. `of` asks for the dead points of one coordinate only. A
    coordinate that stands still has an extreme there: from it the mechanism cannot be driven.
    In a run they are looked for between its samples.
    """
    if isinstance(mechanism, Run):
        return tuple(_of_run(mechanism, of))
    start = posed(mechanism)
    along = along or next(iter(start.rates), "")
    names = (along,) if of is None else (along, of)
    require_known("dead_points", "coordinate", names, start.rates)
    span = between or _limits(start, along)
    first = first_station(start, pinned)
    branches = _followed(first.turned() if first.rate(along) < 0 else first, along, span)
    points: list[DeadPoint] = []
    for branch in branches:
        for pose, coordinate in _special(branch, of):
            x, slack = pose.coordinates[along], 1e-9 * pose.unit(along)
            inside = span is None or span[0] - slack <= x <= span[1] + slack
            if inside and not _known(pose, coordinate, points):
                points.append(_point(pose, coordinate))
    return tuple(sorted(points, key=lambda p: (p.coordinates[along], p.coordinate)))


def _of_run(run: Run, of: str | None) -> Iterator[DeadPoint]:
    """The dead points between the samples of a run with one useful motion."""
    station = first_station(posed(Assembled(run.model, run.q[0], run.v[0], 0.0, {})))
    for k in range(1, len(run.t)):
        there = station.like(station.pose.at(run.q[k]))
        forward = (run.v[k - 1] + run.v[k]) @ station.tangent > 0
        for name in station.pose.rates if of is None else (of,):
            a, b = station.rate(name), there.rate(name)
            if a * b < 0 and max(abs(a), abs(b)) > _STILL * station.pose.unit(name):
                pose = _root(station if forward else station.turned(), name)
                when = run.t[k - 1] + (run.t[k] - run.t[k - 1]) * a / (a - b)
                yield replace(_point(pose, name), t=float(when))
        station = there


def _limits(start: Posed, along: str) -> Range | None:
    """The limits that the joint gives to a coordinate."""
    for joint in start.mechanism.joints.values():
        for name, *ends, _ in joint.limited:
            if name == along:
                low, high = (float(evaluate(x, start.held.model.parameters)) for x in ends)
                return low, high
    return None


def _followed(first: Station, along: str, span: Range | None) -> list[list[Station]]:
    """The stations forward; backward too when the way forward ends at a limit."""
    branches = []
    for start in (first, first.turned()):
        branch, closed = _branch(start.ahead(-_BACK * STEP), along, span)
        branches.append(branch)
        if closed:
            break
    return branches


def _branch(start: Station, along: str, span: Range | None) -> tuple[list[Station], bool]:
    """Stations until the path closes (True), the coordinate leaves its range or has turned once."""
    branch: list[Station] = []
    value = begin = start.pose.coordinates[along]
    angle = start.pose.units[along] == "rad"
    for station in stations(start):
        change = station.pose.coordinates[along] - value
        change = (change + np.pi) % (2 * np.pi) - np.pi if angle else change
        value += change
        branch.append(station)
        gone = span is not None and (
            (change < 0 and value < span[0]) or (change > 0 and value > span[1])
        )
        if gone and len(branch) > 2:
            return branch, False
        if span is None and angle and abs(value - begin) > 2 * np.pi + STEP:
            return branch, True
    return branch, True


def _special(branch: list[Station], of: str | None) -> Iterator[tuple[Posed, str]]:
    """Configurations where a rate changes its sign, and those where paths meet."""
    for name in branch[0].pose.rates if of is None else (of,):
        rates = np.array([station.rate(name) for station in branch])
        if np.abs(rates).max() < _STILL * branch[0].pose.unit(name):
            continue
        for turn in np.flatnonzero(rates[:-1] * rates[1:] < 0):
            yield _root(branch[turn], name), name
    sizes = np.array([station.smallest for station in branch])
    usual = float(np.median(sizes))
    for k in range(1, len(branch) - 1):
        if sizes[k] < min(sizes[k - 1], usual / 2) and sizes[k] <= sizes[k + 1]:
            step, size = _lowest(branch[k - 1])
            if size < _VANISHED * usual:
                yield branch[k - 1].ahead(step).pose, ""


def _root(station: Station, name: str) -> Posed:
    """The configuration ahead of a station, about a step away, where a coordinate stands still."""
    end = STEP
    while station.ahead(end).rate(name) * station.rate(name) > 0 and end < 20 * STEP:
        end *= 1.2
    step = scipy.optimize.brentq(lambda h: station.ahead(h).rate(name), 0.0, end, xtol=1e-14)
    return station.ahead(step).pose


def _lowest(station: Station) -> tuple[float, float]:
    """Where, within two steps, the smallest singular value is least, and how small it is."""
    minimum = scipy.optimize.minimize_scalar(
        lambda h: station.ahead(h).smallest,
        bounds=(0.0, 2 * STEP),
        method="bounded",
        options={"xatol": 1e-12},
    )
    return float(minimum.x), float(minimum.fun)


def _known(pose: Posed, coordinate: str, points: list[DeadPoint]) -> bool:
    """Whether a dead point of the same coordinate is already at this place."""
    return any(
        point.coordinate == coordinate
        and all(
            abs(pose.coordinates[n] - x) < 1e-6 * pose.unit(n) for n, x in point.coordinates.items()
        )
        for point in points
    )


def _point(pose: Posed, coordinate: str) -> DeadPoint:
    joints = pose.mechanism.joints.values()
    owner = next((j.name for j in joints if coordinate in j.coordinates), "")
    return DeadPoint(coordinate, owner, pose.coordinates)


# --- the path of a mechanism with one motion -----------------------------------------------------


@final
@dataclass(frozen=True)
class Station:
    """A configuration of a path with its tangent, of unit size, in the speeds of the tree."""

    pose: Posed
    tangent: Array
    pinned: tuple[str, ...] = ()  # coordinates that are held

    def rate(self, coordinate: str) -> float:
        """Rate of a coordinate along the path."""
        return float(self.pose.rates[coordinate] @ self.tangent)

    @property
    def smallest(self) -> float:
        """The smallest singular value that counts: it vanishes where paths meet."""
        return ranks(_constraint_rows(self.pose, self.pinned)).smallest

    def ahead(self, step: float) -> Station:
        """The configuration at a distance along the tangent, with loops closed."""
        there = self.pose.neighbour(step * self.tangent, self.pinned)
        if there is None:
            q = values_text(self.pose.coordinates, 4)
            raise SolveError("dead_points", say("the loops do not close beyond {q}.", q))
        return self.like(there)

    def like(self, there: Posed) -> Station:
        """Another configuration, looking the same way; where two paths meet, straight on."""
        kernel = ranks(_constraint_rows(there, self.pinned), _RANK).kernel
        along = kernel @ (kernel.T @ (self.tangent / there.scale))
        return Station(there, there.scale * along / np.linalg.norm(along), self.pinned)

    def turned(self) -> Station:
        """Station with the opposite tangent."""
        return Station(self.pose, -self.tangent, self.pinned)


def _constraint_rows(pose: Posed, pinned: tuple[str, ...]) -> Array:
    """The constraints with the pinned coordinates, lengths in units of the mechanism's size."""
    rows = (pose.rates[name][np.newaxis] * pose.scale / pose.unit(name) for name in pinned)
    return np.concatenate([pose.plain_J, *rows])


def first_station(start: Posed, pinned: tuple[str, ...] = ()) -> Station:
    """A configuration with its tangent; next to the start when the start is singular."""
    require_known("dead_points", "coordinate", pinned, start.rates)
    pose, result = start, _tangents(start, pinned)
    if result.shape[1] > 1:
        near = [(there, _tangents(there, pinned)) for there in start.neighbours()]
        pose, result = min([(pose, result), *near], key=lambda pair: pair[1].shape[1])
    left = result.shape[1]
    if left == 0:
        raise SolveError("dead_points", say("the mechanism cannot move (m = {left}).", left))
    if left > 1:
        problem = say("the mechanism has {left} useful motions; a path has one.", left)
        raise ModelError(
            "dead_points", problem, say("Hold {left} of its coordinates: pinned=(…).", left - 1)
        )
    return Station(pose, pose.scale * result[:, 0], pinned)


def _tangents(pose: Posed, pinned: tuple[str, ...]) -> Array:
    """The useful motions of unit size, lengths in units of the mechanism's size."""
    kernel = ranks(_constraint_rows(pose, pinned), _RANK).kernel
    inner = [part.motions.T / pose.scale for part in internal_motions(pose)]
    return inside(kernel, np.concatenate(inner)) if inner else kernel


def stations(first: Station) -> Iterator[Station]:
    """The path step by step, up to a configuration already seen."""
    pose, inner = first.pose, [part.motions for part in internal_motions(first.pose)]

    def stirred(name: str) -> bool:
        """Whether an internal motion changes a coordinate."""
        nothing = _RANK * pose.unit(name)
        return any(np.abs(pose.rates[name] @ motions).max() > nothing for motions in inner)

    named = [name for name in pose.coordinates if name in pose.rates]
    moving = [name for name in named if not stirred(name)]
    station, far = first, False
    for _ in range(_MOST):
        yield station
        station = station.ahead(STEP)
        apart = _apart(pose, station.pose, moving)
        if far and apart < STEP and sum(station.rate(n) * first.rate(n) for n in moving) > 0:
            yield station
            return
        far = far or apart > 3 * STEP
    problem = say("the path does not close within {most} steps.", _MOST)
    raise SolveError("dead_points", problem, "Give the range of the coordinate: between=(…, …).")


def _apart(a: Posed, b: Posed, names: list[str]) -> float:
    """The largest difference of coordinates, angles without whole turns."""
    changes = {name: b.coordinates[name] - a.coordinates[name] for name in names}
    return max((abs(a.turned(name, change)) for name, change in changes.items()), default=0.0)
