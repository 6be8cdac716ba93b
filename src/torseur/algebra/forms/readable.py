"""Short formulas as a book writes them: like terms together, squares and angles merged, factored.

The formulas of a model keep the shape in which they cost least. A formula that is read is expanded,
its sines are merged in several ways, and each is written as a sum of products with as few signs as
a search finds, collected by accelerations where that is as short. The shortest is taken; a formula
that is too long to be expanded stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ONE, Expr, Scalar, exact, expression
from torseur.algebra.core.graph import flat, reachable, remade, shaped, substitute
from torseur.algebra.forms.factoring import factor_of, shortest_sum
from torseur.algebra.forms.length import SignCosts, length
from torseur.algebra.forms.merging import (
    cancelled,
    has_double_angles,
    has_squares,
    merged,
    with_double_angles,
)
from torseur.algebra.forms.normal_form import (
    NO_SQUARES,
    Monomial,
    Polynomial,
    Squares,
    monomial_of,
    normal_form,
    rational_power,
)
from torseur.algebra.printing.flatten import factors
from torseur.algebra.printing.flatten import terms as terms_of

_LONGEST = 300  # nodes of a formula that is worth expanding
_MOST = 300  # terms while it is expanded
_TERMS = 60  # and in the end
_FEW = 18  # terms of a formula that is written in several ways
_WAYS = 3
_INSIDE = 100  # nodes of what stands in a function that is worth expanding
_UNUSUAL = 2  # signs that a form must save if it is not collected by accelerations
_WORK = 12  # products of terms for each of the terms that it may have


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
    if not x.args or x.op in ("sin", "cos", "table"):
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
