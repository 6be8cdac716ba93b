"""The two grammars: text in, nested tuples of tokens out, in linear time; or a message.

A leaf is a token; an operation is the tuple (token of the operator or function, *operands). LALR
parsing and the building of the tuples use explicit stacks, so that depth is not limited.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from torseur.algebra.core.functions import FUNCTIONS
from torseur.brief import cut
from torseur.errors import ModelError
from torseur.language.text.literals import SHOWN, plain_unit
from torseur.language.text.place import Place, WrittenText
from torseur.language.text.text_mistakes import character_hint
from torseur.units import ANGLE_UNITS, UNITS, is_unit
from torseur.words.sentence import say, worded

_RAISED = r"(\^-?\d{1,2}(?!\d)|\*\*-?\d{1,2}(?!\d)|⁻?[¹²³])?"
_AMBIGUOUS = r"(-\d+(?!\s*[\w.°]))?"  # m.s-2: refused when it is read
_SHORT = 200  # characters


def _unit_pattern() -> str:
    """A word, then known units joined by dots and slashes: an unknown first word gets a message."""
    names = sorted([*UNITS, *ANGLE_UNITS, "µm", "µs", "μm", "μs"], key=len, reverse=True)
    known = "|".join(map(re.escape, names))
    following = rf"(?:[.·](?:{known})\d?|\/(?:{known})){_RAISED}(?!\w)"
    return rf"([^\W\d]\w*|°){_RAISED}({following})*{_AMBIGUOUS}"


class _Nodes:
    """Nodes made by the grammar's rules."""

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


def parse(written: WrittenText, start: str) -> Any:
    """The tuples of a text, `start` being "expression" or "phrase"."""
    from lark import UnexpectedInput

    try:
        short = start == "expression" and len(written.text) <= _SHORT
        return _short(written.text) if short else _parser(start).parse(written.text)
    except UnexpectedInput as error:
        raise syntax_error(error, written) from None


# --- syntax errors ------------------------------------------------------------------------------


# Terminals in words; the operators of arithmetic are named together.
_WORDS = {
    "NUMBER": say("a number"),
    "NAME": say("a name"),
    "LPAR": say('"{value}"', "("),
    "OPENING": say('"{value}"', "["),
    "COMMA": say('"{value}"', ","),
    "RPAR": say('"{value}"', ")"),
    "RSQB": say('"{value}"', "]"),
    "SEMICOLON": say('"{value}"', ";"),
    "$END": say("the end"),
}
_OPERATORS = {"TIMES", "OVER", "POWER"}
_PAIRS = {"LPAR": (say("parenthesis"), ")"), "OPENING": (say("bracket"), "]")}


def syntax_error(error: Any, written: WrittenText) -> ModelError:
    """The message for text that the grammar refuses; `error` is the parser's UnexpectedInput."""
    token = getattr(error, "token", None)
    kind = getattr(token, "type", "")
    opened = _open_bracket(error)
    if opened is not None and kind in ("$END", "SEMICOLON", "RSQB"):
        name, closing = _PAIRS[opened.type]
        problem = say('the {name} "{opened}" is not closed.', name, opened)
        return written.fault(opened, problem, say('Close it with "{closing}".', closing))
    mark = _end(written.text) if kind == "$END" else token or Place("", error.line, error.column)
    problem = _problem(written.text, token, mark, opened)
    return written.fault(
        mark, problem, *_expected_terminals(error), *_hints(written.text, token, error)
    )


def _problem(text: str, token: Any, mark: Any, opened: Any) -> str:
    if token is None:
        letter = text.split("\n")[mark.line - 1][mark.column - 1 : mark.column]
        excerpt = letter if letter.isprintable() else f"U+{ord(letter):04X}"
        return say('unexpected character "{letter}".', excerpt)
    if token.type == "$END":
        excerpt = cut(text.strip(), SHOWN)
        return say('"{shown}" is not complete.', excerpt) if excerpt else "nothing is written."
    if token.type in ("RPAR", "RSQB") and opened is None:
        return say('"{token}" closes nothing.', token)
    return say('"{token}" is not expected here.', cut(str(token), SHOWN))


def _end(text: str) -> Place:
    """Just after the last character that is not blank."""
    lines = text.rstrip().split("\n")
    return Place("", len(lines), len(lines[-1]) + 1)


def _stack(error: Any) -> Any:
    return error.interactive_parser.parser_state.value_stack


def _open_bracket(error: Any) -> Any:
    """The last parenthesis or bracket on the parser's stack that nothing has closed."""
    closed = 0
    for value in reversed(_stack(error)):
        kind = getattr(value, "type", "")
        if kind in ("RPAR", "RSQB"):
            closed += 1
        elif kind in _PAIRS and closed:
            closed -= 1
        elif kind in _PAIRS:
            return value
    return None


def _expected_terminals(error: Any) -> tuple[str, ...]:
    terminals = error.interactive_parser.accepts()
    words = [worded("an operator")] if terminals >= _OPERATORS else []
    words += [worded(word) for name, word in _WORDS.items() if name in terminals]
    if not words:
        return ()
    *first, last = words
    return (
        say("Expected: {first} or {last}.", ", ".join(first), last)
        if first
        else say("Expected: {last}.", last),
    )


def _hints(text: str, token: Any, error: Any) -> tuple[str, ...]:
    """Advice on frequent mistakes in text of this kind."""
    if token is None:
        line = text.split("\n")[error.line - 1]
        return character_hint(line[error.column - 1 : error.column], line, error.column)
    kind = getattr(token, "type", "")
    last = _stack(error)[-1] if _stack(error) else ""
    before = getattr(last, "type", "")
    word = kind in ("NAME", "UNIT", "SPEED")
    if before == "NAME" and str(last) in FUNCTIONS and (word or kind == "NUMBER"):
        return (say("Write its argument in parentheses: {name}(…).", last),)
    if word and before != "UNIT" and len(token) > 1 and is_unit(plain_unit(str(token))):
        return (say('A unit follows a number directly, as in "3 {name}".', token),)
    if kind == "NUMBER" and re.search(r"\d[ \u00a0\u202f]\d{3}\b", text):
        return (say("Write digits without separators, as in 1000."),)
    if word and before == "UNIT":
        return (
            say(
                'Units are joined by a dot or a slash, as in "{stack}.{token}".',
                _stack(error)[-1],
                token,
            ),
        )
    if kind == "COMMA" and re.search(r"\d,\d", text):
        return ("Decimals are written with a point, as in 0.5.",)
    accepted = error.interactive_parser.accepts()
    if word and {"COMMA", "OPENING"} <= accepted:
        return (say('Is a comma missing before "{token}"?', token),)
    if (word or kind in ("NUMBER", "LPAR")) and "TIMES" in accepted:
        return ("Products are written with a star, as in 2*x.",)
    return ()
