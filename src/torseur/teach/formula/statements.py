r"""A text cut into its answer and the definitions beside it, with decimal commas as points.

`x.. + omega_0^2 x = 0, omega_0^2 = k/m` or `… with omega_0^2 = k/m` is an answer and a definition;
`0,5 m` is half of m. Nothing changes its column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import final

from torseur.teach.formula.tokens import Token, check_length, tokens

_OPENING, _CLOSING = "([{", ")]}"
_WORDS = re.compile(
    r"\\(?:text|mathrm|hbox|mbox) ?\{ ?(?:with|where|and|avec|où|et) ?\}"
    r"|(?<![\w\\])(?:with|where|and|avec|où|et)(?!\w)"
)


@final
@dataclass(frozen=True)
class Definition:
    """name^power = formula."""

    name: str
    power: int
    formula: str


@final
@dataclass
class _Bracket:
    """The separators that stand in a bracket, not in one within it."""

    tight: list[int] = field(default_factory=list)  # commas between two digits
    loose: list[int] = field(default_factory=list)
    semicolons: list[int] = field(default_factory=list)


def _brackets(text: str) -> Iterator[tuple[int, _Bracket]]:
    """Every bracket with its depth; the text outside all of them last, at the depth 0."""
    open_ones = [_Bracket()]
    for k, letter in enumerate(text):
        now = open_ones[-1]
        if letter in _OPENING:
            open_ones.append(_Bracket())
        elif letter in _CLOSING and len(open_ones) > 1:
            yield len(open_ones) - 1, open_ones.pop()
        elif letter == ",":
            digits = text[k - 1 : k].isdigit() and text[k + 1 : k + 2].isdigit()
            (now.tight if digits else now.loose).append(k)
        elif letter in ";\n":
            now.semicolons.append(k)
    while open_ones:
        yield len(open_ones) - 1, open_ones.pop()


def statements(text: str, *, vector: bool) -> list[str]:
    """The statements of a text, each in its columns; `vector` tells `(0,5,1)` from 0.5."""
    check_length(text)
    text = _WORDS.sub(lambda word: ";".ljust(len(word.group())), text)
    letters, ends = list(text), list[int]()
    for depth, bracket in _brackets(text):
        separated = (
            depth and len(bracket.tight) + len(bracket.loose) == 2 and not bracket.semicolons
        )
        if not (separated and (vector or bracket.loose)):
            for k in bracket.tight:
                letters[k] = "."
        if not depth:
            ends = sorted(k for k in (*bracket.loose, *bracket.semicolons) if k < text.rfind("="))
    text = "".join(letters)
    bounds = [-1, *ends, len(text)]
    cut = [" " * (a + 1) + text[a + 1 : b] for a, b in pairwise(bounds)]
    return [part for part in cut if part.strip()] or [text]


def sides(text: str) -> tuple[str, str] | None:
    """Sides left and right of the first "=" outside brackets, each in its columns."""
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if letter == "=" and depth == 0:
            end = k + 2 if text.startswith("==", k) else k + 1
            return text[:k], " " * end + text[end:]
    return None


def definition(text: str) -> Definition | None:
    """A statement `name = formula` or `name^2 = formula`; None if it is something else."""
    pair = sides(text)
    if pair is None or not pair[1].strip():
        return None
    name, rest = _name(tokens(pair[0]))
    if name is None or len(rest) not in (0, 2, 4):
        return None
    signs = [token.kind for token in rest]
    if signs not in ([], ["^", "number"], ["^", "{", "number", "}"]):
        return None
    power = [token.text for token in rest if token.kind == "number"]
    if power and not (power[0].isdigit() and 0 < int(power[0][:3]) < 10):
        return None
    return Definition(name, int(power[0]) if power else 1, pair[1])


def _name(pieces: list[Token]) -> tuple[str | None, list[Token]]:
    """A name with its subscript at the start, and the tokens after it."""
    if not pieces or pieces[0].kind != "name" or pieces[0].dots:
        return None, pieces
    name, rest = pieces[0].text, pieces[1:]
    if rest and rest[0].kind == "_":
        closing = next((k for k, x in enumerate(rest) if x.kind == "}"), 1)
        braced = len(rest) > 1 and rest[1].kind == "{"
        end = closing if braced else 1
        name += "".join(x.text for x in rest[1 : end + 1] if x.kind not in "{}")
        rest = rest[end + 1 :]
    return name, rest
