"""Lessons that exercises state for typical wrong answers, when a student gives one of these."""

from __future__ import annotations

from torseur.errors import TorseurError
from torseur.teach.answers.answer import what_is_asked
from torseur.teach.answers.lessons import agrees
from torseur.teach.answers.question import AskedQuantity, constraint_rows
from torseur.teach.answers.right_model import RightModel
from torseur.teach.answers.student_formula import student_formula
from torseur.teach.exercises.cases import case
from torseur.teach.exercises.exercise_entries import (
    FormulaTask,
    NumberTask,
    Question,
    TextByLanguage,
)
from torseur.teach.exercises.expressions import asked_expression
from torseur.teach.exercises.written_numbers import read_number, unit_size


def stated_lesson(question: Question, given: str) -> TextByLanguage | None:
    """The lesson for the first stated wrong answer that is the given one; None if there is none."""
    for wrong in question.wrong_answers:
        if wrong.lesson is not None and _alike(question, wrong.answer, given):
            return wrong.lesson
    return None


def asked_by(model: RightModel, task: FormulaTask, given: str) -> list[AskedQuantity]:
    """Quantities that a question for a formula accepts."""
    if task.about:
        return constraint_rows(model, str(task.of), task.about)
    if isinstance(task.of, str):
        return what_is_asked(model, given, task.of, task.axes)
    return [asked_expression(model, task.of)]


def _alike(question: Question, wrong: str, given: str) -> bool:
    """Whether two answers to a question say the same."""
    if bare(wrong) == bare(given):
        return True
    task = question.task
    if isinstance(task, FormulaTask):
        return _same_formula(question, task, wrong, given)
    return isinstance(task, NumberTask) and _same_number(task, wrong, given)


def _same_formula(question: Question, task: FormulaTask, wrong: str, given: str) -> bool:
    model = case(question.model).right(True, task.coordinates)
    for quantity in asked_by(model, task, given):
        first, second = (student_formula(model, quantity, x).value for x in (wrong, given))
        try:
            if first is not None and second is not None and agrees(model, quantity, first, second):
                return True
        except TorseurError:  # what has no value at any state is like nothing
            continue
    return False


def _same_number(task: NumberTask, wrong: str, given: str) -> bool:
    sizes = []
    for x in map(read_number, (wrong, given)):
        size = None if x is None else x.size if x.unit else unit_size(task.unit)
        if x is None or size is None:
            return False
        sizes.append(x.value * size)
    return abs(sizes[0] - sizes[1]) <= task.tolerance * abs(sizes[0])


def bare(text: str) -> str:
    """A text without spaces and capitals."""
    return "".join(text.lower().split())
