"""Names as a reader sees them: stem, subscripts and dots, Greek letters, natural order."""

import re
from dataclasses import dataclass
from functools import lru_cache
from html.entities import name2codepoint
from typing import final

_LATIN = set("ΑΒΕΖΗΙΚΜΝΟΡΤΧ") | set("ος")  # look like Latin letters, or are not in LaTeX

GREEK = {
    word: chr(code)
    for word, code in name2codepoint.items()
    if ord("Α") <= code <= ord("ω") and chr(code) not in _LATIN
}

_LETTERS = {"lam": "lambda"}  # which is a word of Python
_INERTIA = re.compile(r"([A-Z])(XX|XY|XZ|YX|YY|YZ|ZX|ZY|ZZ)(\d*)")  # IXX1
_MOMENT = re.compile(r"(I)(xx|yy|zz)(?:_(.*))?")  # Izz_rod
_ENTRY = re.compile(r"(.+)\[([\d,]+)\]")  # M[1,2]
_PARTS = re.compile(r"([^\d_]+)_?(.*)")  # q2, S_alpha, w3x
_NUMBERED = re.compile(r"([A-Za-z]+)(\d+)")
_ANGLES = re.compile(r"(m?\d)+")  # 2m3 in C2m3 = cos(q2 - q3)


@final
@dataclass(frozen=True)
class Identifier:
    """A name taken apart: `alpha1.` has the stem alpha, the subscript 1 and one dot."""

    stem: str
    subscripts: tuple[str, ...] = ()
    dots: int = 0


def identifier(name: str, *, abbreviation: bool = False) -> Identifier:
    """Stem, subscripts and dots of a name; C2m3 is an abbreviation, with the subscript 2-3."""
    bare = name.rstrip(".")
    dots = len(name) - len(bare)
    if match := _ENTRY.fullmatch(bare):
        inner = identifier(match[1])
        return Identifier(inner.stem, (*inner.subscripts, match[2]), dots)
    if match := _INERTIA.fullmatch(bare):
        return Identifier(match[1], _filled(match[2].lower(), match[3]), dots)
    if match := _MOMENT.fullmatch(bare):
        return Identifier(match[1], _filled(match[2], *(match[3] or "").split("_")), dots)
    if match := _PARTS.fullmatch(bare):
        subscripts = _filled(*match[2].split("_"))
        if abbreviation and _ANGLES.fullmatch(match[2]):
            subscripts = (match[2].replace("m", "-"),)
        return Identifier(_LETTERS.get(match[1], match[1]), subscripts, dots)
    return Identifier(bare, (), dots)


def numbered_letter(word: str) -> tuple[str, str] | None:
    """alpha and 1 of `alpha1`, a Greek letter with its own number; None of any other word."""
    match = _NUMBERED.fullmatch(word)
    return (match[1], match[2]) if match and match[1] in GREEK else None


def _filled(*parts: str) -> tuple[str, ...]:
    return tuple(part for part in parts if part)


@lru_cache(maxsize=4096)
def natural(name: str) -> tuple[tuple[str, int], ...]:
    """A key that sorts q2 before q10, and q. before q2.: dots count last."""
    bare = name.rstrip(".")
    pieces = re.findall(r"(\D*)(\d*)", bare)
    key = tuple((stem, int(digits or -1)) for stem, digits in pieces if stem or digits)
    return (*key, ("", len(name) - len(bare)))
