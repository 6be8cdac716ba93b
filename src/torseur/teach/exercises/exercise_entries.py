"""The bank of exercises: questions and what they ask for, learning goals, files read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, final

from torseur import notebook
from torseur.brief import brief
from torseur.errors import ModelError, unknown
from torseur.language.packaged import EXAMPLES, packaged_files
from torseur.language.yaml.source import read_text
from torseur.named_words import Words, exercise_words
from torseur.words.catalogue import ENGLISH, languages
from torseur.words.language import chosen
from torseur.words.sentence import say

Spec = Mapping[str, Any]


@final
@dataclass(frozen=True)
class TextByLanguage:
    """A text in each language in which it was written, English among them."""

    texts: Mapping[str, str]

    def said(self, lang: str | None) -> str:
        """The text in a language, or in that spoken; in English where that has none."""
        return self.texts.get(chosen(lang), self.texts[ENGLISH])


def in_all_languages(make: Callable[[Words], str]) -> TextByLanguage:
    """A text made from the words of exercises, in every language."""
    return texts_in_all_languages(lambda lang: make(exercise_words(lang)))


def texts_in_all_languages(make: Callable[[str], str]) -> TextByLanguage:
    """A text of a language, in every language."""
    return TextByLanguage({lang: make(lang) for lang in languages()})


@final
@dataclass(frozen=True)
class FormulaTask:
    """A formula, compared with what the model says of a quantity."""

    of: str | Spec  # what `check_answer` calls it, or a quantity that is computed as an expression
    axes: str
    coordinates: Mapping[str, str]
    about: str = ""  # of a constraint, the condition that speaks of this coordinate
    without: tuple[str, ...] = ()  # what must have been eliminated, whatever its rate


@final
@dataclass(frozen=True)
class NumberTask:
    """A number with its unit, compared with the one computed."""

    computed: Spec
    unit: str
    tolerance: float  # relative
    size: bool = False  # without its sign


@final
@dataclass(frozen=True)
class ChoiceTask:
    """One of several statements: the one whose key is computed."""

    computed: Spec
    options: Mapping[str, TextByLanguage]


@final
@dataclass(frozen=True)
class TorseurTask:
    """The components that a joint can carry: X, Y, Z, L, M, N, or 0."""

    joint: str


Task = FormulaTask | NumberTask | ChoiceTask | TorseurTask


@final
@dataclass(frozen=True)
class Question:
    """A question: its words, what it asks for, the answer stated, hints and learning goals."""

    __repr__ = brief

    name: str
    text: TextByLanguage
    task: Task
    model: str | Spec  # an example by name, changes to one, or a model of its own
    answer: str  # as a student would write it
    wrong: str  # a typical fault, which must be refused
    hints: tuple[TextByLanguage, ...]
    goals: tuple[str, ...]
    points: int


@final
@dataclass(frozen=True)
class Exercise:
    """A problem of the sources: its statement, its model, its questions."""

    __repr__ = brief
    _repr_html_ = notebook.preformatted

    name: str
    title: TextByLanguage
    problems: tuple[str, ...]  # of the sources
    source: TextByLanguage
    statement: TextByLanguage
    model: str | Spec
    questions: Mapping[str, Question]

    @property
    def goals(self) -> tuple[str, ...]:
        """The learning goals of its questions, each once."""
        return tuple(dict.fromkeys(x for q in self.questions.values() for x in q.goals))

    @property
    def points(self) -> int:
        """Points of all questions."""
        return sum(q.points for q in self.questions.values())

    def text(self, lang: str | None = None) -> str:
        """Title, source and statement."""
        head = f"{self.title.said(lang)} ({self.source.said(lang)})"
        return f"{head}\n\n{self.statement.said(lang)}"

    def __str__(self) -> str:
        return self.text()


# --- goals ----------------------------------------------------------------------------------------

# Learning goals: what one should be able to do after each chapter.
#
# They are those of the "contrat d'objectifs" of Plaut (2007), chapters 1 to 4, and of its chapter
# 5. The last chapter has goals of the other sources: what is computed, conserved or rubs.

GOALS: Mapping[str, int] = MappingProxyType(
    {  # each with its chapter
        "velocity fields": 1,
        "composed motions": 1,
        "centre of mass": 2,
        "kinetic resultant": 2,
        "kinetic moment": 2,
        "inertia": 2,
        "kinetic energy": 2,
        "law of the resultant": 3,
        "law of the moment": 3,
        "law of energy": 3,
        "parameters": 4,
        "joints": 4,
        "joint efforts": 4,
        "virtual power": 4,
        "d'Alembert": 4,
        "Lagrange": 4,
        "equilibria": 4,
        "small motions": 4,
        "Hamilton": 5,
        "first integrals": 5,
        "multipliers": 6,
        "non-holonomic": 6,
        "friction": 6,
        "simulation": 6,
        "orders of magnitude": 6,
    }
)


# --- files of the package as plain data, and models with parts of them changed --------------------

_SAME = "of"  # the entry that names the example which the other entries change


@cache
def packaged(folder: str, name: str) -> Any:
    """The content of a file of YAML that comes with the package."""
    text = packaged_files(folder)[name].read_text(encoding="utf-8")
    return read_text(text, f"{name}.yaml").plain


def model_document(model: str | Mapping[str, Any]) -> dict[str, Any]:
    """The YAML form of an example by name, of an example with changes, or of a model itself."""
    if isinstance(model, str):
        if model not in packaged_files(EXAMPLES):
            raise unknown("exercise", "example", model, packaged_files(EXAMPLES))
        return dict(packaged(EXAMPLES, model))
    if _SAME not in model:
        return dict(model)
    changes = {key: value for key, value in model.items() if key != _SAME}
    return merged(model_document(model[_SAME]), changes)


def merged(document: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A document with other entries, at any depth; one that becomes nothing is left out."""
    result = dict(document)
    for key, value in changes.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(result.get(key), Mapping):
            result[key] = merged(result[key], value)
        else:
            result[key] = value
    return result


def key_of(model: str | Mapping[str, Any]) -> str:
    """A text that is the same for the same model."""
    return json.dumps(model, sort_keys=True, default=dict)


# --- the files of the bank, read into exercises ---------------------------------------------------

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
