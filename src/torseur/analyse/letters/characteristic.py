"""The characteristic polynomial of small motions in letters, and what it says.

det (K + s D + s² M) with the rows of constraints below, at a branch of rest or of steady motion.
Its roots are the eigenvalues: s² = −ω² where nothing damps and nothing gyrates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, final

import numpy as np

from torseur.analyse.letters.branching import PartlySolved
from torseur.analyse.letters.common_factors import common_divisor
from torseur.analyse.letters.polynomials import Letters, Quotient, sum_of
from torseur.analyse.letters.putting import powers

if TYPE_CHECKING:
    from sympy.polys.rings import PolyElement

Array = np.ndarray
LARGEST = 9  # rows of a determinant
LONGEST = 120  # terms of a polynomial with the values of its branch


@final
@dataclass(frozen=True)
class Characteristic:
    """Σ a_k s^k without the factors s of families, by increasing k."""

    coefficients: tuple[PolyElement, ...]
    families: int  # roots that are zero

    @property
    def degree(self) -> int:
        """The number of roots that are not zero."""
        return len(self.coefficients) - 1

    @property
    def even(self) -> bool:
        """Whether only s² occurs: nothing damps."""
        return not any(self.coefficients[1::2])

    @property
    def in_squares(self) -> tuple[PolyElement, ...]:
        """The coefficients of (ω²)^k, where s² = −ω²."""
        return tuple((-1) ** k * x for k, x in enumerate(self.coefficients[::2]))


def matrix_quotients(letters: Letters, matrices: Sequence[Array]) -> Array:
    """K + s D + s² M as polynomials: each row times its denominators."""
    (s,) = letters.extra
    size = len(matrices[0])
    rows = np.empty((size, size), dtype=object)
    for i in range(size):
        entries = [[letters.quotient(A[i, j]) for A in matrices] for j in range(size)]
        below = letters.ring.one
        for entry in entries:
            for x in entry:
                below = below.lcm(x.below)
        for j, entry in enumerate(entries):
            rows[i, j] = letters.ring.zero
            for power, x in enumerate(entry):
                term = x.above * below.exquo(x.below)
                rows[i, j] += term * s**power if power else term
    return rows


def characteristic(letters: Letters, rows: Array, branch: PartlySolved) -> Characteristic | None:
    """The characteristic polynomial at a branch; None if it vanishes or is too large."""
    if len(rows) > LARGEST:
        return None
    plain = branch.plain  # long values make determinants long: they are put in at the end
    entries = [[plain.reduced(x).above for x in row] for row in rows]
    place = letters.generators.index(letters.extra[0])
    total = _determinant([_primitive(row, place) for row in entries], letters.ring)
    total = _with_values(letters, branch, total, place) if total else total
    if not total:
        return None
    parts = powers(total, place)
    lowest, highest = min(parts), max(parts)
    listed = [parts.get(k, letters.ring.zero) for k in range(lowest, highest + 1)]
    shared = letters.ring.zero
    for x in listed:
        shared = common_divisor(shared, x)
    listed = [x.exquo(shared) for x in listed]
    if listed[-1].LC < 0:
        listed = [-x for x in listed]
    return Characteristic(tuple(listed), lowest)


def _with_values(
    letters: Letters, branch: PartlySolved, total: PolyElement, place: int
) -> PolyElement:
    """With all values put in; as it is where that is longer than a page."""
    one = letters.ring.one
    parts = {k: branch.reduced(x) for k, x in powers(total, place).items()}
    if len(parts) > 1 and sum(len(x.above) for x in parts.values()) > LONGEST:
        return total
    s = letters.extra[0]
    return sum_of(x * Quotient(s**k if k else one, one) for k, x in parts.items()).above


def _primitive(row: Sequence[PolyElement], place: int) -> list[PolyElement]:
    """A row without the factor that its coefficients in s share."""
    shared = row[0].ring.zero
    for x in row:
        for part in powers(x, place).values() if x else ():
            shared = common_divisor(shared, part)
    return [x.exquo(shared) for x in row] if shared else list(row)


def _determinant(A: list[list[PolyElement]], ring: Any) -> PolyElement:
    """By minors along the rows, each computed once: zeros cost nothing."""

    @cache
    def minor(row: int, columns: tuple[int, ...]) -> PolyElement:
        if not columns:
            return ring.one
        total, sign = ring.zero, 1
        for k, column in enumerate(columns):
            if ordered[row][column]:
                below = minor(row + 1, (*columns[:k], *columns[k + 1 :]))
                total += sign * ordered[row][column] * below
            sign = -sign
        return total

    ordered = sorted(A, key=lambda row: sum(bool(x) for x in row))
    return minor(0, tuple(range(len(A))))


def ratio(one: PolyElement, other: PolyElement) -> Quotient:
    """one / other in lowest terms."""
    return Quotient(one, other).lowest
