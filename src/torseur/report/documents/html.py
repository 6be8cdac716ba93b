"""Documents as one HTML page without a network: light, dark, on a phone and on paper."""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape

from markupsafe import Markup

from torseur.report.assets import rendered, style
from torseur.report.documents import mathml
from torseur.report.documents.page_parts import (
    CodeText,
    FormulaLines,
    Heading,
    Inline,
    Items,
    Math,
    Paragraph,
    Part,
    Parts,
    PartsDocument,
    Picture,
    TablePart,
    Text,
    bound,
    runs,
)

_POINT = re.compile("\u00a0?[,.;:!?)]+")


def page(document: PartsDocument) -> str:
    """The whole page."""
    sections = [
        (f"section-{k}", heading.text, Markup(fragment(parts)))
        for k, (heading, parts) in enumerate(document.sections, 1)
    ]
    return rendered(
        "documents/document.html.jinja",
        lang=document.lang,
        title=document.title,
        document=document,
        lede=[bound(line) for line in document.lede],
        sections=sections,
        sheets=Markup(style("pages/page.css") + style("documents/document.css")),
    )


def fragment(parts: Parts) -> str:
    """Parts alone, as they stand in a page."""
    return "\n".join(map(_part, parts))


def _part(part: Part) -> str:
    match part:
        case Heading(text, level):
            return f"<h{level + 1}>{escape(text)}</h{level + 1}>"
        case Paragraph(text, beware):
            kind = ' class="beware"' if beware else ""
            return f"<p{kind}>{line(text)}</p>"
        case TablePart():
            return _table(part)
        case Picture():
            return _picture(part)
        case FormulaLines(latex):
            rows = "".join(f'<p class="formula">{mathml.display(x)}</p>' for x in latex)
            return f'<div class="formulas">{rows}</div>'
        case Items(texts):
            return f"<ul>{''.join(f'<li>{line(text)}</li>' for text in texts)}</ul>"


def line(text: Text) -> str:
    """Words and formulas as they stand in a page; no line begins with a point or a comma."""
    done: list[str] = []
    after_formula = False
    for run in runs(text):
        rest = run
        if after_formula and isinstance(run, str) and (point := _POINT.match(run)):
            done[-1] = f'<span class="bound">{done[-1]}{point[0]}</span>'
            rest = run[point.end() :]
        done.append(_inline(rest))
        after_formula = isinstance(run, Math)
    return "".join(done)


def _inline(run: Inline | CodeText) -> str:
    match run:
        case Math(latex):
            return mathml.inline(latex)
        case CodeText(typed):
            return f"<code>{escape(typed)}</code>"
        case words:
            return escape(words)


def _table(table: TablePart) -> str:
    head = "".join(f'<th scope="col">{line(cell)}</th>' for cell in table.header)
    body = ""
    for first, *others in table.rows:
        cells = "".join(f"<td>{line(cell)}</td>" for cell in others)
        body += f'<tr><th scope="row">{line(first)}</th>{cells}</tr>'
    kind = ' class="numbers"' if table.numbers else ""
    return (
        f'<div class="scroll"><table{kind}><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _picture(picture: Picture) -> str:
    """The drawing as an image of its own, whose style does not meet that of the page."""
    data = b64encode(picture.svg.encode()).decode()
    kind = ' class="paper"' if picture.paper else ""
    title = escape(bound(picture.caption), quote=True)
    caption = f"<figcaption>{title}</figcaption>" if title else ""
    image = f'<img alt="{title}" src="data:image/svg+xml;base64,{data}"/>'
    return f"<figure{kind}>{image}{caption}</figure>"
