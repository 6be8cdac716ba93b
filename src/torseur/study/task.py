"""What is to be computed of a study: its rows, cut into blocks, and what is finished already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import final

import numpy as np

from torseur.study.block import Block, computed_or_told
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

    def timed(self, start: int, end: int, keep: Keep, threads: int | None) -> int:
        """Some rows computed here and kept; by the time they took, the rows of a block."""
        begun, rows = perf_counter(), self.rows[start:end]
        keep(start, computed_or_told(self.study, rows, self.reference, self.template, threads))
        return self.size((perf_counter() - begun) / len(rows))


def cut(pieces: list[Piece], size: int) -> Iterator[Piece]:
    """The same rows in blocks of at most that size."""
    for start, stop in pieces:
        for first in range(start, stop, size):
            yield first, min(first + size, stop)
