"""The last step with constraints: dependent speeds and multipliers eliminated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from itertools import combinations
from math import comb
from typing import Any

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.coefficients import factors
from torseur.algebra.core.expr import ONE, PARAMETER, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, reachable
from torseur.algebra.forms.length import length
from torseur.algebra.forms.normal_form import common_denominator, product
from torseur.algebra.printing.latex import name as latex_name
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.expressions.linear import determinant
from torseur.equations.expressions.sampling import independent_rows, vanishes
from torseur.equations.formalisms.derive import derived
from torseur.equations.motion.closure_lines import closure_lines
from torseur.equations.motion.dependent import ReducedEquations
from torseur.equations.motion.equations import Equations
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.hypotheses import GALILEAN, PERFECT
from torseur.teach.derivation.one_freedom import fits_a_line, named_form
from torseur.teach.derivation.solved_coordinates import put_in, solved_coordinates
from torseur.teach.derivation.step_formulas import Equation, Formula, Scalar, SymbolLabel
from torseur.teach.derivation.step_formulas import names as names_in_prose
from torseur.teach.derivation.telling import Telling

_MOST_ROWS = 8  # the constraints are solved by determinants
_MOST_CHOICES, _MOST_PIVOTS = 60, 4  # of independent speeds, whose pivots are looked at
_ONE_BAR = 1  # sign that a formula may be longer in which one fraction bar stands for several
_MORE = 1.2  # signs that equations may have in the independent coordinates alone
_LONGEST = 80  # nodes of a formula that is worth showing


def elimination(telling: Telling) -> list[Step]:
    """A step, or none: without constraints, without freedom, or where formulas would be long."""
    rows = len(telling.efforts.held.owners)
    if not rows or rows > _MOST_ROWS or telling.slides is not None:  # friction does work
        return []
    equations = shortened(telling.in_chosen(derived(telling.system, "kane")), telling.read)
    reduced = equations.reduced(independent_speeds(telling, equations))
    if not reduced.speeds:
        return []
    dependent = _dependent(telling, reduced)
    named = named_form(telling, equations, reduced, dict(dependent))
    moving = _equations(telling, reduced)
    words = [telling.words["elimination text"].format(_names(reduced))]
    formulas: list[Formula] = [
        *(Scalar(SymbolLabel(name, latex_name(name)), value) for name, value in dependent),
        *moving,
    ]
    known = solved_coordinates(telling, reduced.speeds)
    if not known.keys().isdisjoint(free_symbols([y for x in moving for y in _sides(x)])):
        others = [name for name, _ in dependent]
        alone = put_in(telling, equations, known, others)
        if _length(alone) < _MORE * _length(formulas):
            formulas, moving = alone, [x for x in alone if isinstance(x, Equation)]
            words.append(telling.words["coordinates solved"])
    if named is not None and not fits_a_line(*(y for x in moving for y in (x.left, x.right))):
        formulas = [*named.formulas, named.equation]
        words.append(named.sentence(telling.words))
    parts = [y for x in formulas for y in _sides(x)]
    if any(len(reachable([x])) > _LONGEST for x in parts):
        return []
    return [
        told_step(
            telling.words,
            "elimination",
            formulas,
            text=words,
            theorem="compatible motions",
            needs=(GALILEAN, PERFECT),
        )
    ]


def _length(formulas: Sequence[Formula]) -> int:
    return sum(length(y) for x in formulas for y in _sides(x))


def _names(reduced: ReducedEquations) -> str:
    return names_in_prose(name.removesuffix(".") for name in reduced.speeds)


def _sides(x: Formula) -> list[Expr]:
    return [x.left, x.right] if isinstance(x, Equation) else [x.value]  # type: ignore[union-attr, list-item]


def shortened(given: Equations, read: Callable[[Any], Any]) -> Equations:
    """The equations and constraints with each formula in its most readable form."""
    constraints = {x.name: getattr(given.constraints, x.name) for x in fields(GivenConstraints)}
    constraints |= {name: read(constraints[name]) for name in ("J", "rate", "bias")}
    M, h, g, Q = (read(x) for x in (given.M, given.h, given.g, given.Q))
    return replace(given, M=M, h=h, g=g, Q=Q, given_constraints=GivenConstraints(**constraints))


def independent_speeds(telling: Telling, equations: Equations) -> list[str]:
    """The first coordinates, unless others need nothing of the configuration to be divided by."""
    rows = independent_rows(equations.J, telling.mechanism)
    J, n = equations.J[rows], len(equations.speeds)
    if comb(n, len(rows)) > _MOST_CHOICES or len(rows) > _MOST_PIVOTS:
        return []
    simplest: tuple[tuple[int, int], list[str]] | None = None
    for dependent in reversed(list(combinations(range(n), len(rows)))):
        pivot = telling.read(expression(determinant(J[:, dependent])))
        if vanishes(pivot, telling.mechanism):
            continue
        cost = (0, len(reachable([pivot]))) if pivot.stage <= PARAMETER else (1, 0)
        if simplest is None or cost < simplest[0]:
            chosen = [x for k, x in enumerate(equations.speeds) if k not in dependent]
            simplest = cost, chosen
    return [] if simplest is None else simplest[1]


def _dependent(telling: Telling, reduced: ReducedEquations) -> list[tuple[str, Expr]]:
    """The speeds that follow from the others."""
    u = [symbol(name, "speed") for name in reduced.speeds]
    values = expressions(reduced.speeds_of @ u + reduced.carried) if u else reduced.carried
    pairs = zip(telling.described.speeds, values, strict=True)
    by_loops = _speeds_by_loops(telling, reduced.speeds)
    dependent = ((name, _read(telling, x)) for name, x in pairs if name not in reduced.speeds)
    return [(name, min(by_loops.get(name, x), x, key=length)) for name, x in dependent]


def _speeds_by_loops(telling: Telling, independent: tuple[str, ...]) -> dict[str, Expr]:
    """Speeds from a condition between one coordinate and independent ones."""
    coordinates = {name.removesuffix(".") for name in independent}
    rates: dict[str, Expr] = {}
    if telling.variables.changed:  # loops are told in the coordinates of joints
        return rates
    for _, zero in closure_lines(telling.system, telling.efforts.held):
        names = {x.name: x for x in free_symbols(zero)}
        dependent = [
            x for x in names.values() if x.kind == "coordinate" and x.name not in coordinates
        ]
        moving = [x for x in names.values() if x.kind in ("speed", "time")]
        if len(dependent) != 1 or moving:
            continue
        slopes = {name: derivative(zero, names[name]) for name in coordinates & set(names)}
        total = sum((x * symbol(f"{name}.", "speed") for name, x in slopes.items()), ZERO)
        rates[f"{dependent[0].name}."] = _read(telling, -total / derivative(zero, dependent[0]))
    return rates


def _equations(telling: Telling, reduced: ReducedEquations) -> list[Equation]:
    a = [symbol(f"{name}.", "acceleration") for name in reduced.speeds]
    if not a:
        return []
    left, right = expressions(reduced.M @ a + reduced.h), expressions(reduced.Q - reduced.g)
    return [
        Equation(name.removesuffix("."), *_without_denominators(telling, x, y))
        for name, x, y in zip(reduced.speeds, left, right, strict=True)
    ]


def _without_denominators(telling: Telling, left: Any, right: Any) -> tuple[Expr, Expr]:
    """Both sides as they are best read, or multiplied by what stands below if that is shorter."""
    plain = _read(telling, left), _read(telling, right)
    below: dict[Expr, Any] = {}
    for side in plain:
        for power, x in factors(common_denominator(side), {}):
            below[x] = max(below.get(x, 0), power)
    if not any(x.stage > PARAMETER for x in below):
        return plain
    common = product(tuple(below.items()))
    whole = _read(telling, plain[0] * common), _read(telling, plain[1] * common)
    return min(whole, plain, key=lambda both: sum(map(length, both)))


def _read(telling: Telling, x: Any) -> Expr:
    """A formula as it is best read: over one denominator, unless that is longer."""
    plain = expression(telling.read(expression(x)))
    below = common_denominator(plain)
    if below is ONE:
        return plain
    over = expression(telling.read(plain * below) / below)
    return over if length(over) <= length(plain) + _ONE_BAR else plain
