"""Results of the rows of a batch: states, events, and the reasons why some are no motions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
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
    table: Array  # (events, 3 + n): row, time, index of the name, state

    @property
    def row(self) -> Array:
        """(events)."""
        return self.table[:, 0].astype(int)

    @property
    def t(self) -> Array:
        """(events) [s]."""
        return self.table[:, 1]

    @property
    def index(self) -> Array:
        """(events): of the name."""
        return self.table[:, 2].astype(int)

    @property
    def state(self) -> Array:
        """(events, n)."""
        return self.table[:, 3:]

    def of(self, row: int) -> tuple[Happened, ...]:
        """The events of one row."""
        lines = self.table[self.table[:, 0] == row]
        return tuple(Happened(self.names[int(x[2])], float(x[1]), x[3:]) for x in lines)

    def with_those(self, row: int, events: tuple[Happened, ...]) -> RowEvents:
        """The table with the events of one more row."""
        places, n = {name: k for k, name in enumerate(self.names)}, self.table.shape[1] - 3
        lines = [
            [row, x.t, places[x.name], *np.resize(x.state, n)] for x in events if x.name in places
        ]
        table = np.vstack([self.table, *lines])
        return RowEvents(self.names, table[np.lexsort((table[:, 1], table[:, 0]))])


@final
class RowRuns(dict[int, Run | Callable[[], Run]]):
    """The runs of rows that did not move in lanes, by the numbers of the rows.

    A run that is read of states is made when you ask for it, and kept.
    """

    def __getitem__(self, row: int) -> Run:
        run = super().__getitem__(row)
        if not isinstance(run, Run):
            run = self[row] = run()
        return run


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
        columns, end = _columns(run), run.span[1]
        last = columns[-1:] if run.t[-1] == end else _columns(run.at(end))
        reached = np.isin(times, run.t)
        sampled = np.isin(run.t, times)
        self.states[row] = np.nan
        self.states[row, reached] = columns[sampled]
        self.ended[row], self.last[row] = end, last[0]
        self.drift[row], self.stopped[row] = run.energy_drift, end < times[-1]
        self.events = self.events.with_those(row, run.events)
        self.runs[row] = run

    def spread(self, count: int, rows: Array, reasons: Reasons) -> RowResults:
        """The results among more rows; the others have reasons not to move."""

        def wide(x: Array, filled: float) -> Array:
            spread = np.full((count, *x.shape[1:]), filled, dtype=x.dtype)
            spread[rows] = x
            return spread

        table = self.events.table.copy()
        table[:, 0] = rows[self.events.row]
        return RowResults(
            wide(self.states, np.nan),
            wide(self.ended, np.nan),
            wide(self.last, np.nan),
            wide(self.drift, np.nan),
            wide(self.stopped, False),
            {**reasons, **{int(rows[k]): reason for k, reason in self.reasons.items()}},
            RowEvents(self.events.names, table),
            RowRuns({int(rows[k]): run for k, run in self.runs.items()}),
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
        RowEvents(events, np.zeros((0, 3 + n))),
    )
