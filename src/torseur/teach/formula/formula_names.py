r"""Meanings of the names of a formula: `\theta_1`, `θ1`, `theta_1` are all theta1.

A name may carry dots (`theta.`, `\dot\theta`, `theta'`); letters written together, as in `mgl`, are
a product if each is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import final

from torseur.algebra.printing.names import GREEK

_OWN = "sin cos tan sqrt exp log asin acos atan sinh cosh tanh abs sign max min atan2 if"
FUNCTIONS = {name: name for name in _OWN.split()} | {
    "ln": "log", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "sgn": "sign",
}  # fmt: skip
CONSTANTS = ("pi",)
_MOST_LETTERS = 12  # written together
_OTHERS = {"ϕ": "phi", "ϑ": "theta", "ϵ": "epsilon"}
_LETTERS = {letter: word for word, letter in GREEK.items()} | _OTHERS
_VARIANTS = {"varphi": "phi", "vartheta": "theta", "varepsilon": "epsilon", "lam": "lambda"}
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


def spelled(text: str) -> str:
    """A text with Greek letters by their names and small digits as digits."""
    return "".join(_LETTERS.get(letter, letter) for letter in text.translate(_SUBSCRIPTS))


def plain(name: str) -> str:
    """The key under which a name is known: without underscores, variants of letters as one."""
    dots = len(name) - len(name.rstrip("."))
    bare = spelled(name.rstrip(".")).replace("_", "").replace("{", "").replace("}", "")
    for variant, letter in _VARIANTS.items():
        if bare == variant or re.fullmatch(rf"{variant}[\dA-Z]\w*", bare):
            bare = letter + bare.removeprefix(variant)
    return bare + "." * dots


@final
@dataclass(frozen=True)
class KnownNames:
    """The names a formula may use, and the names in the model they stand for."""

    names: Mapping[str, str] = field(default_factory=dict)  # as one may write it → in the model
    vectors: frozenset[str] = frozenset()  # vectors that may be written without an arrow

    @cached_property
    def _keys(self) -> dict[str, str]:
        keys: dict[str, str] = {}
        for written, name in self.names.items():
            keys.setdefault(plain(written), name)
        return keys

    def find(self, written: str) -> str | None:
        """The name in the model, None if nothing is called so."""
        return self.names.get(written) or self._keys.get(plain(written))

    def split(self, letters: str) -> list[str] | None:
        """Known names that make up letters written together, the longest first; None if none do."""
        if len(letters) > _MOST_LETTERS:
            return None
        best: list[list[str] | None] = [[]]  # of the last letters, by their number
        for start in range(len(letters) - 1, -1, -1):
            pieces = None
            for end in range(len(letters), start, -1):
                rest = best[len(letters) - end]
                name = None if rest is None else self.find(letters[start:end])
                if name is not None and rest is not None:
                    pieces = [name, *rest]
                    break
            best.append(pieces)
        return best[-1]

    def also(self, more: Mapping[str, str]) -> KnownNames:
        """These names, followed by others."""
        return KnownNames({**more, **self.names}, self.vectors)

    def all(self) -> Iterable[str]:
        """The names in the model."""
        return dict.fromkeys(self.names.values())
