"""Sines and cosines of a polynomial merged: squares, sums of angles, double angles.

k − k cos² is k sin², products of sines and cosines that meet are those of one angle, and
2 sin a cos a is sin 2a. Each step makes a sum of fewer terms or factors.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from torseur.algebra.core.angles import sine_or_cosine
from torseur.algebra.core.coefficients import over
from torseur.algebra.core.expr import Expr, Scalar, exact
from torseur.algebra.forms.normal_form import (
    Monomial,
    Polynomial,
    added,
    monomial_of,
    multiplied,
    normal_form,
)

_SWAP = {"sin": "cos", "cos": "sin"}
_MOST_STEPS = 300
_MOST_DIVISIONS = 20


def merged(terms: Polynomial, *, partly: bool = False) -> Polynomial:
    """k − k cos² is k sin²; products of sines and cosines that meet are those of one angle.

    `partly` merges 2 k − k cos² too, into k + k sin².
    """
    partners: dict[Expr, Expr] = {}
    for _ in range(_MOST_STEPS):
        change = next(_mergers(terms, partly, partners), None)
        if change is None:
            break
        terms = added(terms, change)
    return terms


def cancelled(terms: Polynomial) -> Polynomial:
    """(a x + b x + y)/(a + b) is x + y/(a + b): what is over a sum is divided by it."""
    below = {x for monomial in terms for x, e in monomial if x.op == "add" and _is_below(e)}
    for divisor in sorted(below, key=lambda x: x.key):
        form = normal_form(divisor)
        powers = {e for monomial in terms for x, e in monomial if x is divisor and _is_below(e)}
        for power in range(int(min(powers, default=0)), 0):
            if form is not None and len(form.terms) > 1:
                terms = _over(terms, divisor, power, dict(form.terms))
    return terms


def _over(terms: Polynomial, divisor: Expr, power: int, parts: Polynomial) -> Polynomial:
    """The terms that have a power of the divisor, divided by it: all, or those that can be."""
    above = {m: c for m, c in terms.items() if dict(m).get(divisor) == power}
    quotient = _quotient(above, parts)
    if quotient is None:
        quotient = {}
        for m in list(above):
            share = _share(m, above.get(m, 0), parts)
            whole = multiplied(share, parts)
            if share and all(above.get(x) == c for x, c in whole.items()):
                quotient, above = added(quotient, share), added(above, whole, -1)
        above = multiplied(quotient, parts)
    raised = multiplied(quotient, {((divisor, 1),): 1})
    return added(added(terms, above, -1), raised)


def _quotient(above: Polynomial, parts: Polynomial) -> Polynomial | None:
    """Quotient of a polynomial by a divisor; None if there is a remainder."""
    quotient: Polynomial = {}
    for _ in range(_MOST_DIVISIONS):
        share: Polynomial = next((x for m, c in above.items() if (x := _share(m, c, parts))), {})
        if not share:
            break
        quotient, above = added(quotient, share), added(above, multiplied(share, parts), -1)
    return None if above else quotient


def _share(monomial: Monomial, c: Scalar, parts: Polynomial) -> Polynomial:
    """A term over the first of a divisor; nothing if that does not divide it."""
    (first, size), *_ = parts.items()
    exponents, divisor = dict(monomial), dict(first)
    if c == 0 or any(exponents.get(x, 0) < e for x, e in first):
        return {}
    return {monomial_of({x: exact(e - divisor.get(x, 0)) for x, e in monomial}): over(c, size)}


def _is_below(exponent: Scalar) -> bool:
    return isinstance(exponent, int) and exponent < 0


def has_squares(terms: Polynomial) -> bool:
    """Whether a cosine is squared in a term."""
    return any(atom.op == "cos" and e >= 2 for monomial in terms for atom, e in monomial)


def has_double_angles(terms: Polynomial) -> bool:
    """Whether a term has the sine and the cosine of one angle, or the square of one."""
    return any(
        atom.op == "sin" and sine_or_cosine("cos", atom.args[0]) in dict(monomial)
        for monomial in terms
        for atom, _ in monomial
    )


def with_double_angles(terms: Polynomial) -> Polynomial:
    """sin a cos a as ½ sin 2a, and k cos² a − k sin² a as k cos 2a."""
    total: Polynomial = {}
    for monomial, c in terms.items():
        exponents, size = dict(monomial), c
        for sine, e in monomial:
            if sine.op != "sin" or e != 1:
                continue
            cosine = sine_or_cosine("cos", sine.args[0])
            if exponents.get(cosine) == 1 and cosine.op == "cos":
                double = sine_or_cosine("sin", 2 * sine.args[0])
                del exponents[sine], exponents[cosine]
                exponents[double] = exponents.get(double, 0) + 1
                size = size * Fraction(1, 2) if not isinstance(size, float) else size / 2
        key = monomial_of(exponents)
        total[key] = exact(total.get(key, 0) + size)
    return {m: c for m, c in total.items() if c != 0}


def _mergers(terms: Polynomial, partly: bool, partners: dict[Expr, Expr]) -> Iterator[Polynomial]:
    """Terms to add so that one term replaces two; `partners` caches cos a for sin a."""
    for monomial, c in terms.items():
        exponents = dict(monomial)
        for atom, exponent in monomial:
            if atom.op == "cos" and isinstance(exponent, int) and exponent >= 2:
                other = monomial_of(exponents | {atom: exponent - 2})
                d: Any = terms.get(other, 0)
                if d == -c or (partly and c * d < 0 and abs(d) > abs(c)):
                    sine = sine_or_cosine("sin", atom.args[0])
                    squared = dict(other) | {sine: dict(other).get(sine, 0) + 2}
                    yield {monomial: -c, other: c, monomial_of(squared): -c}
        waves = [atom for atom, e in monomial if atom.op in ("sin", "cos") and e == 1]
        for wave in waves:
            if wave not in partners:
                partners[wave] = sine_or_cosine(_SWAP[wave.op], wave.args[0])
        for one, two in combinations(waves, 2):
            others = {x: e for x, e in monomial if x is not one and x is not two}
            yield from _one_angle(terms, c, (one, two), (partners[one], partners[two]), others)


def _one_angle(
    terms: Polynomial,
    c: Scalar,
    pair: tuple[Expr, Expr],
    partners: tuple[Expr, Expr],
    rest: dict[Expr, Scalar],
) -> Iterator[Polynomial]:
    """sin a cos b ± cos a sin b and cos a cos b ± sin a sin b, times the rest of a monomial."""
    if partners[0] in rest or partners[1] in rest or pair[0] is partners[1]:
        return
    other = monomial_of(rest | dict.fromkeys(partners, 1))
    d = terms.get(other)
    if d is None or d not in (c, -c):
        return
    one, two = pair
    a, b = one.args[0], two.args[0]
    monomial = monomial_of(rest | {one: 1, two: 1})
    if one.op == two.op == "cos":
        merged = (a - b).cos() if d == c else (a + b).cos()
    elif one.op == two.op == "sin":
        merged = (a - b).cos() if d == c else -(a + b).cos()
    elif one.op == "sin":
        merged = (a + b).sin() if d == c else (a - b).sin()
    else:
        merged = (a + b).sin() if d == c else (b - a).sin()
    form = normal_form(merged)
    assert form is not None, "a sine is one term"
    polynomial = multiplied({monomial_of(rest): c}, dict(form.terms))
    yield added({monomial: -c, other: -d}, polynomial)
