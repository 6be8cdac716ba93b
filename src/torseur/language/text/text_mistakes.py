"""Frequent mistakes in texts that cannot be read, and advice on them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

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
    "'": say("Write digits without separators, as in 1000."),
    "’": say("Write digits without separators, as in 1000."),
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
    base, power = _base_and_power(word)
    plain = folded(base)
    by_case = {folded(x): x for x in reversed(FREQUENT)}
    unit = _WORDS_OF_UNITS.get(plain) or _WORDS_OF_UNITS.get(plain.removesuffix("s"))
    if unit is None and plain in by_case:
        unit = by_case[plain]
    if unit is None:
        joined = _JOINED.fullmatch(base)
        unit = ".".join(filter(None, joined.groups())) if joined else ""
    return f"{unit}{power}" if unit else ""


def _base_and_power(word: str) -> tuple[str, str]:
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
    parts = ways.get(len(word), ())
    return parts if len(parts) > 1 else ()


def product_meant(word: str, names: Collection[str]) -> str:
    """The product that letters side by side are meant for: m*l for ml; nothing if they are none."""
    return "*".join(split_into(word, names))


def factor_meant(word: str, names: Collection[str]) -> str:
    """Factor meant by a word behind a number: l for 0.5l or 2xl, m*l for 3ml."""
    for name in (word, word.removeprefix("x")):
        if name and name in names:
            return name
        if name and (product := product_meant(name, names)):
            return product
    return ""


def rate_meant(name: str, coordinates: Collection[str]) -> tuple[str, ...]:
    """Advice on a name meant for the speed of a coordinate: dtheta, theta_dot."""
    for pattern in _RATES:
        match = re.fullmatch(pattern, name)
        if match is not None and match[1] in coordinates:
            return (say('The speed of "{name}" is written "{name}.".', match[1]),)
    return ()


def character_hint(letter: str, text: str, column: int) -> tuple[str, ...]:
    """Advice on a character without meaning, by the characters around it."""
    if letter in _CHARACTERS:
        return (_CHARACTERS[letter],)
    around = text[max(0, column - 2) : column + 1]
    if letter == "." and re.fullmatch(r"\w\.\w", around):
        return ("Products are written with a star, as in 2*x.",)
    return ()


def fraction_meant(name: str) -> str:
    """The fraction that is one character; nothing for any other."""
    return _FRACTIONS.get(name, "")


# --- texts that are no YAML -----------------------------------------------------------------------


def syntax_hint(lines: Sequence[str], line: int, problem: str, start: int | None) -> Iterator[str]:
    """Advice on the line (from 0) at which a YAML text cannot be read any more."""
    current = lines[line] if line < len(lines) else ""
    above = next((k for k in range(line - 1, -1, -1) if lines[k].strip()), None)
    if "\t" in current[: len(current) - len(current.lstrip())]:
        yield say("Line {line} begins with a tab: indent with spaces.", line + 1)
    elif problem.startswith("could not find expected ':'") and start is not None:
        excerpt = lines[start].strip()[:40]
        yield say('Is a colon missing in line {line}, "{shown}"?', start + 1, excerpt)
    elif problem.startswith("expected ',' or") and start is not None:
        yield say(
            "Is a bracket or a brace of line {line} not closed, or a comma missing?", start + 1
        )
    elif problem.startswith(("mapping values", "expected <block end>")) and above is not None:
        yield from _line_above(lines, line, above)


def _line_above(lines: Sequence[str], line: int, above: int) -> Iterator[str]:
    current, before = lines[line], lines[above]
    if re.match(r"\s*[^\W\d]\w*:[^\s]", before):
        yield say("Is a space missing after the colon of line {line}?", above + 1)
    elif _indent(current) != _indent(before):
        yield say(
            "Entries of one part begin in one column: line {line} begins in column {column}, "
            "line {above} in column {other}.",
            line + 1,
            _indent(current) + 1,
            above + 1,
            _indent(before) + 1,
        )
    elif current.count(": ") > 1:
        yield say("Put a text that contains a colon in quotes.")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
