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
from torseur.teach.answers.groups import differing, groups
from torseur.teach.answers.question import AskedQuantity
from torseur.teach.answers.right_model import RightModel
from torseur.teach.answers.sampling import (
    CLOSE,
    EQUAL,
    STATES,
    SampledFactor,
    constant_factor,
    monomial_factor,
    product_factor,
    random_states,
    sampled,
    sized,
)
from torseur.teach.answers.student_formula import StudentFormula
from torseur.teach.answers.true_motion import (
    TrueMotion,
    allowed_columns,
    not_unique,
    reduced_equation,
)
from torseur.teach.answers.verdicts import LOGIC, OFF_TOPIC, Answer, Fault

Array = np.ndarray
States = Mapping[str, Array]


def compared(model: RightModel, question: AskedQuantity, given: StudentFormula) -> Answer:
    """Verdict on a readable formula."""
    draft = drafted(model, question, given, "different")
    if question.order:
        return _of_vector(model, question, given, draft)
    if question.equation:
        return _of_equation(model, question, expression(given.value), draft)
    return _of_quantity(model, question, expression(given.value), draft)


def drafted(
    model: RightModel, question: AskedQuantity, given: StudentFormula, verdict: str
) -> Answer:
    """An answer with the marks of the given formula."""
    return Answer(
        question.name, question.equation, verdict, question.expected, given.faults,
        notices=given.notices, remarks=given.remarks, ranks=model.ranks,
    )  # fmt: skip


def _settled(draft: Answer, factor: Expr, samples: SampledFactor, *, exact: bool = False) -> Answer:
    verdict = "equal" if factor is ONE else "sign" if factor is -ONE else "factor"
    tested = replace(draft, states=len(samples.expected), tolerance=samples.tolerance)
    multiplier = None if factor is ONE else factor
    return replace(tested, verdict=verdict, factor=multiplier, exact=exact)


def _apart(draft: Answer, samples: SampledFactor, names: Iterable[str]) -> Answer:
    """The state where both are furthest apart, and both values there."""
    k = samples.worst
    state = {name: float(samples.values[name][k]) for name in names}
    return replace(draft, state=state, values=(float(samples.expected[k]), float(samples.given[k])))


def _parameters(*formulas: Expr) -> list[str]:
    return [x.name for x in free_symbols(list(formulas)) if x.kind == "parameter"]


def _different(draft: Answer, expected: Expr, given: Expr, samples: SampledFactor) -> Answer:
    """The terms that differ, and a state with short numbers where they do."""
    factor, apart = differing(groups(expected, given), samples.values, draft.equation)
    scaled, k = readable(factor * given), samples.worst
    names = [x.name for x in free_symbols([expected, scaled])]
    state = {name: float(f"{samples.values[name][k]:.2g}") for name in names}
    with np.errstate(all="ignore"):
        values = float(evaluate(expected, state)), float(evaluate(scaled, state))
    multiplier = None if factor is ONE else factor
    return replace(draft, factor=multiplier, differences=tuple(apart), state=state, values=values)


# --- equations ------------------------------------------------------------------------------------


def _of_equation(model: RightModel, question: AskedQuantity, given: Expr, draft: Answer) -> Answer:
    if given is ZERO or vanishes(given):
        fault = Fault(LOGIC, "tautology")
        return replace(draft, verdict="faulty", faults=(*draft.faults, fault))
    expected = expression(question.expected)
    eliminated = _without_reactions(model, expected, given)
    if eliminated:
        answer = _reduced(model, question, given, draft)
    else:
        answer = _free(model, expected, given, draft)
    if answer.verdict != "different" or draft.faults:
        return answer
    motion = TrueMotion(model, [given])
    if question.name not in model.coordinates:
        is_condition = motion.is_condition(given, question.rows)
        plain = replace(draft, verdict="equal", held=True, states=STATES, tolerance=CLOSE)
        return plain if is_condition else answer
    if not motion.vanishes(given):
        return answer
    parts = motion.contained(given)
    count = len(next(iter(motion.values.values())))
    plain = replace(draft, states=count, tolerance=CLOSE)
    if not parts:
        return answer
    if question.name not in parts:
        plain = replace(plain, remarks=(*plain.remarks, Fault(OFF_TOPIC, "another equation")))
    if all(np.isfinite(x) for x in parts.values()) and not eliminated:
        return replace(plain, verdict="combination", combination=parts)
    return replace(plain, verdict="consequence" if question.name in parts else "elsewhere")


def _free(model: RightModel, expected: Expr, given: Expr, draft: Answer) -> Answer:
    """At any states: an equation may have any factor."""
    values = random_states(model, [expected, given, *model.rows])
    samples = sampled(expected, given, values)
    factor = product_factor(samples, _parameters(expected, given))
    if factor is None:
        factor = _quotient(expected, given, samples)
    if factor is not None and not draft.faults:
        return _settled(draft, factor, samples, exact=vanishes(expected - factor * given))
    return _different(draft, expected, given, samples)


def _quotient(expected: Expr, given: Expr, samples: SampledFactor) -> Expr | None:
    """A factor that is no monomial, such as C + m R², or that depends on the configuration."""
    for x in groups(expected, given):
        if x.kind == "acceleration" and x.expected is not ZERO and x.given is not ZERO:
            factor = expression(readable(x.expected / x.given))
            numbers, _ = sized(factor, samples.values)
            if np.isfinite(numbers).all() and samples.close(numbers):
                return factor
    return None


def _without_reactions(model: RightModel, expected: Expr, given: Expr) -> bool:
    """Whether an equation of a constrained model is written without its multipliers."""
    names = {x.name for x in model.multipliers}
    used, needed = ({x.name for x in free_symbols(y)} for y in (given, expected))
    return bool(names & needed) and not names & used


def _reduced(model: RightModel, question: AskedQuantity, given: Expr, draft: Answer) -> Answer:
    """Without multipliers, at states that the constraints allow."""
    row = model.coordinates.index(question.name)
    samples = TrueMotion(model, [given]).without_reactions(row, given)
    names = [x for x in _parameters(expression(question.expected), given) if x in samples.values]
    factor = product_factor(samples, names)
    if factor is not None and not draft.faults:
        return _settled(draft, factor, samples)
    return _terms_apart(model, row, given, draft) or _apart(draft, samples, names)


def _terms_apart(model: RightModel, row: int, given: Expr, draft: Answer) -> Answer | None:
    """The terms that differ from the equation in one coordinate, if both speak of it alone."""
    expected = reduced_equation(model, row)
    if expected is None:
        return None
    spoken = {x for x in free_symbols(given) if x.kind != "parameter"}
    if not spoken <= set(free_symbols(expected)):
        return None
    samples = sampled(expected, given, random_states(model, [expected, given]))
    return _different(replace(draft, expected=expected), expected, given, samples)


# --- quantities -----------------------------------------------------------------------------------


def _of_quantity(model: RightModel, question: AskedQuantity, given: Expr, draft: Answer) -> Answer:
    expected = expression(question.expected)
    samples = sampled(expected, given, random_states(model, [expected, given]))
    constrained = bool(model.equations.constraints.owners)
    if not draft.faults:
        factor = constant_factor(samples)
        if factor is ONE:
            return _settled(draft, factor, samples, exact=vanishes(expected - given))
        if question.of_motion:
            return _of_reaction(model, question, given, draft)
        answer = _where_constraints_hold(model, expected, given, draft) if constrained else None
        if answer is None and question.up_to_a_constant:
            answer = _up_to_a_constant(model, expected, given, samples.values, draft)
        if answer is not None:
            return answer
        factor = factor or monomial_factor(samples, _parameters(expected, given))
        if factor is not None:
            return _settled(draft, factor, samples, exact=vanishes(expected - factor * given))
    return _different(draft, expected, given, samples)


def _where_constraints_hold(
    model: RightModel, expected: Expr, given: Expr, draft: Answer
) -> Answer | None:
    """Any form that is the same at every state that the constraints allow."""
    values = TrueMotion(model, [expected, given]).virtual_values
    samples = sampled(expected, given, values, CLOSE)
    return replace(_settled(draft, ONE, samples), held=True) if samples.close(1.0) else None


def same(model: RightModel, expected: Expr, given: Expr) -> bool:
    """Whether two quantities are equal, at any state or where the constraints hold."""
    if sampled(expected, given, random_states(model, [expected, given])).close(1.0):
        return True
    if not model.equations.constraints.owners:
        return False
    return sampled(expected, given, allowed_columns(model), CLOSE).close(1.0)


def _up_to_a_constant(
    model: RightModel, expected: Expr, given: Expr, values: States, draft: Answer
) -> Answer | None:
    apart = given - expected
    moving = [x for x in free_symbols(apart) if x.kind != "parameter"]
    if _steady(apart, moving, values):
        constant = _at_rest(apart, moving)
        exact = vanishes(apart - constant)
        return replace(draft, verdict="constant", constant=constant, exact=exact, states=STATES)
    if not model.equations.constraints.owners:
        return None
    fixed = allowed_columns(model, vary=False)
    numbers, size = sized(apart, fixed)
    middle = float(np.median(numbers))
    if not (np.abs(numbers - middle) <= CLOSE * size).all():
        return None
    constant = parameter_product(model, apart) or expression(float(f"{middle:.6g}"))
    plain = replace(draft, states=len(numbers), tolerance=CLOSE)
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
    return monomial_factor(SampledFactor(numbers, ones, size, values, CLOSE), _parameters(x))


def _steady(apart: Expr, moving: list[Expr], values: States) -> bool:
    """Whether nothing that moves changes a difference."""
    for x in gradient(apart, moving):
        slope, size = sized(x, values)
        good = np.isfinite(slope)
        if good.sum() < 3 or not (np.abs(slope)[good] <= EQUAL * size[good]).all():
            return False
    return True


def _of_reaction(model: RightModel, question: AskedQuantity, given: Expr, draft: Answer) -> Answer:
    """Along the true motion; term by term, unless accelerations or reactions were eliminated."""
    expected = expression(question.expected)
    motion = TrueMotion(model, [expected, given])
    if not motion.determined(expected):
        raise not_unique(question.name)
    samples = sampled(expected, given, motion.values, CLOSE)
    factor = constant_factor(samples)
    if factor is not None:
        return _settled(draft, factor, samples)
    solved = {x.kind for x in free_symbols(expected)} - {x.kind for x in free_symbols(given)}
    if not solved & {"acceleration", "input"}:
        wide = random_states(model, [expected, given])
        return _different(draft, expected, given, sampled(expected, given, wide))
    names = [x.name for x in free_symbols([expected, given]) if x.kind != "input"]
    return _apart(draft, samples, names)


# --- vectors --------------------------------------------------------------------------------------


def _of_vector(
    model: RightModel, question: AskedQuantity, given: StudentFormula, draft: Answer
) -> Answer:
    """Component by component; the first that differs is shown."""
    answers = []
    for axis, a, b in zip("xyz", question.expected, given.value, strict=True):
        part = replace(question, name=f"{question.name}.{axis}", expected=expression(a))
        named = replace(draft, name=part.name, expected=part.expected)
        answers.append(_of_quantity(model, part, expression(b), named))
    for answer in answers:
        if answer.verdict != "equal":
            return answer
    worst = max(answers, key=lambda x: x.tolerance)
    plain = replace(draft, states=worst.states, tolerance=worst.tolerance)
    exact, constrained = all(x.exact for x in answers), any(x.held for x in answers)
    return replace(plain, verdict="equal", exact=exact, held=constrained)
