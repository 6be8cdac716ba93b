"""The polynomial normal form of a short expression: Σ coefficient × Π atom ^ exponent.

Atoms are symbols, sines and cosines, and what is not a polynomial. sin² is replaced by 1 − cos², so
that two polynomials in independent atoms are equal exactly when their normal forms are: a proof,
where numbers would only be a test. The equations of a model are never put in this form, which grows
with the product of its factors; it serves to print and to compare short formulas. One that is too
long has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor, isqrt, lcm, sqrt
from typing import final

from torseur.algebra.core import rules
from torseur.algebra.core.angles import sine_or_cosine
from torseur.algebra.core.angles import terms as terms_of
from torseur.algebra.core.coefficients import scale, split
from torseur.algebra.core.expr import ONE, ZERO, Expr, Scalar, exact, expression, number
from torseur.algebra.core.graph import reachable

Monomial = tuple[tuple[Expr, Scalar], ...]  # atoms with their exponents, in order of creation
Polynomial = dict[Monomial, Scalar]
Squares = Mapping[Expr, Expr]  # symbols whose squares are known, such as one of a unit quaternion

MOST_TERMS = 600
WORK = 30  # products of terms for each term that the form may have
_LARGEST_POWER = 8  # of a sum
_LARGEST_SQUARE = 1000  # that is taken out of the root of a number
_MOST_TURNS = 6  # multiples of an angle that are expanded
_CONSTANT: Polynomial = {(): 1}
_HALF = Fraction(1, 2)
NO_SQUARES: Squares = {}


class _TooLongError(Exception):
    """The normal form would have more terms than asked for."""


@final
@dataclass(frozen=True)
class NormalForm:
    """The terms of an expression by monomial; no term is zero."""

    terms: Mapping[Monomial, Scalar]

    @property
    def is_zero(self) -> bool:
        """Whether the expression vanishes identically."""
        return not self.terms

    def expr(self) -> Expr:
        """The sum of the terms."""
        total = ZERO
        for monomial, coefficient in self.terms.items():
            total = rules.add(total, rules.multiply(number(coefficient), product(monomial)))
        return total


def product(monomial: Monomial) -> Expr:
    """The product of the atoms of a monomial."""
    total = ONE
    for atom, exponent in monomial:
        total = rules.multiply(total, rules.power(atom, exponent))
    return total


def normal_form(
    x: object,
    *,
    split_angles: bool = False,
    squares: Squares = NO_SQUARES,
    most: int = MOST_TERMS,
    work: int = WORK,
) -> NormalForm | None:
    """The normal form, or None if it would have more than `most` terms, or need too much work.

    `split_angles` writes sin(a + b) and cos(2 a) by the sines and cosines of a and b: then
    identities between them are seen too. `squares` gives what to write for the squares of symbols.
    """
    root = expression(x)
    reader = _Reader(split_angles, most, squares, work)
    try:
        for node in reachable([root]):
            reader.read(node)
    except _TooLongError:
        return None
    return NormalForm({key: c for key, c in reader.found[root.key].items() if c != 0})


def common_denominator(x: object) -> Expr:
    """Common denominator of the terms of an expression."""
    form = normal_form(x)
    below: dict[Expr, Scalar] = {}
    size = 1
    for monomial, c in ({} if form is None else form.terms).items():
        size = lcm(size, Fraction(c).denominator) if isinstance(c, int | Fraction) else size
        for factor, exponent in monomial:
            below[factor] = max(below.get(factor, 0), -exponent)
    return size * product(monomial_of({x: e for x, e in below.items() if e > 0}))


def vanishes(x: object, squares: Squares = NO_SQUARES) -> bool:
    """Whether an expression is zero by its normal form; False if that does not show it."""
    if expression(x) is ZERO:
        return True
    form = normal_form(x, split_angles=True, squares=squares)
    return form is not None and form.is_zero


def multiplied(
    a: Polynomial, b: Polynomial, most: int = MOST_TERMS, squares: Squares = NO_SQUARES
) -> Polynomial:
    """The product of two polynomials, sin² replaced by 1 − cos²."""
    if len(a) * len(b) > 10 * most:
        raise _TooLongError
    total: Polynomial = {}
    for one, c in a.items():
        unit = type(c) is int and c == 1  # a product of fractions is slow
        for other, d in b.items():
            monomial, size = _joined(one, other), d if unit else c * d
            if not _reducible(monomial, squares):
                _give(total, monomial, size)
                continue
            for part, e in _reduce_squares(monomial, squares).items():
                _give(total, part, size * e)
    if len(total) > most:
        raise _TooLongError
    return total


def _give(total: Polynomial, monomial: Monomial, coefficient: Scalar) -> None:
    known = total.get(monomial)
    value = coefficient if known is None else known + coefficient
    if value:
        total[monomial] = value
    else:
        total.pop(monomial, None)


def _joined(a: Monomial, b: Monomial) -> Monomial:
    """The product of two monomials: both are in order, and are merged."""
    if not a or not b:
        return a or b
    joined: list[tuple[Expr, Scalar]] = []
    i = j = 0
    while i < len(a) and j < len(b):
        before = a[i][0].key - b[j][0].key
        if before:
            joined.append(a[i] if before < 0 else b[j])
        elif a[i][1] + b[j][1] != 0:
            joined.append((a[i][0], a[i][1] + b[j][1]))
        i, j = i + (before <= 0), j + (before >= 0)
    return (*joined, *a[i:], *b[j:])


def monomial_of(exponents: Mapping[Expr, Scalar]) -> Monomial:
    """A monomial in its order, without factors of exponent zero."""
    return tuple(sorted(((x, e) for x, e in exponents.items() if e != 0), key=lambda p: p[0].key))


def _reducible(monomial: Monomial, squares: Squares) -> bool:
    """Whether a monomial may have to be written otherwise; most need not."""
    for atom, exponent in monomial:
        if atom.op in ("abs", "number") or (
            exponent != 1 and (atom.op == "sin" or atom in squares)
        ):
            return True
    return False


def _reduce_squares(monomial: Monomial, squares: Squares) -> Polynomial:
    """sin² as 1 − cos²; |x|² as x², x / |x| as sign x, √3 √3 as 3; known squares as they are."""
    for atom, exponent in monomial:
        if atom.op == "number" and exponent != _HALF:
            size, root = root_of_number(atom.value[1], Fraction(exponent))
            others = {x: e for x, e in monomial if x is not atom} | root
            return {m: size * c for m, c in _reduce_squares(monomial_of(others), squares).items()}
        if atom in squares and isinstance(exponent, int) and exponent >= 2:
            left = monomial_of(dict(monomial) | {atom: exponent - 2})
            form = normal_form(squares[atom])
            assert form is not None, "a known square is short"
            return multiplied({left: 1}, dict(form.terms), squares=squares)
        if atom.op == "abs" and isinstance(exponent, int):
            exponents, inner = dict(monomial), atom.args[0]
            if exponent >= 2:
                changed = {atom: exponent - 2, inner: exponents.get(inner, 0) + 2}
                return _reduce_squares(monomial_of(exponents | changed), squares)
            n = exponents.get(inner, 0)
            if exponent <= -2 and isinstance(n, int) and n >= 2:
                return _reduce_squares(
                    monomial_of(exponents | {atom: exponent + 2, inner: n - 2}), squares
                )
            if exponent == -1 and isinstance(n, int) and n >= 1:
                sign = rules.function("sign", inner)
                changed = {atom: 0, inner: n - 1, sign: exponents.get(sign, 0) + 1}
                return _reduce_squares(monomial_of(exponents | changed), squares)
        if atom.op == "sin" and isinstance(exponent, int) and exponent >= 2:
            rest = dict(monomial) | {atom: exponent - 2}
            cosine = sine_or_cosine("cos", atom.args[0])
            total = dict(_reduce_squares(monomial_of(rest), squares))
            squared = rest | {cosine: rest.get(cosine, 0) + 2}
            for other, c in _reduce_squares(monomial_of(squared), squares).items():
                _give(total, other, -c)
            return total
    return {monomial: 1}


@final
class _Reader:
    """The polynomials of nodes, each after its arguments."""

    def __init__(self, split_angles: bool, most: int, squares: Squares, work: int) -> None:
        self._split_angles = split_angles
        self._most = most
        self._squares = squares
        self._left = work * most  # products of terms that may still be made
        self.found: dict[int, Polynomial] = {}
        self._kept: list[Expr] = []  # atoms made on the way: alive as long as their keys are used

    def _times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        self._left -= len(a) * len(b)
        if self._left < 0:
            raise _TooLongError
        return multiplied(a, b, self._most, self._squares)

    def read(self, x: Expr) -> None:
        """The polynomial of a node whose arguments have theirs."""
        polynomial = self._polynomial(x)
        if len(polynomial) > self._most:
            raise _TooLongError
        self.found[x.key] = polynomial

    def _polynomial(self, x: Expr) -> Polynomial:
        parts = [self.found[a.key] for a in x.args]
        if x.op == "number":
            return {(): x.value[1]} if x is not ZERO else {}
        if not x.args:
            return {((x, 1),): 1}
        if x.op == "add":
            total = dict(parts[0])
            for monomial, c in parts[1].items():
                _give(total, monomial, c)
            return total
        if x.op == "mul":
            return self._times(parts[0], parts[1])
        if x.op == "pow":
            return self._power(parts[0], x.value)
        return self._function(x, parts)

    def _power(self, base: Polynomial, exponent: Scalar) -> Polynomial:
        if isinstance(exponent, int) and 0 <= exponent <= _LARGEST_POWER:
            total = _CONSTANT
            for _ in range(exponent):
                total = self._times(total, base)
            return total
        if len(base) == 1:
            ((monomial, c),) = base.items()
            if isinstance(exponent, int):
                raised = tuple((atom, e * exponent) for atom, e in monomial)
                return {raised: rational_power(c, exponent)}
            if Fraction(exponent).denominator == 2 and c == 1 and _even(monomial):
                sizes = {self._keep(abs(atom)): e * exponent for atom, e in monomial}
                return {monomial_of({x: exact(e) for x, e in sizes.items()}): 1}
        node = self._keep(NormalForm(base).expr())
        if node.op == "number" and node.value[1] > 0 and Fraction(exponent).denominator == 2:
            size, root = root_of_number(node.value[1], Fraction(exponent))
            return {monomial_of({self._keep(x): e for x, e in root.items()}): size}
        if node.op == "number":
            return self._atom(rules.power(node, exponent))
        return {((node, exponent),): 1}

    def _function(self, x: Expr, parts: list[Polynomial]) -> Polynomial:
        args = [NormalForm(part).expr() for part in parts]
        if x.op in ("table", "call"):
            return self._atom(x.value(*args))
        if x.op not in ("sin", "cos"):
            return self._atom(rules.function(x.op, *args))
        wave = sine_or_cosine(x.op, args[0])
        if not self._split_angles:
            return self._atom(wave)
        cosine, sine = self._cosine_and_sine(args[0])
        return cosine if x.op == "cos" else sine

    def _cosine_and_sine(self, angle: Expr) -> tuple[Polynomial, Polynomial]:
        """cos and sin of a sum of angles, by those of its terms."""
        cosine, sine = _CONSTANT, dict[Monomial, Scalar]()
        for coefficient, core in terms_of(angle):
            turns = Fraction(coefficient) if not isinstance(coefficient, float) else Fraction(0)
            times = abs(turns.numerator)
            if not 0 < times <= _MOST_TURNS:
                times, unit, sign = 1, scale(coefficient, core), 1
            else:
                unit = scale(Fraction(1, turns.denominator), core)
                sign = 1 if turns > 0 else -1
            c, s = (self._atom(sine_or_cosine(name, unit)) for name in ("cos", "sin"))
            for _ in range(times):
                cosine, sine = (
                    added(
                        multiplied(cosine, c, self._most), multiplied(sine, s, self._most), -sign
                    ),
                    added(multiplied(sine, c, self._most), multiplied(cosine, s, self._most), sign),
                )
        return cosine, sine

    def _atom(self, x: Expr) -> Polynomial:
        """A node that is no polynomial: coefficient × core."""
        coefficient, core = split(self._keep(x))
        if core is ONE:
            return {(): coefficient} if coefficient != 0 else {}
        if core.op == "pow":
            return {((core.args[0], core.value),): coefficient}
        return {((core, 1),): coefficient}

    def _keep(self, x: Expr) -> Expr:
        self._kept.append(x)
        return x


def added(a: Polynomial, b: Polynomial, factor: Scalar = 1) -> Polynomial:
    """a + factor × b."""
    total = dict(a)
    for monomial, c in b.items():
        _give(total, monomial, factor * c)
    return total


def _even(monomial: Monomial) -> bool:
    return all(isinstance(e, int) and e % 2 == 0 for _, e in monomial)


def root_of_number(value: Scalar, exponent: Fraction) -> tuple[Scalar, dict[Expr, Scalar]]:
    """A positive number to a multiple of one half: √(3/4) is 1/2 √3, and √3³ is 3 √3."""
    whole = floor(exponent)
    size = rational_power(value, whole)
    if exponent == whole:
        return size, {}
    if isinstance(value, float):
        return exact(size * sqrt(value)), {}
    inside, below = value.numerator * value.denominator, value.denominator
    tried = min(isqrt(inside), _LARGEST_SQUARE)
    outside = next(k for k in range(tried, 0, -1) if inside % (k * k) == 0)
    size = exact(Fraction(size) * Fraction(outside, below))
    inside //= outside * outside
    return size, {} if inside == 1 else {number(inside): _HALF}


def rational_power(value: Scalar, exponent: int) -> Scalar:
    """A number to an integer power, exact if it is."""
    if isinstance(value, float):
        return value**exponent
    return exact(Fraction(value) ** exponent)
