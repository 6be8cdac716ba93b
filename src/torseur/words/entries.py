"""Entries of the YAML form as each language writes them."""

from __future__ import annotations

from functools import cache

from torseur.words.catalogue import ENGLISH, within
from torseur.words.language import spoken

ENTRY = "entry"  # the context of their translations


@cache
def entry_words(lang: str) -> dict[str, tuple[str, ...]]:
    """By their English, the words for entries that a language writes otherwise.

    The first of a row is the one that messages show, those after a comma are understood as well.
    """
    given = within(ENTRY, lang).items()
    return {key: tuple(text.split(", ")) for key, text in given if text != key}


def written_key(key: str, lang: str) -> str:
    """An entry as a language writes it; one that has no word of its own stays English."""
    words = {} if lang == ENGLISH else entry_words(lang)
    return words[key][0].replace(" ", "_").replace("'", "_") if key in words else key


def shown_key(key: str) -> str:
    """An entry, or a word that one says, as messages name it."""
    return written_key(key, spoken())
