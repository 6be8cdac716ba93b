"""`torseur exercise`: the problems that come with Torseur, asked, checked and marked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import rich_click as click

from torseur.cli.frame.command import Answer, asked, command
from torseur.cli.frame.options import several
from torseur.cli.frame.settings import named_texts
from torseur.errors import unknown
from torseur.named_words import Words, exercise_words
from torseur.text_table import text_table
from torseur.words.catalogue import ENGLISH

if TYPE_CHECKING:
    from torseur.teach.exercises.checking import Reply
    from torseur.teach.exercises.entries import Exercise, Question

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
    click.option("--goals", is_flag=True, help="Show the checklist of learning goals."),
    several("--what-if", "changes", "Another type of a joint (rail=cylindrical), or the symmetries "
            'of a body ("pendulum=none", "blade=plane z, revolution x"); what changes is shown.',
            "PART=CHANGE", read=named_texts),
)  # fmt: skip
def exercise(name: str | None, lang: str, listed: bool, goals: bool, **options: Any) -> Answer:
    """Ask the questions of exercise NAME and mark the answers; without NAME, list the exercises.

    Formulas are checked as by check-answer; a number has a unit; a choice is given by its number or
    its words. The marks are those of annex B (N, T, DR, EL, HS, SE, KK, INHT, INHD). The end of the
    input (Ctrl-D, or Ctrl-C) ends the exercise and marks the answers given so far. With `--answer`
    no question is asked, and the exit code is 0 if all answers are right, 1 otherwise.

    Example: `torseur exercise compound_pendulum --answer "1=C*theta.. + m*g*a*sin(theta) = 0"`
    """
    from torseur.teach.exercises.bank import load
    from torseur.teach.exercises.marks import goals as checklist

    if goals:
        known = checklist(lang)
        return Answer(lambda: known, lambda: "\n".join(f"[ ] {x}" for x in known.values()))
    if name is None or listed:
        return _list(lang)
    found = load(name)
    if options["changes"]:
        return _what_if(found, dict(options["changes"]), lang)
    if options["answers"]:
        return _marked(found, dict(options["answers"]), lang)
    if options["hint"] or options["solution"] or asked("as_json"):
        return _shown(found, lang, hint=options["hint"], solution=options["solution"])
    return _asked(found, lang)


def _list(lang: str) -> Answer:
    from torseur.teach.exercises.bank import load, names

    bank = {name: load(name) for name in names()}
    lines = text_table(
        (name, f"{x.title.said(lang)} ({x.source.said(lang)})") for name, x in bank.items()
    )
    return Answer(lambda: {name: x.title.said(lang) for name, x in bank.items()}, "\n".join(lines))


def _what_if(exercise: Exercise, changes: dict[str, str], lang: str) -> Answer:
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
    seen = what_if(exercise, joints=joints, symmetries=symmetries)
    return Answer(lambda: seen.document, lambda: seen.text(lang))


def _marked(exercise: Exercise, answers: dict[str, str], lang: str) -> Answer:
    from torseur.teach.exercises.marks import marks

    sheet = marks(exercise, answers)
    told = [f"{name}. {reply.text(lang)}" for name, reply in sheet.replies.items()]
    code = 0 if all(reply.right for reply in sheet.replies.values()) else 1
    return Answer(lambda: sheet.document, "\n".join([*told, "", sheet.text(lang)]), code=code)


def _shown(exercise: Exercise, lang: str, *, hint: bool, solution: bool) -> Answer:
    """The exercise on paper: statement and questions, with hints or answers."""
    from torseur.teach.exercises.checking import solution as answer_of
    from torseur.teach.exercises.hints import hints

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
    return Answer(lambda: document, "\n".join(lines))


def _question(question: Question, lang: str) -> str:
    """The words of a question, its points, and the options of a choice."""
    from torseur.teach.exercises.data import data
    from torseur.teach.exercises.entries import ChoiceTask, NumberTask

    said, task = exercise_words(lang), question.task
    key = "one point" if question.points == 1 else "points"
    lines = [said["question"].format(question.name, said[key].format(question.points))]
    unit = f" [{task.unit}]" if isinstance(task, NumberTask) and task.unit else ""
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
    from torseur.teach.exercises.hints import hints

    said = exercise_words(lang)
    return [said["hint"].format(x.said(lang)) for x in hints(question)]


def _asked(exercise: Exercise, lang: str) -> Answer:
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
    return Answer(lambda: sheet.document, "\n" + sheet.text(lang))


def _dialogue(exercise: Exercise, lang: str) -> Iterator[tuple[str, Reply | None]]:
    """Replies as they come, with the names of their questions; None where a hint was read."""
    from torseur.teach.exercises.checking import check
    from torseur.teach.exercises.checking import solution as answer_of

    said = exercise_words(lang)
    for name, question in exercise.questions.items():
        click.echo("\n" + _question(question, lang))
        while given := _typed(said):
            if given == "?":
                click.echo(_lines("\n".join(_hints(question, lang))))
                yield name, None
            elif given == "!":
                click.echo(_lines(said["solution"].format(answer_of(exercise, name, lang))))
                break
            else:
                reply = check(exercise, name, given)
                click.echo(_lines(reply.text(lang)))
                yield name, reply
                if reply.right:
                    break
        if given is None:
            return


def _typed(said: Words) -> str | None:
    """A line of the student, None where the input ends: what was answered is marked then."""
    try:
        line = click.prompt(
            said["prompt"], default="", show_default=False, prompt_suffix=said["colon"]
        )
    except click.Abort as error:
        if isinstance(error.__context__, EOFError):
            return None
        raise KeyboardInterrupt from None
    return str(line).strip()
