"""`torseur exercise`: the problems that come with Torseur, asked, checked and marked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import rich_click as click

from torseur.cli.frame.command import Printout, argument, command, written
from torseur.cli.frame.options import out, several
from torseur.cli.frame.settings import named_texts
from torseur.errors import unknown
from torseur.named_words import Words, exercise_words
from torseur.notices import text_table
from torseur.words.catalogue import ENGLISH

if TYPE_CHECKING:
    from torseur.teach.exercises.answer_checking import Reply
    from torseur.teach.exercises.exercise_entries import Exercise, Question

_WIDEST = 120  # columns of a line that is read


@command(
    "exercise",
    click.argument("name", required=False),
    several("--answer", "answers", "Answer to a question, instead of the dialogue; may be "
            "repeated.",
            "Q=ANSWER", read=named_texts),
    click.option("--hint", is_flag=True, help="Show the hints of the questions."),
    click.option("--solution", is_flag=True, help="Show the answers."),
    click.option("--list", "listed", is_flag=True, help="List the exercises."),
    click.option("--check", "verified", is_flag=True,
                 help="Compare the answers that the file states with the computed ones."),
    out(".html", ".htm", ".tex", ".pdf", metavar="FILE",
        help="Write a handout; with `--solution` or `--hint`, one with the solutions. PDF needs "
        "the extra `pdf`."),
    click.option("--goals", is_flag=True, help="Show the checklist of learning goals."),
    several("--what-if", "changes", "Another type of a joint (rail=cylindrical), or the symmetries "
            'of a body ("pendulum=none", "blade=plane z, revolution x"); what changes is shown.',
            "PART=CHANGE", read=named_texts),
)  # fmt: skip
def exercise(name: str | None, lang: str, listed: bool, goals: bool, **options: Any) -> Printout:
    """Ask the questions of exercise NAME and mark the answers; without NAME, list the exercises.

    NAME is an exercise of the collection, a YAML file of your own, or a folder of them, which is
    listed. Formulas are checked as by check-answer; a number has a unit; a choice is given by its
    number or its words. The marks are those of annex B (N, T, DR, EL, HS, SE, KK, INHT, INHD). The
    end of the input (Ctrl-D, or Ctrl-C) ends the exercise and marks the answers given so far.
    `--answer` replaces the dialogue; the exit code is 0 if all answers are right, 1 otherwise.

    Example: `torseur exercise compound_pendulum --answer "1=C*theta.. + m*g*a*sin(theta) = 0"`

    Example: `torseur exercise mine.yaml --solution -o corrige.pdf`
    """
    from torseur.teach.exercises.exercise_reading import load
    from torseur.teach.exercises.marks import goals as checklist

    if goals:
        known = checklist(lang)
        return Printout(lambda: known, lambda: "\n".join(f"[ ] {x}" for x in known.values()))
    if name is None or listed or Path(name).is_dir():
        return _list(lang, name)
    entry = load(name)
    if options["verified"]:
        return _verified(entry, lang)
    if options["out"] is not None:
        return _handout(entry, options["out"], options["solution"] or options["hint"], lang)
    if options["changes"]:
        return _what_if(entry, dict(options["changes"]), lang)
    if options["answers"]:
        return _marked(entry, dict(options["answers"]), lang)
    if options["hint"] or options["solution"] or argument("as_json"):
        return _printed(entry, lang, hint=options["hint"], solution=options["solution"])
    return _dialogue_answer(entry, lang)


def _list(lang: str, place: str | None) -> Printout:
    """The exercises of the collection, or those of a folder."""
    from torseur.teach.exercises.exercise_reading import folder, load, names

    is_folder = place is not None and Path(place).is_dir()
    bank = folder(str(place)) if is_folder else {name: load(name) for name in names()}
    lines = text_table((name, x.heading(lang)) for name, x in bank.items())
    return Printout(
        lambda: {name: x.title.said(lang) for name, x in bank.items()}, "\n".join(lines)
    )


def _verified(exercise: Exercise, lang: str) -> Printout:
    """Differences between the answers that an exercise states and computed ones."""
    from torseur.teach.exercises.verification import verified

    result = verified(exercise)
    code = 0 if result.right else 1
    return Printout(lambda: result.document, lambda: result.text(lang), code=code)


def _handout(exercise: Exercise, path: Path, solutions: bool, lang: str) -> Printout:
    from torseur.report.dossier.exercise_sheet import handout

    handout(exercise, path, solutions=solutions, lang=lang)
    return Printout(lambda: {"handout": str(path)}, written(path), tells_files=True)


def _what_if(exercise: Exercise, changes: dict[str, str], lang: str) -> Printout:
    """Parts that are joints get another type, parts that are bodies other symmetries."""
    from torseur.teach.exercises.cases import case
    from torseur.teach.exercises.what_if import what_if

    mechanism = case(exercise.model).mechanism
    for part in changes:
        if part not in mechanism.joints and part not in mechanism.bodies:
            raise unknown("--what-if", "part", part, (*mechanism.joints, *mechanism.bodies))
    joints = {part: x for part, x in changes.items() if part in mechanism.joints}
    symmetries = {
        part: [] if x.strip() == "none" else [y.strip() for y in x.split(",")]
        for part, x in changes.items()
        if part not in joints
    }
    result = what_if(exercise, joints=joints, symmetries=symmetries)
    return Printout(lambda: result.document, lambda: result.text(lang))


def _marked(exercise: Exercise, answers: dict[str, str], lang: str) -> Printout:
    from torseur.teach.exercises.marks import marks

    sheet = marks(exercise, answers)
    lines = [f"{name}. {reply.text(lang)}" for name, reply in sheet.replies.items()]
    code = 0 if all(reply.right for reply in sheet.replies.values()) else 1
    return Printout(lambda: sheet.document, "\n".join([*lines, "", sheet.text(lang)]), code=code)


def _printed(exercise: Exercise, lang: str, *, hint: bool, solution: bool) -> Printout:
    """The exercise on paper: statement and questions, with hints or answers."""
    from torseur.teach.exercises.answer_checking import solution as answer_of
    from torseur.teach.exercises.cases import hints

    document: dict[str, Any] = {
        "name": exercise.name,
        "title": exercise.title.said(lang),
        "source": exercise.source.said(ENGLISH),
        "statement": exercise.statement.said(lang),
        "questions": {},
    }
    lines = [_fitted(exercise.text(lang))]
    for name, question in exercise.questions.items():
        entry: dict[str, Any] = {"ask": question.text.said(lang), "goals": list(question.goals)}
        lines += ["", _question(question, lang)]
        if hint:
            entry["hints"] = [x.said(lang) for x in hints(question)]
            lines += _hints(question, lang)
        if solution:
            entry["solution"] = answer_of(exercise, name, lang)
            lines.append(exercise_words(lang)["solution"].format(entry["solution"]))
        document["questions"][name] = entry
    return Printout(lambda: document, "\n".join(lines))


def _question(question: Question, lang: str) -> str:
    """The words of a question, its points, and the options of a choice."""
    from torseur.teach.exercises.cases import data
    from torseur.teach.exercises.exercise_entries import ChoiceTask, NumberTask
    from torseur.teach.exercises.written_numbers import spoken_unit

    words, task = exercise_words(lang), question.task
    key = "one point" if question.points == 1 else "points"
    lines = [words["question"].format(question.name, words[key].format(f"{question.points:g}"))]
    unit = f" [{spoken_unit(task.unit)}]" if isinstance(task, NumberTask) and task.unit else ""
    lines.append(_fitted(question.text.said(lang) + unit))
    lines += [_fitted(line) for line in data(question, lang)]
    if isinstance(task, ChoiceTask):
        lines += [f"  {k}. {text.said(lang)}" for k, text in enumerate(task.options.values(), 1)]
    return "\n".join(lines)


def _fitted(text: str) -> str:
    """A text whose paragraphs fit the terminal."""
    return click.wrap_text(text, _width(), preserve_paragraphs=True)


def _lines(text: str) -> str:
    """The lines of a text, each as many as fit the terminal."""
    indents = [" " * (len(line) - len(line.lstrip())) for line in text.split("\n")]
    return "\n".join(
        click.wrap_text(line, _width(), indent, indent)
        for line, indent in zip(text.split("\n"), indents, strict=True)
    )


def _width() -> int:
    return min(get_terminal_size((_WIDEST, 24)).columns, _WIDEST)


def _hints(question: Question, lang: str) -> list[str]:
    from torseur.teach.exercises.cases import hints

    words = exercise_words(lang)
    return [words["hint"].format(x.said(lang)) for x in hints(question)]


def _dialogue_answer(exercise: Exercise, lang: str) -> Printout:
    """Question by question; a wrong answer may be tried again."""
    from torseur.teach.exercises.marks import MarkSheet

    click.echo(_fitted(exercise.text(lang)))
    replies: dict[str, Reply] = {}
    hinted: list[str] = []
    with suppress(KeyboardInterrupt):  # what was answered is marked; the exit code tells of it
        for name, reply in _dialogue(exercise, lang):
            if reply is None:
                hinted.append(name)
            else:
                replies[name] = reply
    sheet = MarkSheet(exercise, replies, tuple(dict.fromkeys(hinted)))
    return Printout(lambda: sheet.document, "\n" + sheet.text(lang))


def _dialogue(exercise: Exercise, lang: str) -> Iterator[tuple[str, Reply | None]]:
    """Replies as they come, with the names of their questions; None where a hint was read."""
    from torseur.teach.exercises.answer_checking import check
    from torseur.teach.exercises.answer_checking import solution as answer_of

    words = exercise_words(lang)
    for name, question in exercise.questions.items():
        click.echo("\n" + _question(question, lang))
        while given := _typed(words):
            if given == "?":
                click.echo(_lines("\n".join(_hints(question, lang))))
                yield name, None
            elif given == "!":
                click.echo(_lines(words["solution"].format(answer_of(exercise, name, lang))))
                break
            else:
                reply = check(exercise, name, given)
                click.echo(_lines(reply.text(lang)))
                yield name, reply
                if reply.right:
                    break
        if given is None:
            return


def _typed(words: Words) -> str | None:
    """A line of the student, None where the input ends: what was answered is marked then."""
    try:
        line = click.prompt(
            words["prompt"], default="", show_default=False, prompt_suffix=words["colon"]
        )
    except click.Abort as error:
        if isinstance(error.__context__, EOFError):
            return None
        raise KeyboardInterrupt from None
    return str(line).strip()
