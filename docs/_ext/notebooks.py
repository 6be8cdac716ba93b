"""Notebooks: pages whose Python runs when the manual is made, and which can be downloaded.

A notebook is a page of the folder `notebooks` or `carnets`. Its blocks of Python run from top to
bottom; what a block prints stands below it in a block of text, as on all pages, so that the page
can be read in the repository and is checked by the tests. The manual shows, beside that, the value
of the last line of each block as Jupyter does: formulas, drawings, curves, pages. The same content
is written as a file of Jupyter.
"""

import ast
import base64
import contextlib
import io
import json
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from same_text import same_text
from sphinx.util import logging

import torseur as ts

log = logging.getLogger(__name__)
PLACE = re.compile(r"(^|/)(notebooks|carnets)/(?!index$)")
BLOCK = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<shown>.*?)^```\n)?", re.M | re.S
)
LINK = re.compile(r"\]\((?!https?:|#)([^)]+)\)")
ONLINE = "https://github.com/torseur/torseur/blob/main/docs"
OFFER = {
    "en": "Download this page as a notebook",
    "fr": "Télécharger cette page comme carnet",
}


@dataclass(frozen=True)
class Cell:
    """A piece of text, or a block of Python with what the page says that it prints."""

    text: str
    is_code: bool = False
    shown: str = ""


@dataclass(frozen=True)
class Output:
    """Text that a block printed, and its value in the forms that Jupyter takes, by their type."""

    printed: str
    value: dict[str, Any]


def cells(page: str) -> list[Cell]:
    """Cells of a page, in order."""
    found, end = [], 0
    for block in BLOCK.finditer(page):
        found.append(Cell(page[end : block.start()].strip("\n")))
        found.append(Cell(block["code"].rstrip("\n"), True, block["shown"] or ""))
        end = block.end()
    found.append(Cell(page[end:].strip("\n")))
    return [x for x in found if x.text]


def executed(page: list[Cell], language: str) -> list[Output | None]:
    """Outputs of the blocks of a page, which share their names and a folder; None for texts."""
    names: dict[str, object] = {"__name__": "__main__"}
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, ts.speaking(language):
        os.chdir(folder)
        try:
            return [output(x.text, names) if x.is_code else None for x in page]
        finally:
            os.chdir(here)


def as_shown(cell: Cell, made: Output | None) -> bool:
    """True if a block prints what its page says, up to rounding."""
    return made is None or same_text(made.printed, cell.shown)


def output(code: str, names: dict[str, object]) -> Output:
    """Run a block; its last line may be an expression, whose value is shown."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "notebook", "exec"), names)
        value = last and eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
    return Output(printed.getvalue(), {} if value is None else forms(value))


def forms(value: object) -> dict[str, Any]:
    """A value as text, and as a piece of a page, a drawing or an image where it has one."""
    shown = {"text/plain": repr(value)}
    for kind, name in (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")):
        if text := getattr(value, name, lambda: None)():
            shown[kind] = text
    if picture := getattr(value, "_repr_png_", lambda: None)():
        shown["image/png"] = base64.b64encode(picture).decode()
    return shown


# --- the page of the manual ---------------------------------------------------------------------


def written(page: list[Cell], outputs: list[Output | None]) -> str:
    """The page with the outputs of its blocks, in Markdown."""
    pieces = []
    for cell, made in zip(page, outputs, strict=True):
        pieces.append(f"```python\n{cell.text}\n```" if cell.is_code else cell.text)
        if made and made.printed:
            pieces.append(f"```text\n{made.printed}```")
        if made and made.value:
            pieces.append(displayed(made.value))
    return "\n\n".join(pieces) + "\n"


def displayed(value: dict[str, Any]) -> str:
    """The best form of a value, as a block of Markdown."""
    if picture := value.get("image/png"):
        html = f'<img alt="" src="data:image/png;base64,{picture}"/>'
    else:
        html = value.get("text/html") or value.get("image/svg+xml")
    if html is None:
        return f"```text\n{value['text/plain']}\n```"
    return f'`````{{raw}} html\n<div class="shown">{html}</div>\n`````'


# --- the file of Jupyter ------------------------------------------------------------------------


def jupyter(page: list[Cell], outputs: list[Output | None], folder: str) -> str:
    """The page as a file of Jupyter (format 4.5), with its outputs."""
    made = [
        code_cell(k, cell, shown) if shown else text_cell(k, cell, folder)
        for k, (cell, shown) in enumerate(zip(page, outputs, strict=True))
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def text_cell(number: int, cell: Cell, folder: str) -> dict[str, Any]:
    """A cell of Markdown, whose links lead to the repository."""
    text = LINK.sub(rf"]({ONLINE}/{folder}/\1)", cell.text)
    return {"cell_type": "markdown", "id": f"text-{number}", "metadata": {}, "source": text}


def code_cell(number: int, cell: Cell, made: Output) -> dict[str, Any]:
    """A cell of Python with its outputs."""
    outputs: list[dict[str, Any]] = []
    if made.printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": made.printed})
    if made.value:
        shown = {"output_type": "execute_result", "metadata": {}, "data": made.value}
        outputs.append({**shown, "execution_count": number})
    head = {"cell_type": "code", "id": f"code-{number}", "metadata": {}}
    return {**head, "execution_count": number, "source": cell.text, "outputs": outputs}


def read(app, docname, content):
    """Put outputs into the text of a notebook before it is parsed, and write its file."""
    if not PLACE.search(docname):
        return
    language = "fr" if docname.startswith("fr/") else "en"
    page = cells(content[0])
    outputs = executed(page, language)
    for cell in [x for x, made in zip(page, outputs, strict=True) if not as_shown(x, made)]:
        log.warning("this block prints something else:\n%s", cell.text, location=docname)
    file = Path(app.outdir) / f"{docname}.ipynb"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(jupyter(page, outputs, str(Path(docname).parent)), encoding="utf-8")
    title, _, rest = written(page, outputs).partition("\n")
    offer = f'<a class="download" href="{file.name}" download>{OFFER[language]}</a>'
    content[0] = f"{title}\n\n```{{raw}} html\n{offer}\n```\n{rest}"


def setup(app):
    app.connect("source-read", read)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
