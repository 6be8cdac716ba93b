"""The formula that was given beside the right one: equal as functions, or where it differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from torseur.algebra.calculus.derivative import gradient
from torseur.algebra.core.expr import ONE, ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, free_symbols, substitute
from torseur.algebra.forms.normal_form import vanishes
from torseur.algebra.forms.readable import readable
from torseur.teach.answers.factors import (
    Sampled,
    constant_factor,
    monomial_factor,
    product_factor,
    sampled,
)
from torseur.teach.answers.faults import LOGIC, OFF_TOPIC, Fault
from torseur.teach.answers.groups import differing, groups
from torseur.teach.answers.model import RightModel
from torseur.teach.answers.question import Asked
from torseur.teach.answers.sampling import CLOSE, EQUAL, STATES, random_states, sized
from torseur.teach.answers.student_formula import StudentFormula
from torseur.teach.answers.true_motion import (
    TrueMotion,
    allowed_columns,
    not_unique,
    reduced_equation,
)
from torseur.teach.answers.verdicts import Answer

Array = np.ndarray
States = Mapping[str, Array]


def compared(model: RightModel, wanted: Asked, given: StudentFormula) -> Answer:
    """What is to be said of a formula that could be read."""
    made = Answer(
        wanted.name, wanted.equation, "different", wanted.expected, given.faults,
        notices=given.notices, remarks=given.remarks,
    )  # fmt: skip
    if wanted.order:
        return _of_vector(model, wanted, given, made)
    if wanted.equation:
        return _of_equation(model, wanted, expression(given.value), made)
    return _of_quantity(model, wanted, expression(given.value), made)


def _settled(made: Answer, factor: Expr, samples: Sampled, *, exact: bool = False) -> Answer:
    verdict = "equal" if factor is ONE else "sign" if factor is -ONE else "factor"
    tested = replace(made, states=len(samples.expected), tolerance=samples.tolerance)
    shown = None if factor is ONE else factor
    return replace(tested, verdict=verdict, factor=shown, exact=exact)


def _apart(made: Answer, samples: Sampled, names: Iterable[str]) -> Answer:
    """The state where both are furthest apart, and both values there."""
    k = samples.worst
    state = {name: float(samples.values[name][k]) for name in names}
    return replace(made, state=state, values=(float(samples.expected[k]), float(samples.given[k])))


def _parameters(*formulas: Expr) -> list[str]:
    return [x.name for x in free_symbols(list(formulas)) if x.kind == "parameter"]


def _different(made: Answer, expected: Expr, found: Expr, samples: Sampled) -> Answer:
    """The terms that differ, and a state where they do."""
    factor, apart = differing(groups(expected, found), samples.values, made.equation)
    state, pair = _counter_example(
        expected, readable(factor * found), samples.values, samples.worst
    )
    return replace(
        made,
        factor=factor if factor is not ONE else None,
        differences=tuple(apart),
        state=state,
        values=pair,
    )


def _counter_example(
    expected: Expr, found: Expr, values: States, k: int
) -> tuple[dict[str, float], tuple[float, float] | None]:
    """A state with short numbers, and both values there."""
    names = [x.name for x in free_symbols([expected, found])]
    state = {name: float(f"{values[name][k]:.2g}") for name in names}
    with np.errstate(all="ignore"):
        pair = float(evaluate(expected, state)), float(evaluate(found, state))
    return state, pair


# --- equations ------------------------------------------------------------------------------------


def _of_equation(model: RightModel, wanted: Asked, found: Expr, made: Answer) -> Answer:
    if found is ZERO or vanishes(found):
        fault = Fault(LOGIC, "tautology")
        return replace(made, verdict="faulty", faults=(*made.faults, fault))
    expected = expression(wanted.expected)
    eliminated = _without_reactions(model, expected, found)
    if eliminated:
        answer = _reduced(model, wanted, found, made)
    else:
        answer = _free(model, expected, found, made)
    if answer.verdict != "different" or made.faults or wanted.name not in model.coordinates:
        return answer
    motion = TrueMotion(model, [found])
    if not motion.vanishes(found):
        return answer
    parts = motion.contained(found)
    count = len(next(iter(motion.values.values())))
    plain = replace(made, states=count, tolerance=CLOSE)
    if not parts:
        return answer
    if wanted.name not in parts:
        plain = replace(plain, remarks=(*plain.remarks, Fault(OFF_TOPIC, "another equation")))
    if all(np.isfinite(x) for x in parts.values()) and not eliminated:
        return replace(plain, verdict="combination", combination=parts)
    return replace(plain, verdict="consequence" if wanted.name in parts else "elsewhere")


def _free(model: RightModel, expected: Expr, found: Expr, made: Answer) -> Answer:
    """At any states: an equation may have any factor."""
    values = random_states(model, [expected, found, *model.rows])
    samples = sampled(expected, found, values)
    factor = product_factor(samples, _parameters(expected, found))
    if factor is None:
        factor = _quotient(expected, found, samples)
    if factor is not None and not made.faults:
        return _settled(made, factor, samples, exact=vanishes(expected - factor * found))
    return _different(made, expected, found, samples)


def _quotient(expected: Expr, found: Expr, samples: Sampled) -> Expr | None:
    """A factor that is no monomial, such as C + m R², or that depends on the configuration."""
    for x in groups(expected, found):
        if x.kind == "acceleration" and x.expected is not ZERO and x.given is not ZERO:
            factor = expression(readable(x.expected / x.given))
            numbers, _ = sized(factor, samples.values)
            if np.isfinite(numbers).all() and samples.close(numbers):
                return factor
    return None


def _without_reactions(model: RightModel, expected: Expr, found: Expr) -> bool:
    """Whether an equation of a constrained model is written without its multipliers."""
    names = {x.name for x in model.multipliers}
    used, needed = ({x.name for x in free_symbols(y)} for y in (found, expected))
    return bool(names & needed) and not names & used


def _reduced(model: RightModel, wanted: Asked, found: Expr, made: Answer) -> Answer:
    """Without multipliers, at states that the constraints allow."""
    row = model.coordinates.index(wanted.name)
    samples = TrueMotion(model, [found]).without_reactions(row, found)
    names = [x for x in _parameters(expression(wanted.expected), found) if x in samples.values]
    factor = product_factor(samples, names)
    if factor is not None and not made.faults:
        return _settled(made, factor, samples)
    return _terms_apart(model, row, found, made) or _apart(made, samples, names)


def _terms_apart(model: RightModel, row: int, found: Expr, made: Answer) -> Answer | None:
    """The terms that differ from the equation in one coordinate, if both speak of it alone."""
    expected = reduced_equation(model, row)
    if expected is None:
        return None
    spoken = {x for x in free_symbols(found) if x.kind != "parameter"}
    if not spoken <= set(free_symbols(expected)):
        return None
    samples = sampled(expected, found, random_states(model, [expected, found]))
    return _different(replace(made, expected=expected), expected, found, samples)


# --- quantities -----------------------------------------------------------------------------------


def _of_quantity(model: RightModel, wanted: Asked, found: Expr, made: Answer) -> Answer:
    expected = expression(wanted.expected)
    samples = sampled(expected, found, random_states(model, [expected, found]))
    constrained = bool(model.equations.constraints.owners)
    if not made.faults:
        factor = constant_factor(samples)
        if factor is ONE:
            return _settled(made, factor, samples, exact=vanishes(expected - found))
        if wanted.of_motion:
            return _of_reaction(model, wanted, found, made)
        answer = _where_constraints_hold(model, expected, found, made) if constrained else None
        if answer is None and wanted.up_to_a_constant:
            answer = _up_to_a_constant(model, expected, found, samples.values, made)
        if answer is not None:
            return answer
        factor = factor or monomial_factor(samples, _parameters(expected, found))
        if factor is not None:
            return _settled(made, factor, samples, exact=vanishes(expected - factor * found))
    return _different(made, expected, found, samples)


def _where_constraints_hold(
    model: RightModel, expected: Expr, found: Expr, made: Answer
) -> Answer | None:
    """Any form that is the same at every state that the constraints allow."""
    values = TrueMotion(model, [expected, found]).virtual_values
    samples = sampled(expected, found, values, CLOSE)
    return replace(_settled(made, ONE, samples), held=True) if samples.close(1.0) else None


def same(model: RightModel, expected: Expr, found: Expr) -> bool:
    """Whether two quantities are equal, at any state or where the constraints hold."""
    if sampled(expected, found, random_states(model, [expected, found])).close(1.0):
        return True
    if not model.equations.constraints.owners:
        return False
    return sampled(expected, found, allowed_columns(model), CLOSE).close(1.0)


def _up_to_a_constant(
    model: RightModel, expected: Expr, found: Expr, values: States, made: Answer
) -> Answer | None:
    apart = found - expected
    moving = [x for x in free_symbols(apart) if x.kind != "parameter"]
    if _steady(apart, moving, values):
        constant = _at_rest(apart, moving)
        exact = vanishes(apart - constant)
        return replace(made, verdict="constant", constant=constant, exact=exact, states=STATES)
    if not model.equations.constraints.owners:
        return None
    fixed = allowed_columns(model, vary=False)
    numbers, size = sized(apart, fixed)
    middle = float(np.median(numbers))
    if not (np.abs(numbers - middle) <= CLOSE * size).all():
        return None
    constant = parameter_product(model, apart) or expression(float(f"{middle:.6g}"))
    plain = replace(made, states=len(numbers), tolerance=CLOSE)
    return replace(plain, verdict="constant", constant=constant, held=True)


def _at_rest(x: Expr, moving: list[Expr]) -> Expr:
    """A constant without what moves, if that may be zero in it."""
    try:
        return expression(readable(substitute(x, dict.fromkeys(moving, ZERO))))
    except ZeroDivisionError:
        return expression(readable(x))


def parameter_product(model: RightModel, x: Expr) -> Expr | None:
    """An expression as a product of powers of parameters, if it is one at every state."""
    constrained = bool(model.equations.constraints.owners)
    values = allowed_columns(model) if constrained else random_states(model, [x])
    numbers, size = sized(x, values)
    ones = np.ones(len(numbers))
    return monomial_factor(Sampled(numbers, ones, size, values, CLOSE), _parameters(x))


def _steady(apart: Expr, moving: list[Expr], values: States) -> bool:
    """Whether nothing that moves changes a difference."""
    for x in gradient(apart, moving):
        slope, size = sized(x, values)
        good = np.isfinite(slope)
        if good.sum() < 3 or not (np.abs(slope)[good] <= EQUAL * size[good]).all():
            return False
    return True


def _of_reaction(model: RightModel, wanted: Asked, found: Expr, made: Answer) -> Answer:
    """Along the true motion; term by term, unless accelerations or reactions were eliminated."""
    expected = expression(wanted.expected)
    motion = TrueMotion(model, [expected, found])
    if not motion.determined(expected):
        raise not_unique(wanted.name)
    samples = sampled(expected, found, motion.values, CLOSE)
    factor = constant_factor(samples)
    if factor is not None:
        return _settled(made, factor, samples)
    solved = {x.kind for x in free_symbols(expected)} - {x.kind for x in free_symbols(found)}
    if not solved & {"acceleration", "input"}:
        wide = random_states(model, [expected, found])
        return _different(made, expected, found, sampled(expected, found, wide))
    names = [x.name for x in free_symbols([expected, found]) if x.kind != "input"]
    return _apart(made, samples, names)


# --- vectors --------------------------------------------------------------------------------------


def _of_vector(model: RightModel, wanted: Asked, given: StudentFormula, made: Answer) -> Answer:
    """Component by component; the first that differs is shown."""
    answers = []
    for axis, a, b in zip("xyz", wanted.expected, given.value, strict=True):
        part = replace(wanted, name=f"{wanted.name}.{axis}", expected=expression(a))
        named = replace(made, name=part.name, expected=part.expected)
        answers.append(_of_quantity(model, part, expression(b), named))
    for answer in answers:
        if answer.verdict != "equal":
            return answer
    worst = max(answers, key=lambda x: x.tolerance)
    plain = replace(made, states=worst.states, tolerance=worst.tolerance)
    exact, held = all(x.exact for x in answers), any(x.held for x in answers)
    return replace(plain, verdict="equal", exact=exact, held=held)
