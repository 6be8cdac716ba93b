"""Grades of a class: a table of answers, one row for each student, marked question by question."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, final

from torseur.errors import ModelError, all_faults, folded, unknown
from torseur.language.load import YAML
from torseur.language.text.files import read_file
from torseur.model.checks.limits import LARGEST_FILE
from torseur.named_words import exercise_words, teach_words
from torseur.notices import text_table
from torseur.output import write_text
from torseur.result import Result
from torseur.teach.exercises.answer_checking import STATED
from torseur.teach.exercises.exercise_entries import Exercise, TextByLanguage
from torseur.teach.exercises.exercise_reading import load, names
from torseur.teach.exercises.marks import OUT_OF, MarkSheet, marks
from torseur.teach.exercises.stated_lessons import stated_lesson
from torseur.words.language import chosen
from torseur.words.sentence import say

_HEADS = {  # of the columns, as they may be written
    "student": ("student", "name", "élève", "étudiant", "étudiante", "nom"),
    "exercise": ("exercise", "exercice"),
    "question": ("question",),
    "answer": ("answer", "réponse"),
}
_EXAMPLE = "For instance: student;exercise;1;2 then Ada;compound_pendulum;C*theta.. = …;X Y Z L M 0"


@final
@dataclass(frozen=True)
class AnswerRow:
    """Answers of a student to questions of an exercise, from one line of a file."""

    line: int
    student: str
    exercise: str
    answers: Mapping[str, str]


@final
class ClassGrades(Result, document=("source", "students", "questions", "lessons")):
    """Grades of a class. They print as a table; `to_csv` writes one, `text("fr")` is in French."""

    source: str
    sheets: tuple[tuple[str, MarkSheet], ...]  # by student, in the order of the file

    @property
    def students(self) -> list[dict[str, Any]]:
        """Mark of each student, with points and codes by question."""
        return [
            {
                "student": student,
                "exercise": sheet.exercise.name,
                "mark": round(sheet.mark, 2),
                "out_of": OUT_OF,
                "points": {name: sheet.points(name) for name in sheet.exercise.questions},
                "marks": {name: list(x.codes) for name, x in sheet.replies.items() if x.codes},
                "answers": {name: x.given for name, x in sheet.replies.items()},
            }
            for student, sheet in self.sheets
        ]

    @property
    def questions(self) -> dict[str, dict[str, Any]]:
        """Answers, right answers and mean points of each question, by exercise and question."""
        counts: dict[str, dict[str, Any]] = {}
        for exercise in self._exercises:
            sheets = [sheet for _, sheet in self.sheets if sheet.exercise is exercise]
            for name, question in exercise.questions.items():
                given = [sheet.replies[name] for sheet in sheets if name in sheet.replies]
                counts[f"{exercise.name} {name}"] = {
                    "answers": len(given),
                    "right": sum(x.right for x in given),
                    "mean_points": sum(x.points(name) for x in sheets) / len(sheets),
                    "out_of": question.points,
                }
        return counts

    @property
    def lessons(self) -> dict[str, int]:
        """Count of each typical mistake, the most frequent first."""
        counts = Counter(
            lesson
            for _, sheet in self.sheets
            for reply in sheet.replies.values()
            for lesson in reply.lessons
        )
        return dict(counts.most_common())

    @property
    def _exercises(self) -> list[Exercise]:
        return list({id(x.exercise): x.exercise for _, x in self.sheets}.values())

    def text(self, lang: str | None = None) -> str:
        """The table of marks in a language, then what the class should go over again."""
        lang = chosen(lang)
        words = exercise_words(lang)
        lines: list[str] = []
        for exercise in self._exercises:
            rows = [(name, x) for name, x in self.sheets if x.exercise is exercise]
            lines += [*([""] if lines else []), exercise.title.said(lang)]
            head = (words["student"], *exercise.questions, words["mark of"].format(OUT_OF))
            out_of = ("", *(f"/{x.points:g}" for x in exercise.questions.values()), "")
            table = [head, out_of, *(_cells(name, x) for name, x in rows)]
            mean = sum(x.mark for _, x in rows) / len(rows)
            points = [sum(x.points(q) for _, x in rows) / len(rows) for q in exercise.questions]
            table.append((words["mean"], *(f"{x:.3g}" for x in points), f"{mean:.4g}"))
            lines += text_table(table)
        return "\n".join([*lines, *self._lesson_lines(lang)])

    def _lesson_lines(self, lang: str) -> Iterator[str]:
        """The lessons that several students need, or that one does."""
        words, teach = exercise_words(lang), teach_words(lang)
        general = {key: count for key, count in self.lessons.items() if key != STATED}
        lessons = Counter({teach[f"lesson {key}"]: count for key, count in general.items()})
        lessons.update(x.said(lang) for x in self._stated())
        if lessons:
            yield words["lessons of a class"]
        for lesson, count in lessons.most_common():
            yield f"  {count} × {lesson}"

    def _stated(self) -> Iterator[TextByLanguage]:
        """The lessons that exercises state for the wrong answers of the class."""
        for _, sheet in self.sheets:
            for name, reply in sheet.replies.items():
                question = sheet.exercise.questions[name]
                lesson = stated_lesson(question, reply.given)
                if STATED in reply.lessons and lesson is not None:
                    yield lesson

    def __str__(self) -> str:
        return self.text()

    def to_csv(self, path: str | os.PathLike[str]) -> Path:
        """Write a table: student, exercise, points of each question, mark, codes."""
        questions = list(dict.fromkeys(q for x in self._exercises for q in x.questions))
        written = StringIO()
        table = csv.writer(written, lineterminator="\n")
        table.writerow(["student", "exercise", *questions, f"mark/{OUT_OF}", "codes"])
        for student, sheet in self.sheets:
            points = [
                f"{sheet.points(x):g}" if x in sheet.exercise.questions else "" for x in questions
            ]
            codes = " ".join(f"{code}×{count}" for code, count in sheet.codes.items())
            table.writerow([student, sheet.exercise.name, *points, f"{sheet.mark:.4g}", codes])
        return write_text(Path(path), written.getvalue())


def _cells(student: str, sheet: MarkSheet) -> tuple[str, ...]:
    """The row of a student: points, and – for what was not answered."""
    points = (
        f"{sheet.points(name):g}" if name in sheet.replies else "–"
        for name in sheet.exercise.questions
    )
    return (student, *points, f"{sheet.mark:.4g}")


def grade(
    answers: str | os.PathLike[str], exercise: str | os.PathLike[str] | Exercise = ""
) -> ClassGrades:
    """Grades of a file of answers of a class.

    The file is a CSV table with the separator ; , or tab. Its first row names the columns: either
    `student`, `exercise` and the names of the questions, a row for each student, or `student`,
    `exercise`, `question` and `answer`, a row for each answer. `exercise` is a name of the bank or
    a YAML file beside the table; it may be given here instead. Empty cells are not answered.
    """
    path = Path(answers)
    given = exercise if isinstance(exercise, Exercise) else load(exercise) if exercise else None
    known: dict[str, Exercise] = {}
    faults: list[ModelError] = []
    collected: dict[tuple[str, str], dict[str, str]] = {}
    for row in _rows(path, given is not None):
        try:
            entry = given or _exercise_of(row, path, known)
            known.setdefault(row.exercise, entry)
            for name in row.answers:
                if name not in entry.questions:
                    raise unknown(f"{path}:{row.line}", "question", name, entry.questions)
        except ModelError as error:
            faults.extend(error.faults)
            continue
        collected.setdefault((row.student, row.exercise), {}).update(row.answers)
    if faults:
        raise all_faults(list({str(x): x for x in faults}.values()))
    sheets = [
        (student, marks(given or known[name], replies))
        for (student, name), replies in collected.items()
    ]
    return ClassGrades(path.name, tuple(sheets))


def _exercise_of(row: AnswerRow, path: Path, known: Mapping[str, Exercise]) -> Exercise:
    """The exercise that a row names; files are beside the table."""
    if row.exercise in known:
        return known[row.exercise]
    if not row.exercise:
        problem = say('the row of "{student}" names no exercise.', row.student)
        advice = "Fill the column exercise, or give --exercise NAME."
        raise ModelError(f"{path}:{row.line}", problem, advice)
    if Path(row.exercise).suffix.lower() in YAML:
        return load(path.parent / row.exercise)
    if row.exercise not in names():
        raise unknown(f"{path}:{row.line}", "exercise", row.exercise, names())
    return load(row.exercise)


def _rows(path: Path, has_exercise: bool) -> Iterator[AnswerRow]:
    """The rows of answers, with their lines."""
    table = _table(path)
    if len(table) < 2:
        raise ModelError(str(path), "the file needs a row of names and rows of answers.", _EXAMPLE)
    (line, heads), *rows = table
    roles = [_role(head) for head in heads]
    missing = [x for x in ("student", "exercise") if x not in roles]
    if has_exercise and "exercise" in missing:
        missing.remove("exercise")
    if missing:
        problem = say('the column "{name}" is missing: the first row is {heads}.', missing[0],
                      ", ".join(heads))  # fmt: skip
        raise ModelError(f"{path}:{line}", problem, _EXAMPLE)
    long = "question" in roles and "answer" in roles
    for number, row in rows:
        cells = [x.strip() for x in row]
        if len(cells) > len(heads) and any(cells[len(heads) :]):
            problem = say("{given} cells stand in a row of a table of {known} columns.", len(cells),
                          len(heads))  # fmt: skip
            advice = 'Put answers that contain the separator between quotes ("…").'
            raise ModelError(f"{path}:{number}", problem, advice)
        named = dict(zip(roles, cells, strict=False))
        if long:
            answers = {named.get("question", ""): named.get("answer", "")}
        else:
            answers = {
                head.strip(): cell
                for head, role, cell in zip(heads, roles, cells, strict=False)
                if not role
            }
        filled = {name: x for name, x in answers.items() if x}
        yield AnswerRow(number, named.get("student", ""), named.get("exercise", ""), filled)


def _role(head: str) -> str:
    """The meaning of a column; "" for that of a question."""
    plain = folded(head.strip())
    return next((x for x, words in _HEADS.items() if plain in map(folded, words)), "")


def _table(path: Path) -> list[tuple[int, list[str]]]:
    """Lines that hold anything, as cells, with their numbers."""
    try:
        text = read_file(path, LARGEST_FILE, str(path)).removeprefix("\ufeff")
    except FileNotFoundError:
        problem = say('the file "{path}" does not exist.', path.name)
        raise ModelError(str(path), problem, _EXAMPLE) from None
    first = text.partition("\n")[0]
    separator = max(";\t,", key=first.count)
    reader = csv.reader(StringIO(text), delimiter=separator)
    return [(reader.line_num, row) for row in reader if any(x.strip() for x in row)]
