"""Formulas as data: a symbol and what it is equal to, ready to be written in any notation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, reachable
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.latex import name as latex_name
from torseur.algebra.printing.latex import quoted
from torseur.algebra.printing.latex_words import words
from torseur.algebra.printing.names import GREEK, identifier
from torseur.algebra.printing.text import text
from torseur.model.description import GROUND
from torseur.spatial.rotation import Rotation

Array = np.ndarray
_MUCH, _SHORT = 2, 60  # nodes
Reader = Callable[[Any], Any]  # makes a formula readable


@final
@dataclass(frozen=True)
class SymbolLabel:
    """A name in plain text and in LaTeX."""

    text: str
    latex: str

    def __str__(self) -> str:
        return self.text


def word(name: str) -> str:
    """A name upright in LaTeX, a Greek letter as such; accents and spaces are for text."""
    if identifier(name).stem in GREEK:
        return latex_name(name)
    text = name.replace("_", " ")
    plain = text.isascii() and " " not in text
    return rf"\mathrm{{{words(text)}}}" if plain else quoted(text)


@final
@dataclass(frozen=True)
class Scalar:
    """symbol = value."""

    symbol: SymbolLabel
    value: Expr


@final
@dataclass(frozen=True)
class Components:
    """Three components along the axes of a body, or of the ground."""

    values: Array
    axes: str = GROUND

    @property
    def is_nothing(self) -> bool:
        """Whether all are zero."""
        return all(expression(x) is ZERO for x in self.values)


@final
@dataclass(frozen=True)
class Vector:
    """symbol = components."""

    symbol: SymbolLabel
    value: Components


@final
@dataclass(frozen=True)
class TorseurFormula:
    """{symbol} = {resultant; moment} at a point, the moment having a symbol of its own."""

    symbol: SymbolLabel
    resultant: Vector
    moment: Vector
    point: SymbolLabel

    @property
    def is_nothing(self) -> bool:
        """Whether both vectors are zero."""
        return self.resultant.value.is_nothing and self.moment.value.is_nothing


@final
@dataclass(frozen=True)
class Equation:
    """left = right, with the name of what it is the equation of."""

    name: str
    left: Expr
    right: Expr


@final
@dataclass(frozen=True)
class Positive:
    """value > 0: the condition under which distances are written without bars."""

    value: Expr


@final
@dataclass(frozen=True)
class Transport:
    """The moment of an action at G from that at A: M_G = M_A + GA ∧ R, with GA and the result."""

    arm: Vector
    moment: Vector
    text: str  # M_A + GA ∧ R
    latex: str


@final
@dataclass(frozen=True)
class ActionRow:
    """An action on a body: its cause, its point, its resultant and its moment there."""

    cause: str
    point: SymbolLabel
    resultant: Vector
    moment: Vector


@final
@dataclass(frozen=True)
class ActionTable:
    """The balance of actions on a body."""

    head: tuple[str, ...]
    rows: tuple[ActionRow, ...]


@final
@dataclass(frozen=True)
class Boxed:
    """The result of a derivation, in a frame."""

    equation: Equation


Formula = Scalar | Vector | TorseurFormula | Equation | Positive | Transport | ActionTable | Boxed


def expressions_of(x: Formula) -> list[Expr]:
    """All expressions in a formula."""
    match x:
        case Scalar(_, value) | Positive(value):
            return [value]
        case Vector(_, value):
            return [expression(y) for y in value.values]
        case TorseurFormula(_, one, other, _) | Transport(one, other):
            return [*expressions_of(one), *expressions_of(other)]
        case Equation(_, left, right):
            return [left, right]
        case Boxed(equation):
            return expressions_of(equation)
        case ActionTable(_, rows):
            vectors = (y for row in rows for y in (row.resultant, row.moment))
            return [z for y in vectors for z in expressions_of(y)]


def components(values: Any, axes: str, R: Rotation, read: Reader = readable) -> Components:
    """A vector given along the axes of a body, along these or those of the ground.

    The shorter is taken, and the ground if they are alike. What is much longer before it is read is
    not tried: a body far from the ground is turned many times.
    """
    local, turned = expressions(values), expressions(R.out(expressions(values)))
    near = Components(read(local), axes)
    if len(reachable(turned)) > _MUCH * len(reachable(local)) + _SHORT:
        return near
    far = Components(read(turned))
    return near if _length(near.values) < _length(far.values) else far


def _length(values: Array) -> int:
    return sum(len(text(expression(x), limit=2000)) for x in values)


# --- prose ----------------------------------------------------------------------------------------

# Sentences with formulas in them: plain text that knows where its formulas stand.
#
# In the catalogue of words such a formula stands between dollar signs, in the plain notation of the
# terminal: `$d/dt ∂T/∂q. - ∂T/∂q = Q$`. It is typeset where the sentence is.

_TOKENS = re.compile(
    r"∂(?P<above>\w+(?:\(G\))?)/∂(?P<slope>\w+\.*)|(?P<set>\{[A-Z]\*?\})|(?P<rate>d/dt|/?dt|d(?=[σT]))"
    r"|(?P<vector>[Ωσγδ]|V(?=\()|[RM](?=[·_(])|(?<=∧ )R|GA)"
    r"|(?P<name>[^\W\d_½²Σ][^\W½²]*\.*)|(?P<low>_\w+)"
    r"|(?P<number>\d+)|(?P<space>\s+)|(?P<sign>.)"
)
_RATES = {
    "d/dt": r"\frac{\mathrm{d}}{\mathrm{d}t}",
    "/dt": r"/\mathrm{d}t",
    "dt": r"\mathrm{d}t",
    "d": r"\mathrm{d}",
}
_VECTORS = {"Ω": r"\Omega", "σ": r"\sigma", "γ": r"\gamma", "δ": r"\delta"}
_SIGNS = {"{": r"\{", "}": r"\}", "∂": r"\partial ", "½": r"\frac{1}{2}", "²": "^{2}",
          "·": r"\cdot ", "∧": r"\wedge ", "Σ": r"\sum ", "∫": r"\int ", "λ": r"\lambda ",
          "≤": r"\le ", "−": "-", "*": "^{*}", ";": r";\,", ",": r",\,", "π": r"\pi "}  # fmt: skip
_FUNCTIONS = {"exp": r"\exp "}
_ENDS, _STARTS = set("²*)}'½"), set("(∂½|{")


@final
class Prose(str):
    """A sentence as plain text, which remembers its formulas."""

    __slots__ = ("marked",)

    marked: str  # with its formulas between dollar signs

    def __new__(cls, marked: str) -> Prose:
        sentence = super().__new__(cls, marked.replace("$", ""))
        sentence.marked = marked
        return sentence

    def __reduce__(self) -> tuple[Any, ...]:
        return Prose, (self.marked,)


def names(given: Iterable[str]) -> str:
    """Names of coordinates in a sentence, each a formula."""
    return ", ".join(f"${name}$" for name in given)


def typeset(text: str) -> str:
    """A sentence with its formulas in LaTeX, between dollar signs."""
    return "".join(f"${x}$" if formula else x for formula, x in pieces(text))


def pieces(text: str) -> list[tuple[bool, str]]:
    """Words, and formulas in LaTeX, in order; whether each is a formula."""
    if not isinstance(text, Prose):
        return [(False, text)]
    parts = [(k % 2 == 1, x) for k, x in enumerate(text.marked.split("$")) if x]
    return [(True, formula_in_prose(x)) if formula else (False, x) for formula, x in parts]


def formula_in_prose(plain: str) -> str:
    """A formula of a sentence in LaTeX: factors side by side, letters of vectors with arrows."""
    done, operand = "", False
    for match in _TOKENS.finditer(plain):
        kind, token = str(match.lastgroup), match[0]
        if kind == "slope":
            above, below = (formula_in_prose(match[x]) for x in ("above", "slope"))
            token = rf"\frac{{\partial {above}}}{{\partial {below}}}"
        if kind == "space":
            follows = plain[match.end() :][:1]
            done += r"\," if operand and (follows.isalpha() or follows in _STARTS) else " "
            continue
        done += _written(kind, token)
        operand = kind in ("slope", "set", "vector", "name", "low", "number") or token in _ENDS
    return done.strip()


def _written(kind: str, token: str) -> str:
    match kind:
        case "set":
            star = "^{*}" if "*" in token else ""
            return rf"\{{\mathcal{{{token[1]}}}{star}\}}"
        case "rate":
            return _RATES[token]
        case "vector":
            arrow = r"\vec" if len(token) == 1 else r"\overrightarrow"
            return rf"{arrow}{{{_VECTORS.get(token, token)}}}"
        case "name":
            return _FUNCTIONS.get(token) or latex_name(token)
        case "low":
            return rf"_{{{token[1:]}}}"
        case "sign":
            return _SIGNS.get(token, token)
        case _:
            return token
