"""Equilibria and steady motions followed as a parameter changes, round folds too.

Pseudo-arclength continuation (Keller 1977): a step along the tangent of the branch, then Newton's
method across it. Unknowns are measured in units of the mechanism: radians, its size, its speeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from torseur.analyse.at_a_state.statics import AtState, Unknowns, steady_state
from torseur.analyse.stability.small_motions import SmallMotions, small_motions
from torseur.analyse.stability.steady import Steady
from torseur.errors import SolveError
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
_CORRECTIONS = 12
_CLOSE = 1e-11


@final
@dataclass(frozen=True)
class Continuation:
    """Curve to follow: the unknowns of `sought` while one parameter of the model changes.

    The parameter is one of the mechanism, or a speed or a coordinate that is given.
    """

    sought: Unknowns
    parameter: str
    span: tuple[float, float]  # values of the parameter
    size: float  # of the mechanism [m]
    rate: float  # of its speeds [1/s]

    def value(self, state: AtState) -> float:
        """The parameter at a state."""
        names = state.tangent
        if self.parameter in names.speeds:
            return float(state.v[names.speeds.index(self.parameter)])
        if self.parameter in names.coordinates:
            return float(state.q[names.coordinates.index(self.parameter)])
        value = names.model.parameters[self.parameter]
        assert value is not None, "every parameter has a value"
        return value

    def units(self, state: AtState) -> Array:
        """The units of the unknowns, then that of the parameter."""
        units = self.sought.counted_in(state, state.tangent.lengths(self.size), self.rate)
        return np.append(units, abs(self.span[1] - self.span[0]))

    def slope(self, state: AtState) -> Array:
        """The derivative of the residual by the parameter."""
        names, at = state.tangent, state.chart
        equations, places = state.reduced, self.sought.places(at)
        rows, still = places.equations, places.still
        if self.parameter in names.speeds:
            k = at.speeds.index(names.speeds.index(self.parameter))
            return np.concatenate([equations.D[rows, k], at.N[still, k]])
        if self.parameter in names.coordinates:
            k = at.shifts.index(names.speeds.index(f"{self.parameter}."))
            return np.concatenate([equations.K[rows, k], equations.L[still, k]])
        return self.sought.slope(state, self.parameter)

    def matrix(self, state: AtState) -> Array:
        """(k, k + 1): the derivatives by the unknowns and by the parameter, in their units."""
        both = np.column_stack([self.sought.jacobian(state), self.slope(state)])
        return np.asarray(both * self.units(state))

    def state_after(self, state: AtState, step: Array) -> AtState | None:
        """The state after a step in the unknowns and the parameter, the chart kept."""
        *unknowns, change = step * self.units(state)
        shift, rates = self.sought.apart(state, np.array(unknowns))
        tangent = names = state.tangent
        if self.parameter in names.speeds:
            rates[names.speeds.index(self.parameter)] += change
        elif self.parameter in names.coordinates:
            k = state.chart.shifts.index(names.speeds.index(f"{self.parameter}."))
            shift = shift + change * state.chart.P[:, k]
        else:
            tangent = tangent.with_parameters(**{self.parameter: self.value(state) + change})
        return replace(state, tangent=tangent).beside(shift, state.v + rates, self.sought)

    def between(self, a: AtState, b: AtState) -> Array:
        """The step in the unknowns and the parameter from one state to another, in their units."""
        places, apart = self.sought.places(a.chart), a.tangent.displacement(a.q, b.q)
        gone = [*apart[places.moved], *(b.v - a.v)[places.turned], self.value(b) - self.value(a)]
        return np.asarray(np.array(gone) / self.units(a))

    def placed(self, near: AtState, q: Array, v: Array, value: float) -> AtState:
        """A state that is known to be on the branch."""
        tangent = near.tangent
        if self.parameter in tangent.model.parameters:
            tangent = tangent.with_parameters(**{self.parameter: value})
        return steady_state(tangent, q, v, near.t, self.sought, near.chart)

    def at(self, state: AtState, value: float) -> AtState | None:
        """The equilibrium at another value of the parameter, near this one."""
        step = np.zeros(len(self.units(state)))
        step[-1] = (value - self.value(state)) / self.units(state)[-1]
        return self.sought.solved(self.state_after(state, step))


@final
class BranchPoint(Result):
    """A state on a branch, and the direction in which it is followed."""

    curve: Continuation
    here: AtState
    way: Array  # unit tangent: unknowns, then the parameter

    @cached_property
    def value(self) -> float:
        """The parameter."""
        return self.curve.value(self.here)

    @cached_property
    def steady(self) -> Steady:
        """The state."""
        return Steady(self.here, self.curve.sought.turning)

    @cached_property
    def small_motions(self) -> SmallMotions:
        """The small motions about it, on the branch where several meet."""
        return small_motions(self.here, self.curve.sought.turning, True, False)

    @cached_property
    def matrix(self) -> Array:
        """(k, k + 1): derivatives by the unknowns and the parameter."""
        return self.curve.matrix(self.here)

    @property
    def unstable(self) -> int:
        """Number of growing eigenvalues."""
        return int(self.small_motions.spectrum.growing.sum())

    @property
    def bordered(self) -> Array:
        """(k + 1, k + 1): singular where branches cross, regular at folds."""
        return np.concatenate([self.matrix, [self.way]])


def branch_point(curve: Continuation, state: AtState, towards: Array) -> BranchPoint:
    """The point with its tangent, on the side of `towards`."""
    matrix = curve.matrix(state)
    _, _, right = np.linalg.svd(matrix)
    way = right[-1]
    if len(matrix) and np.linalg.norm(matrix @ towards) < 1e-9 * np.linalg.norm(matrix):
        way = towards  # at a crossing of branches: straight on
    return BranchPoint(curve, state, way * (np.sign(way @ towards) or 1.0))


def corrected_step(start: BranchPoint, way: Array, length: float) -> AtState | None:
    """The state of the branch at a distance along a direction, found across that direction."""
    curve = start.curve
    state = curve.state_after(start.here, length * way)
    gone = length * way
    for _ in range(_CORRECTIONS):
        if state is None:
            return None
        bordered = np.concatenate([curve.matrix(state), [way]])
        off = length - gone @ way
        right = np.append(-curve.sought.residual(state), off)
        scale = 1 / np.maximum(np.abs(bordered).max(axis=1), 1e-300)
        step = np.linalg.lstsq(bordered * scale[:, np.newaxis], right * scale, rcond=1e-13)[0]
        size = float(np.abs(step).max())
        if not np.isfinite(size) or size > 10 * abs(length) + 1e-3:
            return None
        state = curve.state_after(state, step)
        gone = gone + step
        if size < _CLOSE:
            return state
    return None


def next_point(start: BranchPoint, length: float) -> BranchPoint | None:
    """The point of the branch at a distance along its tangent."""
    state = corrected_step(start, start.way, length)
    return None if state is None else branch_point(start.curve, state, start.way)


@final
@dataclass(frozen=True)
class ContinuationSteps:
    """Lengths of steps, in units in which the span of the parameter is 1."""

    first: float = 0.01
    longest: float = 0.05
    shortest: float = 1e-6
    most: int = 400  # points of a branch


def branch_points(
    start: BranchPoint, steps: ContinuationSteps
) -> Iterator[tuple[BranchPoint, float]]:
    """Points of a branch, each with the length of the step to it, until the span is left.

    The last point is at the end of the span. Steps are halved when Newton's method fails or the
    branch turns sharply, and grow when all goes well.
    """
    low, high = sorted(start.curve.span)
    length, point = steps.first, start
    for _ in range(steps.most):
        there = next_point(point, length)
        while there is None or there.way @ point.way < 0.9:
            length /= 2
            if length < steps.shortest:
                return
            there = next_point(point, length)
        if not low <= there.value <= high:
            end = _at_the_end(point, low if there.value < low else high)
            if end is not None:
                yield end
            return
        yield there, length
        point = there
        length = min(1.4 * length, steps.longest)


def _at_the_end(start: BranchPoint, value: float) -> tuple[BranchPoint, float] | None:
    """The point at the end of the span, with the length of the step to it."""
    slope = start.way[-1] * start.curve.units(start.here)[-1]
    length = (value - start.value) / slope if slope else 0.0
    if abs(length) < 1e-9:
        return None
    for _ in range(30):  # secants
        there = next_point(start, length)
        if there is None:
            return None
        off = value - there.value
        if abs(off) < 1e-12 * max(abs(value), abs(np.subtract(*start.curve.span))):
            return there, length
        slope = (there.value - start.value) / length
        if not slope:
            return None
        length += off / slope
    return None


def first_point(curve: Continuation, state: AtState, direction: float) -> BranchPoint:
    """The first point of a branch, followed towards larger (1) or smaller (−1) values."""
    if not curve.sought.balanced(state):
        raise SolveError(
            "continuation", say("the start is no equilibrium at {value:g}.", curve.value(state))
        )
    towards = np.zeros(len(curve.units(state)))
    towards[-1] = direction
    matrix = curve.matrix(state)
    rows, columns = matrix.shape
    if rows + 1 != columns:
        problem = say(
            "{shape} unknowns for {shape2} equations: a branch needs equal numbers.",
            columns - 1,
            rows,
        )
        raise SolveError("continuation", problem, "Give more coordinates or speeds.")
    return branch_point(curve, state, towards)
