"""Expressions as plain text that can be read back: 2*L2*C23*S2 - JX6*P^2."""

from collections.abc import Mapping
from fractions import Fraction

from torseur.algebra.core.expr import Expr, Scalar
from torseur.algebra.printing.decimals import with_decimals
from torseur.algebra.printing.reading_order import Ranks, layout
from torseur.algebra.printing.tree import (
    Number,
    Pieces,
    Power,
    Product,
    Sum,
    Tree,
    TreeWriter,
    between,
    in_line,
    written,
)

NO_NAMES: Mapping[int, str] = {}


def text(
    x: Expr,
    names: Mapping[int, str] = NO_NAMES,
    *,
    top: bool = False,
    limit: int | None = None,
    ranks: Ranks | None = None,
) -> str:
    """The expression in ASCII; named nodes are written by name, except x itself when `top`.

    Beyond `limit` characters it ends in "…". With `ranks` the order is that of books.
    """
    return written(layout(x, names, top=top, ranks=ranks), write, limit)


def exact_text(x: Expr) -> str:
    """The expression with every digit of its numbers, for programs: keys, descriptions."""
    return written(layout(x, NO_NAMES), EXACT)


def digits(value: Scalar) -> str:
    """A number without loss: 3, 1/2, 9.81."""
    return repr(value) if isinstance(value, float) else str(value)


def _power(base: Tree, exponent: Scalar) -> Pieces:
    power = digits(exponent)
    bracketed = f"({power})" if isinstance(exponent, Fraction) else power
    fraction = isinstance(base, Number) and isinstance(base.value, Fraction)
    compound = fraction or isinstance(base, Sum | Product | Power)
    return [*(["(", base, ")"] if compound else [base]), "^", bracketed]


EXACT = TreeWriter(
    digits,
    lambda tree: tree.text,
    (" + ", " - ", "-"),
    lambda tree: in_line(tree, "*"),
    _power,
    lambda tree: [f"{tree.name}(", *between(list(tree.args), ", "), ")"],
)
write = with_decimals(EXACT)
