"""Hints for a question: its own, or general ones for its kind of quantity."""

from __future__ import annotations

from torseur.teach.exercises.cases import case
from torseur.teach.exercises.exercise_entries import (
    ChoiceTask,
    FormulaTask,
    NumberTask,
    Question,
    TextByLanguage,
    in_all_languages,
)

_LETTERS = ("p", "S", "Q")  # of a momentum, of generalised forces: p_theta
_VECTORS = ("V", "gamma", "Omega", "R", "M")  # V(A)


def hints(question: Question) -> tuple[TextByLanguage, ...]:
    """The hints of a question; without any of its own, the general one of what it asks for."""
    if question.hints:
        return question.hints
    key = f"hint of {_subject(question)}"
    return (in_all_languages(lambda words: words[key]),)


def _subject(question: Question) -> str:
    task = question.task
    if isinstance(task, NumberTask | ChoiceTask):
        return str(task.computed["of"])
    if not isinstance(task, FormulaTask):
        return "torseur"
    if not isinstance(task.of, str):
        return str(task.of["of"])
    return _formula(question, task.of)


def _formula(question: Question, of: str) -> str:
    """Kind of a formula: an energy, a force, a vector, a condition or an equation."""
    if of in ("T", "V", "R", "H", "L"):
        return of
    letter, _, rest = of.partition("_")
    vector = of.partition("(")[0]
    if rest and letter in _LETTERS:
        return f"{letter}_q"
    if vector != of and vector in _VECTORS:
        return f"{vector}(A)"
    right = case(question.model).right(True, getattr(question.task, "coordinates", {}))
    if of in right.coordinates:
        return "equation"
    return "condition" if of in right.equations.constraints.owners else "reaction"
