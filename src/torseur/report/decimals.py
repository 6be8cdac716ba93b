"""Exact decimals such as 363/1000 written as 0.363, where a fraction would be hard to read."""

from fractions import Fraction

from torseur.algebra.expr import Scalar
from torseur.algebra.printing.tree import Number, Pieces, Tree, Writer

_SIMPLE = 16  # denominators that stay: 1/2, 1/12
_FINEST = 10**9  # decimals of up to nine places


def with_decimals(write: Writer) -> Writer:
    """The same writer, for which a fraction that is a short decimal is a decimal."""

    def written(tree: Tree) -> Pieces:
        return write(Number(decimal(tree.value)) if isinstance(tree, Number) else tree)

    return written


def decimal(value: Scalar) -> Scalar:
    """0.363 for 363/1000; 1/3 and 1/12 as they are."""
    if not isinstance(value, Fraction) or value.denominator <= _SIMPLE:
        return value
    return float(value) if _FINEST % value.denominator == 0 else value
