"""Short formulas as a book writes them: like terms together, squares and angles merged, factored.

The formulas of a model keep the shape in which they cost least. A formula that is read is expanded,
its sines are merged, and it is collected by accelerations, products of speeds and unknowns; the
result is taken only if it is shorter.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from torseur.algebra.core import rules
from torseur.algebra.core.angles import sine_or_cosine
from torseur.algebra.core.expr import ONE, ZERO, Expr, Scalar, expression, number
from torseur.algebra.core.graph import reachable
from torseur.algebra.forms.normal_form import (
    NO_SQUARES,
    Monomial,
    NormalForm,
    Polynomial,
    Squares,
    added,
    monomial_of,
    multiplied,
    normal_form,
    product,
)
from torseur.algebra.printing.text import text

_LONGEST = 300  # nodes of a formula that is worth expanding
_MOST = 300  # terms while it is expanded
_TERMS = 150  # and in the end
_WORK = 12  # products of terms for each of the terms that it may have
_SWAP = {"sin": "cos", "cos": "sin"}
_DYNAMIC = ("acceleration", "speed", "input")


def readable(outputs: Any, squares: Squares = NO_SQUARES) -> Any:
    """The formulas in the form that is shortest to read, in the shape they came in.

    `squares` gives what the squares of symbols are, where that is known.
    """
    each = np.vectorize(lambda x: _readable(expression(x), squares), otypes=[object])
    return each(np.asarray(outputs, dtype=object))[()]


def _readable(x: Expr, squares: Squares) -> Expr:
    if not x.args or len(reachable([x])) > _LONGEST:
        return x
    form = normal_form(x, squares=squares, most=_MOST, work=_WORK)
    if form is None or len(form.terms) > _TERMS:
        return x
    whole = _merged(dict(form.terms), partly=False)
    tries = {_collected(whole): None}
    if _has_squares(whole):
        tries[_collected(_merged(whole, partly=True))] = None
    tries[x] = None
    return min(tries, key=_length) if len(tries) > 1 else x


def _has_squares(terms: Polynomial) -> bool:
    return any(atom.op == "cos" and e >= 2 for monomial in terms for atom, e in monomial)


def _length(x: Expr) -> int:
    return len(text(x, limit=8000))


# --- merging sines and cosines --------------------------------------------------------------------


def _merged(terms: Polynomial, *, partly: bool) -> Polynomial:
    """k − k cos² is k sin²; products of sines and cosines that meet are those of one angle.

    `partly` merges 2 k − k cos² too, into k + k sin².
    """
    partners: dict[Expr, Expr] = {}
    while True:
        change = next(_mergers(terms, partly, partners), None)
        if change is None:
            return terms
        terms = added(terms, change)


def _mergers(terms: Polynomial, partly: bool, partners: dict[Expr, Expr]) -> Iterator[Polynomial]:
    """What to add so that one term stands for two; `partners` remembers cos a for sin a."""
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


# --- collecting -----------------------------------------------------------------------------------


def _collected(terms: Polynomial) -> Expr:
    """Σ over products of speeds, accelerations and unknowns, each with its coefficient factored."""
    groups: dict[Monomial, Polynomial] = {}
    for monomial, c in terms.items():
        moving = tuple((x, e) for x, e in monomial if _moves(x))
        still = tuple((x, e) for x, e in monomial if not _moves(x))
        groups.setdefault(moving, {})[still] = c
    total = ZERO
    for moving, coefficient in groups.items():
        front = NormalForm(coefficient).expr() if not moving else _factored(coefficient)
        total = rules.add(total, rules.multiply(front, product(moving)))
    return total


def _moves(x: Expr) -> bool:
    return x.op == "symbol" and x.kind in _DYNAMIC


def _factored(terms: Polynomial) -> Expr:
    """A sum with the factors that all its terms share in front."""
    shared: dict[Expr, Scalar] | None = None
    for monomial in terms:
        own = dict(monomial)
        if shared is None:
            shared = own
        else:
            shared = {x: min(e, own[x]) for x, e in shared.items() if x in own}
    common = monomial_of({x: e for x, e in (shared or {}).items() if e > 0})
    if len(terms) == 1:
        common = ()
    inverse = {x: -e for x, e in common}
    total = ZERO
    for monomial, c in terms.items():
        own = dict(monomial)
        left = monomial_of({x: own.get(x, 0) + inverse.get(x, 0) for x in {**own, **inverse}})
        total = rules.add(total, rules.multiply(number(c), product(left)))
    front = product(common)
    return total if front is ONE else rules.multiply(front, total)
