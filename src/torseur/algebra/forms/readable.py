"""Short formulas as a book writes them: like terms together, squares and angles merged, factored.

The formulas of a model keep the shape in which they cost least. A formula that is read is expanded,
its sines are merged in several ways, and each is written as a sum of products with as few signs as
a search finds, collected by accelerations where that is as short. The shortest is taken; a formula
that is too long to be expanded stays as it is.

In merged sines, k − k cos² is k sin², products of sines and cosines that meet are those of one
angle, and 2 sin a cos a is sin 2a. Each step makes a sum of fewer terms or factors.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from torseur.algebra.core.angles import sine_or_cosine
from torseur.algebra.core.coefficients import factors, over
from torseur.algebra.core.coefficients import terms as terms_of
from torseur.algebra.core.expr import ONE, Expr, Scalar, exact, expression
from torseur.algebra.core.graph import flat, reachable, remade, shaped, substitute
from torseur.algebra.forms.factoring import factor_of, shortest_sum
from torseur.algebra.forms.length import SignCosts, length
from torseur.algebra.forms.normal_form import (
    NO_SQUARES,
    Monomial,
    Polynomial,
    Squares,
    added,
    monomial_of,
    multiplied,
    normal_form,
    rational_power,
)

_LONGEST = 300  # nodes of a formula that is worth expanding
_MOST = 300  # terms while it is expanded
_TERMS = 60  # and in the end
_FEW = 18  # terms of a formula that is written in several ways
_WAYS = 3
_INSIDE = 100  # nodes of what stands in a function that is worth expanding
_UNUSUAL = 2  # signs that a form must save if it is not collected by accelerations
_WORK = 12  # products of terms for each of the terms that it may have
_SWAP = {"sin": "cos", "cos": "sin"}
_MOST_STEPS = 300
_MOST_DIVISIONS = 20


def readable(outputs: Any, squares: Squares = NO_SQUARES) -> Any:
    """The formulas in the form that is shortest to read, in the shape they came in.

    `squares` gives what the squares of symbols are, where that is known.
    """
    known = tuple(squares.items())
    return shaped([_readable(x, known) for x in flat(outputs)], np.shape(outputs))


@lru_cache(maxsize=2048)
def _readable(x: Expr, known: tuple[tuple[Expr, Expr], ...]) -> Expr:
    """The shortest form, kept: the same formula stands in several steps, pages and languages."""
    if not x.args or len(reachable([x])) > _LONGEST:
        return x
    squares = dict(known)
    tries: dict[Expr, int] = {}
    ways = sorted(_expanded(x, squares), key=_signs)
    for terms in ways[: _WAYS if all(len(way) <= _FEW for way in ways) else 1]:
        collected = _collected(terms)
        tries.setdefault(collected, length(collected))
        if len(terms) <= _FEW:
            free = shortest_sum(terms)
            tries.setdefault(free, length(free) + _UNUSUAL)
    tries.setdefault(x, length(x) + _UNUSUAL)
    return _with_cosines(min(tries, key=lambda way: tries[way]))


def _with_cosines(x: Expr) -> Expr:
    """cos 2u for 2 cos² u − 1 and for 1 − 2 sin² u, where these are all of a sum."""
    changed: dict[Expr, Expr] = {}
    for node in reachable([x]):
        parts = terms_of(node, {}) if node.op == "add" else []
        if len(parts) != 2 or parts[1][1] is not ONE:
            continue
        (size, square), (rest, _) = parts
        wave = square.args[0] if square.op == "pow" and square.value == 2 else square
        if wave is not square and wave.op in ("sin", "cos") and 2 * rest == -size:
            cosine = (2 * wave.args[0]).cos()
            changed[node] = expression(rest if wave.op == "sin" else -rest) * cosine
    return substitute(x, changed) if changed else x


def _expanded(x: Expr, squares: Squares) -> Iterator[Polynomial]:
    """The terms of a formula, with its sines and cosines merged in the ways that may be short."""
    visited: list[Polynomial] = []
    for split_angles in (False, True):
        if split_angles and (not visited or len(visited[0]) > _FEW):
            return
        form = normal_form(x, split_angles=split_angles, squares=squares, most=_MOST, work=_WORK)
        if form is None or len(form.terms) > _TERMS:
            continue
        whole = merged(cancelled(_inner(dict(form.terms))))
        ways = [whole]
        if has_squares(whole):
            ways.append(merged(whole, partly=True))
        ways += [with_double_angles(way) for way in ways if has_double_angles(way)]
        for way in ways:
            if way not in visited:
                visited.append(way)
                yield way


def _inner(terms: Polynomial) -> Polynomial:
    """Terms whose arguments of functions and roots are in readable form too."""
    known: dict[Expr, Expr] = {}
    changed: Polynomial = {}
    for monomial, c in terms.items():
        exponents: dict[Expr, Scalar] = {}
        size = c
        for x, e in monomial:
            inside = _inside(x, known)
            whole = inside is x or not isinstance(e, int)
            for power, base in [(1, inside)] if whole else factors(inside, {}):
                if base.op == "number" and isinstance(e, int):
                    size = exact(size * rational_power(base.value[1], int(power) * e))
                else:
                    exponents[base] = exact(exponents.get(base, 0) + power * e)
        key = monomial_of(exponents)
        changed[key] = exact(changed.get(key, 0) + size)
    return {monomial: c for monomial, c in changed.items() if c != 0}


def _inside(x: Expr, known: dict[Expr, Expr]) -> Expr:
    if not x.args or x.op in ("sin", "cos", "table", "call"):
        return x
    if x not in known and len(reachable([x])) > _INSIDE:
        known[x] = x
    if x not in known:
        if x.op == "add":
            known[x] = _readable(x, ())
        else:
            known[x] = remade(x, [_readable(a, ()) for a in x.args])
    return known[x]


def _signs(terms: Polynomial) -> int:
    costs = SignCosts()
    return sum(costs.of_term(monomial, c) + 1 for monomial, c in terms.items())


def _collected(terms: Polynomial) -> Expr:
    """The terms as a sum collected by accelerations."""
    groups: dict[Monomial, Polynomial] = {}
    for monomial, c in terms.items():
        lead = tuple((x, e) for x, e in monomial if is_acceleration(x))
        groups.setdefault(lead, {})[tuple(pair for pair in monomial if pair not in lead)] = c
    collected: Polynomial = {}
    for lead, coefficient in groups.items():
        if lead and len(coefficient) > 1:
            collected |= factor_of(lead, coefficient)
        else:
            collected |= {monomial_of(dict((*lead, *m))): c for m, c in coefficient.items()}
    return shortest_sum(collected)


def is_acceleration(x: Expr) -> bool:
    """Whether an expression is the symbol of one."""
    return x.op == "symbol" and x.kind == "acceleration"


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
