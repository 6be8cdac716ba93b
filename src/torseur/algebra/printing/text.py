"""Expressions as plain text that can be read back: 2*L2*C23*S2 - JX6*P^2."""

from collections.abc import Mapping
from fractions import Fraction

from torseur.algebra.core.expr import Expr, Scalar
from torseur.algebra.printing.layout import Ranks, layout
from torseur.algebra.printing.tree import (
    Call,
    Name,
    Number,
    Pieces,
    Power,
    Product,
    Sum,
    Tree,
    between,
    multiplied,
    numerator,
    with_signs,
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


def write(tree: Tree) -> Pieces:
    """One tree as strings and smaller trees."""
    match tree:
        case Number(value):
            return [digits(value)]
        case Name(name):
            return [name]
        case Sum():
            return with_signs(tree, " + ", " - ", "-")
        case Product():
            return _product(tree)
        case Power(base, exponent):
            power = digits(exponent)
            bracketed = f"({power})" if isinstance(exponent, Fraction) else power
            return [*_base(base), "^", bracketed]
        case Call(name, args):
            return [f"{name}(", *between(list(args), ", "), ")"]


def digits(value: Scalar) -> str:
    """A number without loss: 3, 1/2, 9.81."""
    return repr(value) if isinstance(value, float) else str(value)


def _product(tree: Product) -> Pieces:
    above, below = multiplied(numerator(tree), "*"), multiplied(tree.below, "*")
    if not below:
        return above
    return [*above, "/", *below] if len(tree.below) == 1 else [*above, "/(", *below, ")"]


def _base(tree: Tree) -> Pieces:
    fraction = isinstance(tree, Number) and isinstance(tree.value, Fraction)
    compound = fraction or isinstance(tree, Sum | Product | Power)
    return ["(", tree, ")"] if compound else [tree]
