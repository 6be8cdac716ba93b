"""An answer compared with the one computed, whatever the kind of the question, with its marks."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.forms.dimensions import dimension, known_dimension
from torseur.brief import brief
from torseur.errors import unknown
from torseur.model.description import Mechanism
from torseur.named_words import exercise_words
from torseur.plain import entries
from torseur.teach.answers.answer import checked
from torseur.teach.answers.question import AskedQuantity
from torseur.teach.answers.right_model import RightModel
from torseur.teach.answers.student_formula import names_used
from torseur.teach.exercises.cases import Case, case
from torseur.teach.exercises.exercise_entries import (
    ChoiceTask,
    Exercise,
    FormulaTask,
    NumberTask,
    Question,
    TextByLanguage,
    TorseurTask,
    texts_in_all_languages,
)
from torseur.teach.exercises.exercise_quantities import COMPONENTS, computed
from torseur.teach.exercises.stated_lessons import asked_by, stated_lesson
from torseur.teach.exercises.written_numbers import read_number, spoken_number, turns, unit_size

STATED = "stated"  # the lesson of a wrong answer that the exercise knows
_DIGITS, _FEWEST_DIGITS = 6, 3  # of a computed answer
_COLUMN = re.compile(r"\\(?:begin|end) ?\{\w+\}|\\left|\\right")
_PULSATION = re.compile(r"\s*(?:\\?omega|ω|w)[_{}]*[0₀]?[}]?\s*=\s*([^=,;]+)")
_ANYTHING = re.compile(r"[-+−]?\s*[A-Za-z]\w*")


@final
@dataclass(frozen=True)
class Reply:
    """Reply to an answer: whether it is right, its marks of annex B, in words."""

    __repr__ = brief
    _repr_html_ = notebook.preformatted

    question: str
    given: str
    right: bool
    codes: tuple[str, ...]
    told: TextByLanguage
    lessons: tuple[str, ...] = ()  # typical mistakes by their keys

    def text(self, lang: str | None = None) -> str:
        """The verdict as text, in a language."""
        return self.told.said(lang)

    def __str__(self) -> str:
        return self.text()

    @property
    def document(self) -> dict[str, Any]:
        """The result as plain data."""
        fields = entries(self, "question", "given", "right", "codes", "lessons")
        return fields | {"text": self.text().split("\n")}


def question_of(exercise: Exercise, name: str) -> Question:
    """The question of a name."""
    if name not in exercise.questions:
        raise unknown(exercise.name, "question", name, exercise.questions)
    return exercise.questions[name]


def check(exercise: Exercise, question: str, answer: str) -> Reply:
    """Compare an answer with what the model of the question gives."""
    entry, given = question_of(exercise, question), answer.strip()
    reply = _reply_to(entry, given)
    lesson = None if reply.right else stated_lesson(entry, given)
    if lesson is None:
        return reply

    def taught(lang: str) -> str:
        return f"{reply.text(lang)}\n{lesson.said(lang)}"

    return replace(reply, told=texts_in_all_languages(taught), lessons=(*reply.lessons, STATED))


def _reply_to(entry: Question, given: str) -> Reply:
    """Reply by the kind of a question."""
    about, task = case(entry.model), entry.task
    if isinstance(task, FormulaTask):
        return _formula(about, entry, task, given)
    if isinstance(task, NumberTask):
        return _number(about, entry, task, given)
    if isinstance(task, ChoiceTask):
        return _choice(about, entry, task, given)
    return _components(about, entry, task, given)


def solution(
    exercise: Exercise, question: str, lang: str | None = None, *, rounded: bool = False
) -> str:
    """Right answer: a formula as stated in the exercise, anything else computed.

    A number has six digits, or `rounded` those that its tolerance asks for.
    """
    entry = question_of(exercise, question)
    task = entry.task
    if isinstance(task, FormulaTask):
        return entry.answer
    if isinstance(task, NumberTask):
        number = float(computed(case(entry.model), task.computed))
        value = abs(number) if task.size else number
        fewest = max(_FEWEST_DIGITS, 1 + math.ceil(-math.log10(task.tolerance or 1)))
        digits = fewest if rounded else _DIGITS
        return spoken_number(value / (unit_size(task.unit) or 1.0), task.unit, lang, digits)
    if isinstance(task, ChoiceTask):
        return task.options[str(computed(case(entry.model), task.computed))].said(lang)
    return ", ".join(carried(case(entry.model).mechanism, task.joint))


# --- formulas -------------------------------------------------------------------------------------


def _formula(about: Case, question: Question, task: FormulaTask, given: str) -> Reply:
    def targets(model: RightModel) -> list[AskedQuantity]:
        return asked_by(model, task, given)

    def model(letters: bool) -> RightModel:
        return about.right(letters, task.coordinates)

    read = _squared(given) if _asks_for_a_square(task) else given
    answer = checked(about.mechanism, model, read, targets)
    left = _left_over(model(True), task, given) if answer.right and task.without else ""
    if left:
        return _marked(question, given, "HS", "not eliminated", left)
    text = texts_in_all_languages(answer.text)
    lessons = tuple(x.key for x in answer.lessons)
    return Reply(question.name, given, answer.right, answer.codes, text, lessons)


def _left_over(model: RightModel, task: FormulaTask, given: str) -> str:
    """Letters that an answer should have eliminated; "" if none is left."""
    used = {x.removeprefix("lambda_") for x in names_used(model, given)}
    remaining = [x for x in task.without if x in used or x in {y.rstrip(".") for y in used}]
    return ", ".join(remaining)


def _asks_for_a_square(task: FormulaTask) -> bool:
    return not isinstance(task.of, str) and task.of["of"] == "squared pulsation"


def _squared(given: str) -> str:
    """ω = … as ω² = (…)²; anything else as it is."""
    match = _PULSATION.fullmatch(given)
    return given if match is None else f"omega^2 = ({match[1]})^2"


# --- numbers --------------------------------------------------------------------------------------


def _number(about: Case, question: Question, task: NumberTask, given: str) -> Reply:
    right = float(computed(about, task.computed))
    if given.startswith(("(", "[", "{")) and "," in given:
        return _marked(question, given, "INHT", "vector for a number")
    read = read_number(given)
    if read is None:
        code = "KK" if _ANYTHING.match(given) else "SE"
        return _marked(question, given, code, "no number", given)
    size = read.size if read.unit else unit_size(task.unit)
    if size is None:
        return _marked(question, given, "KK", "no unit", read.unit)
    if read.unit and dimension(read.unit) != dimension(task.unit or "1"):
        return _marked(question, given, "INHD", "another unit", read.unit, task.unit or "1")
    value = read.value * size * (turns(read.unit) if "rad" in task.unit else 1.0)
    nothing = 1e-9 if right == 0 else 0.0  # beside a right answer of zero
    apart = abs(value) - abs(right) if task.size else value - right
    close = abs(apart) <= task.tolerance * abs(right) + nothing
    forgotten = not read.unit and known_dimension(task.unit or "1") != known_dimension("1")
    words = ("right number" if close else "wrong number", given)
    if not forgotten:
        return _reply(question, given, close, words)
    return _reply(question, given, close, words, ("unit forgotten", task.unit), codes=("DR",))


# --- choices and components -----------------------------------------------------------------------


def _choice(about: Case, question: Question, task: ChoiceTask, given: str) -> Reply:
    right = str(computed(about, task.computed))
    chosen = _chosen(task, given)
    if chosen is None:
        listed = ", ".join(str(k + 1) for k in range(len(task.options)))
        return _marked(question, given, "HS", "no option", given, listed)
    word = "right choice" if chosen == right else "wrong choice"
    return _reply(question, given, chosen == right, (word, task.options[chosen]))


def _chosen(task: ChoiceTask, given: str) -> str | None:
    """The option with a number, a key, words, or the first words."""
    bare = _bare(given)
    for k, (key, text) in enumerate(task.options.items(), 1):
        if bare in (str(k), _bare(key), *map(_bare, text.texts.values())):
            return key
    short = {
        key: {_bare(re.split(r" ?[:,]", x)[0]) for x in text.texts.values()}
        for key, text in task.options.items()
    }
    keys = [key for key, heads in short.items() if bare in heads]
    return keys[0] if len(keys) == 1 else None


def _bare(text: str) -> str:
    return re.sub(r"[\s.,;:]+", "", text.lower())


def carried(mechanism: Mechanism, joint: str) -> tuple[str, ...]:
    """The components that a joint can carry, along its own frame; "0" where it carries none."""
    if joint not in mechanism.joints:
        raise unknown("exercise", "joint", joint, mechanism.joints)
    kind = mechanism.joints[joint].kind
    subspace = np.array(kind.reaction_subspace(kind.neutral()))
    rows = [*range(3, 6), *range(3)]  # forces first
    some = [any(str(x) not in ("0", "0.0") for x in subspace[row]) for row in rows]
    return tuple(x if present else "0" for x, present in zip(COMPONENTS, some, strict=True))


def _components(about: Case, question: Question, task: TorseurTask, given: str) -> Reply:
    right = carried(about.mechanism, task.joint)
    bare = _COLUMN.sub(" ", given).replace("_{", "_").replace("}", " ")
    written = [x for x in re.split(r"[\s,;|{}()\[\]&\\]+", bare) if x]
    if len(written) != len(COMPONENTS):
        return _marked(question, given, "INHT", "not six", len(written))
    foreign = [x for x in written if x != "0" and x[:1].upper() not in COMPONENTS]
    if foreign:
        return _marked(question, given, "KK", "no component", foreign[0])
    letters = [x if x == "0" else x[:1].upper() for x in written]
    other = [x for x, name in zip(letters, COMPONENTS, strict=True) if x not in ("0", name)]
    if other:
        return _marked(question, given, "N", "misplaced", other[0])
    wrong = [name for name, x, y in zip(COMPONENTS, letters, right, strict=True) if x != y]
    if not wrong:
        return _reply(question, given, True, ("right torseur", task.joint))
    excluded = [name for name in wrong if name in right]
    free = [name for name in wrong if name not in right]
    lines = (("carries", task.joint, ", ".join(excluded)), ("lets go", task.joint, ", ".join(free)))
    return _reply(question, given, False, *(line for line in lines if line[-1]))


# --- words ----------------------------------------------------------------------------------------


def _reply(
    question: Question,
    given: str,
    right: bool,
    *lines: tuple[Any, ...],
    codes: tuple[str, ...] = (),
) -> Reply:
    """Reply to an answer: each line is the key of a sentence and its values."""

    def sentences(lang: str) -> str:
        return "\n".join(_sentence(lang, *line) for line in lines)

    return Reply(question.name, given, right, codes, texts_in_all_languages(sentences))


def _marked(question: Question, given: str, code: str, key: str, *values: Any) -> Reply:
    """A wrong answer with a mark and its reason."""

    def reason(lang: str) -> str:
        return f"{code}{exercise_words(lang)['colon']}{_sentence(lang, key, *values)}"

    return Reply(question.name, given, False, (code,), texts_in_all_languages(reason))


def _sentence(lang: str, key: str, *values: Any) -> str:
    """A sentence by its key, with what goes into it in the same language."""
    return exercise_words(lang)[key].format(
        *(x.said(lang) if isinstance(x, TextByLanguage) else x for x in values)
    )
