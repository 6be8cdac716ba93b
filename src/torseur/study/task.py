"""What is to be computed of a study: its rows, cut into blocks, and what is finished already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import perf_counter
from typing import final

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.study.block import Block, computed, joined
from torseur.study.description import Study

Array = np.ndarray
Keep = Callable[[int, Block], None]  # first row, outputs
Piece = tuple[int, int]  # first row, row after the last
SECONDS = 0.5  # that a block should take: long beside what is lost around it
_FIRST = 64  # rows of the first block, by which the time of a row is told
_MOST_ROWS = 4096
_MOST_NUMBERS = 1_000_000  # of the states of a block at all samples


@final
@dataclass(frozen=True)
class Task:
    """A study with all its rows."""

    study: Study
    rows: Array  # (samples, factors)
    reference: Array  # (factors): moves with every block
    template: Block  # the outputs of the reference
    block: int | None = None  # rows of a block; None: by the time they take

    def size(self, seconds_a_row: float) -> int:
        """Rows of a block."""
        if self.block is not None:
            return self.block
        model = self.study.model
        numbers = (len(model.coordinates) + len(model.speeds) + 1) * max(len(self.template.t), 1)
        most = max(1, min(_MOST_ROWS, _MOST_NUMBERS // numbers))
        return int(np.clip(SECONDS / max(seconds_a_row, 1e-9), 1, most))

    def computed_here(self, missing: list[Piece], keep: Keep, threads: int | None) -> None:
        """What is missing, block by block; blocks grow to a length that is worth their overhead."""
        size = self.block or _FIRST
        for start, stop in missing:
            while start < stop:
                end = min(start + size, stop)
                size, start = self.timed(start, end, keep, threads), end

    def outputs(self, rows: Array, threads: int | None) -> Block:
        """The outputs of rows; where they fail as a whole, they are computed one by one."""
        try:
            return computed(self.study, rows, self.reference, threads)
        except (SolveError, ModelError) as error:
            if len(rows) == 1:
                return self.lost(str(error))
        return joined([self.outputs(rows[k : k + 1], threads) for k in range(len(rows))])

    def lost(self, reason: str) -> Block:
        """One row without numbers."""
        shapes = (x.shape[1:] for x in (self.template.scalars, self.template.curves))
        scalars, curves = (np.full((1, *shape), np.nan) for shape in shapes)
        return replace(self.template, scalars=scalars, curves=curves, reasons={0: reason})

    @property
    def bare(self) -> Task:
        """The same without its rows and what was computed of its study: to be sent elsewhere."""
        return replace(self, study=replace(self.study), rows=self.rows[:0])

    def timed(self, start: int, end: int, keep: Keep, threads: int | None) -> int:
        """Some rows computed here and kept; by the time they took, the rows of a block."""
        begun, rows = perf_counter(), self.rows[start:end]
        keep(start, self.outputs(rows, threads))
        return self.size((perf_counter() - begun) / len(rows))


def cut(pieces: list[Piece], size: int) -> Iterator[Piece]:
    """The same rows in blocks of at most that size."""
    for start, stop in pieces:
        for first in range(start, stop, size):
            yield first, min(first + size, stop)
