"""Pairs of doubles, where one is too coarse: exact sums and products, quotients.

T. J. Dekker (1971), D. E. Knuth (1969, 4.2.2); J.-M. Muller and others (2018), *Handbook of
Floating-Point Arithmetic*, chapter 4.
"""

from __future__ import annotations

from typing import NamedTuple

from torseur.machine.llvm.elementary.values import Real


class Pair(NamedTuple):
    """A number as the sum of a double and a smaller one."""

    high: Real
    low: Real

    def rounded(self) -> Real:
        """Nearest double."""
        return self.high + self.low


def two_sum(a: Real | float, b: Real) -> Pair:
    """a + b exactly."""
    total = a + b
    back = total - a
    return Pair(total, (a - (total - back)) + (b - back))


def quick_sum(a: Real | float, b: Real) -> Pair:
    """a + b exactly, where a is zero or |a| ≥ |b|."""
    total = a + b
    return Pair(total, b - (total - a))


def product(a: Real, b: Real) -> Pair:
    """a b exactly, up to 2⁻¹⁰⁶ of it."""
    total = a * b
    (a1, a2), (b1, b2) = a.halves(), b.halves()
    return Pair(total, ((a1 * b1 - total) + (a1 * b2 + a2 * b1)) + a2 * b2)


def quotient(a: Pair, b: Pair) -> Pair:
    """a / b up to 2⁻⁷⁵ of it: its first 26 bits, and the rest."""
    inverse = 1.0 / b.high
    first, _ = (a.high * inverse).halves()
    b1, b2 = b.high.halves()
    left = ((a.high - first * b1) - first * b2) + (a.low - first * b.low)
    return Pair(first, left * inverse)
