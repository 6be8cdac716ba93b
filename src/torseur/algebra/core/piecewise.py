"""Pieces: the smaller and the larger of two values, and a value kept between limits.

All are made of one function, `if(c, a, b)`: a where c > 0, elsewhere b. Its derivative is that of
the piece; at the border it is that of b.
"""

from __future__ import annotations

from collections.abc import Callable

from torseur.algebra.core import rules
from torseur.algebra.core.expr import Expr


def choice(condition: Expr, above: Expr, otherwise: Expr) -> Expr:
    """`above` where the condition is positive, elsewhere `otherwise`."""
    return rules.function("if", condition, above, otherwise)


def smaller(a: Expr, b: Expr) -> Expr:
    """min(a, b)."""
    return choice(b - a, a, b)


def larger(a: Expr, b: Expr) -> Expr:
    """max(a, b)."""
    return choice(a - b, a, b)


def clipped(x: Expr, low: Expr, high: Expr) -> Expr:
    """x, but at least `low` and at most `high`."""
    return smaller(larger(x, low), high)


PIECEWISE: dict[str, Callable[..., Expr]] = {"min": smaller, "max": larger, "clip": clipped}
