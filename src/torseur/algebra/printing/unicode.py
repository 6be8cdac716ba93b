"""Expressions as a book prints them, in one line of Unicode: m₂ l θ̈ cos θ − b ẋ."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from fractions import Fraction

from torseur.algebra.core.expr import Expr, Scalar
from torseur.algebra.printing.layout import Ranks, layout
from torseur.algebra.printing.names import GREEK
from torseur.algebra.printing.text import NO_NAMES, digits
from torseur.algebra.printing.tree import (
    ALONE,
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
    with_signs,
    written,
)

_DOTS = ("", "\u0307", "\u0308", "\u20db")
_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_STEM = re.compile(r"([^\W\d_]+)_?(\d*)(.*)", re.DOTALL)


def unicode_text(
    x: Expr, names: Mapping[int, str] = NO_NAMES, *, ranks: Ranks | None = None
) -> str:
    """The expression in one line; named nodes are written by name."""
    return written(layout(x, names, ranks=ranks), write)


def write(tree: Tree) -> Pieces:
    """One tree as strings and smaller trees."""
    match tree:
        case Number(value):
            return [digits(value)]
        case Name(name):
            return [symbol_name(name)]
        case Sum():
            return with_signs(tree, " + ", " − ", "−")
        case Product():
            return _product(tree)
        case Power(base, exponent):
            return _power(base, exponent)
        case Call(name, args):
            return _call(name, args, "")


def symbol_name(name: str) -> str:
    """A name with its Greek letter, its dots above and its number below: theta1.. is θ̈₁.

    Dots stand behind a word, as in descriptions: turn.. is the acceleration of turn.
    """
    bare = name.rstrip(".")
    dots = name[len(bare) :]
    match = _STEM.fullmatch(bare)
    if match is None:
        return name
    stem, number, rest = match.groups()
    letter = _letter(stem)
    below = number.translate(_SMALL) if number and not rest else bare[len(stem) :]
    if not number and rest in GREEK:
        below = f"_{GREEK[rest]}"
    if len(letter) > 1:
        return letter + below + dots
    return unicodedata.normalize("NFC", letter + _DOTS[min(len(dots), 3)]) + below


def _letter(stem: str) -> str:
    return "λ" if stem == "lam" else GREEK.get(stem, stem)


def _product(tree: Product) -> Pieces:
    lead, below = tree.lead, list(tree.below)
    if isinstance(lead, Fraction) and tree.above:
        lead, below = lead.numerator, [Number(lead.denominator), *below]
    above: tuple[Tree, ...] = (
        tree.above if lead == 1 and tree.above else (Number(lead), *tree.above)
    )
    pieces, under = multiplied(above, " "), multiplied(below, " ")
    if not below:
        return pieces
    return [*pieces, "/", *(under if len(below) == 1 else ["(", *under, ")"])]


def _power(base: Tree, exponent: Scalar) -> Pieces:
    if not isinstance(exponent, int):
        return ["(", base, ")^(", digits(exponent), ")"]
    raised = str(exponent).translate(RAISED)
    if isinstance(base, Call) and base.name in ALONE:
        return _call(base.name, base.args, raised)
    plain = isinstance(base, Name | Call) or (
        isinstance(base, Number) and not isinstance(base.value, Fraction)
    )
    return [base, raised] if plain else ["(", base, ")", raised]


def _call(name: str, args: tuple[Tree, ...], raised: str) -> Pieces:
    if name in ALONE and isinstance(args[0], Name):
        return [f"{name}{raised} ", args[0]]
    if name == "sqrt":
        return ["√(", *args, ")"]
    return [f"{name}{raised}(", *between(list(args), ", "), ")"]
