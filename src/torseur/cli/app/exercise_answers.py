"""Answers of the app about exercises: their list, a page, a reply, a hint, a solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from torseur.cli.app.edits import Desk, text_of
from torseur.errors import ModelError, TorseurError, require_known
from torseur.language.load import YAML
from torseur.named_words import report_words
from torseur.report.editor.exercise_page import exercise_list, exercise_page
from torseur.teach.exercises.answer_checking import check, question_of, solution
from torseur.teach.exercises.cases import hints
from torseur.teach.exercises.exercise_entries import Exercise, Question
from torseur.teach.exercises.exercise_reading import exercise_files, load, names
from torseur.teach.exercises.marks import MarkSheet
from torseur.words.sentence import say

Document = dict[str, Any]
_ENTRIES = ("page", "exercise", "question", "answer", "hinted")
_LONGEST_ANSWER = 4000  # characters


def listed(desk: Desk, document: Mapping[str, Any]) -> Document:
    """The page of all exercises: those of the folder, then those of the collection."""
    words = report_words(desk.lang)
    of_folder: dict[str, str] = {}
    faults = []
    for path in exercise_files(desk.folder):
        try:
            of_folder[path.name] = load(path).heading(desk.lang)
        except TorseurError as error:
            faults.append(error.said(desk.lang))
    bank = {name: load(name).heading(desk.lang) for name in names()}
    groups = {
        words["Exercises of this folder"]: of_folder,
        words["Exercises of the collection"]: bank,
    }
    return {"html": exercise_list(groups, faults, desk.lang)}


def page(desk: Desk, document: Mapping[str, Any]) -> Document:
    """The page of one exercise."""
    name = text_of(document, "exercise")
    return {
        "html": exercise_page(_exercise(desk, document), name, document.get("page", 0), desk.lang)
    }


def replied(desk: Desk, document: Mapping[str, Any]) -> Document:
    """The reply to an answer, with its points."""
    exercise, question = _question_of(desk, document)
    answer = text_of(document, "answer")
    if len(answer) > _LONGEST_ANSWER:
        problem = say("the answer has {number} characters, more than {most}.", len(answer),
                      _LONGEST_ANSWER)  # fmt: skip
        raise ModelError("answer", problem, "Write it shorter.")
    reply = check(exercise, question.name, answer)
    hinted = (question.name,) if document.get("hinted") is True else ()
    sheet = MarkSheet(exercise, {question.name: reply}, hinted)
    return {
        "right": reply.right,
        "text": reply.text(desk.lang),
        "points": sheet.points(question.name),
        "total": exercise.points,
    }


def hinted(desk: Desk, document: Mapping[str, Any]) -> Document:
    """The hints of a question."""
    _, question = _question_of(desk, document)
    return {"text": "\n".join(x.said(desk.lang) for x in hints(question))}


def solved(desk: Desk, document: Mapping[str, Any]) -> Document:
    """The right answer to a question."""
    exercise, question = _question_of(desk, document)
    return {"text": solution(exercise, question.name, desk.lang)}


def _question_of(desk: Desk, document: Mapping[str, Any]) -> tuple[Exercise, Question]:
    exercise = _exercise(desk, document)
    return exercise, question_of(exercise, text_of(document, "question"))


def _exercise(desk: Desk, document: Mapping[str, Any]) -> Exercise:
    """An exercise of the collection by name, or of a file of the desk's folder."""
    require_known("app", "entry", document, _ENTRIES)
    name = text_of(document, "exercise")
    if not name.lower().endswith(YAML):
        return load(name)
    if Path(name).name != name or "\0" in name:
        advice = "Exercises stand beside the model: give a name without a folder."
        raise ModelError("exercise", say('"{name}" is not the name of a file.', name), advice)
    return load(desk.folder / name)


EXERCISE_ANSWERS: Mapping[str, Callable[[Desk, Mapping[str, Any]], Document]] = {
    "exercises": listed,
    "exercise": page,
    "reply": replied,
    "hint": hinted,
    "solution": solved,
}
