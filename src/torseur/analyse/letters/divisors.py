"""Common divisors of polynomials in many letters.

A divisor of p and q has a letter x only if their images in x, with numbers for all other letters,
have a common divisor of positive degree (where no leading coefficient vanishes). Most letters drop
out so, and the coefficients of their products, which have few letters, share what p and q share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sympy.polys.rings import PolyElement

_PRIME = 2**61 - 1  # images are computed modulo it
_ATTEMPTS = 3
_MOST_PAIRS = 40_000  # pairs of terms that are divided


def common_divisor(p: PolyElement, q: PolyElement) -> PolyElement:
    """The greatest common divisor; of very long polynomials only the one of their letters."""
    if not p or not q:
        return p or q
    shared = [k for k, (d, e) in enumerate(zip(p.degrees(), q.degrees(), strict=True)) if d * e > 0]
    letters = [k for k in shared if _may_divide(p, q, k)]
    if not letters:
        return p.ring.one
    pieces = sorted({*_coefficients(p, letters), *_coefficients(q, letters)}, key=len)
    total = pieces[0]
    for piece in pieces[1:]:
        if total.is_ground:
            return p.ring.one
        if len(total) * len(piece) > _MOST_PAIRS:
            return _common_letters(p, q)
        total = total.gcd(piece)
    return p.ring.one if total.is_ground else total.primitive()[1]


def _common_letters(p: PolyElement, q: PolyElement) -> PolyElement:
    """The powers of letters that divide every term."""
    total = p.ring.one
    columns = zip(*p.itermonoms(), *q.itermonoms(), strict=True)
    for generator, column in zip(p.ring.gens, columns, strict=True):
        if power := min(column):
            total *= generator**power
    return total


def _coefficients(p: PolyElement, letters: Sequence[int]) -> list[PolyElement]:
    """The coefficients of a polynomial in the other letters."""
    inside = set(letters)
    parts: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
    for monomial, coefficient in p.terms():
        outer = tuple(0 if k in inside else e for k, e in enumerate(monomial))
        inner = tuple(e if k in inside else 0 for k, e in enumerate(monomial))
        parts.setdefault(outer, {})[inner] = coefficient
    return [p.ring.from_dict(x) for x in parts.values()]


def _may_divide(p: PolyElement, q: PolyElement, place: int) -> bool:
    """Whether a common divisor may have a letter."""
    for attempt in range(_ATTEMPTS):
        one, other = (_image(x, place, attempt) for x in (p, q))
        if one[-1] and other[-1]:
            return _degree_of_divisor(one, other) > 0
    return True


def _image(p: PolyElement, place: int, attempt: int) -> list[int]:
    """Coefficients by powers of a letter, modulo the prime, with numbers for the others."""
    listed = [0] * (p.degrees()[place] + 1)
    for monomial, coefficient in p.terms():
        term = int(coefficient.numerator) * pow(int(coefficient.denominator), -1, _PRIME) % _PRIME
        for k, power in enumerate(monomial):
            if power and k != place:
                term = term * pow(5, power * (101 + 7919 * k + 13 * attempt), _PRIME) % _PRIME
        listed[monomial[place]] = (listed[monomial[place]] + term) % _PRIME
    return listed


def _degree_of_divisor(one: list[int], other: list[int]) -> int:
    """The degree of the common divisor of two polynomials in one letter, by Euclid."""
    while other:
        inverse = pow(other[-1], -1, _PRIME)
        while len(one) >= len(other):
            factor = one[-1] * inverse % _PRIME
            shift = len(one) - len(other)
            for k, x in enumerate(other):
                one[shift + k] = (one[shift + k] - factor * x) % _PRIME
            while one and not one[-1]:
                one.pop()
        one, other = other, one
    return len(one) - 1
