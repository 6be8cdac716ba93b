"""The formula of a student, compared with the right one.

Faults that can be seen without computing come first: what cannot be read, symbols nothing defines,
vectors taken for scalars, terms of different dimensions. Then the formulas are compared as
functions: equal, equal up to a sign or a factor, or different, with a state where they differ and
the terms that do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import permutations
from typing import Any

from torseur.algebra.core.expr import ONE, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import free_symbols, substitute
from torseur.algebra.forms.readable import readable
from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.errors import ModelError
from torseur.model.description import GROUND, Mechanism
from torseur.model.values.named_numbers import (
    LETTER,
    gravity_number,
    named_numbers,
    with_short_loops,
)
from torseur.teach.answers.closed_form import closed_form_asked
from torseur.teach.answers.comparing import compared, drafted, parameter_product, same
from torseur.teach.answers.groups import groups
from torseur.teach.answers.lessons import taught
from torseur.teach.answers.question import (
    ENERGIES,
    AskedQuantity,
    asked_quantity,
    constraint_or_reaction,
)
from torseur.teach.answers.right_model import RightModel
from torseur.teach.answers.student_formula import Renaming, StudentFormula, student_formula
from torseur.teach.answers.verdicts import (
    DIMENSIONS,
    NOTATION,
    OFF_TOPIC,
    UNDEFINED,
    WRITING,
    Answer,
    Fault,
)
from torseur.teach.formula.tokens import plain, spelled
from torseur.words.sentence import say

__all__ = ["Answer", "check_answer"]
_PULSATIONS = ("omega", "omega0", "omegan", "omegap", "w0", "wn")  # names that need no definition
_NAME = re.compile(r"[^\W\d_]\w*")
_MOST_BASES = 12  # of which components may be along one
_MOST_RENAMED, _MOST_TRIES = 2, 60


def check_answer(
    source: Mechanism | Lagrangian,
    formula: Any,
    of: str = "",
    *,
    coordinates: Mapping[str, str] | None = None,
    axes: str = "",
) -> Answer:
    """Compare a formula with the result of the model for `of`.

    The formula is text (`m*l^2*theta.. + m*g*l*sin(theta) = 0`), LaTeX, Mathematica or SymPy. `of`
    is a coordinate (its equation of motion), T, V, L, H or R, the generalised forces S_q and Q_q, a
    momentum p_q, a closed form (omega^2, Omega_c, alpha_eq, t_star: `ts.stability.closed_form`),
    a vector V(A), gamma(A), Omega(body), R(joint), M(joint), whose components are along the `axes`
    of a body if one is named, otherwise of any, a reaction (X_A … N_A in joint A, or a multiplier),
    or a constraint, whose condition it is. `coordinates` says what the coordinates of the model are
    in terms of those of the formula. Letters may be defined beside it: `x.. + w^2*x = 0, w^2 =
    k/m`. Parameters take random values, so that 1 kg and 1 m are not mixed up. A wrong answer has
    `lessons`: the typical mistakes that it shows.
    """
    if not isinstance(source, Mechanism | Lagrangian) or not isinstance(of, str):
        kinds = f"{type(source).__name__}, {type(of).__name__}"
        raise ModelError(
            "check_answer",
            say(
                "a mechanism or a Lagrangian and the name of a quantity are needed, not {kinds}.",
                kinds,
            ),
            'For instance: ts.check_answer(ts.load("pendulum.yaml"), "…", of="theta").',
        )

    if isinstance(source, Mechanism) and coordinates is None:
        source = _spoken_of(source, formula, of)

    def model(letters: bool) -> RightModel:
        return RightModel(source, coordinates, letters=letters)

    return checked(source, model, formula, lambda known: what_is_asked(known, formula, of, axes))


def checked(
    source: Mechanism | Lagrangian,
    model: Callable[[bool], RightModel],
    formula: Any,
    questions: Callable[[RightModel], list[AskedQuantity]],
) -> Answer:
    """Compare a formula with any of the quantities asked for.

    The model first has letters for gravity and masses that are numbers; if the formula may have
    these numbers, it is compared without letters next.
    """
    named = model(True)
    answer, quantity = _judged(named, questions(named), formula)
    if answer.right or isinstance(source, Lagrangian):
        return _taught(named, quantity, formula, answer)
    lettered = _gravity_lettered(source, formula)
    if lettered is not None:
        letters, quantity = _judged(named, questions(named), lettered)
        return letters if letters.right else _taught(named, quantity, lettered, answer)
    if not _has_numbers(source, formula):
        return _taught(named, quantity, formula, answer)
    plainly = model(False)
    numbers, same = _judged(plainly, questions(plainly), formula)
    if numbers.right:
        return numbers
    with_lessons = _taught(plainly, same, formula, answer)
    return with_lessons if with_lessons.lessons else _taught(named, quantity, formula, answer)


def _judged(
    model: RightModel, questions: list[AskedQuantity], formula: Any
) -> tuple[Answer, AskedQuantity]:
    """The best verdict on a formula, and the quantity that it is about."""
    answers = [_compared(model, one, formula) for one in questions]
    best = _best(answers)
    return best, questions[answers.index(best)]


def _taught(model: RightModel, question: AskedQuantity, formula: Any, answer: Answer) -> Answer:
    """A wrong answer that can be read, with its lessons."""
    if answer.right or answer.verdict == "faulty":
        return answer
    return taught(model, question, student_formula(model, question, formula).value, answer)


def _gravity_lettered(mechanism: Mechanism, formula: Any) -> str | None:
    """A text with the letter g for its number, where the model has g as a parameter; else None."""
    value = mechanism.parameters.get(LETTER)
    if value is None or not isinstance(formula, str):
        return None
    digits = re.escape(f"{value:g}").replace(r"\.", "[.,]")
    lettered, count = re.subn(rf"(?<![\d.,]){digits}(?![\d.,]\d|\d)", f"({LETTER})", formula)
    return lettered if count else None


def _has_numbers(mechanism: Mechanism, formula: Any) -> bool:
    """Whether numbers in a formula may be those of its mechanism: 9.81, or masses."""
    letters = set(named_numbers(mechanism).parameter_table) - set(mechanism.parameter_table)
    g = gravity_number(mechanism)
    if letters - {LETTER}:
        return any(sign.isdigit() for sign in str(formula))
    return g is not None and f"{float(g.value[1]):g}" in str(formula).replace(",", ".")


def _spoken_of(mechanism: Mechanism, formula: Any, of: str) -> Mechanism:
    """The mechanism with its loops cut as formulas are read, if more coordinates are named then."""
    words = {plain(x) for x in _NAME.findall(spelled(f"{of} {formula}"))}
    short = with_short_loops(mechanism)
    known, others = (sum(plain(x) in words for x in m.coordinates) for m in (mechanism, short))
    return short if others > known else mechanism


def what_is_asked(model: RightModel, formula: Any, of: str, axes: str) -> list[AskedQuantity]:
    """Quantities with the name asked for; a constraint may have several conditions.

    The components of a vector are along the axes asked for, else along those of the ground, or of
    a body.
    """
    named = closed_form_asked(model, formula, of) or constraint_or_reaction(model, of, formula)
    if named:
        return named
    quantity = asked_quantity(model, of, axes or GROUND)
    if axes or not quantity.order:
        return [quantity]
    bodies = list(model.mechanism.bodies)[:_MOST_BASES]
    return [quantity, *(replace(asked_quantity(model, of, x), chosen=True) for x in bodies)]


def _compared(model: RightModel, question: AskedQuantity, formula: Any) -> Answer:
    given = student_formula(model, question, formula)
    hidden = _of_hidden_units(model, question, given)
    if hidden is not None:
        return hidden
    fatal = [fault for fault in given.faults if fault.code != DIMENSIONS]
    if not fatal and given.value is not None:
        answer = compared(model, question, given)
        odd = answer.verdict == "different" and not answer.faults
        if answer.right and question.chosen and not given.base:
            remarks = (*answer.remarks, Fault(WRITING, "own base", (question.axes,)))
            return replace(answer, remarks=remarks)
        return _off_topic(model, question, given, answer) if odd else answer
    answer = drafted(model, question, given, "faulty")
    if given.unknown and all(fault.code == UNDEFINED for fault in given.faults):
        return _with_letters(model, question, formula, given, answer)
    return answer


def _of_hidden_units(
    model: RightModel, question: AskedQuantity, given: StudentFormula
) -> Answer | None:
    """A formula that does not look homogeneous, and is right whatever the parameters are.

    Then numbers of the model have units, such as lengths, and so have those of the formula.
    """
    if given.value is None or {fault.code for fault in given.faults} != {DIMENSIONS}:
        return None
    answer = compared(model, question, replace(given, faults=()))
    return answer if answer.right and answer.verdict in ("equal", "sign", "factor") else None


def _best(answers: list[Answer]) -> Answer:
    """The condition of a constraint that the formula answers."""
    right = [x for x in answers if x.right]
    return right[0] if right else min(answers, key=lambda x: len(x.differences))


# --- letters that the model does not have ---------------------------------------------------------


def _with_letters(
    model: RightModel, question: AskedQuantity, formula: Any, given: StudentFormula, faulty: Answer
) -> Answer:
    """Right with a pulsation that follows; what other names would make right is marked so."""
    if len(given.unknown) == 1 and question.equation:
        answer = _with_pulsation(model, question, formula, given.unknown[0])
        if answer is not None:
            return answer
    for names in _renamings(model, question, formula, given):
        read = student_formula(model, question, formula, Renaming(names))
        if read.faults or read.value is None:
            continue
        if compared(model, question, read).right:
            marks = tuple(Fault(NOTATION, "renamed", pair) for pair in names.items())
            return replace(faulty, remarks=(*marks, *faulty.remarks))
    return faulty


def _renamings(
    model: RightModel, question: AskedQuantity, formula: Any, given: StudentFormula
) -> Iterator[dict[str, str]]:
    """Each unknown letter for one of the model that the formula does not use."""
    bare = tuple(dict.fromkeys(name.rstrip(".") for name in given.unknown))
    if len(bare) > _MOST_RENAMED:
        return
    renaming = Renaming(free=given.unknown)
    read = student_formula(model, question, formula, renaming)
    values = [] if read.value is None else read.value
    used = {x.name.rstrip(".") for x in free_symbols(values)}
    moving = [x.name for x in model.system.q]
    free = [x for x in (*moving, *model.mechanism.parameter_table) if x not in used]
    for tries, chosen in enumerate(permutations(free, len(bare))):
        if tries == _MOST_TRIES:
            return
        names: dict[str, str] = {}
        for written, name in zip(bare, chosen, strict=True):
            dots = ("", ".", "..") if name in moving else ("",)
            names |= {written + x: name + x for x in dots}
        if all(name in names for name in given.unknown):
            yield {name: names[name] for name in given.unknown}


def _with_pulsation(
    model: RightModel, question: AskedQuantity, formula: Any, name: str
) -> Answer | None:
    """An equation that is right with ω0² of the parameters, found from its coefficients."""
    if plain(name) not in _PULSATIONS:
        return None
    read = student_formula(model, question, formula, Renaming(free=(name,)))
    if read.faults or read.value is None:
        return None
    letter, value = symbol(name), expression(read.value)
    squared = _solved(model, expression(question.expected), value, letter)
    if squared is None:
        return None
    put = expression(substitute(value, {letter: squared ** expression(0.5)}))
    answer = compared(model, question, replace(read, value=put))
    return replace(answer, defined={f"{name}^2": squared}) if answer.right else None


def _solved(model: RightModel, expected: Expr, given: Expr, letter: Expr) -> Expr | None:
    """The square of a letter that makes a formula right, if it is made of parameters alone."""
    constant = substitute(given, {letter: ZERO})
    slope = readable(substitute(given, {letter: ONE}) - constant)
    for x in groups(expected, given):
        if x.kind != "acceleration" or x.expected is ZERO or x.given is ZERO:
            continue
        factor = readable(x.expected / x.given)
        left = readable(expected - factor * constant)
        if slope is ZERO or factor is ZERO:
            continue
        squared = expression(readable(left / readable(factor * slope)))
        if all(y.kind == "parameter" and y is not letter for y in free_symbols(squared)):
            return squared
        product = parameter_product(model, squared)
        if product is not None:
            return product
    return None


# --- another question -----------------------------------------------------------------------------


def _off_topic(
    model: RightModel, question: AskedQuantity, given: StudentFormula, answer: Answer
) -> Answer:
    """The answer, marked if the formula is right for another quantity."""
    if question.equation or question.order:
        return answer
    value = expression(given.value)
    for name in ENERGIES:
        other = model.table(name)
        if other is None or other is ZERO or name in question.names:
            continue
        if same(model, other, value):
            mark = Fault(OFF_TOPIC, "that of another", (name,))
            return replace(answer, faults=(*answer.faults, mark))
    return answer
