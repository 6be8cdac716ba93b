"""Taylor expansions: every node of a graph as a truncated series, computed from its arguments.

A series holds one coefficient for each degree in the distances from the point of expansion; sums,
products and powers follow the rules of series, a function is composed through its own derivatives.
Nothing is differentiated more than once a degree, so that high orders stay short.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core import rules
from torseur.algebra.core.expr import ONE, ZERO, Expr, expression, number, symbol
from torseur.algebra.core.graph import free_symbols, mapped, remade, substitute
from torseur.errors import ModelError, unknown
from torseur.words.sentence import say

_ARGUMENT = symbol("argument of a series", "input")


@final
@dataclass(frozen=True)
class Series:
    """c₀ + c₁ + c₂ + …, each of its own degree."""

    terms: tuple[Expr, ...]

    def __add__(self, other: Series) -> Series:
        return Series(tuple(a + b for a, b in zip(self.terms, other.terms, strict=True)))

    def __mul__(self, other: Series) -> Series:
        n = len(self.terms)
        a, b = self.terms, other.terms
        terms = (sum((a[j] * b[k - j] for j in range(k + 1)), ZERO) for k in range(n))
        return Series(tuple(terms))

    @property
    def moving(self) -> Series:
        """Without its constant."""
        return Series((ZERO, *self.terms[1:]))

    @property
    def total(self) -> Expr:
        """The sum of all degrees."""
        return sum(self.terms, ZERO)


def taylor(outputs: Any, about: Mapping[Any, Any], order: int) -> Any:
    """The outputs up to a total degree in the distances of their variables from a point.

    `about` gives the point by name or by symbol; what it does not name is kept as it is.
    """
    if order < 0:
        raise ModelError("taylor", say("the order must not be negative, got {order}.", order))
    point = _point(outputs, about)

    def rebuild(x: Expr, args: list[Series]) -> Series:
        if x.key in point:
            value = point[x.key]
            return _series([value, x - value], order)
        if not x.args:
            return _series([x], order)
        try:
            return _operation(x, args, order)
        except ZeroDivisionError:
            raise _singular(x, about) from None

    total = np.vectorize(lambda series: series.total, otypes=[object])
    return total(mapped(outputs, rebuild))[()]


def _point(outputs: Any, about: Mapping[Any, Any]) -> dict[int, Expr]:
    """The values of the variables by key."""
    known = {x.name: x for x in free_symbols(outputs)}
    values = {}
    for given, value in about.items():
        name = given.name if isinstance(given, Expr) else given
        if name not in known:
            raise unknown("taylor", "variable", name, known)
        values[known[name].key] = expression(value)
    return values


def _series(terms: list[Expr], order: int) -> Series:
    return Series((*terms[: order + 1], *[ZERO] * (order + 1 - len(terms))))


def _operation(x: Expr, args: list[Series], order: int) -> Series:
    if all(term is ZERO for series in args for term in series.terms[1:]):
        return _series([remade(x, [series.terms[0] for series in args])], order)
    if x.op == "add":
        return args[0] + args[1]
    if x.op == "mul":
        return args[0] * args[1]
    if x.op == "pow":
        return _power(args[0], x.value, order)
    if x.op == "atan2":
        return _angle(args[0], args[1], order)
    if x.op == "if":
        return _piece(*args)
    return _composition(x, args[0], order)


def _power(base: Series, exponent: Any, order: int) -> Series:
    """By products for a whole exponent, else by the binomial series about the constant."""
    if isinstance(exponent, int) and exponent >= 0:
        total = _series([ONE], order)
        for _ in range(exponent):
            total = total * base
        return total
    start, ratio = base.terms[0], Fraction(1) if isinstance(exponent, int | Fraction) else 1.0
    whole = rules.power(start, exponent)
    total, power = _series([], order), _series([ONE], order)
    for k in range(order + 1):
        scaled = number(ratio) * whole * rules.power(start, -k)
        total = total + _series([scaled], order) * power
        ratio = ratio * (exponent - k) / (k + 1)
        power = power * base.moving
    return total


def _angle(y: Series, x: Series, order: int) -> Series:
    """atan2 from its differential (x dy − y dx)/(x² + y²); the degree plays the part of time."""
    rate_y, rate_x = (Series(tuple(k * c for k, c in enumerate(s.terms))) for s in (y, x))
    minus = _series([number(-1)], order)
    change = (x * rate_y + minus * y * rate_x) * _power(x * x + y * y, -1, order)
    start = rules.function("atan2", y.terms[0], x.terms[0])
    rest = (c / k for k, c in enumerate(change.terms[1:], 1))
    return Series((start, *rest))


def _piece(condition: Series, above: Series, otherwise: Series) -> Series:
    """The series of the piece that holds the point, which is not on the border."""
    if condition.terms[0] is ZERO:
        raise ZeroDivisionError
    pairs = zip(above.terms, otherwise.terms, strict=True)
    return Series(tuple(rules.function("if", condition.terms[0], a, b) for a, b in pairs))


def _composition(x: Expr, argument: Series, order: int) -> Series:
    """f(u₀ + δ) = Σ f⁽ᵏ⁾(u₀) δᵏ / k!."""
    start = argument.terms[0]
    if x.op in ("abs", "sign") and start is ZERO:
        raise ZeroDivisionError
    slope = remade(x, [_ARGUMENT])
    total, power = _series([], order), _series([ONE], order)
    for k in range(order + 1):
        coefficient = substitute(slope, {_ARGUMENT: start}) / factorial(k)
        total = total + _series([coefficient], order) * power
        slope, power = derivative(slope, _ARGUMENT), power * argument.moving
    return total


def _singular(x: Expr, about: Mapping[Any, Any]) -> ModelError:
    where = ", ".join(
        f"{given.name if isinstance(given, Expr) else given} = {value}"
        for given, value in about.items()
    )
    problem = say("{x} has no expansion about {where}.", str(x)[:100], where)
    advice = "Expand about another point, or multiply by a factor that vanishes there."
    return ModelError("taylor", problem, advice)
