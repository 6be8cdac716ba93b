"""The language that is spoken now: of one context, and what the environment asks for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

ENGLISH, FRENCH = "en", "fr"
LANGUAGES = (ENGLISH, FRENCH)
VARIABLE = "TORSEUR_LANG"
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that says something decides, as in POSIX
_SPOKEN: ContextVar[str] = ContextVar("torseur.language", default=ENGLISH)


def spoken() -> str:
    """The language of the sentences that are made now."""
    return _SPOKEN.get()


def chosen(lang: str | None) -> str:
    """A language that is asked for; where none is, the one that is spoken."""
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
    """What TORSEUR_LANG says; else French where the locale is, else English."""
    if chosen := environment.get(VARIABLE, ""):
        return chosen
    locale = next((x for name in _LOCALE if (x := environment.get(name, ""))), "")
    return FRENCH if locale.lower().partition("_")[0].partition(".")[0] == FRENCH else ENGLISH
