"""Targets of a synthesis: paths of points, laws of input and output, balance, small peaks.

Each target reads outputs at angles of the driver and gives residuals r, whose squares are summed,
with ∂r/∂y. Angles that are not prescribed, phases and the like are extra variables e.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, final

import numpy as np

from torseur.brief import shortened
from torseur.design.matching import matched
from torseur.errors import ModelError
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
TURN = 2 * np.pi


@final
@dataclass(frozen=True)
class Extras:
    """Extra variables of a target: where they start and between what they stay."""

    start: Array = field(default_factory=lambda: np.zeros(0))
    low: Array = field(default_factory=lambda: np.zeros(0))
    high: Array = field(default_factory=lambda: np.zeros(0))


@final
@dataclass(frozen=True)
class TargetResiduals:
    """Numbers that shall vanish, and their derivatives."""

    r: Array  # (m)
    by_y: Array  # (m, stations, outputs)
    by_e: Array  # (m, extras)


@final
@dataclass(frozen=True)
class DriverTurn:
    """Outputs of a mechanism along the range of its driver."""

    angles: Array  # (stations)
    y: Array  # (stations, outputs): of the target that asks
    whole: bool  # whether the driver can make a whole turn


class Target(Protocol):
    """Interface of a target."""

    @property
    def outputs(self) -> tuple[str, ...]: ...
    def extras(self, turn: DriverTurn) -> Extras: ...
    def angles(self, extra: Array, begin: float) -> tuple[Array, Array]: ...
    def residuals(self, y: Array, extra: Array) -> TargetResiduals: ...
    def margins(self, extra: Array) -> tuple[Array, Array]: ...


def given_numbers(place: str, given: Any) -> Array:
    """Array of numbers from what is given, or an error that shows it."""
    try:
        return np.array(given, dtype=float)
    except (TypeError, ValueError):
        problem = say("{shown} is no array of numbers.", shortened(repr(given)))
        raise ModelError(place, problem, "Its rows are numbers, as many in each.") from None


def given_row(place: str, given: Any) -> Array:
    """Row of one number or more from what is given, or an error that shows it."""
    result = np.atleast_1d(given_numbers(place, given))
    if result.ndim != 1 or not result.size:
        raise ModelError(place, say("{shown} is no row of numbers.", shortened(repr(given))))
    return result


def given_stations(place: str, inputs: Any, count: int) -> Array | None:
    """Inputs at which an output is looked at, checked; None for as many as counted of a turn."""
    if inputs is None and count < 1:
        raise ModelError(place, say("{count} places make no turn.", count), "Take one or more.")
    return None if inputs is None else given_row(place, inputs)


def _unrestrained(target: Any, extra: Array) -> tuple[Array, Array]:
    """The margins of extra variables that nothing restrains: none."""
    return np.zeros(0), np.zeros((0, len(extra)))


@final
@dataclass(frozen=True)
class Path:
    """Target: a point of the mechanism passes through points, at given angles or at any.

    `points` are rows of two components, along the `axes`, or of three. Without `timing` the angles
    of the driver are found too, in the order of the points unless `in_order` is False. With
    `phase`, the prescribed angles count from an angle that is found.
    """

    point: str
    points: Array  # (stations, 2 or 3) [m]
    timing: Array | None = None  # (stations) [rad]
    phase: bool = False
    in_order: bool = True
    axes: str = "xy"
    weight: float = 1.0

    def __post_init__(self) -> None:
        place = f'path of "{self.point}"'
        points = given_numbers(place, self.points)
        if points.ndim != 2 or points.shape[1] not in (2, 3) or not np.isfinite(points).all():
            problem = say(
                "points are expected as rows of 2 or 3 numbers, not {shape}.", points.shape
            )
            raise ModelError(place, problem, "points=[[0.1, 0.2], …].")
        object.__setattr__(self, "points", points)
        if self.timing is not None:
            timing = given_row(place, self.timing)
            if timing.shape != (len(points),):
                problem = say(
                    "{count} angles are given for {number} points.", timing.size, len(points)
                )
                raise ModelError(place, problem)
            object.__setattr__(self, "timing", timing)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The components of the point."""
        axes = self.axes if self.points.shape[1] == 2 else "xyz"
        return tuple(f"{self.point}.{axis}" for axis in axes)

    def extras(self, turn: DriverTurn) -> Extras:
        """Angles near which the point is nearest to each of its points; or the phase."""
        count = len(self.points)
        if self.timing is None:
            result = matched(turn.angles, turn.y, self.points, turn.whole, self.in_order)
            wide = np.full(count, 2 * TURN if turn.whole else np.inf)
            return Extras(result, result - wide, result + wide)
        if not self.phase:
            return Extras()
        trials = np.linspace(0, TURN, 37)[:-1]
        costs = [self._phase_cost(turn, trial) for trial in trials]
        best = float(trials[int(np.argmin(costs))])
        return Extras(np.array([best]), np.array([best - TURN]), np.array([best + TURN]))

    def _phase_cost(self, turn: DriverTurn, phase: float) -> float:
        assert self.timing is not None, "phases are of prescribed angles"
        off = np.abs((self.timing + phase)[:, None] - turn.angles)
        near = np.minimum(off % TURN, -off % TURN).argmin(axis=1)
        return float(((turn.y[near] - self.points) ** 2).sum())

    def angles(self, extra: Array, begin: float) -> tuple[Array, Array]:
        """Angles of the driver, and their derivatives by the extra variables."""
        if self.timing is None:
            return extra, np.eye(len(extra))
        if not self.phase:
            return self.timing, np.zeros((len(self.timing), 0))
        return self.timing + extra[0], np.ones((len(self.timing), 1))

    def residuals(self, y: Array, extra: Array) -> TargetResiduals:
        """Distance of the point from each of its targets."""
        return _differences(self.weight * (y - self.points), self.weight, len(extra))

    def margins(self, extra: Array) -> tuple[Array, Array]:
        """Angles that are found follow each other, within a turn."""
        count = len(extra)
        if self.timing is not None or not self.in_order or count < 3:
            return np.zeros(0), np.zeros((0, count))
        way = 1.0 if extra[-1] > extra[0] else -1.0
        steps = np.zeros((count, count))
        steps[np.arange(count - 1), np.arange(1, count)] = way
        steps[np.arange(count - 1), np.arange(count - 1)] -= way
        steps[-1, 0], steps[-1, -1] = way, -way  # back to the first: what is left of a turn
        return steps @ extra + np.eye(count)[-1] * TURN, steps


@final
@dataclass(frozen=True)
class Law:
    """Target: an output is a given function of the driver, y(θ) at pairs of values.

    `angle` says that whole turns of the output do not count. `offset` finds what is added to the
    driver, `output_offset` what is added to the output.
    """

    output: str
    inputs: Array  # (stations) of the driver
    wanted: Array  # (stations)
    angle: bool = True
    offset: bool = False
    output_offset: bool = False
    weight: float = 1.0

    def __post_init__(self) -> None:
        place = f'law of "{self.output}"'
        inputs, values = (given_row(place, x) for x in (self.inputs, self.wanted))
        if inputs.shape != values.shape:
            problem = say("{count} values are given for {number} inputs.", values.size, inputs.size)
            raise ModelError(place, problem)
        object.__setattr__(self, "inputs", inputs)
        object.__setattr__(self, "wanted", values)

    @property
    def outputs(self) -> tuple[str, ...]:
        """One."""
        return (self.output,)

    def extras(self, turn: DriverTurn) -> Extras:
        """The offsets, zero at first."""
        count = int(self.offset) + int(self.output_offset)
        return Extras(np.zeros(count), np.full(count, -TURN), np.full(count, TURN))

    def angles(self, extra: Array, begin: float) -> tuple[Array, Array]:
        """Angles of the driver."""
        by = np.zeros((len(self.inputs), len(extra)))
        if not self.offset:
            return self.inputs, by
        by[:, 0] = 1.0
        return self.inputs + extra[0], by

    def residuals(self, y: Array, extra: Array) -> TargetResiduals:
        """The errors of the output."""
        off = y[:, 0] - self.wanted
        if self.output_offset:
            off = off - extra[-1]
        if self.angle:
            off = (off + np.pi) % TURN - np.pi
        result = _differences(self.weight * off[:, None], self.weight, len(extra))
        if self.output_offset:
            result.by_e[:, -1] = -self.weight
        return result

    margins = _unrestrained


def function_law(
    output: str, function: Callable[[Array], Any], between: Sequence[float], count: int = 20,
    **options: Any,
) -> Law:  # fmt: skip
    """The law of a function of the driver, at Chebyshev's spacing between two values."""
    if len(between) != 2 or count < 1:
        raise ModelError(f'law of "{output}"', "it needs two ends and one value or more.")
    low, high = between
    inputs = (low + high) / 2 - (high - low) / 2 * np.cos((np.arange(count) + 0.5) * np.pi / count)
    return Law(output, inputs, np.array([float(function(x)) for x in inputs]), **options)


@final
@dataclass(frozen=True)
class Shaking:
    """Target: small forces of the moving masses on the ground along a turn.

    `harmonics` asks for these multiples of the turning speed only, else all counts. The mean square
    of force along the `axes`, and of the moment along `moment_axes`, are weighted and summed.
    """

    force: float = 1.0  # weight
    moment: float = 0.0  # weight [1/m]
    axes: str = "xy"
    moment_axes: str = "z"
    harmonics: tuple[int, ...] = ()
    count: int = 36

    def __post_init__(self) -> None:
        given_stations("shaking", None, self.count)

    @property
    def outputs(self) -> tuple[str, ...]:
        """Components that have a weight."""
        forces = [f"shaking.force.{x}" for x in self.axes if self.force]
        return (*forces, *(f"shaking.moment.{x}" for x in self.moment_axes if self.moment))

    @property
    def _weights(self) -> Array:
        return np.array([self.force if ".force." in x else self.moment for x in self.outputs])

    def extras(self, turn: DriverTurn) -> Extras:
        """No extra unknowns."""
        return Extras()

    def angles(self, extra: Array, begin: float) -> tuple[Array, Array]:
        """A turn."""
        return round_turn(begin, self.count), np.zeros((self.count, 0))

    def residuals(self, y: Array, extra: Array) -> TargetResiduals:
        """Values along the turn, or amplitudes of harmonics as cosines and sines."""
        weights = self._weights / np.sqrt(self.count)
        if not self.harmonics:
            return _differences(weights * y, weights, 0)
        phases = np.outer(self.harmonics, round_turn(0.0, self.count))
        waves = np.concatenate([np.cos(phases), np.sin(phases)]) * np.sqrt(2 / self.count)
        by = np.einsum("hk,o,op->hokp", waves, self._weights, np.eye(len(weights)))
        by = by.reshape(-1, self.count, len(weights))
        return TargetResiduals(np.einsum("mkp,kp->m", by, y), by, np.zeros((len(by), 0)))

    margins = _unrestrained


@final
class Peak(Result):
    """Target: a small largest size of an output along a turn, or at given angles.

    The bound s of the output is an extra variable: s² is least while −s ≤ y ≤ s.
    """

    output: str
    inputs: Array | None = None
    count: int = 36
    weight: float = 1.0

    def __post_init__(self) -> None:
        inputs = given_stations(f'peak of "{self.output}"', self.inputs, self.count)
        object.__setattr__(self, "inputs", inputs)

    @property
    def outputs(self) -> tuple[str, ...]:
        """One."""
        return (self.output,)

    def extras(self, turn: DriverTurn) -> Extras:
        """The peak."""
        peak = float(np.abs(turn.y).max())
        return Extras(np.array([peak]), np.zeros(1), np.array([np.inf]))

    def angles(self, extra: Array, begin: float) -> tuple[Array, Array]:
        """A turn, or those that are given."""
        result = round_turn(begin, self.count) if self.inputs is None else self.inputs
        return result, np.zeros((len(result), 1))

    def residuals(self, y: Array, extra: Array) -> TargetResiduals:
        """The bound."""
        return TargetResiduals(
            self.weight * extra, np.zeros((1, *y.shape)), np.full((1, 1), self.weight)
        )

    margins = _unrestrained  # those of the bound are of the output: see `bounded`

    def bounded(self, y: Array, extra: Array) -> TargetResiduals:
        """s − y and s + y, which must not be negative."""
        count = len(y)
        by = np.zeros((2 * count, count, 1))
        both = np.arange(2 * count)
        by[both, both % count, 0] = np.where(both < count, -1.0, 1.0)
        return TargetResiduals(
            np.concatenate([extra - y[:, 0], extra + y[:, 0]]), by, np.ones((2 * count, 1))
        )


def round_turn(begin: float, count: int) -> Array:
    """Angles evenly along a turn."""
    return begin + TURN * np.arange(count) / count


def _differences(off: Array, weights: float | Array, extras: int) -> TargetResiduals:
    """Residuals that are outputs less constants, times weights: (stations, outputs)."""
    stations, outputs = off.shape
    by = np.zeros((stations, outputs, stations, outputs))
    k, o = np.arange(stations)[:, None], np.arange(outputs)[None, :]
    by[k, o, k, o] = weights
    return TargetResiduals(
        off.ravel(), by.reshape(-1, stations, outputs), np.zeros((off.size, extras))
    )
