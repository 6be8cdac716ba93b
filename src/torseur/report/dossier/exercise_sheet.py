"""Exercises on paper: a handout with statement, figure and questions, or with the solutions."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from torseur.errors import ModelError
from torseur.named_words import dossier_words, exercise_words
from torseur.output import known_ending, writable, write_bytes, write_text
from torseur.report.documents import html, latex, typst
from torseur.report.documents.page_parts import (
    FormulaLines,
    Heading,
    Items,
    Math,
    Paragraph,
    Part,
    Parts,
    PartsDocument,
    Picture,
)
from torseur.report.dossier.description_section import scheme
from torseur.report.dossier.written_names import with_written_names
from torseur.report.drawing.picture import picture_svg
from torseur.teach.answers.vocabulary import Vocabulary
from torseur.teach.exercises.answer_checking import solution
from torseur.teach.exercises.cases import case, data, hints
from torseur.teach.exercises.exercise_entries import (
    ChoiceTask,
    Exercise,
    FormulaTask,
    NumberTask,
    Question,
)
from torseur.teach.exercises.exercise_reading import load
from torseur.teach.exercises.written_numbers import spoken_unit
from torseur.teach.formula.node_latex import node_latex
from torseur.teach.formula.parser import parse_formula
from torseur.teach.formula.tokens import FormulaError
from torseur.version import __version__
from torseur.words.language import chosen, speaking
from torseur.words.sentence import say

ENDINGS = (".html", ".htm", ".tex", ".pdf")
_MATH = re.compile(r"\$([^$]+)\$")
_SIZE = (640, 420)  # of a picture [px]


def handout(
    exercise: Exercise | str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    solutions: bool = False,
    lang: str | None = None,
) -> Path:
    """Write an exercise as .html, .tex or .pdf: a sheet for students, or the solutions.

    The handout has the statement, the figure, the data and the questions with their points. With
    `solutions` each question is followed by its answer, its hints and the lessons of typical wrong
    answers. Text between dollar signs is a formula in LaTeX. PDF files need the extra `pdf`.
    """
    place = writable(path)
    known_ending(place.name, ENDINGS, "handout")
    ending = place.suffix.lower()
    if ending == ".pdf":
        typst.installed()
    entry = exercise if isinstance(exercise, Exercise) else load(exercise)
    document = handout_document(entry, solutions=solutions, lang=lang, tex=ending == ".tex")
    if ending == ".pdf":
        return write_bytes(place, typst.pdf(document))
    return write_text(place, latex.written(document) if ending == ".tex" else html.page(document))


def handout_document(
    exercise: Exercise, *, solutions: bool = False, lang: str | None = None, tex: bool = False
) -> PartsDocument:
    """The sheet as a document of typed parts, in a language."""
    lang = chosen(lang)
    words = exercise_words(lang)
    with speaking(lang):
        parts = [Heading(words["statement"]), *statement_parts(exercise, lang, tex=tex)]
        parts.append(Heading(words["questions"]))
        for question in exercise.questions.values():
            parts += question_parts(question, lang)
            if solutions:
                parts += _solution(exercise, question, lang)
    source = exercise.source.said(lang)
    return PartsDocument(
        exercise.title.said(lang),
        words["corrige" if solutions else "handout"],
        (source,) if source else (),
        tuple(parts),
        words["written by"].format(__version__),
        "",
        lang,
    )


def statement_parts(exercise: Exercise, lang: str, *, tex: bool = False) -> Parts:
    """The statement, paragraph by paragraph, and the figure, of which LaTeX has fewer kinds."""
    texts = exercise.statement.said(lang).split("\n\n")
    paragraphs = (Paragraph(_worded(" ".join(x.split()), exercise.model)) for x in texts)
    return (*paragraphs, *(_figure(exercise, lang, tex) if exercise.figure else ()))


def _figure(exercise: Exercise, lang: str, tex: bool) -> Parts:
    """The scheme or the picture of the model, or a drawing from a file."""
    if exercise.figure == "scheme":
        return scheme(case(exercise.model).mechanism, lang)
    caption = dossier_words(lang)["scheme caption"]
    if exercise.figure == "picture":
        if tex:  # LaTeX has the scheme: a picture in space is SVG alone
            return scheme(case(exercise.model).mechanism, lang)
        return (Picture(picture_svg(case(exercise.model).mechanism, _SIZE), "", caption),)
    return (Picture(*_drawing(Path(exercise.figure), tex), paper=True),)


def _drawing(path: Path, tex: bool) -> tuple[str, str]:
    """A drawing as SVG and as what LaTeX includes."""
    suffix = path.suffix.lower()
    if suffix == ".svg":
        if tex:
            raise ModelError(
                str(path),
                "LaTeX does not include SVG drawings.",
                "Give the figure as .png, use figure: scheme, or write .html or .pdf.",
            )
        return path.read_text(encoding="utf-8"), ""
    kind = "png" if suffix == ".png" else "jpeg"
    encoded = b64encode(path.read_bytes()).decode()
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'width="480" height="320" viewBox="0 0 480 320">'
        f'<image width="480" height="320" xlink:href="data:image/{kind};base64,{encoded}"/></svg>'
    )
    return svg, rf"\pgfimage[width=0.8\linewidth]{{{path.as_posix()}}}"


def question_parts(question: Question, lang: str) -> Parts:
    """The words of a question, its points, its data and the options of a choice."""
    words, task = exercise_words(lang), question.task
    key = "one point" if question.points == 1 else "points"
    points = words[key].format(f"{question.points:g}")
    unit = (
        words["unit is"].format(spoken_unit(task.unit))
        if isinstance(task, NumberTask) and task.unit
        else ""
    )
    options = task.options.values() if isinstance(task, ChoiceTask) else ()
    choices = tuple(_worded(x.said(lang), question.model) for x in options)
    return (
        Heading(words["question"].format(question.name, points), 2),
        Paragraph((*_worded(question.text.said(lang), question.model), unit)),
        *(Paragraph(_worded(line, question.model)) for line in data(question, lang)),
        *([Items(choices)] if choices else []),
    )


def _solution(exercise: Exercise, question: Question, lang: str) -> Iterator[Part]:
    """The answer, the hints, and what typical wrong answers teach."""
    words = exercise_words(lang)
    answer = solution(exercise, question.name, lang, rounded=True)
    formula = _latex(question, answer)
    if formula:
        yield Paragraph(words["answer is"].strip())
        yield FormulaLines((formula,))
    else:
        yield Paragraph(words["answer is"] + answer)
    hinted = [x.said(lang) for x in hints(question)] if question.hints else []
    for hint in hinted:
        yield Paragraph(_worded(words["hint"].format(hint), question.model))
    lessons = [
        (_wrong(question, x.answer), words["colon"], *_worded(x.lesson.said(lang), question.model))
        for x in question.wrong_answers
        if x.lesson is not None
    ]
    if lessons:
        yield Paragraph(words["typical wrong"], beware=True)
        yield Items(tuple(lessons))


def _wrong(question: Question, answer: str) -> Math | str:
    """A wrong answer, typeset if it is a formula."""
    formula = _latex(question, answer)
    return Math(formula) if formula else answer


def _latex(question: Question, answer: str) -> str:
    """The LaTeX of a formula that answers a question; "" for any other answer."""
    if not isinstance(question.task, FormulaTask):
        return ""
    model = case(question.model).right(True, question.task.coordinates)
    try:
        tree, _ = parse_formula(answer, Vocabulary(model).names(vectors=True))
    except FormulaError:
        return ""
    return node_latex(tree)


def _worded(text: str, model: str | Mapping[str, Any]) -> tuple[str | Math, ...]:
    """A text with its formulas, those in names of a model too."""
    mechanism = case(model).mechanism
    return _runs(with_written_names(text, mechanism.coordinates, mechanism.parameter_table))


def _runs(text: str) -> tuple[str | Math, ...]:
    if text.count("$") % 2:
        raise ModelError("handout", say('"{text}" has a dollar sign without its pair.', text[:60]))
    pieces = _MATH.split(text)
    runs = [Math(piece) if k % 2 else piece for k, piece in enumerate(pieces)]
    return tuple(x for x in runs if x)
