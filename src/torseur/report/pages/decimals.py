"""Exact decimals such as 363/1000 written as 0.363, where a fraction would be hard to read."""

from fractions import Fraction
from typing import Any

from torseur.algebra.core.expr import Scalar, expression
from torseur.algebra.printing.reading_order import Ranks, layout
from torseur.algebra.printing.tree import Tree

_SIMPLE = 16  # numerators and denominators of fractions that stay: 1/2, 1/12


def table_decimal(value: Scalar, *, always: bool = False) -> Scalar:
    """0.363 for 363/1000 and 0.2 for 1/5; 1/2 stays unless `always`, 1/3 and 1/12 stay.

    What a decimal of a float is not exactly stays too.
    """
    if not isinstance(value, Fraction) or Fraction(repr(float(value))) != value:
        return value
    simple = max(abs(value.numerator), value.denominator) <= _SIMPLE and value.denominator % 5
    return value if simple and not always else float(value)


def cell(x: Any, ranks: Ranks | None = None) -> Tree:
    """An expression as it stands in a table: a number alone is a decimal.

    With `ranks` the order is that of books.
    """
    node = expression(x)
    if node.op == "number":
        node = expression(table_decimal(node.value[1], always=True))
    return layout(node, {}, ranks=ranks)
