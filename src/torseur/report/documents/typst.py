"""Documents as PDF, by Typst."""

from __future__ import annotations

import re
from typing import Any

from torseur.algebra.printing.breaking import lines, width
from torseur.algebra.printing.notation import (
    Accent,
    Fence,
    Fraction,
    Grid,
    Node,
    Root,
    Row,
    Script,
    Sign,
    Space,
    read,
)
from torseur.packages import package
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
    outline = f"\n#outline(title: [#{quoted(document.contents)}], depth: 1)\n"
    head = [
        _STYLE,
        f"#set document(title: {quoted(document.title)}, date: none)",
        f"#set text(lang: {quoted(document.lang)})",
        _KICKER.format(quoted(document.kicker)),
        "",
        _TITLE.format(quoted(document.title)),
        *(f"\n#{quoted(line)}" for line in document.lede),
        *([outline] if document.contents else []),
    ]
    parts = "\n\n".join(map(_part, document.parts))
    foot = f"#v(1em)\n#text(size: 9pt)[#{quoted(document.footer)}]\n"
    return "\n".join([*head, parts, "", foot])


def _part(part: Part) -> str:
    match part:
        case Heading(text, level):
            return f"#heading(level: {level})[#{quoted(text)}]"
        case Paragraph(text, beware):
            return _MARKED.format(_line(text)) if beware else _line(text)
        case TablePart():
            return _table(part)
        case Picture():
            return _picture(part)
        case FormulaLines(latex):
            return "\n\n".join(map(display_math, latex))
        case Items(texts):
            return "#list(" + ", ".join(f"[{_line(text)}]" for text in texts) + ")"


def _line(text: Text) -> str:
    return "".join(map(_inline, runs(text)))


def _inline(run: Inline | CodeText) -> str:
    match run:
        case Math(latex):
            return inline_math(latex)
        case CodeText(typed):
            return f"#raw({quoted(typed)});"
        case words:
            return f"#{quoted(words)};"


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
    caption = f", caption: [#{quoted(picture.caption)}], numbering: none" if picture.caption else ""
    image = f'image(bytes({quoted(picture.svg)}), format: "svg", width: {wide:.0f}pt)'
    return f"#figure({image}{caption})"


# --- trees of formulas in the notation of Typst ---------------------------------------------------

_MARKS = {"dot": "dot", "ddot": "dot.double", "dddot": "dot.triple", "vec": "arrow",
          "overrightarrow": "arrow", "hat": "hat", "bar": "macron", "tilde": "tilde"}  # fmt: skip
_DELIMITERS = {"Bmatrix": '"{"', "bmatrix": '"["', "pmatrix": '"("', "matrix": "#none"}
_WHOLE = 9.0  # of a formula that no line breaks [em]
_SPECIAL = set(r"""/\#$_^&"'`,;:()[]{}|*~@""")


def inline_math(latex: str) -> str:
    """A formula in a line of text; a torseur is as large there as on a line of its own.

    A short one is never broken: `x = 3` stays together.
    """
    row = read(latex)
    written = math_text(row)
    if any(isinstance(getattr(x, "base", x), Grid) for x in row.items):
        return f"#box(inset: (y: 0.35em), $display({written})$)"
    return f"#box(${written}$)" if width(row) <= _WHOLE else f"${written}$"


def display_math(latex: str) -> str:
    """A displayed formula in as many lines as it needs."""
    first, *others = lines(read(latex))
    rows = [f"& {math_text(first)}", *(f"& quad {math_text(row)}" for row in others)]
    return "$ " + " \\ ".join(rows) + " $"


def math_text(node: Node) -> str:
    """A tree in the notation of Typst."""
    match node:
        case Sign():
            return _sign(node)
        case Space(width):
            return f"#h({width:g}em)"
        case Row(items):
            return " ".join(map(math_text, items)) or '""'
        case Script(base, below, above):
            low = "" if below is None else f", b: {math_text(below)}"
            high = "" if above is None else f", t: {math_text(above)}"
            return f"attach({math_text(base)}{low}{high})"
        case Fraction(above, below):
            return f"frac({math_text(above)}, {math_text(below)})"
        case Root(body):
            return f"sqrt({math_text(body)})"
        case Accent("boxed", body):
            return f"#box(stroke: 0.6pt, inset: 5pt)[$ {math_text(body)} $]"
        case Accent(mark, body):
            return f"{_MARKS[mark]}({math_text(body)})"
        case Fence(left, right, body):
            return f"lr({_escaped(left)} {math_text(body)} {_escaped(right)})"
        case Grid("cases", rows):
            listed = (" & ".join(map(math_text, row)) for row in rows)
            return f"cases({', '.join(listed)})"
        case Grid(kind, rows):
            listed = (", ".join(map(math_text, row)) for row in rows)
            return f"mat(delim: {_DELIMITERS[kind]}, {'; '.join(listed)})"


def _sign(sign: Sign) -> str:
    text = quoted(sign.text)
    match sign.kind:
        case "number":
            return sign.text
        case "letter":
            return sign.text if len(sign.text) == 1 else f"italic({text})"
        case "upright" | "bold":
            return f"upright({text})"
        case "script":
            return f"cal({text})"
        case "text":
            return text
        case _:
            return _escaped(sign.text)


def _escaped(signs: str) -> str:
    return "".join(f"\\{x}" if x in _SPECIAL else x for x in signs)


def quoted(text: str) -> str:
    """A text between quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
