"""Entries of the YAML form as messages name them, in the language that is spoken."""

from __future__ import annotations

from torseur.words.language import FRENCH, spoken


def shown_key(key: str) -> str:
    """An entry, or a word that one says, as messages name it."""
    return french(key) if spoken() == FRENCH else key


def french(key: str) -> str:
    """The French of an entry; what has none is the same in both languages."""
    from torseur.words.fr.entries import ENTRIES

    return ENTRIES[key][0].replace(" ", "_").replace("'", "_") if key in ENTRIES else key
