"""Documents as PDF, by Typst."""

from __future__ import annotations

import re
from typing import Any

from torseur.packages import package
from torseur.report.documents import typst_math
from torseur.report.documents.page_parts import (
    CodeText,
    FormulaLines,
    Heading,
    Inline,
    Items,
    Math,
    Paragraph,
    Part,
    PartsDocument,
    Picture,
    TablePart,
    Text,
    runs,
)
from torseur.report.documents.typst_math import string
from torseur.words.sentence import say

_STYLE = """#set page(paper: "a4", margin: (x: 22mm, y: 24mm), numbering: "1")
#set text(font: "Libertinus Serif", size: 10.5pt)
#set par(justify: false, leading: 0.6em)
#set heading(numbering: "1.1")
#show heading.where(level: 1): set block(above: 1.6em, below: 0.8em)
#show heading.where(level: 2): set block(above: 1.2em, below: 0.7em)
#show figure: set figure.caption(separator: none)
#show figure.caption: set text(size: 9pt, fill: luma(35%))
#show heading.where(level: 3): set heading(numbering: none)
#show math.equation.where(block: true): set align(left)
#show math.equation.where(block: true): set block(breakable: true, inset: (left: 1em))
#set math.mat(gap: 0.4em)
#set table(stroke: none, inset: (x: 0.5em, y: 0.45em))
"""
_KICKER = '#text(size: 9pt, fill: rgb("#b4430a"), weight: "bold")[#upper({})]'
_TITLE = '#text(size: 22pt, weight: "bold")[#{}]'
_MARKED = "#block(stroke: (left: 2pt + orange), inset: (left: 0.7em))[{}]"
_SIZE = re.compile(r'<svg [^>]*width="([\d.]+)"')
_POINT, _WIDEST = 0.62, 460.0  # of a pixel of a drawing, and of a page [pt]


def installed() -> Any:
    """The package of Typst, or which extra brings it."""
    need = say("a PDF needs Typst, which is not installed.")
    return package("typst", "pdf", "report", need, say("Or write .html or .tex."))


def pdf(document: PartsDocument) -> bytes:
    """The document as a PDF file."""
    content: bytes = installed().compile(source(document).encode(), format="pdf")
    return content


def source(document: PartsDocument) -> str:
    """The document in the notation of Typst, pictures included."""
    head = [
        _STYLE,
        f"#set document(title: {string(document.title)}, date: none)",
        f"#set text(lang: {string(document.lang)})",
        _KICKER.format(string(document.kicker)),
        "",
        _TITLE.format(string(document.title)),
        *(f"\n#{string(line)}" for line in document.lede),
        f"\n#outline(title: [#{string(document.contents)}], depth: 1)\n",
    ]
    parts = "\n\n".join(map(_part, document.parts))
    foot = f"#v(1em)\n#text(size: 9pt)[#{string(document.footer)}]\n"
    return "\n".join([*head, parts, "", foot])


def _part(part: Part) -> str:
    match part:
        case Heading(text, level):
            return f"#heading(level: {level})[#{string(text)}]"
        case Paragraph(text, beware):
            return _MARKED.format(_line(text)) if beware else _line(text)
        case TablePart():
            return _table(part)
        case Picture():
            return _picture(part)
        case FormulaLines(latex):
            return "\n\n".join(map(typst_math.display, latex))
        case Items(texts):
            return "#list(" + ", ".join(f"[{_line(text)}]" for text in texts) + ")"


def _line(text: Text) -> str:
    return "".join(map(_inline, runs(text)))


def _inline(run: Inline | CodeText) -> str:
    match run:
        case Math(latex):
            return typst_math.inline(latex)
        case CodeText(typed):
            return f"#raw({string(typed)});"
        case words:
            return f"#{string(words)};"


def _table(table: TablePart) -> str:
    count = len(table.header)
    sides = ["left", *["right" if table.numbers else "left"] * (count - 1)]
    head = ", ".join(f"[*{_line(cell)}*]" for cell in table.header)
    cells = ",\n".join(", ".join(f"[{_line(cell)}]" for cell in row) for row in table.rows)
    rule = "table.hline(stroke: 0.6pt)"
    return (
        f"#block(text(size: 9pt, table(columns: {count}, align: ({', '.join(sides)},), {rule}, "
        f"table.header({head}), table.hline(stroke: 0.3pt),\n{cells}, {rule})))"
    )


def _picture(picture: Picture) -> str:
    """Size of the drawing, limited to the width of the page."""
    size = _SIZE.search(picture.svg)
    wide = min(_POINT * float(size[1]), _WIDEST) if size else _WIDEST
    caption = f", caption: [#{string(picture.caption)}], numbering: none" if picture.caption else ""
    image = f'image(bytes({string(picture.svg)}), format: "svg", width: {wide:.0f}pt)'
    return f"#figure({image}{caption})"
