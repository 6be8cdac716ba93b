"""Catalogues: the translations of each language, one gettext file that is found by its name.

A checkout has `fr.po`, compiled when it is first read and after each change; a wheel has `fr.mo`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from torseur.words.checkout import compiled
from torseur.words.po import read_mo

ENGLISH = "en"  # the language of the templates, which needs no catalogue
FOLDER = Path(__file__).parent


@cache
def languages() -> tuple[str, ...]:
    """English, then the languages that have a catalogue."""
    stems = {x.stem for x in FOLDER.iterdir() if x.suffix in (".po", ".mo")}
    return (ENGLISH, *sorted(stems))


def translated(english: str, lang: str, context: str = "") -> str:
    """A text in a language; in English where its catalogue has none."""
    key = f"{context}\x04{english}" if context else english
    return english if lang == ENGLISH else catalogue(lang).get(key, english)


def within(context: str, lang: str) -> dict[str, str]:
    """The translations of a context by their English."""
    head = f"{context}\x04"
    texts = catalogue(lang).items()
    return {key.removeprefix(head): text for key, text in texts if key.startswith(head)}


@cache
def catalogue(lang: str) -> Mapping[str, str]:
    """The translations of a language; empty for a language without a catalogue."""
    if lang == ENGLISH or lang not in languages():
        return {}
    built = FOLDER / f"{lang}.mo"
    texts = read_mo(built.read_bytes() if built.exists() else compiled(FOLDER / f"{lang}.po"))
    texts.pop("", None)  # the header
    return texts
