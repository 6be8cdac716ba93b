"""Which rows of the constraints a motion is held by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, symbol

Array = np.ndarray
_SHARE = "share of row"
_SIZE = "size of row"
_PACE = "size of speed"


@final
@dataclass(frozen=True)
class Rows:
    """Rows of J that say everything the constraints say, and how many restrain at once.

    What a fixed combination of other rows says at every pose is left out. A linkage such as
    Bennett's has rows that repeat each other only where it closes, now some and now others: all of
    them are kept, and a motion is held by as many combinations of them as their rank says. The
    shares of the rows in each combination are parameters of the machine code, which follow the
    motion.
    """

    selected: tuple[int, ...] = ()
    rank: int = 0
    positions: tuple[int, ...] = ()  # those of the kept rows that hold positions
    position_rank: int = 0

    @property
    def repeating(self) -> bool:
        """Whether some of them repeat others where the mechanism closes."""
        return self.rank < len(self.selected)

    def shares(self) -> Array:
        """The shares (rank, kept) as symbols; combinations of positions come first."""
        mixture = np.full((self.rank, len(self.selected)), ZERO, dtype=object)
        for i in range(self.rank):
            for j, row in enumerate(self.selected):
                if (i < self.position_rank) == (row in self.positions):
                    mixture[i, j] = symbol(f"{_SHARE} {row} in {i}")
        return mixture


FREE = Rows()


def share(name: str) -> tuple[int, int] | None:
    """The combination and the row of a symbol made by `Rows.shares`; None for any other."""
    if not name.startswith(_SHARE):
        return None
    row, _, combination = name.removeprefix(_SHARE).partition(" in ")
    return int(combination), int(row)


def row_size(row: int) -> Expr:
    """Size of a constraint row, as a symbol that machine code may use."""
    return symbol(f"{_SIZE} {row}")


def speed_size(speed: int) -> Expr:
    """Size of a motion at a speed, as such a symbol."""
    return symbol(f"{_PACE} {speed}")


def sized_row(name: str) -> int | None:
    """The row whose size a symbol of this name is; None for any other symbol."""
    return _number_in(name, _SIZE)


def sized_speed(name: str) -> int | None:
    """Size of a speed, as such a symbol."""
    return _number_in(name, _PACE)


def _number_in(name: str, kind: str) -> int | None:
    head, _, number = name.rpartition(" ")
    return int(number) if head == kind else None
