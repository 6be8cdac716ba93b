"""Names as a reader sees them: stem, subscript and dots, Greek letters, natural order."""

import re
from dataclasses import dataclass
from typing import final

_LOWER = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
    "sigma tau upsilon phi chi psi omega"
).split()
_UPPER = "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split()
_LETTERS = dict(zip(_LOWER, "αβγδεζηθικλμνξοπρστυφχψω", strict=True))
_LETTERS |= dict(zip(_UPPER, "ΓΔΘΛΞΠΣΥΦΨΩ", strict=True))

_INERTIA = re.compile(r"([A-Z])((?:XX|XY|XZ|YY|YZ|ZZ))(\d*)")  # IXX1
_ENTRY = re.compile(r"(.+)\[([\d,]+)\]")  # M[1,2]
_PARTS = re.compile(r"([^\d_]+)_?(.*)")  # q2, S_alpha, w3x


@final
@dataclass(frozen=True)
class Identifier:
    """A name taken apart: `alpha1.` has the stem alpha, the subscript 1 and one dot."""

    stem: str
    subscripts: tuple[str, ...] = ()
    dots: int = 0


def identifier(name: str) -> Identifier:
    """Stem, subscripts and dots of a name."""
    bare = name.rstrip(".")
    dots = len(name) - len(bare)
    if found := _ENTRY.fullmatch(bare):
        inner = identifier(found[1])
        return Identifier(inner.stem, (*inner.subscripts, found[2]), dots)
    if found := _INERTIA.fullmatch(bare):
        return Identifier(found[1], tuple(part for part in (found[2].lower(), found[3]) if part), dots)
    if found := _PARTS.fullmatch(bare):
        return Identifier(found[1], tuple(part for part in found[2].split("_") if part), dots)
    return Identifier(bare, (), dots)


def is_greek(word: str) -> bool:
    """Whether the word is the name of a Greek letter."""
    return word in _LETTERS


def greek(word: str) -> str:
    """The Greek letter of this name, or the word itself."""
    return _LETTERS.get(word, word)


def natural(name: str) -> tuple[tuple[str, int], ...]:
    """A key that sorts q2 before q10."""
    found = re.findall(r"(\D*)(\d*)", name)
    return tuple((stem, int(digits or -1)) for stem, digits in found if stem or digits)
