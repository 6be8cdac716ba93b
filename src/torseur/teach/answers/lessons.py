"""Lessons for a wrong formula: the typical mistakes that it shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from torseur.algebra.core.expr import Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.algebra.forms.normal_form import normal_form, vanishes
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.reading_order import Ranks
from torseur.algebra.printing.text import text
from torseur.teach.answers.comparing import compared, same
from torseur.teach.answers.groups import FACTOR, MISSING, PART, SIGN, SWAPPED, TermDifference
from torseur.teach.answers.mistaken_formulas import PROJECTION, RATE, mistaken_formulas, projections
from torseur.teach.answers.question import AskedQuantity
from torseur.teach.answers.right_model import RightModel
from torseur.teach.answers.sampling import CLOSE, EQUAL, product_factor, random_states, sampled
from torseur.teach.answers.student_formula import StudentFormula
from torseur.teach.answers.true_motion import TrueMotion
from torseur.teach.answers.verdicts import Answer, Lesson

SPRING = Lesson("half of a spring")
_ANGLES = ("rad", "deg", "°")  # units
_INTO_T = (Fraction(1, 2), Fraction(2))


def taught(model: RightModel, question: AskedQuantity, given: Any, answer: Answer) -> Answer:
    """A wrong answer with its lessons: of the mistake that makes exactly this formula, if one does.

    Otherwise what its terms show.
    """
    if answer.right or given is None:
        return answer
    for mistake in mistaken_formulas(model, question):
        if agrees(model, question, mistake.value, given):
            lesson = Lesson(mistake.lesson, mistake.names)
            terms = _of_terms(question, answer)
            if terms == (SPRING,):
                return replace(answer, lessons=terms)
            more = terms if mistake.lesson == RATE else ()
            return replace(answer, lessons=(*more, lesson))
    if question.of_motion and not question.order:
        projected = (StudentFormula(x) for x in _projected(model, expression(given)))
        if any(compared(model, question, x).right for x in projected):
            return replace(answer, lessons=(Lesson(PROJECTION),))
    lessons = dict.fromkeys((*_of_verdict(question, answer), *_of_terms(question, answer)))
    return replace(answer, lessons=tuple(lessons))


def _projected(model: RightModel, given: Expr) -> Iterator[Expr]:
    """A formula with sine and cosine exchanged, or projected on an angle of the data."""
    yield from (x.value for x in projections(given))
    for name, parameter in model.mechanism.parameter_table.items():
        if parameter.unit in _ANGLES:
            angle = symbol(name)
            yield from (expression(given * x) for x in (angle.cos(), angle.sin()))


def _of_terms(question: AskedQuantity, answer: Answer) -> tuple[Lesson, ...]:
    """Lessons of all wrong terms, each once."""
    lessons = (y for x in answer.differences for y in _of_term(question, x, answer.ranks))
    return tuple(dict.fromkeys(lessons))


def agrees(model: RightModel, question: AskedQuantity, value: Any, given: Any) -> bool:
    """Whether a formula is another one: up to a factor if it is an equation."""
    if question.order:
        pairs = zip(expressions(value), expressions(given), strict=True)
        return all(same(model, a, b) for a, b in pairs)
    value, given = expression(value), expression(given)
    if not question.equation and not question.of_motion:
        return same(model, value, given)
    if vanishes(value):
        return vanishes(given)
    constrained = question.equation and bool(model.equations.constraints.owners)
    if constrained:  # what is imposed, such as a speed, may have been put in
        values = TrueMotion(model, [value, given]).virtual_values
    else:
        values = random_states(model, [value, given])
    names = [x.name for x in free_symbols([value, given]) if x.kind == "parameter"]
    with np.errstate(all="ignore"):
        samples = sampled(value, given, values, CLOSE if constrained else EQUAL)
        if question.of_motion:
            return samples.close(1.0)
        return product_factor(samples, names) is not None


def _of_verdict(question: AskedQuantity, answer: Answer) -> Iterator[Lesson]:
    """A factor or a sign of the whole."""
    if question.equation or question.order:
        return
    if answer.verdict == "factor" and str(answer.factor) in ("1/2", "2"):
        yield SPRING if _is_potential(question) else Lesson("half")
    if answer.verdict == "sign":
        yield Lesson("sign of V" if _is_potential(question) else "sign")


def _of_term(question: AskedQuantity, x: TermDifference, ranks: Ranks) -> Iterator[Lesson]:
    """Lessons of one wrong term."""
    kind, mixed = x.group.kind, "*" in x.group.of
    if kind == "speed" and x.factor == 2:
        yield Lesson("dissipation")
    elif kind == "product" and mixed and _in_acceleration(question):
        if x.factor == Fraction(1, 2):
            yield Lesson("Coriolis")
        elif x.how in (MISSING, PART):
            yield Lesson("Coriolis missing")
        elif x.how == SIGN:
            yield Lesson("sign of speeds")
    elif kind == "product" and _in_acceleration(question) and x.how in (MISSING, SIGN, PART):
        yield Lesson("centripetal")
    elif kind == "product" and mixed and (x.how == MISSING or x.factor in _INTO_T):
        yield Lesson("double product")
    elif kind == "product" and x.how == FACTOR and x.factor in _INTO_T:
        yield Lesson("half")
    elif kind in ("gravity", "force") and x.how == SIGN and not _is_potential(question):
        yield Lesson("potential")
    elif kind in ("gravity", "force") and x.how == SIGN:
        yield Lesson("sign of V")
    elif kind == "force" and x.factor in _INTO_T:
        yield SPRING
    elif kind == "gravity" and x.how == MISSING:
        yield Lesson("weight")
    elif kind in ("force", "speed") and x.how == MISSING and question.equation:
        yield Lesson("inventory" if question.rows == () else "condition")
    elif kind in ("speed", "force") and question.rows and x.how == SIGN:
        yield Lesson("velocity the wrong way")
    elif kind == "acceleration" and x.how in (MISSING, PART):
        yield Lesson("inertia missing")
    elif kind == "acceleration" and x.factor in _INTO_T:
        yield Lesson("half")
    elif kind in ("acceleration", "unknown", "speed") and x.how == SIGN:
        yield Lesson("sign")
    elif kind == "acceleration" and (twice := _counted_twice(x)) is not None:
        yield Lesson("inertia twice", (text(twice, ranks=ranks),))
    if x.how == SWAPPED:
        yield Lesson("projection")


def _counted_twice(x: TermDifference) -> Expr | None:
    """Terms of the right coefficient that the given one has once more; None if it differs else."""
    more = expression(readable(x.group.given - x.group.expected))
    expected, added = normal_form(x.group.expected), normal_form(more)
    if expected is None or added is None or not added.terms:
        return None
    right = dict(expected.terms)
    return more if all(right.get(term) == c for term, c in added.terms.items()) else None


def _in_acceleration(question: AskedQuantity) -> bool:
    """Whether products of speeds come of an acceleration: in equations, γ, forces."""
    names = question.names
    return question.equation or question.of_motion or "gamma" in names or question.order > 0


def _is_potential(question: AskedQuantity) -> bool:
    return "V" in question.names
