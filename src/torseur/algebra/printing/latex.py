r"""Expressions as LaTeX: 2\,L_2\,\mathrm{C}_{23} - \dot{q}_1^{2}."""

import re
from collections.abc import Mapping
from fractions import Fraction

from torseur.algebra.core.expr import Expr, Scalar
from torseur.algebra.printing.decimals import with_decimals
from torseur.algebra.printing.latex_words import words
from torseur.algebra.printing.names import GREEK, identifier, numbered_letter
from torseur.algebra.printing.reading_order import Ranks, layout
from torseur.algebra.printing.text import NO_NAMES
from torseur.algebra.printing.tree import (
    FunctionCall,
    Pieces,
    Tree,
    TreeWriter,
    as_base,
    between,
    lone,
    stacked,
    written,
)
from torseur.words.sentence import say

_RAISED = {name: rf"\{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")}
_COMMANDS = _RAISED | {
    "asin": r"\arcsin",
    "acos": r"\arccos",
    "atan": r"\arctan",
    "exp": r"\exp",
    "log": r"\ln",
    "sign": r"\operatorname{sgn}",
    "atan2": r"\operatorname{atan2}",
    "max": r"\max",
    "min": r"\min",
}
_ACCENTS = ("", r"\dot", r"\ddot", r"\dddot")
_SPECIAL = re.compile(r"([#$%&_{}])")
_LETTERS = {letter: rf"\{word}" for word, letter in GREEK.items()} | {"ℓ": r"\ell"}
_APART = re.compile(f"([{''.join(_LETTERS)}])")
_ACCENTED = {r"\mathit": r"\textit", r"\mathrm": r"\textrm"}  # letters of formulas have no accents
_BRACKETS = (r"\left(", r"\right)")


def latex(
    x: Expr, names: Mapping[int, str] = NO_NAMES, *, top: bool = False, ranks: Ranks | None = None
) -> str:
    """The expression in LaTeX; named nodes are written by name, except x itself when `top`."""
    return written(layout(x, names, top=top, ranks=ranks), write)


def name(text: str, *, abbreviation: bool = False) -> str:
    r"""A name with its subscript and dots: \dot{\theta}_1; sines and cosines are upright."""
    if text.startswith("∫"):
        return rf"\int {name(text[1:])}"
    parts = identifier(text, abbreviation=abbreviation)
    stem = rf"\mathrm{{{parts.stem}}}" if abbreviation else _word(parts.stem, r"\mathit")
    if parts.dots:
        stem = rf"{_ACCENTS[min(parts.dots, 3)]}{{{stem}}}"
    if not parts.subscripts:
        return stem
    below = ",".join(_word(part, r"\mathrm") for part in parts.subscripts)
    return f"{stem}_{below}" if len(below) == 1 else f"{stem}_{{{below}}}"


def _word(word: str, style: str) -> str:
    if word in GREEK:
        return f"\\{word}"
    if numbered := numbered_letter(word):
        return f"\\{numbered[0]}_{{{numbered[1]}}}"
    parts = (part for part in _APART.split(word) if part)
    return " ".join(_LETTERS.get(part) or _letters(part, style) for part in parts)


def _letters(word: str, style: str) -> str:
    safe = _SPECIAL.sub(r"\\\1", word)
    if not word.isascii():
        return f"{_ACCENTED[style]}{{{safe}}}"
    plain = len(word) == 1 or re.fullmatch(r"[\d,-]*[xyz]*", word)
    return safe if plain else f"{style}{{{safe}}}"


def quoted(text: str) -> str:
    """Words in a formula."""
    return rf"\text{{{words(text)}}}"


def digits(value: Scalar) -> str:
    r"""A number without loss: 3, \frac{1}{2}, 9.81, 2.5 \cdot 10^{-7}."""
    if isinstance(value, Fraction):
        return rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa.replace("inf", r"\infty")
    power = f"10^{{{int(exponent)}}}"
    return power if mantissa == "1" else rf"{mantissa} \cdot {power}"


def _power(base: Tree, exponent: Scalar) -> Pieces:
    power = f"^{{{exponent}}}"
    if isinstance(base, FunctionCall) and base.name in _RAISED and isinstance(exponent, int):
        return [_RAISED[base.name], power, *_argument(base)]
    return [*as_base(base, _BRACKETS), power]


def _call(tree: FunctionCall) -> Pieces:
    if tree.name == "sqrt":
        return [r"\sqrt{", *tree.args, "}"]
    if tree.name == "abs":
        return [r"\left|", *tree.args, r"\right|"]
    if tree.name == "if":
        condition, above, otherwise = tree.args
        start, end = r"\begin{cases} ", rf" & {quoted(say('otherwise'))} \end{{cases}}"
        return [start, above, " & ", condition, r" > 0 \\ ", otherwise, end]
    table = tree.name.rstrip("'")
    command = _COMMANDS.get(tree.name) or name(table) + tree.name.removeprefix(table)
    return [command, *_argument(tree)]


def _argument(call: FunctionCall) -> Pieces:
    if lone(call):
        return [" ", *call.args]
    return [_BRACKETS[0], *between(list(call.args), ", "), _BRACKETS[1]]


write = with_decimals(
    TreeWriter(
        digits,
        lambda tree: name(tree.text, abbreviation=tree.upright),
        (" + ", " - ", "-"),
        lambda tree: stacked(tree, r"\,", r" \cdot ", _BRACKETS, (r"\frac{", "}{", "}")),
        _power,
        _call,
    )
)
