"""Identifiers a language accepts, close to the names of the model and different from each other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, final

_LONGEST = 40  # Fortran and MATLAB accept 63
_RATE = re.compile(r"(?<=\w)(\.+)(?=\W|$)")
_LETTER = re.compile(r"GREEK (SMALL|CAPITAL) LETTER (?:FINAL )?(\w+)")


def spelled(name: str) -> str:
    """A name in letters, digits and underscores: alpha_d for `alpha.`, I_xx for `I_{xx}`."""
    bare = re.sub(r"^Q\[(.*?)\.?\]$", r"Q_\1", name)  # the force that goes with a speed
    dotted = _RATE.sub(lambda dots: "_" + "d" * len(dots[1]), bare)
    plain = unicodedata.normalize("NFKD", dotted)
    latin = "".join(_latin(letter) for letter in plain if not unicodedata.combining(letter))
    word = re.sub(r"[^A-Za-z0-9]+", "_", latin).strip("_")
    return word if re.match("[A-Za-z]", word) else f"x{word}"


def table_function(name: str, order: int = 0) -> str:
    """The function that looks up a derivative of a table: table_lift, table1_lift."""
    return f"table{order or ''}_{spelled(name)}"


def _latin(letter: str) -> str:
    """A Greek letter by its name, another foreign one by its number."""
    if letter.isascii():
        return letter
    if not letter.isalnum():
        return "_"
    return greek_word(letter) or f"u{ord(letter):x}"


def greek_word(letter: str) -> str:
    """The name of a Greek letter: theta, Theta; empty for another letter."""
    match = _LETTER.match(unicodedata.name(letter, ""))
    if match is None:
        return ""
    word = match[2].replace("LAMDA", "LAMBDA").lower()
    return word.capitalize() if match[1] == "CAPITAL" else word


@final
class Identifiers:
    """The identifiers taken so far; a reserved word gets an underscore, a second one a number."""

    def __init__(self, reserved: Iterable[str], *, case_sensitive: bool = True) -> None:
        self._case_sensitive = case_sensitive
        self._reserved = {self._key(word) for word in reserved}
        self._taken: set[str] = set()

    def copy(self) -> Identifiers:
        """Independent copy, for an inner scope."""
        other = Identifiers(self._reserved, case_sensitive=self._case_sensitive)
        other._taken = set(self._taken)
        return other

    def take(self, name: str) -> str:
        """A new identifier for a name of the model."""
        word = spelled(name)[:_LONGEST]
        if self._key(word) in self._reserved:
            word += "_"
        number, identifier = 1, word
        while self._is_taken(identifier):
            number += 1
            identifier = f"{word.rstrip('_')}_{number}"
        self._taken.add(self._key(identifier))
        return identifier

    def number(self, prefix: str, first: int) -> tuple[str, int]:
        """The first free identifier of a series, t7 for instance, and the number after it."""
        while self._is_taken(f"{prefix}{first}"):
            first += 1
        self._taken.add(self._key(f"{prefix}{first}"))
        return f"{prefix}{first}", first + 1

    def _is_taken(self, word: str) -> bool:
        key = self._key(word)
        return key in self._taken or key in self._reserved

    def _key(self, word: str) -> str:
        return word if self._case_sensitive else word.lower()


# --- a language: reserved words, options, and the writer of a model's files -----------------------


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# The functions an expression may contain; "pi" stands for the number.
MATHEMATICS = words("sin cos tan asin acos atan atan2 exp log sinh cosh tanh sign abs sqrt pow pi")


@final
@dataclass(frozen=True)
class Language:
    """A language: what may not be an identifier, and the files of a model (name → text)."""

    name: str
    reserved: frozenset[str]  # besides MATHEMATICS
    files: Callable[..., Mapping[str, str]]  # (model, **options)
    case_sensitive: bool = True
    options: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # name → possible values
    tables: bool = True  # whether tables can be looked up
