"""The files of the bank, read into exercises."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from torseur.errors import ModelError, unknown
from torseur.language.packaged import packaged_files
from torseur.teach.exercises.exercise_documents import packaged
from torseur.teach.exercises.exercise_entries import (
    ChoiceTask,
    Exercise,
    FormulaTask,
    NumberTask,
    Question,
    Spec,
    Task,
    TextByLanguage,
    TorseurTask,
)
from torseur.teach.exercises.goals import GOALS
from torseur.words.catalogue import ENGLISH
from torseur.words.sentence import say

_FOLDER = "exercises"
_KINDS = ("formula", "number", "choice", "torseur")
_TOLERANCE = 0.01  # of numbers that people give with three figures


def names(goal: str = "") -> tuple[str, ...]:
    """The names of the exercises, in alphabetical order: all, or those with a learning goal."""
    if not goal:
        return tuple(packaged_files(_FOLDER))
    if goal not in GOALS:
        raise unknown("exercise", "learning goal", goal, GOALS)
    return tuple(name for name in names() if goal in load(name).goals)


def load(name: str) -> Exercise:
    """The exercise of a name."""
    if name not in names():
        raise unknown("exercise", "exercise", name, names())
    return _loaded(name)


@cache
def _loaded(name: str) -> Exercise:
    return read(packaged(_FOLDER, name), name)


def read(entry: Mapping[str, Any], name: str) -> Exercise:
    """The exercise of an entry."""
    questions = {str(key): _question(str(key), x, entry) for key, x in entry["questions"].items()}
    return Exercise(
        name,
        _told_texts(entry["title"]),
        tuple(entry["problems"]),
        _told_texts(entry["source"]),
        _told_texts(entry["statement"]),
        entry["model"],
        MappingProxyType(questions),
    )


def _question(name: str, x: Mapping[str, Any], entry: Mapping[str, Any]) -> Question:
    goals = tuple(x.get("goals", ()))
    for goal in goals:
        if goal not in GOALS:
            raise unknown(name, "learning goal", goal, GOALS)
    return Question(
        name,
        _told_texts(x["ask"]),
        _task(name, x),
        _model(x, entry),
        str(x["answer"]),
        str(x.get("wrong", "")),
        tuple(_told_texts(hint) for hint in x.get("hints", ())),
        goals,
        int(x.get("points", 1)),
    )


def _model(x: Mapping[str, Any], entry: Mapping[str, Any]) -> str | Spec:
    """The question's own model, or that of the exercise, with what the question changes of it."""
    model: str | Spec = x.get("model", entry["model"])
    return {"of": model, **x["changes"]} if "changes" in x else model


def _task(name: str, x: Mapping[str, Any]) -> Task:
    kind = next((kind for kind in _KINDS if kind in x), None)
    if kind == "formula":
        axes, about = x.get("axes", "ground"), x.get("about", "")
        return FormulaTask(x[kind], axes, x.get("with", {}), about, tuple(x.get("without", ())))
    if kind == "number":
        tolerance, size = float(x.get("tolerance", _TOLERANCE)), bool(x.get("size", False))
        return NumberTask(x[kind], str(x.get("unit", "")), tolerance, size)
    if kind == "choice":
        options = {str(key): _told_texts(text) for key, text in x["options"].items()}
        return ChoiceTask(x[kind], options)
    if kind == "torseur":
        return TorseurTask(x[kind])
    known = ", ".join(_KINDS)
    raise ModelError(
        name,
        say("the question has none of {known}.", known),
        "For instance: formula: T.",
    )


def _told_texts(x: Any) -> TextByLanguage:
    """A text by language, or one that reads the same in all."""
    texts = {ENGLISH: x} if isinstance(x, str) else x
    return TextByLanguage({str(lang): str(text).strip() for lang, text in texts.items()})
