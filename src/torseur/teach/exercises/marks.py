"""The sheet of marks of an exercise: points, the marks of annex B, learning goals that are met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, final

from torseur import notebook
from torseur.brief import brief
from torseur.named_words import exercise_words, teach_words
from torseur.teach.exercises.answer_checking import Reply, check, question_of
from torseur.teach.exercises.exercise_entries import GOALS, Exercise
from torseur.words.language import chosen

_MARKED, _HINTED = 0.25, 0.25  # what a mark on a right answer costs of its points, and a hint
OUT_OF = 20


@final
@dataclass(frozen=True)
class MarkSheet:
    """Marks of the answers to an exercise. It prints as text; `text("fr")` is in French."""

    __repr__ = brief
    _repr_html_ = notebook.preformatted

    exercise: Exercise
    replies: Mapping[str, Reply]
    hinted: tuple[str, ...] = ()  # questions whose hint was read

    def points(self, question: str) -> float:
        """Points of a question: fewer for marks and hints, none for a wrong answer.

        An answer with a mark has fewer points than one without (Plaut 2007, annex B).
        """
        reply = self.replies.get(question)
        if reply is None or not reply.right:
            return 0.0
        lost = _MARKED * bool(reply.codes) + _HINTED * (question in self.hinted)
        return self.exercise.questions[question].points * (1 - lost)

    @property
    def mark(self) -> float:
        """Out of 20."""
        total = sum(self.points(name) for name in self.exercise.questions)
        return OUT_OF * total / self.exercise.points

    @property
    def codes(self) -> dict[str, int]:
        """Count of each mark of annex B."""
        return dict(Counter(code for x in self.replies.values() for code in x.codes))

    @property
    def goals(self) -> dict[str, bool]:
        """The learning goals of the exercise: whether every question about each was right."""
        right = {name for name, reply in self.replies.items() if reply.right}
        questions = self.exercise.questions.values()
        return {
            goal: all(x.name in right for x in questions if goal in x.goals)
            for goal in self.exercise.goals
        }

    def text(self, lang: str | None = None) -> str:
        """The sheet in a language."""
        lang = chosen(lang)
        words, marks = exercise_words(lang), teach_words(lang)
        lines = [words["sheet"].format(self.exercise.title.said(lang))]
        lines += [self._line(name, lang) for name in self.exercise.questions]
        lines.append(words["mark"].format(self.mark, OUT_OF))
        for code, count in self.codes.items():
            lines.append(words["given mark"].format(code, count, marks[code]))
        lines.append(words["goals"])
        for goal, met in self.goals.items():
            lines.append(f"  [{'x' if met else ' '}] {words[goal]}")
        return "\n".join(lines)

    def _line(self, name: str, lang: str) -> str:
        words, reply = exercise_words(lang), self.replies.get(name)
        word = "not answered" if reply is None else "right" if reply.right else "wrong"
        codes = "" if reply is None or not reply.codes else f" ({', '.join(reply.codes)})"
        hint = f", {words['hint read']}" if name in self.hinted else ""
        points = f"{self.points(name):g}/{self.exercise.questions[name].points}"
        return f"  {name:<4} {points:>6}  {words[word]}{codes}{hint}"

    def __str__(self) -> str:
        return self.text()

    @property
    def document(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "exercise": self.exercise.name,
            "mark": self.mark,
            "out_of": OUT_OF,
            "questions": {
                name: {
                    "points": self.points(name),
                    "out_of": question.points,
                    "hint_read": name in self.hinted,
                    "reply": self.replies[name].document if name in self.replies else None,
                }
                for name, question in self.exercise.questions.items()
            },
            "marks": self.codes,
            "goals": self.goals,
        }


def marks(
    exercise: Exercise, answers: Mapping[str, str], *, hinted: Collection[str] = ()
) -> MarkSheet:
    """Mark sheet of answers, given by the names of their questions."""
    for name in (*answers, *hinted):
        question_of(exercise, name)
    replies = {name: check(exercise, name, answer) for name, answer in answers.items()}
    return MarkSheet(exercise, replies, tuple(hinted))


def goals(lang: str | None = None) -> dict[str, str]:
    """Checklist of learning goals, by chapter."""
    words = exercise_words(lang)
    return {goal: words[goal] for goal in GOALS}
