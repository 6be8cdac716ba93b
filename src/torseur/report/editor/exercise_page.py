"""Pages on which the questions of an exercise are answered, and on which one is chosen."""

from collections.abc import Iterable, Mapping

from markupsafe import Markup

from torseur.named_words import report_words
from torseur.report.assets import enclosed, rendered, style
from torseur.report.documents import html
from torseur.report.dossier.exercise_sheet import question_parts, statement_parts
from torseur.report.pages.json_documents import json_text
from torseur.teach.exercises.exercise_entries import Exercise

_SHEETS = ("pages/page.css", "documents/document.css", "editor/editor.css", "editor/exercise.css")
_SAID = ("computing", "gone")


def exercise_page(exercise: Exercise, name: str, number: int, lang: str) -> str:
    """The page of an exercise; by `name` the server finds it again, by `number` the page."""
    words = report_words(lang)
    questions = [
        {"name": key, "body": Markup(html.fragment(question_parts(x, lang)))}
        for key, x in exercise.questions.items()
    ]
    texts = json_text({key: words[f"app {key}"] for key in _SAID}).replace("<", "\\u003c")
    return rendered(
        "editor/exercise.html.jinja",
        lang=lang,
        title=exercise.title.said(lang),
        heading=exercise.heading(lang),
        name=name,
        number=number,
        up="../",
        words=words,
        sheets=_sheets(),
        statement=Markup(html.fragment(statement_parts(exercise, lang))),
        questions=questions,
        said=Markup(texts),
        script=exercise_script(),
    )


def exercise_script() -> Markup:
    """The script of the page of an exercise."""
    return enclosed("editor", ("exercise.js",))


def exercise_list(groups: Mapping[str, Mapping[str, str]], faults: Iterable[str], lang: str) -> str:
    """The page that lists exercises by group: the headings of those of a folder, of the bank."""
    words = report_words(lang)
    return rendered(
        "editor/exercise_list.html.jinja",
        lang=lang,
        title=words["Exercises"],
        words=words,
        sheets=_sheets(),
        groups={title: exercises for title, exercises in groups.items() if exercises},
        faults=tuple(faults),
    )


def _sheets() -> Markup:
    return Markup("".join(('<link rel="icon" href="data:,"/>', *map(style, _SHEETS))))
