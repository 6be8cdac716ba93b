"""A study on this machine: one block after the other, each in vector code on several threads."""

from __future__ import annotations

from torseur.study.task import Keep, Piece, Task

_FIRST = 64  # rows of the first block, by which the time of a row is told


def computed_here(task: Task, missing: list[Piece], keep: Keep, threads: int | None) -> None:
    """What is missing, block by block; blocks grow to a length that is worth their overhead."""
    size = task.block or _FIRST
    for start, stop in missing:
        while start < stop:
            end = min(start + size, stop)
            size, start = task.timed(start, end, keep, threads), end
