"""What people often mean by a text that cannot be read: the mistake that was made."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from torseur.errors import folded
from torseur.units import FREQUENT
from torseur.words.sentence import say

_WORDS_OF_UNITS = {  # by their first letters, without accents
    "metre": "m", "meter": "m", "kilogram": "kg", "kilo": "kg", "gram": "g", "second": "s",
    "sec": "s", "newton": "N", "radian": "rad", "degre": "deg", "degree": "deg", "tour": "tr",
    "turn": "tr", "millimetre": "mm", "millimeter": "mm", "minute": "min", "heure": "h",
    "hour": "h", "joule": "J", "watt": "W", "hertz": "Hz", "tonne": "t", "pascal": "Pa",
}  # fmt: skip
_CHARACTERS = {
    "√": say("For a root write sqrt(…)."),
    "∛": say("For a cube root write (…)^(1/3)."),
    "÷": say("To divide, write a slash."),
    "=": say("A value is expected here, not an equation."),
    "%": say("For a percentage write a fraction, such as 0.05."),
    "'": say("Digits stand side by side, as in 1000."),
    "’": say("Digits stand side by side, as in 1000."),
}
_FRACTIONS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8"}
_RATES = (  # how speeds are written elsewhere; the coordinate stands in the group
    r"d[_ ]?(.+?)(?:/dt|[_ ]?dt)?", r"(.+?)[_ ]?(?:dot|point|pt|prime|p)", r"(.+?)['’]+",
    r"(.+?)\u0307", r"v[_ ]?(.+)", r"omega[_ ]?(.+)",
)  # fmt: skip
_JOINED = re.compile("(kg|k?N|daN)(mm?)(s)?")  # units without a dot between them
LONGEST_PRODUCT = 12  # letters of names that may be a product without signs


def unit_meant(word: str) -> str:
    """The unit that a word is meant for: metre, KG, Nm, kgm2, sec; nothing if it is none."""
    base, power = _powered(word)
    plain = folded(base)
    by_case = {folded(x): x for x in reversed(FREQUENT)}
    found = _WORDS_OF_UNITS.get(plain) or _WORDS_OF_UNITS.get(plain.removesuffix("s"))
    if found is None and plain in by_case:
        found = by_case[plain]
    if found is None:
        joined = _JOINED.fullmatch(base)
        found = ".".join(filter(None, joined.groups())) if joined else ""
    return f"{found}{power}" if found else ""


def _powered(word: str) -> tuple[str, str]:
    """A word and the power behind it, as it is written: m2 is m and ^2."""
    named = re.fullmatch(r"(\D+?)\^?(-?\d)?", word)
    if named is None:
        return word, ""
    return named[1], f"^{named[2]}" if named[2] else ""


def split_into(word: str, names: Iterable[str]) -> tuple[str, ...]:
    """Names that a word is made of, side by side; none if it is not, or is one of them."""
    known = {name for name in names if name}
    ways: dict[int, tuple[str, ...]] = {0: ()}
    for end in range(1, min(len(word), LONGEST_PRODUCT) + 1):
        for start in range(end):
            if start in ways and word[start:end] in known:
                way = (*ways[start], word[start:end])
                if end not in ways or len(way) < len(ways[end]):
                    ways[end] = way
    found = ways.get(len(word), ())
    return found if len(found) > 1 else ()


def product_meant(word: str, names: Collection[str]) -> str:
    """The product that letters side by side are meant for: m*l for ml; nothing if they are none."""
    return "*".join(split_into(word, names))


def factor_meant(word: str, names: Collection[str]) -> str:
    """What a word behind a number is meant to multiply it by: l for 0.5l or 2xl, m*l for 3ml."""
    for own in (word, word.removeprefix("x")):
        if own and own in names:
            return own
        if own and (product := product_meant(own, names)):
            return product
    return ""


def rate_meant(name: str, coordinates: Collection[str]) -> tuple[str, ...]:
    """How the speed of a coordinate is written, where a name is meant for it: dtheta, theta_dot."""
    for pattern in _RATES:
        meant = re.fullmatch(pattern, name)
        if meant is not None and meant[1] in coordinates:
            return (say('The speed of "{name}" is written "{name}.".', meant[1]),)
    return ()


def character_hint(letter: str, text: str, column: int) -> tuple[str, ...]:
    """What to write for a character without meaning, by what stands around it."""
    if letter in _CHARACTERS:
        return (_CHARACTERS[letter],)
    around = text[max(0, column - 2) : column + 1]
    if letter == "." and re.fullmatch(r"\w\.\w", around):
        return ("Products are written with a star, as in 2*x.",)
    return ()


def fraction_meant(name: str) -> str:
    """The fraction that is one character; nothing for any other."""
    return _FRACTIONS.get(name, "")
