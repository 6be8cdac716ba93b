"""Formulas made shorter: the short ones as they are best read, sums by their monomials."""

from collections.abc import Sequence
from typing import Any

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, reachable, substitute
from torseur.algebra.forms.normal_form import NO_SQUARES, Squares
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.reading_order import Ranks
from torseur.algebra.printing.text import text
from torseur.equations.expressions.sampling import vanishes

_SHORT = 60  # nodes
_LONGEST = 2000  # characters of a formula in print
_NOTHING: tuple[Expr, ...] = ()


def tidied(outputs: Any) -> Any:
    """The formulas, the short ones as they are best read.

    cos² + sin² in a mass matrix is carried into its inverse and into every derivative; what is long
    is left as it is, since a normal form would cost more than it gains.
    """
    nodes = expressions(outputs)
    shortened = [readable(x) if len(reachable([x])) <= _SHORT else x for x in nodes.ravel()]
    return expressions(shortened).reshape(nodes.shape) if nodes.ndim else shortened[0]


def book_text(x: Any, ranks: Ranks, squares: Squares = NO_SQUARES) -> str:
    """A formula as it is best read, masses before lengths before angles."""
    return text(readable(expression(x), squares), limit=_LONGEST, ranks=ranks)


def collected(x: Expr, linear: Sequence[Expr], quadratic: Sequence[Expr] = _NOTHING) -> Expr:
    """An expression of degree one in `linear` and, without them, of degree two in `quadratic`.

    The coefficients are derivatives, taken where they are exact, so that rotations there and back
    meet and cancel; an equation of one body then reads as it does in a book.
    """
    still = dict.fromkeys((*linear, *quadratic), ZERO)

    def at_rest(y: Expr) -> Expr:
        y = substitute(y, still)
        return ZERO if vanishes(y) else y

    total = at_rest(x)
    slopes = jacobian(x, (*linear, *quadratic))
    for y, slope in zip(linear, slopes, strict=False):
        total = total + at_rest(slope) * y
    for k, (y, slope) in enumerate(zip(quadratic, slopes[len(linear) :], strict=True)):
        total = total + at_rest(slope) * y
        for z, curvature in zip(quadratic[k:], jacobian(slope, quadratic[k:]), strict=True):
            factor = 2 if y is z else 1
            total = total + at_rest(curvature) / factor * y * z
    return total
