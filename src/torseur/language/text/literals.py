"""Numbers and units as they are written, kept exact: 0.1 is 1/10 and 30 deg is π/6."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from torseur.algebra.core.expr import PI, Expr, number
from torseur.brief import cut
from torseur.errors import suggestion
from torseur.language.text.place import WrittenText
from torseur.language.text.text_mistakes import unit_meant
from torseur.model.checks.limits import LARGEST
from torseur.units import FREQUENT, LISTED, SI_UNITS, unit_factor
from torseur.words.sentence import say

EXACT_DIGITS = 17  # more significant digits than this come from a float: they are kept as one
LARGEST_EXPONENT = 150  # of ten, as in LARGEST
SHOWN = 30  # characters of a text shown in a message
LONGEST_LITERAL = 40  # characters of an exact number or of a unit

_UP = str.maketrans("¹²³⁻", "123-")
_RAISED = re.compile(r"[⁻¹²³]+")


def written_number(token: Any, written: WrittenText) -> Expr:
    """The number of a literal, exact up to 17 significant digits."""
    text = str(token)
    value = float(text)
    if value > LARGEST or (value < 1 / LARGEST and text.lower().partition("e")[0].strip("0.")):
        size = say("large") if value > 1 else say("small")
        advice = say(
            "Numbers lie between 1e-{largest_exponent} and 1e{largest_exponent}.", LARGEST_EXPONENT
        )
        raise written.fault(
            token, say("the number {shortened} is too {size}.", cut(text, SHOWN), size), advice
        )
    return literal(text)


def literal(text: str) -> Expr:
    """The number of a literal without a sign that lies within the limits."""
    mantissa, _, exponent = text.lower().partition("e")
    digits = mantissa.replace(".", "").strip("0")
    short = len(text) <= LONGEST_LITERAL and len(digits) <= EXACT_DIGITS
    if short and abs(int(exponent or 0)) <= LARGEST_EXPONENT - EXACT_DIGITS:
        return number(Fraction(text))
    return number(float(text))


def written_unit(token: Any, written: WrittenText) -> Expr:
    """The factor that brings a unit to SI; that of an angle holds π."""
    unit = plain_unit(str(token))
    minus = re.search(r"[^^](-\d+)$", unit)
    if minus:
        power = minus.group(1)
        advice = say(
            'Write "{unit}^{power}", or a space before the minus sign.',
            unit[: minus.start(1)],
            power,
        )
        raise written.fault(token, say('"{token}" may be a power or a difference.', token), advice)
    powered = re.match(r"[^\W\d]+\d", unit)  # 2L1 may be 2*L1: a power needs its sign
    factor = None if powered else si_factor(unit)
    if factor is None:
        problem, *advice_lines = unknown_unit(unit)
        raise written.fault(token, problem, *advice_lines)
    return factor


def si_factor(unit: str) -> Expr | None:
    """The factor that brings a unit to SI, None for a unit that is not known."""
    sane = len(unit) <= LONGEST_LITERAL and not re.search(r"\d{3}", unit)
    parts = unit_factor(unit) if sane else None
    if parts is None:
        return None
    factor, pi_power = parts
    return number(factor) * PI**pi_power


def plain_unit(text: str) -> str:
    """A unit with its powers on the line: `kg.m²` is `kg.m^2`."""
    return _RAISED.sub(lambda raised: "^" + raised.group().translate(_UP), text.strip())


def unknown_unit(unit: str, *, after_number: bool = True) -> tuple[str, ...]:
    """Message about a unit that is not in the table: problem, known units, closest one."""
    excerpt = cut(unit, SHOWN)
    first = re.split(r"[./*^·]", excerpt)[0]
    powered = re.fullmatch(r"(\D+)(\d)", first)
    closest = unit_meant(excerpt)
    advice = [say('Did you mean "{name}"?', closest)] if closest else []
    advice = [*advice, *suggestion(excerpt, FREQUENT), *suggestion(first, FREQUENT)][:1]
    if powered and powered.group(1) in SI_UNITS:
        advice = [say('For the power write "{groups}".', "^".join(powered.groups()))]
    if after_number and (powered or not advice):
        advice.append(say('To multiply, write a star before "{shown}".', excerpt))
    listed = say(
        "Known units: {listed}; with SI prefixes, such as mm, daN or MPa.", ", ".join(LISTED)
    )
    return say('unit "{shown}" does not exist.', excerpt), listed, *advice


def si_unit(unit: str) -> str:
    """The SI name of a unit: `kg.mm^2` gives `kg.m^2`, `tr/min` gives `rad/s`."""
    return re.sub(r"[A-Za-zµμ°]+", lambda word: SI_UNITS.get(word.group(), word.group()), unit)
