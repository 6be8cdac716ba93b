"""Polynomials with quotients put in for letters, by powers of one letter and modulo quadratics."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from torseur.analyse.letters.polynomials import Quotient

if TYPE_CHECKING:
    from sympy.polys.rings import PolyElement

_REDUCED = 300  # terms whose common divisor takes as long as their product


def powers(p: PolyElement, place: int) -> dict[int, PolyElement]:
    """The coefficient of each power of a generator."""
    parts: dict[int, dict[Any, Any]] = {}
    for monomial, coefficient in p.terms():
        power = monomial[place]
        rest = (*monomial[:place], 0, *monomial[place + 1 :])
        parts.setdefault(power, {})[rest] = coefficient
    return {power: p.ring.from_dict(terms) for power, terms in parts.items()}


def used_letters(p: PolyElement) -> set[int]:
    """The places of the generators that occur."""
    return {k for k, e in enumerate(p.degrees()) if e > 0}


def linear(p: PolyElement, place: int) -> tuple[PolyElement | None, PolyElement | None]:
    """Slope and rest of a polynomial that is linear in a generator."""
    parts = powers(p, place)
    if max(parts) != 1:
        return None, None
    return parts[1], parts.get(0, p.ring.zero)


def put(p: PolyElement, place: int, value: Quotient) -> Quotient:
    """A polynomial with a quotient for a generator."""
    parts = powers(p, place)
    highest = max(parts, default=0)
    if not highest:
        return Quotient(p, p.ring.one)
    total = p.ring.zero
    for power, coefficient in parts.items():
        total += coefficient * _raised(value.above, power) * value.below ** (highest - power)
    return Quotient(total, value.below**highest)


def work_of(p: PolyElement, place: int, value: Quotient) -> int:
    """Products of terms that it takes to put a quotient in a polynomial, and to reduce it."""
    count, above, below = 0, max(len(value.above), 1), len(value.below)
    degrees = Counter(monomial[place] for monomial in p.itermonoms())
    highest = max(degrees, default=0)
    if not highest:
        return 0
    for power, terms in degrees.items():
        count += terms * above**power * below ** (highest - power)
    return count + count * count // _REDUCED


def _raised(p: PolyElement, power: int) -> PolyElement:
    return p**power if power else p.ring.one


def valued(x: Quotient, place: int, value: Quotient) -> Quotient:
    """A quotient with a value for a generator."""
    above, below = put(x.above, place, value), put(x.below, place, value)
    return (above * below.power(-1)).lowest


def summed(p: PolyElement, x: Quotient) -> PolyElement:
    """The numerator of p + x."""
    return p * x.below + x.above


def by_squares(p: PolyElement, squares: dict[int, PolyElement]) -> Quotient:
    """A polynomial modulo quadratics, each in a generator of its own."""
    total = Quotient(p, p.ring.one)
    for place, quadratic in squares.items():
        parts = powers(quadratic, place)
        lead = parts[2]
        above, below = total.above, total.below
        while above and above.degrees()[place] >= 2:
            parts_above = powers(above, place)
            generator = p.ring.gens[place]
            highest = max(parts_above)
            rest = above - parts_above[highest] * generator**highest
            lower = parts.get(1, p.ring.zero) * generator + parts.get(0, p.ring.zero)
            above = rest * lead - parts_above[highest] * generator ** (highest - 2) * lower
            below = below * lead
        total = Quotient(above, below)
    return total
