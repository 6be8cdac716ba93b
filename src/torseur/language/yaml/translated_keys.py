"""The words of the YAML form in other languages: sections, entries, and values of some entries.

They are read with or without accents, with spaces, hyphens or underscores, beside the English ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache, lru_cache

from torseur.model.joints.catalogue import plain
from torseur.words.catalogue import languages
from torseur.words.entries import entry_words


def _recognised(word: str) -> str:
    """A word as it is compared: apostrophes are spaces."""
    return plain(word.replace("'", " "))


@cache
def _english(lang: str) -> dict[str, list[str]]:
    """The English entries by the words of a language."""
    english_by_word: dict[str, list[str]] = {}
    for key, words in entry_words(lang).items():
        for word in words:
            english_by_word.setdefault(_recognised(word), []).append(key)
    return english_by_word


@lru_cache(maxsize=4096)
def meanings(word: str) -> tuple[str, ...]:
    """The English entries that a word of another language may stand for."""
    recognised = _recognised(word)
    return tuple(key for lang in languages() for key in _english(lang).get(recognised, ()))


def english(word: str, known: Collection[str]) -> str:
    """The English word among the known ones that a word stands for; itself where there is none."""
    if word in known:
        return word
    return next((x for x in meanings(word) if x in known), word)


def written_as(key: str, words: Iterable[str]) -> str | None:
    """Word of a list that means an English key, in any language; None if there is none."""
    match = None
    for word in words:
        if word == key:
            return word
        if match is None and key in meanings(word):
            match = word
    return match


def language_of(word: str, key: str) -> str:
    """The language in which a word stands for an English entry."""
    recognised = _recognised(word)
    return next(lang for lang in languages() if key in _english(lang).get(recognised, ()))
