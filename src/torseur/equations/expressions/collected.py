"""Sums written by their monomials: what multiplies each acceleration, speed product or unknown.

The coefficients are derivatives, taken where they are exact, so that rotations there and back meet
and cancel; an equation of one body then reads as it does in a book.
"""

from collections.abc import Sequence

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, Expr
from torseur.algebra.core.graph import substitute
from torseur.equations.expressions.sampling import vanishes

_NOTHING: tuple[Expr, ...] = ()


def collected(x: Expr, linear: Sequence[Expr], quadratic: Sequence[Expr] = _NOTHING) -> Expr:
    """An expression of degree one in `linear` and, without them, of degree two in `quadratic`."""
    still = dict.fromkeys((*linear, *quadratic), ZERO)

    def at_rest(y: Expr) -> Expr:
        y = substitute(y, still)
        return ZERO if vanishes(y) else y

    total = at_rest(x)
    for y in linear:
        total = total + at_rest(derivative(x, y)) * y
    for k, y in enumerate(quadratic):
        slope = derivative(x, y)
        total = total + at_rest(slope) * y
        for z in quadratic[k:]:
            factor = 2 if y is z else 1
            total = total + at_rest(derivative(slope, z)) / factor * y * z
    return total
