"""Formulas as MathML that wraps: a term is an element, and lines break between terms."""

from collections.abc import Iterable

import numpy as np
from markupsafe import Markup

from torseur.algebra.forms.listing import ListedEquation
from torseur.algebra.printing import mathml, text
from torseur.algebra.printing.decimals import with_decimals
from torseur.algebra.printing.tree import Product, Sum, Tree, numerator, written
from torseur.report.pages.cells import table_decimal

_LONG = 48  # characters from which a sum in brackets may break
_DEEPEST = 8  # brackets within brackets that may break
_SPACED = '<mo form="infix" lspace="0.25em" rspace="0.22em">{}</mo>'.format
_EQUALS, _PLUS, _MINUS = _SPACED("="), _SPACED("+"), _SPACED("\u2212")
_OPPOSITE = '<mo form="prefix">\u2212</mo>'
_WRITE = with_decimals(mathml.write, table_decimal)
_BREAK = Markup("\u200b")  # no width: a line may end here
_TIMES = '<mo lspace="0" rspace="0.17em">\u2062</mo>'
_OPEN, _CLOSE = '<mo stretchy="false">(</mo>', '<mo stretchy="false">)</mo>'


def formula(equation: ListedEquation) -> Markup:
    """An equation as a row of <math> elements between which a line may break."""
    names = [mathml.name(name, abbreviation=equation.upright) for name in equation.names]
    *before, last = names
    parts = [f"{name}{_EQUALS}" for name in before] + [f"{last}{_EQUALS}"]
    return _math([*parts, *_chunks(equation.value, _DEEPEST)])


def matrix(letter: str, entries: np.ndarray) -> Markup:
    """A matrix of names between brackets drawn by the style sheet; an empty name is a zero."""
    rows = ""
    for row in entries:
        cells = (mathml.name(cell) if cell else '<mn class="nil">0</mn>' for cell in row)
        rows += f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in cells)}</mtr>"
    table = _math([f"<mtable>{rows}</mtable>"])
    return _math([f"<mi>{letter}</mi>{_EQUALS}"]) + Markup(
        '<span class="bracket">{}</span>'
    ).format(table)


def _math(parts: Iterable[str]) -> Markup:
    """MathML in HTML, where it needs no namespace; the parts are ours, and escaped."""
    return _BREAK.join(Markup(f"<math><mrow>{part}</mrow></math>") for part in parts)


def _chunks(tree: Tree, depth: int) -> list[str]:
    """The pieces of a formula between which a line may break, each beginning with its sign."""
    if isinstance(tree, Sum):
        chunks: list[str] = []
        for sign, term in tree.terms:
            mark = (_PLUS if chunks else "") if sign > 0 else (_MINUS if chunks else _OPPOSITE)
            first, *others = _chunks(term, depth) if depth else [written(term, _WRITE)]
            chunks += [mark + first, *others]
        return chunks
    if isinstance(tree, Product) and depth and not tree.below and _has_long_sum(tree):
        return _long_product(tree, depth - 1)
    return [written(tree, _WRITE)]


def _has_long_sum(tree: Product) -> bool:
    sums = (part for part in tree.above if isinstance(part, Sum))
    return any(len(written(part, text.write, limit=_LONG)) > _LONG for part in sums)


def _long_product(tree: Product, depth: int) -> list[str]:
    """The factors in a row; a long sum in brackets may break."""
    chunks, current = [], ""
    for part in numerator(tree):
        current += _TIMES if current else ""
        if not isinstance(part, Sum):
            current += written(part, _WRITE)
            continue
        first, *others = _chunks(part, depth)
        pieces = [f"{current}{_OPEN}{first}", *others]
        *done, last = pieces
        chunks += done
        current = last + _CLOSE
    return [*chunks, current]
