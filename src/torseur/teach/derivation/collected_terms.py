"""Sides of equations as books write them: M(q) q̈ + c(q) q̇² + …, each acceleration once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import free_symbols, reachable
from torseur.algebra.forms.factoring import as_node
from torseur.algebra.forms.length import length
from torseur.algebra.forms.normal_form import Monomial, Polynomial, normal_form, product
from torseur.algebra.forms.readable import is_acceleration, readable
from torseur.teach.derivation.derivation_steps import Step
from torseur.teach.derivation.step_formulas import Boxed, Equation, Formula, Scalar

_LONGEST = 60  # signs of a side that is collected
_MOST = 40  # terms of a side that is collected
_MORE = 1.25  # signs that the collected form may have


def collected(side: Expr) -> Expr:
    """A side with the coefficient of each acceleration, if some stand in it several times."""
    if not _is_mixed(side) or length(side) > _LONGEST:
        return side
    form = normal_form(side, most=_MOST)
    if form is None:
        return side
    groups: dict[Monomial, Polynomial] = {}
    for monomial, c in form.terms.items():
        accelerations = tuple(pair for pair in monomial if is_acceleration(pair[0]))
        rest = tuple(pair for pair in monomial if pair not in accelerations)
        groups.setdefault(accelerations, {})[rest] = c
    total: Expr = ZERO
    for lead, coefficient in groups.items():
        short = expression(readable(as_node(dict(coefficient))))
        total = expression(total + (short * product(lead) if lead else short))
    return total if length(total) <= _MORE * length(side) else side


def _is_mixed(side: Expr) -> bool:
    """Whether an acceleration stands in a formula several times, also in a sum with another."""
    counts: dict[int, int] = {side.key: 1}
    nodes = reachable([side])
    for x in reversed(nodes):
        for part in x.args:
            counts[part.key] = counts.get(part.key, 0) + counts.get(x.key, 0)
    repeated = {x for x in nodes if is_acceleration(x) and counts[x.key] > 1}
    outer = _sum_parts(side)
    inner = (x for x in nodes if x.op == "add" and x not in outer)
    sums = ([y for y in free_symbols([x]) if is_acceleration(y)] for x in inner)
    return any(len(several) > 1 and not repeated.isdisjoint(several) for several in sums)


def _sum_parts(side: Expr) -> set[Expr]:
    """The sums that the terms of a formula are added up in."""
    parts, pending = set[Expr](), [side]
    while pending:
        x = split(pending.pop())[1]
        if x.op == "add":
            parts.add(x)
            pending += x.args
    return parts


def with_collected_terms(steps: Iterable[Step]) -> list[Step]:
    """The steps with the left sides of their equations, and derivatives in time, collected."""
    return [replace(step, formulas=tuple(map(_collected, step.formulas))) for step in steps]


def _collected(x: Formula) -> Formula:
    match x:
        case Equation(name, left, right):
            return Equation(name, collected(left), right)
        case Boxed(Equation(name, left, right)):
            return Boxed(Equation(name, collected(left), right))
        case Scalar(symbol, value):
            return Scalar(symbol, collected(value))
    return x
