"""The last step: the result in a frame, its dimension, limit cases, errata of the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.coefficients import terms as terms_of
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, free_symbols, substitute
from torseur.algebra.forms.dimensions import Dimension, dimension, known_dimension
from torseur.algebra.forms.equation import read_equation
from torseur.algebra.forms.length import length
from torseur.algebra.forms.normal_form import vanishes
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import name_ranks
from torseur.model.values.scales import coordinate_units
from torseur.named_words import counted
from torseur.teach.derivation import traps
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.errata import errata_of
from torseur.teach.derivation.step_formulas import Boxed, Equation, Formula
from torseur.teach.derivation.telling import Telling

_MOST_FRAMED, _MOST_CASES = 8, 4
_MOST_SIGNS = 200  # of an equation that can be framed
_LONGEST, _LONGEST_SMALL = 45, 60  # signs of an equation in a limit case
_MASS, _GRAVITY = 0, 2  # ranks of parameters
_BASES = 5
_ROUNDING = 1e-9


def result_step(telling: Telling, steps: Sequence[Step]) -> list[Step]:
    """The equations that are left in the end, framed and checked; none if they are too many."""
    last = next((x for x in reversed(steps) if x.name in ("elimination", "equations")), None)
    equations = [x for x in last.formulas if isinstance(x, Equation)] if last is not None else []
    if not equations or len(equations) > _MOST_FRAMED:
        return []
    if any(length(x.left) + length(x.right) > _MOST_SIGNS for x in equations):
        return []
    framed = [_in_data(telling, _divided(telling, x)) for x in equations]
    limits = list(_limits(telling, framed))
    words = telling.words
    result = told_step(words, "result", map(Boxed, framed))
    text = [*_dimensions(telling, equations), *errata_of(telling.mechanism, words)]
    text += [words["limits text"]] if limits else []
    return [result, told_step(words, "checks", limits, text=text)] if text else [result]


def _divided(telling: Telling, x: Equation) -> Equation:
    """An equation without the factors that all its terms share."""
    divisors = {
        name for name, y in telling.mechanism.parameter_table.items() if y.value is not ZERO
    }
    read = read_equation(x.left, x.right, divisors)
    longer = read.length > length(x.left) + length(x.right) + 1
    return x if longer else Equation(x.name, read.left, read.right)


def _in_data(telling: Telling, x: Equation) -> Equation:
    """An equation with what the letters of solids stand for put in, where that is shorter."""
    values = {symbol(name): value for name, value in telling.letters.items()}
    present = free_symbols([x.left, x.right])
    if values.keys().isdisjoint(present):
        return x
    left, right = x.left, x.right
    while not values.keys().isdisjoint(free_symbols([left, right])):  # moments stand by masses
        left, right = (expression(substitute(y, values)) for y in (left, right))
    data = _divided(telling, Equation(x.name, left, right))
    return data if _size(data) < _size(x) else x


# --- dimension ------------------------------------------------------------------------------------


def _dimensions(telling: Telling, equations: Sequence[Equation]) -> Iterator[str]:
    """The unit of the terms of each equation, where all its symbols have a known dimension."""
    units: dict[str, list[str]] = {}
    for x in equations:
        unit = homogeneous(telling.mechanism, x)
        if unit is None:
            return
        units.setdefault(str(unit), []).append(f"${x.name}$")
    for written, names in units.items():
        sentence, unit_words = telling.words["homogeneous"], written.replace(".", "·")
        yield counted(sentence, len(names), ", ".join(names), unit_words)


def homogeneous(mechanism: Mechanism, equation: Equation) -> Dimension | None:
    """The dimension of an equation, if every term has it; None if one differs or is not known.

    A change of the units of mass, length and time by powers of two multiplies all terms by one
    factor if, and only if, they have one dimension.
    """
    terms = [c * y for side in (equation.left, equation.right) for c, y in terms_of(side, {})]
    symbols = free_symbols(terms)
    known = [_of_symbol(mechanism, x) for x in symbols]
    rng = np.random.default_rng(0)
    values = {x.name: float(rng.uniform(0.4, 1.1)) for x in symbols}
    powers: set[tuple[float, ...]] = set()
    for term in terms:
        measured = []
        for base in range(_BASES):
            scaled = dict(values)
            for x, of in zip(symbols, known, strict=True):
                if of is None:
                    return None
                scaled[x.name] = values[x.name] * 2.0 ** float(of.powers[base])
            one, other = (float(evaluate(term, y)) for y in (values, scaled))
            ratio = other / one if one else 0.0
            if ratio <= 0:
                return None
            measured.append(np.log2(ratio))
        powers.add(tuple(round(y, 6) for y in measured))
    if len(powers) != 1:
        return None
    (common,) = powers
    if any(abs(y - round(y)) > _ROUNDING for y in common):
        return None
    return Dimension(tuple(round(y) for y in common))


def _of_symbol(mechanism: Mechanism, x: Expr) -> Dimension | None:
    """The dimension of a parameter, a coordinate, a speed or an acceleration."""
    name, second = x.name.rstrip("."), known_dimension("s")
    parameter = mechanism.parameter_table.get(x.name)
    if parameter is not None:
        return parameter.dimension or dimension(parameter.unit or "1")
    unit = coordinate_units(mechanism).get(name)
    if unit is None:
        return None
    return known_dimension(unit) * second ** (len(name) - len(x.name))


# --- limit cases ----------------------------------------------------------------------------------


def _limits(telling: Telling, equations: Sequence[Equation]) -> Iterator[Formula]:
    """Small motions about zero, no gravity, bodies without mass: those that leave an equation."""
    unknown = {x.name for x in telling.efforts.multipliers}
    cases: list[Equation] = []
    small = list(_small(telling, equations))
    if any(_size(x) > _LONGEST_SMALL for x in small):
        small = []
    short = (x for x in _without(telling, equations) if _size(x) <= _LONGEST)
    for case in chain(small, short):
        if unknown & {x.name for x in free_symbols([case.left, case.right])}:
            continue
        if not any(vanishes(case.left - case.right - x.left + x.right) for x in cases):
            cases.append(case)
    yield from cases[:_MOST_CASES]


def _size(x: Equation) -> int:
    return length(x.left) + length(x.right)


def _small(telling: Telling, equations: Sequence[Equation]) -> Iterator[Equation]:
    """Equations for small motions about the zero of all coordinates, if that is at rest."""
    symbols = free_symbols([y for x in equations for y in (x.left, x.right)])
    moving = [x for x in symbols if x.kind in ("coordinate", "speed", "acceleration")]
    angles = [x for x in moving if x.kind == "coordinate"]
    if not angles or TIME in symbols or traps.singular_coordinates(telling.system, telling.words):
        return
    still = dict.fromkeys(moving, ZERO)
    linear = []
    for x in equations:
        try:
            if expression(substitute(x.left - x.right, still)) is not ZERO:
                return
            sides = [
                sum((_slope(y, z, still) * z for z in moving), ZERO) for y in (x.left, x.right)
            ]
        except ZeroDivisionError:  # coordinates that have no zero
            return
        name = telling.words["case small"]
        linear.append(_divided(telling, Equation(f"{x.name}, {name}", *map(expression, sides))))
    present = free_symbols([y for x in linear for y in (x.left, x.right)])
    if not any(y.kind == "coordinate" for y in present):  # nothing brings the motion back
        return
    pairs = zip(linear, equations, strict=True)
    if not all(vanishes(a.left - a.right - b.left + b.right) for a, b in pairs):
        yield from linear


def _slope(x: Expr, along: Expr, still: dict[Expr, Expr]) -> Expr:
    return expression(substitute(derivative(x, along), still))


def _without(telling: Telling, equations: Sequence[Equation]) -> Iterator[Equation]:
    """Equations without gravity, and without the mass of one body after the other."""
    ranks = name_ranks(telling.mechanism)
    used = {x.name for x in free_symbols([y for x in equations for y in (x.left, x.right)])}
    used -= telling.letters.keys()  # of masses on which moments depend
    names = [n for n in ranks if n in used and ranks[n] == _GRAVITY]
    names += [n for n in ranks if n in used and ranks[n] == _MASS]
    for name in names:
        for x in equations:
            if symbol(name) not in free_symbols([x.left, x.right]):
                continue
            try:
                left, right = (
                    expression(substitute(y, {symbol(name): ZERO})) for y in (x.left, x.right)
                )
            except ZeroDivisionError:
                continue
            if not any(y.kind == "acceleration" for y in free_symbols([left])):
                continue
            if right is ZERO and x.right is ZERO:  # a constant, whatever the mass
                continue
            yield _divided(telling, Equation(f"{x.name}, {name} → 0", left, right))
