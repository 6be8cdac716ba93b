"""Starts led from the mechanism's own start: loops closed for one row or many, by one method.

The coordinates that determine all others go from the assembly of the description to their given
values in small steps, and the loops are closed after each. Single motions are one row: what a row
comes to does not depend on the others. Rows that cannot be led are left to `assemble`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any, final

import numpy as np

from torseur.equations.functions.held_rows import Rows
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.problem import RowFunction, places, row_constants
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.numeric_constraints import NumericConstraints

Array = np.ndarray
OF_STARTS = ("closure_gap", "constraint_jacobian", "constraint_rate")
_PART = 0.1  # the most that a coordinate is led in one step [rad, or part of the size]
_MOST_PARTS = 200
_STEPS = 12  # of Newton's method after each part
_ALONG = 1e-4  # an opening that passes on the way
_PASSES = 1e-9  # of the speeds, by which loops may open
_ROUNDING = 1e-15  # of the largest speed, below which one is zero
_RANK = 1e-7
_WEAK = 1e-3  # the least singular value of J beside the largest, above which no fork is near


@final
@dataclass(frozen=True)
class OwnStart:
    """The configuration that a description starts from, with the parameters it gives."""

    described: Array  # the coordinates as they are given
    q: Array  # with loops closed
    rows: Rows  # that hold it
    J: Array  # without dimensions
    t: float


@final
@dataclass(frozen=True)
class GivenRows:
    """Values that rows start from, each a number or one for every row."""

    count: int
    guess: Sequence[str]  # names of given coordinates and speeds; others are described
    parameters: Mapping[str, Any]


@final
class LedRows:
    """Loops of all rows, closed by Newton's method in numbers; the model is that of `own`."""

    def __init__(self, model: CompiledModel, origin: OwnStart, given: GivenRows) -> None:
        self._own, self._model, self._given = origin, model, given
        self._held, self._steps = NumericConstraints(model), model.sizes.displacements
        self._order = list(dict.fromkeys((*given.guess, *model.mechanism.initial)))
        columns = self._speeds = {name: k for k, name in enumerate(model.speeds)}
        self._columns = {n: columns[f"{n}."] for n in model.coordinates if f"{n}." in columns}
        self._gap, self._J, self._b = (_AtRows(model, n, given, origin.t) for n in OF_STARTS)

    @cached_property
    def chosen(self) -> list[int]:
        """Columns of coordinates that keep their values: as many as can be chosen."""
        names = self._before(self._columns, set(self._model.mechanism.every_coordinate))
        return _choosable(
            self._own.J[list(self._own.rows.positions)], [self._columns[n] for n in names]
        )

    @cached_property
    def chosen_speeds(self) -> list[int]:
        """Columns of given speeds that keep their values: as many as can be chosen."""
        given = self._before(self._speeds, set(self._model.mechanism.every_speed))
        J = self._own.J[list(self._own.rows.selected)]
        return _choosable(J, [self._speeds[n] for n in given])

    def _before(self, columns: Mapping[str, int], names: set[str]) -> list[str]:
        """The given names that have columns, before the first one that has none."""
        given = (name for name in self._order if name in names)
        return list(takewhile(lambda name: name in columns, given))

    @property
    def _leads(self) -> bool:
        """Whether chosen coordinates determine all, and are all that the guess has.

        Coordinates of closing joints and quaternions have no columns.
        """
        known = self._model.mechanism.every_coordinate
        guess = [self._columns.get(n, -1) for n in self._given.guess if n in known]
        return set(guess) <= set(self.chosen) and self._determine(
            self.chosen, self._own.rows.positions
        )

    def _determine(self, columns: list[int], rows: tuple[int, ...]) -> bool:
        """Whether what keeps its value determines the rest, by rows of J that do not repeat."""
        free = len(self._speeds) - len(columns)
        return len(rows) == free == _rank(self._own.J[list(rows)])

    def coordinates(self, q: Array) -> tuple[Array, Array]:
        """Coordinates with closed loops from given ones, and whether rows have them.

        Those of a row stay as given if its loops are closed and nothing else is given.
        """
        tree = {*self._columns, *self._model.coordinates, *self._speeds}
        closed = self._closed(q) if tree.issuperset(self._order) else np.zeros(len(q), dtype=bool)
        rest = np.flatnonzero(~closed & np.isfinite(q).all(axis=1))
        if len(rest) and self._leads:
            q = q.copy()
            q[rest] = self._led(q, rest)
            closed = closed | self._closed(q)
        return q, closed

    def _closed(self, q: Array) -> Array:
        """(rows,): whether loops are closed."""
        off = np.abs(self._gap(q, np.arange(len(q))) / self._held.gap_sizes)
        return np.asarray(off.max(axis=1, initial=0.0) < self._held.closed_within(q))

    def _led(self, given: Array, rows: Array) -> Array:
        """Coordinates of some rows, led from the own start to the given ones.

        Described ones that had to move there are off by as much.
        """
        origin, names = self._own, self._model.coordinates
        chosen = [k for k, n in enumerate(names) if self._columns.get(n) in self.chosen]
        places = np.array(chosen, dtype=int)
        q = np.tile(origin.q, (len(rows), 1))
        start, goal = q[:, places].copy(), given[np.ix_(rows, places)]
        is_moved = [
            names[k] not in self._given.guess and origin.q[k] != origin.described[k] for k in chosen
        ]
        goal = np.where(is_moved, origin.q[places] + (goal - origin.described[places]), goal)
        away = np.abs(goal - start) / self._model.sizes.coordinates[places]
        # each row in as many parts as it needs: what it comes to does not depend on the others
        parts = np.clip(np.ceil(away.max(axis=1, initial=0.0) / _PART), 1, _MOST_PARTS)
        for part in range(1, int(parts.max()) + 1):
            going = np.flatnonzero(parts >= part)
            share = (part / parts[going])[:, np.newaxis]
            along = start[going] + share * (goal - start)[going]
            q[np.ix_(going, places)] = np.where(share < 1, along, goal[going])
            within = np.where(share[:, 0] < 1, _ALONG, 0.0)
            q[going] = self._close(q[going], rows[going], within)
        return q

    def _close(self, q: Array, rows: Array, within: Array) -> Array:
        """The coordinates of rows after Newton's steps that close their loops, or nearly."""
        free = [k for k in range(len(self._speeds)) if k not in self.chosen]
        selected, waiting = list(self._own.rows.positions), np.arange(len(q))
        gap_rows = [self._held.positions.index(row) for row in selected]
        sizes = self._held.gap_sizes[gap_rows]
        for _ in range(_STEPS):
            gap = self._gap(q[waiting], rows[waiting])[:, gap_rows] / sizes
            off = np.abs(gap).max(axis=1, initial=0.0)
            least = np.maximum(self._held.closed_within(q[waiting]), within[waiting])
            is_open = np.isfinite(off) & (off >= least)
            waiting, gap = waiting[is_open], gap[is_open]
            if not len(waiting):
                break
            J = self._J(q[waiting], rows[waiting])[:, selected] / sizes[:, np.newaxis]
            step = np.zeros((len(waiting), len(self._speeds)))
            step[:, free] = -_solved((J * self._steps)[:, :, free], gap) * self._steps[free]
            q[waiting] = self._displaced(q[waiting], step)
        return q

    def _displaced(self, q: Array, step: Array) -> Array:
        """Coordinates after small displacements; where there are quaternions, row by row."""
        if not self._model.system.tree.quaternions:
            return np.asarray(q + step)
        rows = zip(q, step, strict=True)
        return np.array([advanced(self._model, *row) for row in rows])

    def speeds(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Speeds that keep loops closed, and whether rows have them.

        They stay as given if they do so. Not near forks, where rows of J hold little, nor where
        speeds of closing joints are given.
        """
        if {n for n in self._order if n in self._model.mechanism.every_speed} - self._speeds.keys():
            return v, np.zeros(len(q), dtype=bool)
        sizes, rows, selected = self._model.sizes, np.arange(len(q)), list(self._own.rows.selected)
        J, b = sizes.without_dimension(self._J(q, rows)), self._b(q, rows) / sizes.rows
        named = {*self._order, *(f"{n}." for n in self._order)}
        keeps = self._keep(J, b, v) & (named.issuperset(self._speeds) | ~v.any(axis=1))
        rest = np.flatnonzero(~keeps & np.isfinite(J).all(axis=(1, 2)))
        if len(rest) and self._determine(self.chosen_speeds, self._own.rows.selected):
            solved = self._solved_speeds(J[rest][:, selected], b[rest][:, selected], v[rest])
            given = [self._speeds[n] for n in self._order if n in self._speeds]
            off = np.abs((solved - v[rest])[:, given]).max(axis=1, initial=0.0)
            v = v.copy()
            v[rest] = solved
            keeps[rest] = self._keep(J[rest], b[rest], solved) & (off == 0.0)
        if selected:
            strengths = np.linalg.svd(J[keeps][:, selected], compute_uv=False)
            keeps[keeps] = strengths[:, -1] > _WEAK * strengths[:, 0]
        return v, keeps

    def _keep(self, J: Array, b: Array, v: Array) -> Array:
        """(rows,): whether speeds keep loops closed."""
        u = v / self._steps
        usual = 1 / self._model.sizes.scales.time + np.abs(u).max(axis=1, initial=0.0)
        return np.asarray(np.abs(_times(J, u) + b).max(axis=1, initial=0.0) < _PASSES * usual)

    def _solved_speeds(self, J: Array, b: Array, v: Array) -> Array:
        """The speeds that follow from the chosen ones."""
        free, u = [k for k in range(v.shape[1]) if k not in self.chosen_speeds], v / self._steps
        for _ in range(2):  # the second time without the rounding of the first
            u[:, free] -= _solved(J[:, :, free], _times(J, u) + b)
        fastest = np.abs(u).max(axis=1, initial=0.0)[:, np.newaxis]
        result = np.where(np.abs(u) < _ROUNDING * fastest, 0.0, u * self._steps)
        result[:, self.chosen_speeds] = v[:, self.chosen_speeds]
        return result


@final
class _AtRows:
    """A function of q, and of the time if it depends on it, at the parameters of every row."""

    def __init__(self, model: CompiledModel, name: str, given: GivenRows, t: float) -> None:
        code, numbers = model.kernel(name)
        values = {n: given.parameters[n] for n in code.parameters if n in given.parameters}
        wide = any(np.ndim(x) for x in values.values())
        rows = np.tile(numbers, (given.count if wide else 1, 1))
        for k, n in enumerate(code.parameters):
            rows[:, k] = values.get(n, numbers[k])
        self._code, self._constants = code, row_constants(RowFunction(code, rows))
        self._addresses = places(self._constants, given.count)
        self._clock = np.array([t]) if model.takes_time(name) else None

    def __call__(self, q: Array, rows: Array) -> Array:
        output = np.empty((len(q), *self._code.shape))
        room, clock = self._code.new_room(), self._clock
        timed = [] if clock is None else [np.full(len(q), clock.ctypes.data)]
        columns = (self._addresses[rows], places(q, len(q)), *timed, places(output, len(q)),
                   np.full(len(q), room.ctypes.data))  # fmt: skip
        tables, call = np.stack(columns, axis=1), self._code.entries.single
        for place in places(tables, len(q)).tolist():
            call(place)
        return output


def _times(A: Array, x: Array) -> Array:
    """A x of every row; products of BLAS would round by where rows stand."""
    return np.asarray((np.ascontiguousarray(A) * x[:, np.newaxis]).sum(axis=2))


def _solved(A: Array, right: Array) -> Array:
    """x of every row with A x = right; not a number where A is singular."""
    try:
        return np.asarray(np.linalg.solve(A, right[:, :, np.newaxis])[:, :, 0])
    except np.linalg.LinAlgError:
        if len(A) == 1:
            return np.full(right.shape, np.nan)
        return np.vstack([_solved(A[k : k + 1], right[k : k + 1]) for k in range(len(A))])


def _choosable(J: Array, columns: list[int]) -> list[int]:
    """The columns, in their order, that can be chosen freely beside those before."""
    chosen: list[int] = []
    rank = _rank(J)
    for column in columns:
        others = [k for k in range(J.shape[1]) if k not in (*chosen, column)]
        if _rank(J[:, others]) == rank:
            chosen.append(column)
    return chosen


def _rank(J: Array) -> int:
    return int(np.linalg.matrix_rank(J, tol=_RANK)) if J.size else 0
