"""Expressions as a book prints them, in one line of Unicode: m₂ l θ̈ cos θ − b ẋ."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from fractions import Fraction

from torseur.algebra.core.expr import Expr, Scalar
from torseur.algebra.printing.decimals import with_decimals
from torseur.algebra.printing.names import GREEK, numbered_letter
from torseur.algebra.printing.reading_order import Ranks, layout
from torseur.algebra.printing.text import NO_NAMES, digits
from torseur.algebra.printing.tree import (
    ALONE,
    FunctionCall,
    Name,
    Number,
    Pieces,
    Product,
    Tree,
    TreeWriter,
    between,
    in_line,
    lone,
    written,
)

DOTS = ("", "\u0307", "\u0308", "\u20db")
_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_STEM = re.compile(r"([^\W\d_]+'?)_?(\d*)(.*)", re.DOTALL)


def unicode_text(
    x: Expr, names: Mapping[int, str] = NO_NAMES, *, ranks: Ranks | None = None
) -> str:
    """The expression in one line; named nodes are written by name."""
    return written(layout(x, names, ranks=ranks), write)


def symbol_name(name: str) -> str:
    """A name with its Greek letter, its dots above and its number below: theta1.. is θ̈₁.

    The dots of a word stand above its first letter: turn.. is ẗurn.
    """
    bare = name.rstrip(".")
    dots = name[len(bare) :]
    match = _STEM.fullmatch(bare)
    if match is None:
        return name
    stem, number, rest = match.groups()
    letter = "λ" if stem == "lam" else GREEK.get(stem, stem)
    below = bare[len(stem) :]
    if number and not rest:
        below = number.translate(_SMALL)
    elif not number and (part := _greek(rest)):
        below = f"_{part}"
    elif rest.startswith("_") and (part := _greek(rest[1:])):
        below = f"{number.translate(_SMALL)}_{part}"
    dotted = unicodedata.normalize("NFC", letter[0] + DOTS[min(len(dots), 3)])
    return dotted + letter[1:] + below


def _greek(word: str) -> str:
    """A subscript that is a Greek letter, with its number below if it has one; else nothing."""
    letter, number = numbered_letter(word) or (word, "")
    letter = "lambda" if letter == "lam" else letter
    return GREEK.get(letter, "") and GREEK[letter] + number.translate(_SMALL)


def _product(tree: Product) -> Pieces:
    """Factors with blanks between them; 2 x/3 for 2/3 x."""
    lead = tree.lead
    if isinstance(lead, Fraction) and tree.above:
        below = (Number(lead.denominator), *tree.below)
        tree = Product(lead.numerator, tree.above, below)
    return in_line(tree, " ")


def _power(base: Tree, exponent: Scalar) -> Pieces:
    if not isinstance(exponent, int):
        return ["(", base, ")^(", digits(exponent), ")"]
    raised = str(exponent).translate(RAISED)
    if isinstance(base, FunctionCall) and base.name in ALONE:
        return _call(base, raised)
    plain = isinstance(base, Name | FunctionCall) or (
        isinstance(base, Number) and not isinstance(base.value, Fraction)
    )
    return [base, raised] if plain else ["(", base, ")", raised]


def _call(tree: FunctionCall, raised: str = "") -> Pieces:
    if lone(tree):
        return [f"{tree.name}{raised} ", *tree.args]
    if tree.name == "sqrt":
        (inside,) = tree.args
        whole = isinstance(inside, Number) and not isinstance(inside.value, Fraction)
        return ["√", inside] if whole else ["√(", inside, ")"]
    return [f"{tree.name}{raised}(", *between(list(tree.args), ", "), ")"]


write = with_decimals(
    TreeWriter(
        digits, lambda tree: symbol_name(tree.text), (" + ", " − ", "−"), _product, _power, _call
    )
)
