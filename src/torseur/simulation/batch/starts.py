"""Where the rows of a batch start: coordinates and speeds, loops closed, for all rows at once.

The first row is assembled as a single motion is. The coordinates that it keeps are led from there
to the values of every other row in small steps, the loops being closed after each: all rows are in
the assembly of the first one, as far as it reaches. Rows are assembled one by one, as single
motions are, where the values of the tree do not determine the start, where those of closing joints
are given, and where rows contradict what the first one keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import takewhile
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.errors import SolveError
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.simulation.batch.at_rows import AtRows
from torseur.simulation.batch.values import BatchValues, Reasons
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.start.assemble import assemble
from torseur.words.sentence import say

Array = np.ndarray
_PART = 0.1  # the most that a coordinate is led in one step [rad, or part of the size]
_MOST_PARTS = 200
_STEPS = 12  # of Newton's method after each part
_CLOSED = 1e-11  # an opening at which a row needs no further step
_PASSES = 1e-9  # an opening that passes
_RANK = 1e-7


def row_starts(
    begin: JointStart, values: BatchValues, swept: Mapping[str, Any]
) -> tuple[Array, Array, Reasons]:
    """q (rows, nq) and v (rows, nv), the first those of `begin`, and why rows have no start."""
    model, count = begin.model, values.count
    # initial values by name: those given, over those of the mechanism at each row
    given = {
        n: evaluate(x, {s.name: swept[s.name] for s in free_symbols(x)})
        for n, x in model.mechanism.initial.items()
    } | values.initial
    nq = len(model.coordinates)
    q, v = (np.tile(x, (count, 1)) for x in (begin.y[:nq], begin.y[nq : nq + len(model.speeds)]))
    if not begin.constraints:
        _write(model.coordinates, given, q)
        _write(model.speeds, given, v)
        for four in model.system.tree.quaternions:
            q[:, four] /= np.linalg.norm(q[:, four], axis=1)[:, np.newaxis]
        return q, v, {}
    assembly = _Assembly(begin, values, {n: x for n, x in swept.items() if np.ndim(x)})
    if not assembly.is_determined:
        return _one_by_one(begin, values, q, v, range(1, count), {})
    q, reasons = assembly.led(q, given)
    v, contradicted = assembly.speeds(q, given)
    alone = [row for row in contradicted if row not in reasons]
    return _one_by_one(begin, values, q, v, alone, reasons)


def rest_of_starts(model: CompiledModel, values: BatchValues, swept: Mapping[str, Any]) -> Array:
    """The part of states after q and v: work, commanded forces and first-order states (rows, n)."""
    states = model.mechanism.states
    rest = np.zeros((values.count, 1 + len(model.mechanism.commanded) + len(states)))
    first = {n: evaluate(x.initial, {s.name: swept[s.name] for s in free_symbols(x.initial)})
             for n, x in states.items()}  # fmt: skip
    for column, name in zip(rest.T[::-1], reversed(list(states)), strict=False):
        column[:] = values.initial.get(name, first[name])
    return rest


def _one_by_one(
    begin: JointStart,
    values: BatchValues,
    q: Array,
    v: Array,
    rows: Iterable[int],
    reasons: Reasons,
) -> tuple[Array, Array, Reasons]:
    """Some rows assembled as single motions are, in place, and why rows have no start."""
    for row in rows:
        initial, parameters = values.of(row)
        initial = {n: x for n, x in initial.items() if n not in begin.model.mechanism.states}
        try:
            start = assemble(compiled_at(begin.model, parameters), initial, t=begin.t)
            q[row], v[row] = start.q, start.v
        except SolveError as error:
            reasons[row] = str(error)
    return q, v, reasons


def _write(names: tuple[str, ...], given: Mapping[str, Any], into: Array) -> None:
    for k, name in enumerate(names):
        if name in given:
            into[:, k] = given[name]


@final
class _Assembly:
    """The loops of all rows, closed by Newton's method in numbers."""

    def __init__(self, begin: JointStart, values: BatchValues, swept: Mapping[str, Any]) -> None:
        self._begin, self._model, self._swept = begin, begin.model, swept
        rows = self._held = begin.constraints
        self._rows = list(begin.rows.positions)
        self._places = [rows.positions.index(row) for row in self._rows]
        order = dict.fromkeys((*values.initial, *self._model.mechanism.initial))
        self._order = list(order)
        places = self._speeds = {name: k for k, name in enumerate(self._model.speeds)}
        self._columns = {n: places[f"{n}."] for n in self._model.coordinates if f"{n}." in places}

    def _function(self, name: str, q: Array, swept: Mapping[str, Any]) -> Array:
        """A function of the constraints at states of all rows."""
        return AtRows(self._model, q, np.full(len(q), self._begin.t), swept)(name, q)

    @cached_property
    def _first(self) -> tuple[Array, Array]:
        """The coordinates of the first row, and J there."""
        q = self._begin.y[: len(self._model.coordinates)]
        return q, self._held.scaled_J(q, self._begin.t)

    @cached_property
    def chosen(self) -> list[int]:
        """The columns of coordinates that keep their values: as many as can be chosen."""
        names = self._before(self._columns, set(self._model.mechanism.every_coordinate))
        return _choosable(self._first[1][self._rows], [self._columns[n] for n in names])

    @cached_property
    def chosen_speeds(self) -> list[int]:
        """The columns of speeds that keep their values: given, or zero as coordinates are given."""
        given = self._before(self._speeds, set(self._model.mechanism.every_speed))
        resting = [f"{n}." for n in self._order if f"{n}." in self._speeds]
        J = self._first[1][list(self._begin.rows.selected)]
        return _choosable(J, [self._speeds[n] for n in dict.fromkeys((*given, *resting))])

    def _before(self, columns: Mapping[str, int], names: set[str]) -> list[str]:
        """The given names that have columns, before the first one that has none."""
        given = (name for name in self._order if name in names)
        return list(takewhile(lambda name: name in columns, given))

    @property
    def is_determined(self) -> bool:
        """Whether the given values with columns that come first determine the start of a row.

        Closing joints and quaternions have none.
        """
        count, (_, J) = len(self._speeds), self._first
        rows = self._rows, list(self._begin.rows.selected)
        free = (count - len(self.chosen), count - len(self.chosen_speeds))
        return all(_rank(J[some]) == n for some, n in zip(rows, free, strict=True))

    def led(self, q: Array, given: Mapping[str, Any]) -> tuple[Array, Reasons]:
        """Closed coordinates of all rows, and why some have none."""
        columns, sizes = self.chosen, self._model.sizes
        names = [n for n, column in self._columns.items() if column in columns]
        places = [self._model.coordinates.index(n) for n in names]
        goal = q[:, places].copy()
        _write(tuple(names), given, goal)
        away = np.abs(goal - q[:, places]) / sizes.coordinates[places]
        # each row in as many parts as it needs: what it comes to does not depend on the others
        parts = np.clip(np.ceil(away.max(axis=1, initial=0.0) / _PART), 1, _MOST_PARTS)
        start, off = q[:, places].copy(), np.zeros(len(q))
        for part in range(1, int(parts.max()) + 1):
            share = np.minimum(part / parts, 1.0)[:, np.newaxis]
            q[:, places] = np.where(share < 1, start + share * (goal - start), goal)
            off = self._close(q, columns)
        reasons = {
            int(row): say("the loops stay open by {size:.3g} (m or rad).", float(off[row]))
            for row in np.flatnonzero(~(off < _PASSES))
        }
        return q, reasons

    def _close(self, q: Array, columns: list[int]) -> Array:
        """q ← closed by Newton's steps, in place; the largest opening that is left in each row."""
        sizes, nv = self._model.sizes, len(self._model.speeds)
        free = [k for k in range(nv) if k not in columns]
        rows = sizes.rows[self._rows]
        off, waiting = np.full(len(q), np.inf), np.arange(len(q))
        for _ in range(_STEPS):
            swept = {n: x[waiting] for n, x in self._swept.items()}
            gap = self._function("closure_gap", q[waiting], swept)[:, self._places] / rows
            off[waiting] = np.abs(gap).max(axis=1, initial=0.0)
            going = np.isfinite(off[waiting]) & (off[waiting] > _CLOSED)
            if not going.any():
                break
            waiting, gap = waiting[going], gap[going]
            swept = {n: x[waiting] for n, x in self._swept.items()}
            J = self._function("constraint_jacobian", q[waiting], swept)[:, self._rows]
            J = (J / rows[:, np.newaxis] * sizes.displacements)[:, :, free]
            step = np.zeros((len(waiting), nv))
            step[:, free] = -_least(J, gap) * sizes.displacements[free]
            q[waiting] = self._displaced(q[waiting], step)
        return off

    def _displaced(self, q: Array, step: Array) -> Array:
        """Coordinates after small displacements; where there are quaternions, row by row."""
        if not self._model.system.tree.quaternions:
            return np.asarray(q + step)
        rows = zip(q, step, strict=True)
        return np.array([advanced(self._model, *row) for row in rows])

    def speeds(self, q: Array, given: Mapping[str, Any]) -> tuple[Array, list[int]]:
        """Consistent speeds of all rows, and the rows that cannot have those that are given."""
        model = self._model
        v = np.zeros((len(q), len(model.speeds)))
        _write(model.speeds, given, v)
        J = self._function("constraint_jacobian", q, self._swept)
        b = self._function("constraint_rate", q, self._swept) / model.sizes.rows
        J = J / model.sizes.rows[:, np.newaxis] * model.sizes.displacements
        rows = list(self._begin.rows.selected)
        J, b = J[:, rows], b[:, rows]
        goal = v / model.sizes.displacements
        free = [k for k in range(v.shape[1]) if k not in self.chosen_speeds]
        u = goal.copy()
        u[:, free] -= _least(J[:, :, free], np.einsum("kij,kj->ki", J, u) + b)
        places = [self._speeds[n] for n in self._order if n in self._speeds]
        off = np.abs((u - goal)[:, places]).max(axis=1, initial=0.0)
        moving = 1 / model.sizes.scales.time + np.abs(u).max(axis=1, initial=0.0)
        contradicted = np.flatnonzero(~(off < _PASSES * moving)).tolist()
        return np.asarray(u * model.sizes.displacements), contradicted


def _least(J: Array, right: Array) -> Array:
    """The smallest x of every row with J x = right."""
    J = np.ascontiguousarray(J)  # one order in memory, one order of sums
    try:
        square = np.einsum("kij,klj->kil", J, J)  # products of BLAS round by where rows stand
        y = np.linalg.solve(square, right[:, :, np.newaxis])[:, :, 0]
        return np.asarray(np.einsum("kji,kj->ki", J, y))
    except np.linalg.LinAlgError:
        if len(J) > 1:  # only the rows that are singular are solved otherwise
            return np.vstack([_least(J[k : k + 1], right[k : k + 1]) for k in range(len(J))])
        return np.asarray((np.linalg.pinv(J) @ right[:, :, np.newaxis])[:, :, 0])


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
