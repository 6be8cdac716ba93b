"""Limits of the contents of a mechanism, and the refusal of numbers outside them."""

from __future__ import annotations

import math
from typing import Any

from torseur.brief import cut
from torseur.errors import ModelError
from torseur.words.sentence import say

LARGEST = 1e150  # of any number, and 1/LARGEST of any but zero: their squares are still numbers
LARGEST_ANGLE = 1e12  # [rad]; beyond, a double tells positions on the circle apart by 1e-4 only
MOST_STEPS = 10**10  # of a fixed step
MOST_PARAMETERS = 20_000
MOST_BODIES = 20_000
LARGEST_FILE = 5_000_000  # bytes of a description
LARGEST_TABLE = 20_000_000  # bytes of a table's file
LARGEST_MESH = 20_000_000  # bytes of a file of triangles
MOST_CORNERS = 100  # of a mesh that touches: each is a contact


def sensible(place: str, what: str, value: Any, unit: str = "") -> float:
    """A number that is finite and within the limits."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        kind = type(value).__name__
        text = cut(repr(value), 40)
        problem = say("{what} is {shown} ({kind}), not a number.", what, text, kind)
        raise ModelError(place, problem, 'Give a number, or a text such as "60 deg".') from None
    if not math.isfinite(number):
        raise ModelError(place, say("{name} is {value}, not a finite number.", what, number))
    if number and not 1 / LARGEST <= abs(number) <= LARGEST:
        advice = say("Numbers lie between {largest:g} and {largest2:g}.", 1 / LARGEST, LARGEST)
        raise ModelError(place, say("{what} is {number:g}.", what, number), advice)
    if unit == "rad" and abs(number) > LARGEST_ANGLE:
        advice = say(
            "Angles lie between ±{largest_angle:g} rad; a whole turn changes nothing.",
            LARGEST_ANGLE,
        )
        raise ModelError(place, say("{what} is {number:g} rad.", what, number), advice)
    return number
