"""Combinations of columns that vanish, each solved for one column that the others replace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

Array = np.ndarray
SMALLEST = 1e-9  # of the largest singular value: below, a combination is taken for zero
_ROUND = 1e-7  # how near a coefficient is to a simple fraction that it stands for
_DENOMINATOR = 12


def relations(table: Array, order: Iterable[int], size: float | None = None) -> dict[int, Array]:
    """Column k → c with c[k] = 1, table @ c = 0 and no other key of the answer in it.

    Columns are replaced in the given order of preference. `size` is what singular values are
    compared with; the largest of them unless it is given.
    """
    vectors = _null_space(table, size)
    found: dict[int, Array] = {}
    for k in order:
        if not vectors.shape[1]:
            break
        best = int(np.abs(vectors[k]).argmax())
        if abs(vectors[k, best]) < _ROUND:
            continue
        chosen = vectors[:, best] / vectors[k, best]
        vectors = np.delete(vectors - np.outer(chosen, vectors[k]), best, axis=1)
        found = {j: c - c[k] * chosen for j, c in found.items()} | {k: chosen}
    return found


def _null_space(table: Array, size: float | None) -> Array:
    """An orthonormal basis of what the table takes to zero (columns, dimension)."""
    _, s, right = np.linalg.svd(table, full_matrices=True)
    largest = (s[0] if s.size else 0.0) if size is None else size
    rank = int((s > SMALLEST * largest).sum())
    return np.asarray(right[rank:].T)


def rank(table: Array) -> int:
    """How many columns are independent."""
    return int(table.shape[1] - _null_space(table, None).shape[1])


def simple(coefficients: Array) -> Iterator[Fraction | float]:
    """Coefficients as the simple fractions that they are, within rounding; others as they are."""
    for x in coefficients:
        near = Fraction(float(x)).limit_denominator(_DENOMINATOR)
        yield near if abs(float(near) - x) <= _ROUND * max(1.0, abs(x)) else float(x)
