"""Rank, kernel and cokernel of a matrix without dimension."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

Array = np.ndarray
# Entries are cosines, or lengths beside that of the mechanism; a real constraint is far above this.
RANK = 1e-9


@final
@dataclass(frozen=True)
class Ranks:
    """Rank of a matrix of constraints, free motions and redundant rows."""

    rank: int
    kernel: Array  # (n, m) orthonormal: the motions that remain
    cokernel: Array  # (rows, h) orthonormal: the multipliers that do nothing
    smallest: float  # the smallest singular value that counts, relative to the largest


def ranks(J: Array, tolerance: float = RANK) -> Ranks:
    """The ranks of a matrix, by singular values; an empty matrix leaves everything free."""
    left, sizes, right = np.linalg.svd(J)
    largest = max(sizes.max(initial=0.0), 1.0)
    rank = int((sizes > tolerance * largest).sum())
    smallest = float(sizes[rank - 1] / largest) if rank else 1.0
    return Ranks(rank, right[rank:].T, left[:, rank:], smallest)


def inside(space: Array, rows: Array, tolerance: float = 1e-7) -> Array:
    """The part of a space (n, m), given by a basis of unit size, on which all `rows` vanish."""
    if not space.shape[1]:
        return space
    return np.asarray(space @ ranks(rows @ space, tolerance).kernel)
