"""Sentences with formulas in them: plain text that knows where its formulas stand.

In the catalogue of words such a formula stands between dollar signs, in the plain notation of the
terminal: `$d/dt ∂T/∂q. - ∂T/∂q = Q$`. It is typeset where the sentence is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, final

from torseur.algebra.printing.latex import name as latex_name

_TOKENS = re.compile(
    r"∂(?P<above>\w+(?:\(G\))?)/∂(?P<slope>\w+\.*)|(?P<set>\{[A-Z]\*?\})|(?P<rate>d/dt|/?dt|d(?=[σT]))"
    r"|(?P<vector>[Ωσγδ]|V(?=\()|[RM](?=·))|(?P<name>[^\W\d_½²Σ][^\W½²]*\.*)|(?P<low>_\w+)"
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
            return rf"\vec{{{_VECTORS.get(token, token)}}}"
        case "name":
            return _FUNCTIONS.get(token) or latex_name(token)
        case "low":
            return rf"_{{{token[1:]}}}"
        case "sign":
            return _SIGNS.get(token, token)
        case _:
            return token
