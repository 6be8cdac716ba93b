"""Exercises: questions and what they ask for, learning goals, models with parts of them changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, final

from torseur import notebook
from torseur.brief import brief
from torseur.errors import unknown
from torseur.language.load import YAML
from torseur.language.packaged import EXAMPLES, packaged_files
from torseur.language.yaml.source import read_text, read_yaml
from torseur.model.checks.robot_files import ENDINGS
from torseur.named_words import Words, exercise_words
from torseur.words.catalogue import ENGLISH, languages
from torseur.words.language import chosen

Spec = Mapping[str, Any]


@final
@dataclass(frozen=True)
class TextByLanguage:
    """A text in each language in which it was written."""

    texts: Mapping[str, str]

    def said(self, lang: str | None) -> str:
        """The text in a language, or in that spoken; where that has none, in English or another."""
        return (
            self.texts.get(chosen(lang))
            or self.texts.get(ENGLISH)
            or next(iter(self.texts.values()))
        )


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
class WrongAnswer:
    """A typical wrong answer, which must be refused, and the lesson that its author needs."""

    answer: str
    lesson: TextByLanguage | None = None


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
    wrong_answers: tuple[WrongAnswer, ...]
    hints: tuple[TextByLanguage, ...]
    goals: tuple[str, ...]
    points: float
    place: str = ""  # in its file

    @property
    def wrong(self) -> str:
        """The first typical wrong answer, "" if none is stated."""
        return self.wrong_answers[0].answer if self.wrong_answers else ""


@final
@dataclass(frozen=True)
class Exercise:
    """A problem: its statement, its figure, its model, its questions."""

    __repr__ = brief
    _repr_html_ = notebook.preformatted

    name: str
    title: TextByLanguage
    problems: tuple[str, ...]  # of the sources
    source: TextByLanguage
    statement: TextByLanguage
    model: str | Spec
    questions: Mapping[str, Question]
    figure: str = ""  # "scheme", "picture" or the path of a drawing
    file: str = ""  # where it was read, "" in the bank

    @property
    def goals(self) -> tuple[str, ...]:
        """The learning goals of its questions, each once."""
        return tuple(dict.fromkeys(x for q in self.questions.values() for x in q.goals))

    @property
    def points(self) -> float:
        """Points of all questions."""
        return sum(q.points for q in self.questions.values())

    def text(self, lang: str | None = None) -> str:
        """Title, source and statement."""
        return f"{self.heading(lang)}\n\n{self.statement.said(lang)}"

    def heading(self, lang: str | None = None) -> str:
        """Title, and source if it has one."""
        title, source = self.title.said(lang), self.source.said(lang)
        return f"{title} ({source})" if source else title

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
        if is_file(model):
            content: dict[str, Any] = read_yaml(model).plain
            return content
        if model not in packaged_files(EXAMPLES):
            raise unknown("exercise", "example", model, packaged_files(EXAMPLES))
        return dict(packaged(EXAMPLES, model))
    if _SAME not in model:
        return dict(model)
    changes = {key: value for key, value in model.items() if key != _SAME}
    return merged(model_document(model[_SAME]), changes)


def is_file(model: str) -> bool:
    """Whether the name of a model is that of a file, not of an example."""
    return model.lower().endswith((*YAML, *ENDINGS))


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
