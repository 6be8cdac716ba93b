"""The two grammars: text in, nested tuples of tokens out, in a time linear in the text.

A leaf is a token; an operation is the tuple (token of the operator or function, *operands). LALR
parsing and the building of the tuples use explicit stacks, so that depth is not limited.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from torseur.language.text.place import Written
from torseur.language.text.syntax import syntax_error
from torseur.units import ANGLE_UNITS, UNITS

_RAISED = r"(\^-?\d{1,2}(?!\d)|\*\*-?\d{1,2}(?!\d)|⁻?[¹²³])?"
_AMBIGUOUS = r"(-\d+(?!\s*[\w.°]))?"  # m.s-2: refused when it is read
_SHORT = 200  # characters


def _unit_pattern() -> str:
    """A word, then known units joined by dots and slashes: an unknown first word gets a message."""
    names = sorted([*UNITS, *ANGLE_UNITS, "µm", "µs"], key=len, reverse=True)
    known = "|".join(map(re.escape, names))
    following = rf"(?:[.·](?:{known})\d?|\/(?:{known})){_RAISED}(?!\w)"
    return rf"([^\W\d]\w*|°){_RAISED}({following})*{_AMBIGUOUS}"


class _Nodes:
    """What the grammar's rules make."""

    def infix(self, parts: list[Any]) -> tuple[Any, ...]:
        left, operator, right = parts
        return (operator, left, right)

    def prefix(self, parts: list[Any]) -> tuple[Any, ...]:
        return tuple(parts)

    call = change = prefix

    def quantity(self, parts: list[Any]) -> tuple[Any, ...]:
        number, unit = parts
        return (unit, number)

    def plain(self, parts: list[Any]) -> Any:
        return parts[0]

    def phrase(self, parts: list[Any]) -> list[Any]:
        return parts

    branch = phrase


@cache
def _parser(start: str) -> Any:
    from lark import Lark

    folder = Path(__file__).parent
    texts = [(folder / "expression.lark").read_text(encoding="utf-8")]
    if start == "phrase":
        texts.append((folder / "phrase.lark").read_text(encoding="utf-8"))
    nodes: Any = _Nodes()
    grammar = "\n".join([*texts, f"UNIT: /{_unit_pattern()}/"])
    return Lark(grammar, parser="lalr", start=start, transformer=nodes, maybe_placeholders=False)


@lru_cache(maxsize=2048)
def _short(text: str) -> Any:
    """The tuples of a short expression: descriptions of a kind have many in common."""
    return _parser("expression").parse(text)


def parse(written: Written, start: str) -> Any:
    """The tuples of a text, `start` being "expression" or "phrase"."""
    from lark import UnexpectedInput

    try:
        short = start == "expression" and len(written.text) <= _SHORT
        return _short(written.text) if short else _parser(start).parse(written.text)
    except UnexpectedInput as error:
        raise syntax_error(error, written) from None
