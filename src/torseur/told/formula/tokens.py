r"""A formula cut into tokens: the same for plain text, LaTeX and Mathematica.

`\ddot{\theta}` and `theta''` become the name theta with two dots, `\frac` keeps its braces,
brackets of Mathematica are parentheses.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import final

from torseur.told.formula.names import FUNCTIONS, spelled


class FormulaError(Exception):
    """The formula cannot be read; `place` is the column."""

    def __init__(self, problem: str, place: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.place = place


@final
@dataclass(frozen=True)
class Token:
    """A piece of a formula: its kind, its text, the column where it starts."""

    kind: str  # number, name, function, command, or the sign itself
    text: str
    place: int
    dots: int = 0


_SIGNS = {
    "−": "-", "–": "-", "·": "*", "⋅": "*", "×": "cross", "∧": "cross", "⋀": "cross", "÷": "/",
    "[": "(", "]": ")", "≡": "=",
}  # fmt: skip
_POWERS = {"²": 2, "³": 3, "⁴": 4}
_FRACTIONS = {"½": (1, 2), "⅓": (1, 3), "¼": (1, 4), "¾": (3, 4), "⅔": (2, 3)}
_DOTS = {"\u0307": 1, "\u0308": 2, "\u20db": 3}  # combining dot, two dots, three dots
_IGNORED = {"left", "right", "displaystyle", "quad", "qquad", "mathrm", "mathbf", "mathit", "text",
            "big", "Big", "limits", "operatorname", "bigl", "bigr"}  # fmt: skip
_COMMANDS = {"frac", "dfrac", "tfrac", "sqrt", "dot", "ddot", "vec", "overrightarrow", "overline",
             "boldsymbol"}  # fmt: skip
_MEANINGS = {"cdot": "*", "times": "cross", "wedge": "cross", "div": "/", "lbrace": "(",
             "rbrace": ")", "vert": "|", "lvert": "|", "rvert": "|", "Vert": "|"}  # fmt: skip
_RATE = re.compile(r"\\d?frac\{\s*(?:\\mathrm\{d\}|\\mathrm d|d)\s*(.+?)\s*\}\s*\{\s*"
                   r"(?:\\mathrm\{d\}|\\mathrm d|d)\s*t\s*\}")  # fmt: skip
_SECOND = re.compile(r"\\d?frac\{\s*(?:\\mathrm\{d\}|\\mathrm d|d)\s*\^\{?2\}?\s*(.+?)\s*\}\s*\{\s*"
                     r"(?:\\mathrm\{d\}|\\mathrm d|d)\s*t\s*\^\{?2\}?\s*\}")  # fmt: skip
_NUMBER = re.compile(r"(\d+\.\d+|\d+|\.\d+)([eE][+-]?\d+)?")
_WORD = re.compile(r"[^\W\d_][^\W²³⁴½⅓¼¾⅔]*")
_OF_TIME = re.compile(rf"(?<!\w)(?!(?:{'|'.join(FUNCTIONS)})\b)(\w+'*)(?:\[t\]|\(t\))")


def is_latex(text: str) -> bool:
    """Whether a formula is written in LaTeX."""
    return "\\" in text or re.search(r"[\^_]\{", text) is not None


def tokens(text: str) -> list[Token]:
    """The tokens of a formula."""
    latex = is_latex(text)
    text = _SECOND.sub(r"\\ddot{\1}", text)
    text = _RATE.sub(r"\\dot{\1}", text)
    text = unicodedata.normalize("NFD", _OF_TIME.sub(r"\1", text.replace("$", " ")))
    found: list[Token] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        token, at = _next(text, at, latex)
        found += token
    return found


def _next(text: str, at: int, latex: bool) -> tuple[list[Token], int]:
    letter, place = text[at], at + 1
    if letter in _POWERS:
        return [Token("^", "^", place), Token("number", str(_POWERS[letter]), place)], at + 1
    if letter in _FRACTIONS:
        above, below = _FRACTIONS[letter]
        return _fraction(above, below, place), at + 1
    if letter == "\\":
        return _command(text, at)
    number = _NUMBER.match(text, at)
    if number and not (latex and "." in number.group() and number.group().endswith(".")):
        return [Token("number", number.group(), place)], number.end()
    word = _WORD.match(text, at)
    if word:
        return _word(text, word, latex)
    if text.startswith("**", at):
        return [Token("^", "^", place)], at + 2
    if text.startswith("==", at):
        return [Token("=", "=", place)], at + 2
    sign = _SIGNS.get(letter, letter)
    if sign in {"+", "-", "*", "/", "^", "=", "(", ")", "{", "}", ",", "|", "_", ";", "cross"}:
        return [Token(sign, letter, place)], at + 1
    raise FormulaError(f'the character "{letter}" has no meaning here.', place)


def _fraction(above: int, below: int, place: int) -> list[Token]:
    parts = ("(", "number", "/", "number", ")")
    texts = ("(", str(above), "/", str(below), ")")
    return [Token(kind, text, place) for kind, text in zip(parts, texts, strict=True)]


def _command(text: str, at: int) -> tuple[list[Token], int]:
    r"""A word after a backslash; `\,` and its like are blanks."""
    found = re.compile(r"\\([A-Za-z]+)|\\(.)").match(text, at)
    if found is None:
        raise FormulaError('"\\" stands alone.', at + 1)
    word, place = found.group(1), at + 1
    if word is None:
        sign = found.group(2)
        return ([Token("|", "|", place)] if sign == "|" else []), found.end()
    if word in _IGNORED:
        return [], found.end()
    if word in _MEANINGS:
        return [Token(_MEANINGS[word], word, place)], found.end()
    if word in _COMMANDS:
        return [Token("command", word, place)], found.end()
    if word in FUNCTIONS:
        return [Token("function", FUNCTIONS[word], place)], found.end()
    return [Token("name", word, place)], found.end()


def _word(text: str, word: re.Match[str], latex: bool) -> tuple[list[Token], int]:
    """A name with its dots or primes, or a function; letters in LaTeX have no digits behind."""
    written, end, place = word.group(), word.end(), word.start() + 1
    if latex:
        written = re.match(r"[^\W\d_]+", written).group()  # type: ignore[union-attr]
        end = word.start() + len(written)
    dots = 0
    while end < len(text):
        if text[end] in _DOTS:
            dots += _DOTS[text[end]]
            end += 1
            tail = re.compile(r"[0-9]+").match(text, end)
            if tail and not latex:  # θ̇1: the dot stands over the letter before the digit
                written, end = written + tail.group(), tail.end()
        elif text[end] in "'′’" or (text[end] == "." and not latex):
            dots += 1
            end += 1
        else:
            break
    called = written.islower() or text[end : end + 1] in ("[", "(")
    if not dots and written.lower() in FUNCTIONS and called:
        return [Token("function", FUNCTIONS[written.lower()], place)], end
    return [Token("name", spelled(written), place, dots)], end
