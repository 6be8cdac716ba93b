"""The entries of the bank: an exercise, its questions, and what each of them asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

from torseur import notebook
from torseur.brief import brief
from torseur.named_words import Words, exercise_words
from torseur.words.catalogue import ENGLISH, languages
from torseur.words.language import chosen

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
