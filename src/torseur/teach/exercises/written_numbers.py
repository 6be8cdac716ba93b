"""Numbers with units as students write them: decimal commas, powers of ten, roots, LaTeX."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import final

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.language.text.expression import parse_expression
from torseur.language.text.literals import plain_unit, si_factor
from torseur.words.language import chosen

_LONGEST = 200  # characters of an answer
_NAMED = re.compile(r".*(?:=|≈|≃|\\approx|\\simeq)", re.DOTALL)  # lam = …
_DRESS = re.compile(r"\\(?:mathrm|text|left|right|quad|[,;!: ])|[{}$~]")
_SIGNS = {"−": "-", "–": "-", "**": "^", "√": "sqrt", r"\sqrt": "sqrt", r"\pi": "pi", "π": "pi"}
_TIMES = {r"\times": "*", r"\cdot": "*", "×": "*", "·": "*"}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_UP = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_POWER_OF_TEN = re.compile(r"\s*\*\s*10\s*\^?\s*\(?([-+]?\d+)\)?")
_BARE_ROOT = re.compile(r"sqrt\s*(\d+(?:\.\d+)?)")
_GROUPS = re.compile(r"(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))")  # 3 665
_UNIT = re.compile(r"(?:1/)?[^\W\d_]|°")
_NUMBER = re.compile(r"[-+]?[\d.]+(?:e[-+]?\d+)?", re.IGNORECASE)
_WORDS = {"Nm": "N.m", "degree": "deg", "degrees": "deg", "degré": "deg", "degrés": "deg"}


@final
@dataclass(frozen=True)
class ReadNumber:
    """A number and its unit, "" for none; its size is None if the unit is unknown."""

    value: float
    unit: str

    @property
    def size(self) -> float | None:
        """Size of the unit in SI."""
        return unit_size(self.unit)


def unit_size(unit: str) -> float | None:
    """A unit in SI; 1 for none, None for one that is not known."""
    factor = si_factor(plain_unit(unit) or "1")
    return None if factor is None else float(evaluate(factor, {}))


def turns(unit: str) -> float:
    """Turns in a unit: a hertz is a turn a second if an angle is wanted."""
    return 2 * math.pi if "Hz" in unit else 1.0


def read_number(text: str) -> ReadNumber | None:
    """The number in an answer, and its unit; None if there is no number."""
    plain = _plain(text[:_LONGEST])
    for end in range(1, len(plain) + 1):
        number, rest = plain[:end].strip(), plain[end:].strip()
        if rest and not _UNIT.match(rest):
            continue
        unit = _unit(rest)
        value = _value(number) if number and unit_size(unit) is not None else None
        if value is not None:
            return ReadNumber(value, unit)
    match = _NUMBER.match(plain)
    value = _value(match[0]) if match else None
    return (
        None if match is None or value is None else ReadNumber(value, plain[match.end() :].strip())
    )


def spoken_number(value: float, unit: str, lang: str | None, digits: int = 6) -> str:
    """A number with its unit as a teacher writes it: 9,81 m/s² in French."""
    number = f"{value:.{digits}g}"
    number = number.replace(".", ",") if chosen(lang) == "fr" else number
    return f"{number} {spoken_unit(unit)}".strip()


def spoken_unit(unit: str) -> str:
    """A unit as a teacher writes it: m/s², N·m."""
    return re.sub(r"\^(-?\d+)", lambda x: x[1].translate(_UP), unit).replace(".", "·")


def _plain(text: str) -> str:
    """The answer without the name before it, with points for commas and signs of programs."""
    text = _NAMED.sub("", text).replace("{,}", ",")
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda x: "^" + x[0].translate(_RAISED), text)
    text = re.sub(r"\\d?frac *\{([^{}]+)\} *\{([^{}]+)\}", r"(\1)/(\2)", text)
    for written, sign in {**_SIGNS, **_TIMES}.items():
        text = text.replace(written, sign)
    text = _GROUPS.sub("", _DRESS.sub(" ", text))
    text = re.sub(r"(?<=\d),(?=\d)", ".", text)
    return _POWER_OF_TEN.sub(r"e\1", _BARE_ROOT.sub(r"sqrt(\1)", text)).strip()


def _unit(text: str) -> str:
    """A unit of the table: N m is N.m, 1/s is s^-1."""
    text = re.sub(r"^1/([^\W\d_]+)", r"\1^-1", text)
    text = re.sub(r"[^\W\d_]+", lambda word: _WORDS.get(word[0], word[0]), text)
    return plain_unit(re.sub(r"\s+(?=[^\W\d_])", ".", text.replace(" /", "/").replace("/ ", "/")))


def _value(text: str) -> float | None:
    """The value of an expression of numbers, such as 2*pi/3; None if it is none."""
    try:
        return float(evaluate(parse_expression(text, {}), {}))
    except (ModelError, ArithmeticError):
        return None
