"""The last step with constraints: dependent speeds and multipliers eliminated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from itertools import combinations
from math import comb
from typing import Any

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ONE, PARAMETER, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, reachable
from torseur.algebra.forms.length import length
from torseur.algebra.forms.normal_form import common_denominator, product
from torseur.algebra.printing.flatten import factors
from torseur.algebra.printing.latex import name as latex_name
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.expressions.linear import determinant
from torseur.equations.expressions.sampling import independent_rows, vanishes
from torseur.equations.formalisms.derive import derived
from torseur.equations.motion.closure_lines import closure_lines
from torseur.equations.motion.dependent import ReducedEquations
from torseur.equations.motion.equations import Equations
from torseur.teach.derivation.formulas import Equation, Scalar, SymbolLabel
from torseur.teach.derivation.hypotheses import GALILEAN, PERFECT
from torseur.teach.derivation.prose import names as names_in_prose
from torseur.teach.derivation.steps import Step, told_step
from torseur.teach.derivation.telling import Telling

_MOST_ROWS = 8  # the constraints are solved by determinants
_MOST_CHOICES, _MOST_PIVOTS = 60, 4  # of independent speeds, whose pivots are looked at
_ONE_BAR = 1  # sign that a formula may be longer in which one fraction bar stands for several
_LONGEST = 80  # nodes of a formula that is worth showing


def elimination(told: Telling) -> list[Step]:
    """A step, or none: without constraints, without freedom, or where formulas would be long."""
    rows = len(told.efforts.held.owners)
    if not rows or rows > _MOST_ROWS:
        return []
    equations = shortened(told.in_chosen(derived(told.system, "kane")), told.read)
    reduced = equations.reduced(_independent(told, equations))
    dependent, moving = _dependent(told, reduced), _equations(told, reduced)
    shown: list[Expr] = [x for _, x in dependent]
    shown += [x for equation in moving for x in (equation.left, equation.right)]
    if not reduced.speeds or any(len(reachable([x])) > _LONGEST for x in shown):
        return []
    names = names_in_prose(name.removesuffix(".") for name in reduced.speeds)
    solved = [Scalar(SymbolLabel(name, latex_name(name)), value) for name, value in dependent]
    text = told.words["elimination text"].format(names)
    return [
        told_step(
            told.words,
            "elimination",
            [*solved, *moving],
            text=[text],
            theorem="compatible motions",
            needs=(GALILEAN, PERFECT),
        )
    ]


def shortened(given: Equations, read: Callable[[Any], Any]) -> Equations:
    """The same equations and constraints, each formula as it is best read before it is combined."""
    held = {x.name: getattr(given.constraints, x.name) for x in fields(GivenConstraints)}
    held |= {name: read(held[name]) for name in ("J", "rate", "bias")}
    M, h, g, Q = (read(x) for x in (given.M, given.h, given.g, given.Q))
    return replace(given, M=M, h=h, g=g, Q=Q, given_constraints=GivenConstraints(**held))


def _independent(told: Telling, equations: Equations) -> list[str]:
    """The first coordinates, unless others need nothing of the configuration to be divided by."""
    rows = independent_rows(equations.J, told.mechanism)
    J, n = equations.J[rows], len(equations.speeds)
    if comb(n, len(rows)) > _MOST_CHOICES or len(rows) > _MOST_PIVOTS:
        return []
    simplest: tuple[tuple[int, int], list[str]] | None = None
    for dependent in reversed(list(combinations(range(n), len(rows)))):
        pivot = told.read(expression(determinant(J[:, dependent])))
        if vanishes(pivot, told.mechanism):
            continue
        cost = (0, len(reachable([pivot]))) if pivot.stage <= PARAMETER else (1, 0)
        if simplest is None or cost < simplest[0]:
            chosen = [x for k, x in enumerate(equations.speeds) if k not in dependent]
            simplest = cost, chosen
    return [] if simplest is None else simplest[1]


def _dependent(told: Telling, reduced: ReducedEquations) -> list[tuple[str, Expr]]:
    """The speeds that follow from the others."""
    u = [symbol(name, "speed") for name in reduced.speeds]
    values = expressions(reduced.speeds_of @ u + reduced.carried) if u else reduced.carried
    pairs = zip(told.described.speeds, values, strict=True)
    by_loops = _speeds_by_loops(told, reduced.speeds)
    dependent = ((name, _read(told, x)) for name, x in pairs if name not in reduced.speeds)
    return [(name, min(by_loops.get(name, x), x, key=length)) for name, x in dependent]


def _speeds_by_loops(told: Telling, independent: tuple[str, ...]) -> dict[str, Expr]:
    """Speeds from a condition between one coordinate and independent ones, as it is told."""
    kept = {name.removesuffix(".") for name in independent}
    found: dict[str, Expr] = {}
    if told.variables.changed:  # loops are told in the coordinates of joints
        return found
    for _, zero in closure_lines(told.system, told.efforts.held):
        names = {x.name: x for x in free_symbols(zero)}
        own = [x for x in names.values() if x.kind == "coordinate" and x.name not in kept]
        moving = [x for x in names.values() if x.kind in ("speed", "time")]
        if len(own) != 1 or moving:
            continue
        slopes = {name: derivative(zero, names[name]) for name in kept & set(names)}
        total = sum((x * symbol(f"{name}.", "speed") for name, x in slopes.items()), ZERO)
        found[f"{own[0].name}."] = _read(told, -total / derivative(zero, own[0]))
    return found


def _equations(told: Telling, reduced: ReducedEquations) -> list[Equation]:
    a = [symbol(f"{name}.", "acceleration") for name in reduced.speeds]
    if not a:
        return []
    left, right = expressions(reduced.M @ a + reduced.h), expressions(reduced.Q - reduced.g)
    return [
        Equation(name.removesuffix("."), *_without_denominators(told, x, y))
        for name, x, y in zip(reduced.speeds, left, right, strict=True)
    ]


def _without_denominators(told: Telling, left: Any, right: Any) -> tuple[Expr, Expr]:
    """Both sides as they are best read, or multiplied by what stands below if that is shorter."""
    plain = _read(told, left), _read(told, right)
    below: dict[Expr, Any] = {}
    for side in plain:
        for power, x in factors(common_denominator(side), {}):
            below[x] = max(below.get(x, 0), power)
    if not any(x.stage > PARAMETER for x in below):
        return plain
    common = product(tuple(below.items()))
    whole = _read(told, plain[0] * common), _read(told, plain[1] * common)
    return min(whole, plain, key=lambda both: sum(map(length, both)))


def _read(told: Telling, x: Any) -> Expr:
    """A formula as it is best read: over one denominator, unless that is longer."""
    plain = expression(told.read(expression(x)))
    below = common_denominator(plain)
    if below is ONE:
        return plain
    over = expression(told.read(plain * below) / below)
    return over if length(over) <= length(plain) + _ONE_BAR else plain
