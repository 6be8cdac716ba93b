"""Equations as a book writes them: both sides short, without the factors that all terms share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import final

from torseur.algebra.core.coefficients import over, scaled, split
from torseur.algebra.core.expr import ONE, ZERO, Expr, Scalar, exact, number
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.length import book_size, length
from torseur.algebra.forms.normal_form import (
    NO_SQUARES,
    Monomial,
    NormalForm,
    Polynomial,
    Squares,
    added,
    monomial_of,
    normal_form,
    product,
)
from torseur.algebra.forms.readable import is_acceleration, readable
from torseur.algebra.printing.decimals import is_decimal
from torseur.algebra.printing.reading_order import layout
from torseur.algebra.printing.tree import names_of

_MOST = 100  # terms of a side while it is expanded, and of both in the end
_FEW = 20  # terms of an equation that is divided in two ways
_WORK = 12


@final
@dataclass(frozen=True)
class ReadEquation:
    """left = right, after both sides were divided by `factor`."""

    left: Expr
    right: Expr
    factor: Expr = ONE

    @property
    def length(self) -> int:
        """The signs of both sides and the one between them."""
        return length(self.left) + length(self.right) + 1


def read_equation(
    left: Expr, right: Expr, divisors: Collection[str], squares: Squares = NO_SQUARES
) -> ReadEquation:
    """left = right as it is best read; `divisors` are the names of what it may be divided by.

    An equation of more terms than can be read stays as it is.
    """
    sides: list[Polynomial] = []
    for x in (left, right):
        form = normal_form(x, squares=squares, most=_MOST, work=_WORK)
        if form is None or sum(map(len, sides)) + len(form.terms) > _MOST:
            return ReadEquation(left, right)
        sides.append(dict(form.terms))
    if not any(sides):
        return ReadEquation(ZERO, ZERO)
    shared = _common_factor(sides, divisors)
    if sum(map(len, sides)) > _FEW:
        return _divided(sides, shared, _size(sides), squares)
    reads = []
    for arranged in (sides, _arranged(sides), *_alone(sides)):
        constants = _with_constants(shared, sides)
        ways = (shared, _size(arranged)), (constants, _whole_size(arranged)), (shared, 1)
        reads += [_divided(arranged, *way, squares) for way in dict.fromkeys(ways)]
    return min(reads, key=_reading)


def _reading(read: ReadEquation) -> tuple[int, bool, int]:
    """Readability of an equation: short, a lone name on the left, each acceleration once."""
    names = {x.name for x in free_symbols([read.left, read.right]) if is_acceleration(x)}
    symbols = names_of(layout(x, {}) for x in (read.left, read.right))
    return read.length, bool(read.left.args), sum(name in names for name in symbols)


def _arranged(sides: list[Polynomial]) -> list[Polynomial]:
    """Accelerations on the left, the rest on the right; without any, no minus sign."""
    whole = added(sides[0], sides[1], -1)
    left = {m: c for m, c in whole.items() if any(is_acceleration(x) for x, _ in m)}
    if not left:
        left = {m: c for m, c in whole.items() if c > 0}
    return [left, {m: -c for m, c in whole.items() if m not in left}] if left else sides


def _alone(sides: list[Polynomial]) -> Iterator[list[Polynomial]]:
    """Without accelerations: a coordinate or a speed that stands alone, and the rest."""
    whole = added(sides[0], sides[1], -1)
    atoms = Counter(x for m in whole for x, _ in m)
    if any(is_acceleration(x) for x in atoms):
        return
    for m, c in whole.items():
        (x, e), *others = m or ((ZERO, 0),)
        lone = not others and e == 1 and atoms[x] == 1 and x.op == "symbol"
        if lone and abs(c) == 1 and x.kind in ("coordinate", "speed"):
            yield [{m: 1}, {other: exact(-c * k) for other, k in whole.items() if other != m}]


def common_factor(formulas: Sequence[Expr], divisors: Collection[str]) -> Expr:
    """Common factor of all terms of some formulas: a number and powers of parameters."""
    forms = [normal_form(x, most=_MOST, work=_WORK) for x in formulas]
    sides: list[Polynomial] = [dict(form.terms) for form in forms if form is not None]
    if len(sides) < len(formulas) or not any(sides):
        return ONE
    return number(_size(sides)) * product(_common_factor(sides, divisors))


def _divided(
    sides: list[Polynomial], common: Monomial, size: Scalar, squares: Squares
) -> ReadEquation:
    """Both sides over size × common, as they are best read."""
    divided = []
    for side in sides:
        terms: Polynomial = {}
        for monomial, c in side.items():
            exponents = dict(monomial)
            for x, e in common:
                exponents[x] = exact(exponents.get(x, 0) - e)
            terms[monomial_of(exponents)] = over(c, size)
        divided.append(readable(NormalForm(terms).expr(), squares))
    left, right = divided
    lead = _lead(left, right)
    left, right = (scaled(1 / Fraction(lead), x) for x in (left, right))
    factor = number(size * lead) * product(common)
    if left is ZERO:
        left, right, factor = right, left, -factor
    if right is ZERO and length(-left) < length(left):
        return ReadEquation(-left, right, -factor)
    return ReadEquation(left, right, factor)


def _with_constants(shared: Monomial, sides: list[Polynomial]) -> Monomial:
    """Common factor with the lowest power of each constant in a denominator."""
    lowest = dict(shared)
    for side in sides:
        for monomial in side:
            for x, e in monomial:
                if x.op == "constant" and e < lowest.get(x, 0):
                    lowest[x] = e
    return monomial_of(lowest)


def _whole_size(sides: list[Polynomial]) -> Scalar:
    """The number over which all coefficients are integers without a common divisor."""
    values = [c for side in sides for c in side.values()]
    if any(isinstance(c, float) or is_decimal(c) for c in values):
        return _size(sides)
    parts = [Fraction(c) for c in values]
    size = exact(Fraction(gcd(*(x.numerator for x in parts)), lcm(*(x.denominator for x in parts))))
    return -size if all(c < 0 for c in values) else size


def _lead(left: Expr, right: Expr) -> int | Fraction:
    """Number that divides both sides as they are written, integers or fractions."""
    sizes = [split(x)[0] for x in (left, right) if x is not ZERO]
    if not all(isinstance(size, int) for size in sizes):
        if not all(isinstance(size, Fraction) for size in sizes):
            return 1
        return Fraction(gcd(*(x.numerator for x in sizes)), lcm(*(x.denominator for x in sizes)))  # type: ignore[union-attr]
    return gcd(*sizes)  # type: ignore[arg-type]


def _common_factor(sides: list[Polynomial], divisors: Collection[str]) -> Monomial:
    """Common factor of both sides: powers of parameters, and every denominator."""
    shared: dict[Expr, Scalar] | None = None
    for side in sides:
        for monomial in side:
            powers = {x: e for x, e in monomial if e < 0 or _may_divide(x, divisors)}
            if shared is None:
                shared = powers
            shared = {
                x: min(e, powers[x]) if e > 0 else max(e, powers[x])
                for x, e in shared.items()
                if x in powers and (powers[x] > 0) == (e > 0)
            }
    return monomial_of(shared or {})


def _may_divide(x: Expr, divisors: Collection[str]) -> bool:
    may = x.op == "symbol" and x.kind in ("parameter", "coordinate") and x.name in divisors
    return may or x.op == "constant"


def _size(sides: list[Polynomial]) -> Scalar:
    """Common factor of numbers; negative if all of them are."""
    numbers = [c for side in sides for c in side.values()]
    return -book_size(numbers) if all(c < 0 for c in numbers) else book_size(numbers)
