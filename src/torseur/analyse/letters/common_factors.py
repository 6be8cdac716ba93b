"""Common divisors and factors of long polynomials, with as few letters as possible.

Polynomials of mechanics are homogeneous: in units of mass, length and time, and in other weights.
One letter for each weight becomes 1, and its exponents in the results follow from the weights. A
common divisor that contains only some letters divides every coefficient of the powers of the
others, which are short. The letters it contains are found by univariate images modulo a prime.

Reference: Geddes, Czapor and Labahn (1992), *Algorithms for Computer Algebra*, section 7.4.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from random import Random
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from sympy.polys.rings import PolyElement

_PRIME = 2**61 - 1
_SEED = 1881


@final
@dataclass(frozen=True)
class Weights:
    """Weights of letters under which polynomials are homogeneous, and a letter 1 for each weight.

    A row of `weights` has 1 at its letter of `left_out` and 0 at the others of these.
    """

    left_out: Sequence[int]
    weights: Sequence[Sequence[Any]]

    def reduced(self, p: PolyElement) -> PolyElement:
        """The polynomial without the letters left out; no two terms become one."""
        terms = {
            tuple(0 if k in self.left_out else e for k, e in enumerate(monomial)): coefficient
            for monomial, coefficient in p.terms()
        }
        return p.ring.from_dict(terms)

    def restored(self, p: PolyElement) -> PolyElement:
        """The homogeneous polynomial that is reduced to this one, with the lowest exponents."""
        exponents = {m: [-_weight(row, m) for row in self.weights] for m in p.itermonoms()}
        lowest = [min(column) for column in zip(*exponents.values(), strict=True)]
        terms = {}
        for monomial, coefficient in p.terms():
            exact = list(monomial)
            for k, e, least in zip(self.left_out, exponents[monomial], lowest, strict=True):
                exact[k] = int(e - least)
            terms[tuple(exact)] = coefficient
        return p.ring.from_dict(terms)

    def powers(self, *polynomials: PolyElement) -> tuple[int, ...]:
        """Exponents of the letters left out that divide all terms of polynomials."""
        monomials = [m for p in polynomials for m in p.itermonoms()]
        shared = [min(column) for column in zip(*monomials, strict=True)]
        return tuple(e if k in self.left_out else 0 for k, e in enumerate(shared))


def weights_of(*polynomials: PolyElement) -> Weights:
    """The weights of all polynomials; the letters with the highest degrees are left out."""
    from sympy import QQ
    from sympy.polys.matrices import DomainMatrix

    rows = []
    for polynomial in polynomials:
        first, *others = polynomial.itermonoms()
        rows += [[QQ(e - f) for e, f in zip(x, first, strict=True)] for x in others]
    degrees = [max(column) for column in zip(*(p.degrees() for p in polynomials), strict=True)]
    count = len(degrees)
    nullspace = DomainMatrix(rows or [[QQ(0)] * count], (len(rows) or 1, count), QQ).nullspace()
    order = sorted(range(count), key=lambda k: -degrees[k])
    echelon, pivots = nullspace.extract(range(nullspace.shape[0]), order).rref()
    places = [order.index(k) for k in range(count)]
    weights = [[row[k] for k in places] for row in echelon.to_list()[: len(pivots)]]
    return Weights([order[k] for k in pivots], weights)


def factor_list(p: PolyElement) -> tuple[Any, list[tuple[PolyElement, int]]]:
    """Content and irreducible factors with their powers, as SymPy orders them."""
    weights = weights_of(p)
    content, listed = weights.reduced(p).factor_list()
    factors = [(p.ring.gens[k], e) for k, e in enumerate(weights.powers(p)) if e]
    for reduced, power in listed:
        factor = weights.restored(reduced)
        sign = -1 if factor.LC < 0 else 1
        content *= sign**power
        factors.append((factor * sign, power))
    return content, sorted(factors, key=lambda x: (x[0].degree(), x[1], x[0].to_dense()))


def common_divisor(p: PolyElement, q: PolyElement) -> PolyElement:
    """The greatest common divisor of two polynomials, up to a number."""
    if not p or not q:
        return p or q
    drawn = Random(_SEED)
    point = [drawn.randrange(1, _PRIME) for _ in p.ring.gens]
    both = [k for k, (d, e) in enumerate(zip(p.degrees(), q.degrees(), strict=True)) if d and e]
    inner = [k for k in both if _may_share(p, q, k, point)]
    if not inner:
        return p.ring.one
    parts = sorted([*_coefficients(p, inner), *_coefficients(q, inner)], key=len)
    shared = reduce(lambda x, part: x if x.is_ground else _gcd(x, part), parts)
    return p.ring.one if shared.is_ground else shared.primitive()[1]


def _may_share(p: PolyElement, q: PolyElement, letter: int, point: list[int]) -> bool:
    """Whether a common divisor may contain a letter: that of the images does, or they are short."""
    one, other = (_image(x, letter, point) for x in (p, q))
    if not one[-1] or not other[-1]:
        return True
    return _degree_of_gcd(one, other) > 0


def _weight(row: Sequence[Any], monomial: Sequence[int]) -> Any:
    """The weight of a product of letters."""
    return sum(w * e for w, e in zip(row, monomial, strict=True))


def _gcd(p: PolyElement, q: PolyElement) -> PolyElement:
    weights = weights_of(p, q)
    shared = weights.restored(weights.reduced(p).gcd(weights.reduced(q)))
    return shared.mul_monom(weights.powers(p, q))


def _coefficients(p: PolyElement, inner: list[int]) -> list[PolyElement]:
    """The coefficients, with the inner letters, of the powers of the others."""
    parts = defaultdict[tuple[int, ...], dict[tuple[int, ...], object]](dict)
    for monomial, coefficient in p.terms():
        outside = tuple(e for k, e in enumerate(monomial) if k not in inner)
        inside = tuple(e if k in inner else 0 for k, e in enumerate(monomial))
        parts[outside][inside] = coefficient
    return [p.ring.from_dict(part) for part in parts.values()]


def _image(p: PolyElement, letter: int, point: list[int]) -> list[int]:
    """Coefficients of the powers of one letter, the others being numbers modulo the prime."""
    image = [0] * (p.degrees()[letter] + 1)
    for monomial, coefficient in p.terms():
        term = int(coefficient.numerator) * pow(int(coefficient.denominator), -1, _PRIME)
        for k, e in enumerate(monomial):
            if e and k != letter:
                term = term * pow(point[k], e, _PRIME) % _PRIME
        image[monomial[letter]] = (image[monomial[letter]] + term) % _PRIME
    return image


def _degree_of_gcd(p: list[int], q: list[int]) -> int:
    """The degree of a common divisor modulo the prime, by Euclid's algorithm."""
    while q:
        inverse = pow(q[-1], -1, _PRIME)
        while len(p) >= len(q):
            factor, shift = p[-1] * inverse % _PRIME, len(p) - len(q)
            for k, x in enumerate(q):
                p[shift + k] = (p[shift + k] - factor * x) % _PRIME
            p = _trimmed(p)
        p, q = q, p
    return len(p) - 1


def _trimmed(p: list[int]) -> list[int]:
    """Coefficients without zeros at the highest powers."""
    while p and not p[-1]:
        p.pop()
    return p
