"""Numbers as a person writes them: 4.905 and 0.0064, but 1/2, 1/3 and 3/80, and none endless."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from torseur.algebra.core.expr import Scalar
from torseur.algebra.printing.tree import Number, Pieces, Product, Tree, Writer

_SHORT, _LONG = 20, 100  # denominators that are always read as fractions, and those that never are
_DIGITS = 17  # significant digits that tell two doubles apart


def decimal(value: Scalar) -> Scalar:
    """The number that is written for an exact one: a decimal where that reads better.

    It is lossless while it is short: a fraction or a whole number that is longer than the nearest
    double is written as that.
    """
    if isinstance(value, float):
        return value
    if type(value) is not Fraction:
        return value if abs(value) < 10**_DIGITS else float(value)
    return _of_fraction(value)


@lru_cache(maxsize=1024)
def _of_fraction(value: Fraction) -> Scalar:
    number = float(value)
    shorter = len(repr(number)) <= len(str(value))
    if Fraction(repr(number)) != value:
        return number if shorter else value
    if value.denominator <= _SHORT or value.denominator % 5:
        return value if len(str(value)) <= _DIGITS else number
    return number if shorter or value.denominator > _LONG else value


def is_decimal(value: Scalar) -> bool:
    """Whether a number is a fraction that is written as a decimal number."""
    return type(value) is Fraction and isinstance(decimal(value), float)


def with_decimals(write: Writer, number: Callable[[Scalar], Scalar] = decimal) -> Writer:
    """Variant of a writer that prints numbers by `number`."""

    def pieces(tree: Tree) -> Pieces:
        if isinstance(tree, Number):
            tree = Number(number(tree.value))
        elif isinstance(tree, Product):
            tree = _with_one_number(tree, number)
        return write(tree)

    return pieces


def _with_one_number(tree: Product, number: Callable[[Scalar], Scalar]) -> Product:
    """A product whose quotient of numbers is one decimal, where `number` makes it one."""
    lead, below = tree.lead, tree.below
    if isinstance(lead, int) and below and isinstance(below[0], Number):
        under = below[0].value
        if isinstance(under, int) and isinstance(one := number(Fraction(lead, under)), float):
            return Product(one, tree.above, below[1:])
    return replace(tree, lead=number(lead))
