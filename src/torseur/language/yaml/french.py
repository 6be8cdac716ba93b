"""The words of the YAML form in French: sections, entries, and what some entries say.

They are read with or without accents, with spaces, hyphens or underscores, beside the English ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from torseur.model.joints.catalogue import plain
from torseur.words.fr.entries import ENTRIES

FRENCH: Mapping[str, tuple[str, ...]] = MappingProxyType(ENTRIES)
_ENGLISH: dict[str, list[str]] = {}  # by words as they are recognised, apostrophes being spaces
for _key, _words in ENTRIES.items():
    for _word in _words:
        _ENGLISH.setdefault(plain(_word.replace("'", " ")), []).append(_key)


@lru_cache(maxsize=4096)
def meanings(word: str) -> tuple[str, ...]:
    """The English entries that a French word may stand for."""
    return tuple(_ENGLISH.get(plain(word.replace("'", " ")), ()))


def english(word: str, known: Collection[str]) -> str:
    """The English word among the known ones that a word stands for; itself where there is none."""
    if word in known:
        return word
    return next((x for x in meanings(word) if x in known), word)


def written_as(key: str, words: Iterable[str]) -> str | None:
    """By which of some words an English one is written, in either language; None where by none."""
    found = None
    for word in words:
        if word == key:
            return word
        if found is None and key in meanings(word):
            found = word
    return found
