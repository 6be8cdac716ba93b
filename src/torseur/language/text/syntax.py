"""From what the parser met and what it expected to a message that points at the character."""

from __future__ import annotations

import re
from typing import Any

from torseur.errors import ModelError
from torseur.language.text.place import Mark, Written
from torseur.words.sentence import say, worded

# What the reader sees of a terminal; the operators of arithmetic are named together.
_WORDS = {
    "NUMBER": say("a number"),
    "NAME": say("a name"),
    "LPAR": '"("',
    "OPENING": '"["',
    "COMMA": '","',
    "RPAR": '")"',
    "RSQB": '"]"',
    "SEMICOLON": '";"',
    "$END": say("the end"),
}
_OPERATORS = {"TIMES", "OVER", "POWER"}
_PAIRS = {"LPAR": (say("parenthesis"), ")"), "OPENING": (say("bracket"), "]")}


def syntax_error(error: Any, written: Written) -> ModelError:
    """The message for text that the grammar refuses; `error` is the parser's UnexpectedInput."""
    token = getattr(error, "token", None)
    kind = getattr(token, "type", "")
    opened = _unclosed(error)
    if opened is not None and kind in ("$END", "SEMICOLON", "RSQB"):
        name, closing = _PAIRS[opened.type]
        problem = say('the {name} "{opened}" is not closed.', name, opened)
        return written.fault(opened, problem, say('Close it with "{closing}".', closing))
    mark = _end(written.text) if kind == "$END" else token or Mark(error.line, error.column)
    problem = _problem(written.text, token, mark, opened)
    return written.fault(mark, problem, *_expected(error), *_hints(written.text, token, error))


def _problem(text: str, token: Any, mark: Any, opened: Any) -> str:
    if token is None:
        found = text.split("\n")[mark.line - 1][mark.column - 1 : mark.column]
        shown = found if found.isprintable() else f"U+{ord(found):04X}"
        return say('the character "{letter}" has no meaning here.', shown)
    if token.type == "$END":
        shown = _short(text.strip())
        return say('"{shown}" is not complete.', shown) if shown else "nothing is written."
    if token.type in ("RPAR", "RSQB") and opened is None:
        return say('"{token}" closes nothing.', token)
    return say('"{token}" is not expected here.', _short(token))


def _end(text: str) -> Mark:
    """Just after the last character that is not blank."""
    lines = text.rstrip().split("\n")
    return Mark(len(lines), len(lines[-1]) + 1)


def _stack(error: Any) -> Any:
    return error.interactive_parser.parser_state.value_stack


def _unclosed(error: Any) -> Any:
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


def _short(text: str) -> str:
    return str(text) if len(text) <= 30 else f"{text[:30]}…"


def _expected(error: Any) -> tuple[str, ...]:
    terminals = error.interactive_parser.accepts()
    words = [say("an operator")] if terminals >= _OPERATORS else []
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
    """What people often mean by text of this kind."""
    kind = getattr(token, "type", "")
    before = getattr(_stack(error)[-1], "type", "") if _stack(error) else ""
    word = kind in ("NAME", "UNIT", "SPEED")
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
