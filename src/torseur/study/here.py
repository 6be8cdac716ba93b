"""A study on this machine: one block after the other, each in vector code on several threads."""

from __future__ import annotations

from time import perf_counter

from torseur.study.block import computed_or_told
from torseur.study.task import Keep, Piece, Task

_FIRST = 64  # rows of the first block, by which the time of a row is told


def computed_here(task: Task, missing: list[Piece], keep: Keep, threads: int | None) -> None:
    """What is missing, block by block; blocks grow to a length that is worth their overhead."""
    size = task.block or _FIRST
    for start, stop in missing:
        while start < stop:
            end, begun = min(start + size, stop), perf_counter()
            rows = task.rows[start:end]
            keep(
                start,
                computed_or_told(task.study, rows, task.reference, task.template, threads),
            )
            size = task.size((perf_counter() - begun) / len(rows))
            start = end
