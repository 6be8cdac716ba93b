"""The language that is spoken now: of one context, and what the environment asks for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from torseur.words.catalogue import ENGLISH, languages

VARIABLE, OPTION = "TORSEUR_LANG", "--lang"
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that says something decides, as in POSIX
_SPOKEN: ContextVar[str | None] = ContextVar("torseur.language", default=None)


def spoken() -> str:
    """The current language of sentences: of the context, or of the environment.

    The environment is looked at each time, so that a notebook may set it in any cell.
    """
    return _SPOKEN.get() or asked_for()


def chosen(lang: str | None) -> str:
    """The given language, or the current one."""
    return spoken() if lang is None else lang


@contextmanager
def speaking(lang: str) -> Iterator[None]:
    """Within it, sentences are made in this language: of errors, notices, results and figures."""
    before = _SPOKEN.set(lang)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def asked_for(environment: Mapping[str, str] = os.environ) -> str:
    """Value of TORSEUR_LANG; else the language of the locale if it has a catalogue."""
    if chosen := environment.get(VARIABLE, ""):
        return chosen
    locale = next((x for name in _LOCALE if (x := environment.get(name, ""))), "")
    code = locale.lower().partition("_")[0].partition(".")[0]
    return code if code in languages() else ENGLISH


def of_line(arguments: Sequence[str]) -> str:
    """The language of a command line: what its last --lang says, else the environment.

    It is read before the line, so that errors of the line are in it too, wherever
    the option stands.
    """
    before = arguments[: arguments.index("--")] if "--" in arguments else arguments
    pairs = zip(before, [*before[1:], ""], strict=False)
    given = [y if x == OPTION else x.removeprefix(f"{OPTION}=") for x, y in pairs if OPTION in x]
    return next((x for x in reversed(given) if x in languages()), None) or asked_for()
