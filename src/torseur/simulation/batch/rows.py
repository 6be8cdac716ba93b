"""What became of the rows of a batch: their states, their events, and why some are no motions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np

from torseur.simulation.batch.values import Reasons
from torseur.simulation.run.run import Run
from torseur.simulation.run.samples import Happened

Array = np.ndarray


@final
@dataclass(frozen=True)
class RowEvents:
    """The events of all rows, by row and time."""

    names: tuple[str, ...]  # of the event functions
    row: Array  # (events)
    t: Array  # (events) [s]
    index: Array  # (events): of the name
    state: Array  # (events, n)

    def of(self, row: int) -> tuple[Happened, ...]:
        """The events of one row."""
        own = np.flatnonzero(self.row == row)
        return tuple(
            Happened(self.names[self.index[k]], float(self.t[k]), self.state[k]) for k in own
        )

    def with_those(self, row: int, events: tuple[Happened, ...]) -> RowEvents:
        """The same with the events of one more row."""
        known = [x for x in events if x.name in self.names]
        if not known:
            return self
        width = self.state.shape[1]
        states = [np.resize(x.state, width) for x in known]
        merged = RowEvents(
            self.names,
            np.append(self.row, [row] * len(known)),
            np.append(self.t, [x.t for x in known]),
            np.append(self.index, [self.names.index(x.name) for x in known]),
            np.vstack([self.state, *states]),
        )
        order = np.lexsort((merged.t, merged.row))
        return replace(
            merged,
            row=merged.row[order].astype(int),
            t=merged.t[order],
            index=merged.index[order].astype(int),
            state=merged.state[order],
        )


def no_events(names: tuple[str, ...], n: int) -> RowEvents:
    """An empty table."""
    nothing = np.zeros(0)
    return RowEvents(names, nothing.astype(int), nothing, nothing.astype(int), np.zeros((0, n)))


@final
class RowRuns:
    """The runs of rows that did not move in lanes, by the numbers of the rows.

    One that is read of states when it is asked for is made then, and kept.
    """

    def __init__(self, made: dict[int, Run | Callable[[], Run]] | None = None) -> None:
        self._made = made or {}

    def __len__(self) -> int:
        return len(self._made)

    def __contains__(self, row: int) -> bool:
        return row in self._made

    def __getitem__(self, row: int) -> Run:
        found = self._made[row]
        if not isinstance(found, Run):
            found = self._made[row] = found()
        return found

    def __setitem__(self, row: int, run: Run | Callable[[], Run]) -> None:
        self._made[row] = run

    def numbered(self, rows: Array) -> RowRuns:
        """The same by other numbers of the rows."""
        return RowRuns({int(rows[k]): run for k, run in self._made.items()})


@final
@dataclass
class RowResults:
    """The states of all rows at the samples, and how each ended."""

    states: Array  # (rows, samples, n); not a number where a motion did not come to
    ended: Array  # (rows): when [s]
    last: Array  # (rows, n): the states then
    drift: Array  # (rows): the largest error of the balance of energy
    stopped: Array  # (rows): whether an event ended it
    reasons: Reasons  # why a row is no motion, by its number
    events: RowEvents
    runs: RowRuns = field(default_factory=RowRuns)  # of rows that moved one by one

    def take(self, row: int, run: Run | None, reason: str, times: Array) -> None:
        """The result of a row that moved alone."""
        if run is None:
            self.reasons[row] = reason
            self.states[row], self.ended[row] = np.nan, times[0]
            return
        self.reasons.pop(row, None)
        found, end = _columns(run), _columns(run.at(run.span[1]))
        shown = np.isin(times, run.t)
        kept = np.isin(run.t, times)
        self.states[row] = np.nan
        self.states[row, shown] = found[kept]
        self.ended[row], self.last[row] = run.span[1], end[0]
        self.drift[row], self.stopped[row] = run.energy_drift, run.span[1] < times[-1]
        self.events = self.events.with_those(row, run.events)
        self.runs[row] = run

    def spread(self, count: int, rows: Array, reasons: Reasons) -> RowResults:
        """The same among more rows, of which the others have reasons not to move."""

        def wide(x: Array, filled: float) -> Array:
            made = np.full((count, *x.shape[1:]), filled, dtype=x.dtype)
            made[rows] = x
            return made

        return RowResults(
            wide(self.states, np.nan),
            wide(self.ended, np.nan),
            wide(self.last, np.nan),
            wide(self.drift, np.nan),
            wide(self.stopped, False),
            {**reasons, **{int(rows[k]): said for k, said in self.reasons.items()}},
            replace(self.events, row=rows[self.events.row]),
            self.runs.numbered(rows),
        )


def _columns(run: Run) -> Array:
    """(samples, numbers): coordinates, speeds, work and inputs of a run."""
    return np.column_stack([run.q, run.v, run.work, run.inputs])


def empty_results(count: int, times: Array, n: int, events: tuple[str, ...]) -> RowResults:
    """Rows of which nothing is known yet."""
    return RowResults(
        np.full((count, len(times), n), np.nan),
        np.full(count, np.nan),
        np.full((count, n), np.nan),
        np.full(count, np.nan),
        np.zeros(count, dtype=bool),
        {},
        no_events(events, n),
    )
