"""Cells of tables and formulas of a report in LaTeX: numbers, names, vectors, expressions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from torseur.algebra.core.expr import Expr, Scalar, expression
from torseur.algebra.core.graph import reachable
from torseur.algebra.forms.count import count
from torseur.algebra.forms.listing import ListedEquation
from torseur.algebra.printing import latex
from torseur.algebra.printing.decimals import with_decimals
from torseur.algebra.printing.reading_order import Ranks, layout
from torseur.algebra.printing.tree import Tree, written
from torseur.named_words import Words
from torseur.report.documents.page_parts import Inline, Math

# --- decimals -------------------------------------------------------------------------------------

# Exact decimals such as 363/1000 written as 0.363, where a fraction would be hard to read.

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


_WRITE = with_decimals(latex.write, table_decimal)
_LONGEST = 2400  # characters of a formula that is written out
_MOST_NODES = 800  # of one that can be that short


def number(x: float, figures: int = 6) -> Math:
    """A number with a few figures; what is nearly zero beside 1 is not rounded away."""
    if not math.isfinite(x):
        return Math(r"\infty" if x > 0 else r"-\infty" if x < 0 else r"\text{nan}")
    value = short(x, figures)
    return Math(f"{'-' if value < 0 else ''}{latex.digits(abs(value))}")


def short(x: float, figures: int = 6) -> float | int:
    """A few figures, and no point after a whole number."""
    value = float(f"{x:.{figures}g}") + 0.0
    return int(value) if value.is_integer() and abs(value) < 1e6 else value


def complex_number(x: complex) -> Math:
    """a + b i."""
    real, size = number(x.real, 5).latex, number(abs(x.imag), 5).latex
    if not x.imag:
        return Math(real)
    sign = "-" if x.imag < 0 else "+" if x.real else ""
    return Math(rf"{real if x.real else ''} {sign} {size}\,\mathrm{{i}}")


# --- tables -------------------------------------------------------------------------------------


def value(x: Any, ranks: Ranks | None = None) -> Math:
    """A scalar expression in a cell: a number alone is a decimal."""
    return Math(_cell(x, ranks))


def vector(values: Iterable[Any], ranks: Ranks | None = None) -> Math:
    """Components between parentheses."""
    listed = r",\ ".join(_cell(x, ranks) for x in values)
    return Math(f"({listed})")


def name(text: str) -> Math:
    """A name with its subscripts and dots; a small rotation is the integral of a speed."""
    return Math(latex.name(text))


def joined(parts: Iterable[Math]) -> tuple[Inline, ...]:
    """Formulas in a row."""
    listed: list[Inline] = []
    for part in parts:
        listed += [", ", part] if listed else [part]
    return tuple(listed)


def between(low: Any, high: Any) -> Math:
    """From one value to another."""
    return Math(rf"{_cell(low)} \dots {_cell(high)}")


def _cell(x: Any, ranks: Ranks | None = None) -> str:
    return written(cell(x, ranks), _WRITE)


# --- formulas -----------------------------------------------------------------------------------


def equation(listed: ListedEquation, words: Words) -> str:
    """name = name = value."""
    names = [latex.name(one, abbreviation=listed.upright) for one in listed.names]
    return " = ".join([*names, _whole(listed.value, words)])


def formula(x: Expr, words: Words, ranks: Ranks | None = None) -> str:
    """An expression, with `ranks` in the order of books; of a long one only its size."""
    if len(reachable([x])) > _MOST_NODES:
        return latex.quoted(words["one of {} operations"].format(count([x]).total))
    return _whole(layout(x, {}, ranks=ranks), words, x)


def _whole(tree: Tree, words: Words, x: Expr | None = None) -> str:
    text = written(tree, _WRITE, _LONGEST)
    if not text.endswith("…"):
        return text
    size = "…" if x is None else count([x]).total
    return latex.quoted(words["one of {} operations"].format(size))
