"""Answers that an exercise states, compared with those that its model gives, before it is used."""

from __future__ import annotations

from collections.abc import Iterator

from torseur.errors import TorseurError
from torseur.result import Result
from torseur.teach.exercises.answer_checking import check, solution
from torseur.teach.exercises.exercise_entries import Exercise, NumberTask, Question
from torseur.words.language import chosen, speaking
from torseur.words.sentence import said, say


class Verification(Result, document=("exercise", "right", "problems")):
    """Questions of an exercise whose stated answers are not those of the model."""

    exercise: str
    count: int
    problems: tuple[str, ...]  # place and sentence

    @property
    def right(self) -> bool:
        """Whether every stated answer is what it should be."""
        return not self.problems

    def text(self, lang: str | None = None) -> str:
        """The problems, or that there is none."""
        return "\n".join(said(x, chosen(lang)) for x in self.problems) or said(
            self.say("{exercise}: the stated answers of {count} questions are right."), chosen(lang)
        )

    def __str__(self) -> str:
        return self.text()


def verified(exercise: Exercise, lang: str | None = None) -> Verification:
    """Compare stated answers with computed ones; stated wrong answers must be refused."""
    with speaking(chosen(lang)):
        problems = tuple(y for x in exercise.questions.values() for y in _problems(exercise, x))
    return Verification(exercise.name, len(exercise.questions), problems)


def _problems(exercise: Exercise, question: Question) -> Iterator[str]:
    task, place = question.task, question.place
    unit = f" {task.unit}" if isinstance(task, NumberTask) and task.unit else ""
    try:
        if question.answer:
            bare = question.answer.rstrip()[-1:].isdigit()
            reply = check(exercise, question.name, question.answer + (unit if bare else ""))
            if not reply.right:
                yield say(
                    '{place}: the stated answer "{answer}" is wrong; computed: {right}.',
                    place, question.answer, solution(exercise, question.name),
                )  # fmt: skip
        for wrong in question.wrong_answers:
            if check(exercise, question.name, wrong.answer).right:
                yield say(
                    '{place}: the stated wrong answer "{answer}" is right.', place, wrong.answer
                )
    except TorseurError as error:
        yield say("{place}: {problem}", place, str(error))
