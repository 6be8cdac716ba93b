"""Exercises from files: those of the bank and those of one's own, with the line of each error."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError, unknown
from torseur.language.load import YAML
from torseur.language.load import load as load_model
from torseur.language.packaged import EXAMPLES, packaged_files
from torseur.language.text.expression import parse_expression
from torseur.language.yaml.fields import Faults, Fields, entries, text, yes_or_no
from torseur.language.yaml.form import mechanism_of
from torseur.language.yaml.point_tables import tables_below
from torseur.language.yaml.source import Item, read_data, read_yaml
from torseur.teach.exercises.exercise_entries import (
    GOALS,
    ChoiceTask,
    Exercise,
    FormulaTask,
    NumberTask,
    Question,
    Spec,
    Task,
    TextByLanguage,
    TorseurTask,
    WrongAnswer,
    is_file,
    packaged,
)
from torseur.words.catalogue import ENGLISH, languages
from torseur.words.sentence import say

BANK = "exercises"
KEYS = ("title", "problems", "source", "statement", "figure", "model", "questions")
_KINDS = ("formula", "number", "choice", "torseur")
_COMMON = ("ask", "answer", "wrong", "hints", "goals", "points", "model", "changes")
_OF_KIND = {  # entries that go with one kind of question
    "formula": ("axes", "with", "about", "without"),
    "number": ("unit", "tolerance", "size"),
    "choice": ("options",),
    "torseur": (),
}
DRAWN = ("scheme", "picture")  # figures that are drawn of the model
DRAWINGS = (".svg", ".png", ".jpg", ".jpeg")
_TOLERANCE = 0.01  # of numbers that people give with three figures
_NO_TEXT = TextByLanguage({ENGLISH: ""})


def names(goal: str = "") -> tuple[str, ...]:
    """The names of the exercises of the bank: all, or those with a learning goal."""
    if not goal:
        return tuple(packaged_files(BANK))
    if goal not in GOALS:
        raise unknown("exercise", "learning goal", goal, GOALS)
    return tuple(name for name in names() if goal in load(name).goals)


def load(name: str | os.PathLike[str]) -> Exercise:
    """Load an exercise of the bank by its name, or an exercise from a YAML file."""
    path = Path(name)
    if path.suffix.lower() in YAML or isinstance(name, os.PathLike):
        return read_file(path)
    if name not in names():
        raise unknown("exercise", "exercise", name, names())
    return _packaged(str(name))


def folder(path: str | os.PathLike[str]) -> dict[str, Exercise]:
    """The exercises of the YAML files of a folder, by file name; every error is reported."""
    faults, exercises = Faults(), dict[str, Exercise]()
    for file in exercise_files(Path(path)):
        exercise = faults.attempt(None, read_file, file)
        if exercise is not None:
            exercises[file.stem] = exercise
    faults.raised()
    if not exercises:
        raise ModelError(
            str(path),
            "the folder has no exercise.",
            "An exercise is a YAML file with a title and questions: see docs/exercises.md.",
        )
    return exercises


def exercise_files(path: Path) -> list[Path]:
    """The YAML files of a folder that have questions."""
    if not path.is_dir():
        raise ModelError(str(path), "there is no such folder.", "Give a folder of YAML files.")
    files = sorted(x for x in path.iterdir() if x.suffix.lower() in YAML and x.is_file())
    return [x for x in files if is_exercise(x)]


def is_exercise(path: Path) -> bool:
    """Whether a YAML file is an exercise: it has questions; a model has bodies."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return False
    return any(line.startswith(("questions:", "questions :")) for line in lines)


def read_file(path: Path) -> Exercise:
    """The exercise of a file; every error is reported at once, with its line and a fix."""
    item = read_yaml(path, say("docs/exercises.md shows the form of an exercise."))
    return read_exercise(item, path.parent, path.stem, str(path))


def read(entry: Mapping[str, Any], name: str) -> Exercise:
    """The exercise of plain data."""
    return read_exercise(read_data(entry, name), Path(), name, "")


@cache
def _packaged(name: str) -> Exercise:
    return read(packaged(BANK, name), name)


def read_exercise(item: Item, beside: Path, name: str, file: str) -> Exercise:
    """The exercise of the values of a file; models and drawings stand beside it."""
    faults = Faults()
    top = Fields(item, say("an exercise"), KEYS, faults)
    for key, example in (
        ("title", "{en: The pendulum, fr: Le pendule}"),
        ("statement", "A bob hangs from O."),
        ("model", "simple_pendulum"),
        ("questions", "{1: {ask: Kinetic energy?, formula: T, answer: m*l^2*theta.^2/2}}"),
    ):
        top.required(key, example)
    model = top.read("model", "", _model, beside, name, file, faults)
    reading = _QuestionReader(model, beside, name, file, faults)
    questions = {
        key: question
        for key, part in top.read("questions", {}, entries).items()
        if (question := faults.attempt(None, reading.question, key, part)) is not None
    }
    figure = top.read("figure", "", _figure, beside)
    title, source, statement = (
        top.read(key, _NO_TEXT, _texts) for key in ("title", "source", "statement")
    )
    problems = tuple(top.read("problems", (), _names))
    faults.raised()
    if not questions:
        raise item.fault("the exercise has no question.", "Example: questions: {1: {ask: …}}")
    by_name = MappingProxyType(questions)
    return Exercise(name, title, problems, source, statement, model, by_name, figure, file)


def _model(item: Item, beside: Path, name: str, file: str, faults: Faults) -> str | Spec:
    """An example by name, a file beside the exercise, changes of either, or a model; checked."""
    if isinstance(item.value, str):
        named = item.value.strip()
        if not is_file(named):
            if named not in packaged_files(EXAMPLES):
                raise unknown(str(item.place), "example", named, packaged_files(EXAMPLES))
            return named
        path = (beside / named).absolute()
        faults.attempt(None, load_model, path)
        return str(path)
    plain: dict[str, Any] = dict(entries(item) and item.plain)
    if "of" in plain:
        first = entries(item)["of"]
        return {**plain, "of": _model(first, beside, name, file, faults)}
    if file:
        faults.attempt(None, mechanism_of, item, name, file, tables_below(beside, None))
    return plain


def _figure(item: Item, beside: Path) -> str:
    """Name of a drawing made of the model, or path of one beside the exercise."""
    named = text(item).strip()
    if named in DRAWN:
        return named
    path = beside / named
    if path.suffix.lower() not in DRAWINGS:
        problem = say('the figure "{name}" cannot be read.', named)
        known = ", ".join((*DRAWN, *(f"*{x}" for x in DRAWINGS)))
        raise item.fault(problem, say("Figures: {known}.", known))
    if not path.is_file():
        raise item.fault(
            say('the file "{path}" does not exist.', named),
            "Give a drawing in the folder of the exercise, or figure: scheme.",
        )
    return str(path.absolute())


def _names(item: Item) -> list[str]:
    """One text, or a list of them."""
    return [text(x) for x in (item.value if isinstance(item.value, tuple) else (item,))]


def _texts(item: Item) -> TextByLanguage:
    """A text by language, or one that reads the same in all."""
    if not isinstance(item.value, Mapping):
        return TextByLanguage({ENGLISH: text(item).strip()})
    for lang in item.value:
        if lang not in languages():
            raise unknown(str(item.place), "language", lang, languages())
    if not item.value:
        raise item.fault("the text is empty.", "Example: {en: The pendulum, fr: Le pendule}")
    return TextByLanguage({lang: text(x).strip() for lang, x in item.value.items()})


class _QuestionReader:
    """Questions of an exercise, with its model for those that have none of their own."""

    def __init__(
        self, model: str | Spec, beside: Path, name: str, file: str, faults: Faults
    ) -> None:
        self._model, self._faults = model, faults
        self._of_model = (beside, name, file, faults)

    def question(self, name: str, item: Item) -> Question:
        """The question of an entry."""
        kinds = [kind for kind in _KINDS if kind in entries(item)]
        if not kinds:
            entries_known = (
                *_COMMON,
                *_KINDS,
                *(x for several in _OF_KIND.values() for x in several),
            )
            Fields(item, say("a question"), entries_known, self._faults)
        if len(kinds) != 1:
            known = ", ".join(_KINDS)
            problem = (
                say("the question has none of {known}.", known)
                if not kinds
                else say("the question has several of {known}.", known)
            )
            raise item.fault(problem, "For instance: formula: T.")
        kind = kinds[0]
        top = Fields(item, say("a question"), (*_COMMON, kind, *_OF_KIND[kind]), self._faults)
        top.required("ask", "{en: Kinetic energy?, fr: Énergie cinétique ?}")
        if kind == "formula":
            top.required("answer", "m*l^2*theta.^2/2")
        task = _TASKS[kind](top)
        model: str | Spec = top.read("model", self._model, _model, *self._of_model)
        changes = top.item("changes")
        if changes is not None:
            model = {"of": model, **dict(changes.plain)}
        return Question(
            name,
            top.read("ask", _NO_TEXT, _texts),
            task,
            model,
            top.text("answer"),
            top.read("wrong", (), _wrong_answers, self._faults),
            tuple(top.read("hints", [], _several, _texts)),
            tuple(top.read("goals", [], _several, _goal)),
            top.read("points", 1, _points),
            str(item.place),
        )


def _several(item: Item, reading: Callable[[Item], Any]) -> list[Any]:
    """One value, or a list of them."""
    return [reading(x) for x in (item.value if isinstance(item.value, tuple) else (item,))]


def _goal(item: Item) -> str:
    """One of the learning goals."""
    goal = text(item)
    if goal not in GOALS:
        raise unknown(str(item.place), "learning goal", goal, GOALS)
    return goal


def _points(item: Item) -> float:
    """A positive number, whole where it is."""
    value = _number(item)
    if value <= 0:
        raise item.fault(say("{item} is not a positive number.", item), "Example: points: 2")
    return int(value) if value == int(value) else value


def _number(item: Item) -> float:
    return float(evaluate(parse_expression(text(item).replace(",", "."), {}, item.place), {}))


def _wrong_answers(item: Item, faults: Faults) -> tuple[WrongAnswer, ...]:
    """One answer, or a list of answers with or without a lesson."""
    return tuple(_several(item, lambda x: _wrong_answer(x, faults)))


def _wrong_answer(item: Item, faults: Faults) -> WrongAnswer:
    fields = Fields(item, say("a wrong answer"), ("answer", "lesson"), faults, alone="answer")
    fields.required("answer", "m*l*theta.^2/2")
    return WrongAnswer(fields.text("answer"), fields.read("lesson", None, _texts))


# --- what is asked for ----------------------------------------------------------------------------


def _formula(top: Fields) -> Task:
    return FormulaTask(
        top.read("formula", "", _spec_or_name),
        top.text("axes", "ground"),
        top.read("with", {}, _texts_by_name),
        top.text("about"),
        tuple(top.read("without", [], _names)),
    )


def _number_task(top: Fields) -> Task:
    return NumberTask(
        top.read("number", {}, _spec),
        top.text("unit"),
        top.read("tolerance", _TOLERANCE, _number),
        top.read("size", False, yes_or_no),
    )


def _choice(top: Fields) -> Task:
    top.required("options", "{stable: {en: stable}, unstable: {en: unstable}}")
    options = {key: _texts(x) for key, x in top.read("options", {}, entries).items()}
    return ChoiceTask(top.read("choice", {}, _spec), options)


def _torseur(top: Fields) -> Task:
    return TorseurTask(top.text("torseur"))


_TASKS: Mapping[str, Callable[[Fields], Task]] = {
    "formula": _formula,
    "number": _number_task,
    "choice": _choice,
    "torseur": _torseur,
}


def _texts_by_name(item: Item) -> dict[str, str]:
    return {name: text(x) for name, x in entries(item).items()}


def _spec_or_name(item: Item) -> str | Spec:
    return item.value if isinstance(item.value, str) else _spec(item)


def _spec(item: Item) -> Spec:
    """A computed quantity: its name under `of`, and its entries."""
    fields = entries(item)
    if "of" not in fields:
        raise item.fault(say('the entry "{key}" is missing.', "of"), "Example: {of: pulsation}")
    plain: dict[str, Any] = item.plain
    return plain
