"""Marks on a copy: what is wrong with a formula before its value is known (Plaut 2007, annex B).

SE: it cannot be read. KK (késako): a symbol that nothing defines. INHT: a vector is added to a
scalar, or taken for one. INHD: quantities of different dimensions are added, or compared. EL: the
quantity is defined by itself. HS (hors sujet): it is the formula of something else. N: another
letter than the model's. T: called by the name of something else. DR: an equation without "=". The
last three are remarks; the formula may be right besides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from torseur.named_words import Words
from torseur.words.sentence import said

SYNTAX, UNDEFINED, TENSORS, DIMENSIONS = "SE", "KK", "INHT", "INHD"
LOGIC, OFF_TOPIC, NOTATION, TERMS, WRITING = "EL", "HS", "N", "T", "DR"
SCALAR, VECTOR = "order scalar", "order vector"


@final
@dataclass(frozen=True)
class Fault:
    """A mark: its code, the sentence and what goes into it, the column it points at."""

    code: str
    key: str  # of the sentence
    values: tuple[str, ...] = ()
    place: int = 0

    def text(self, words: Words, lang: str) -> str:
        """The mark in a language: code, meaning, sentence."""
        where = f" ({words['column'].format(self.place)})" if self.place else ""
        colon = words["colon"]
        values = (words[x] if x in (SCALAR, VECTOR) else said(x, lang) for x in self.values)
        sentence = words[self.key].format(*values)
        return f"{self.code}{where}{colon} {words[self.code]} {sentence}".rstrip()
