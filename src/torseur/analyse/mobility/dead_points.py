"""Dead points along a motion: where a coordinate stands still and cannot drive the mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import final

import numpy as np
import scipy

from torseur.algebra.core.graph import evaluate
from torseur.analyse.at_a_state.pose import Posed, posed
from torseur.analyse.mobility.path import STEP, Station, first_station, stations
from torseur.errors import require_known
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
_VANISHED = 1e-6  # a smallest singular value, relative to its middle value along the path


@final
class DeadPoint(Result):
    """A configuration where a coordinate stands still, or where two paths meet."""

    coordinate: str  # "" where paths meet
    joint: str
    coordinates: dict[str, float]  # the configuration: every coordinate by name
    t: float | None = None  # when, in a run [s]

    def __str__(self) -> str:
        shown = {name: 0.0 if abs(x) < 1e-9 else x for name, x in self.coordinates.items()}
        where = ", ".join(f"{name} = {x:.6g}" for name, x in shown.items())
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
    """The dead points met while the coordinate `along`, or else the first, goes through its range.

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
    asked = (along,) if of is None else (along, of)
    require_known("dead_points", "coordinate", asked, start.rates)
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
    here = first_station(posed(Assembled(run.model, run.q[0], run.v[0], 0.0, {})))
    for k in range(1, len(run.t)):
        there = here.like(here.pose.at(run.q[k]))
        forward = (run.v[k - 1] + run.v[k]) @ here.tangent > 0
        for name in here.pose.rates if of is None else (of,):
            a, b = here.rate(name), there.rate(name)
            if a * b < 0 and max(abs(a), abs(b)) > _STILL * here.pose.unit(name):
                pose = _root(here if forward else here.turned(), name)
                when = run.t[k - 1] + (run.t[k] - run.t[k - 1]) * a / (a - b)
                yield replace(_point(pose, name), t=float(when))
        here = there


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
