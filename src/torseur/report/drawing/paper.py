"""Pictures on paper as files: SVG, a LaTeX document of one page, or a TikZ picture to include."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from torseur.errors import ModelError
from torseur.output import writable, write_text
from torseur.report.documents.tex_document import tex_document
from torseur.words.sentence import say

_BORDER = 4.0  # of a page that holds a picture alone [bp]
_SVG, _PAGE, _PICTURE = ".svg", ".tex", ".tikz"


def picture_place(path: str | os.PathLike[str]) -> Path:
    """Where a picture is written, if its ending is one of those."""
    place = writable(path)
    if place.suffix not in (_SVG, _PAGE, _PICTURE):
        problem = say('"{suffix}" is not a format of schemes.', place.suffix)
        raise ModelError(str(path), problem, "Use .svg, .tex (a document) or .tikz (a picture).")
    return place


def write_picture(place: Path, svg: str, tikz: str, size: Iterable[float]) -> Path:
    """A picture in the format of its ending; `size` is that on paper, width and height [bp]."""
    if place.suffix == _SVG:
        return write_text(place, svg)
    return write_text(place, tex_page(tikz, *size) if place.suffix == _PAGE else tikz)


def tex_page(picture: str, wide: float, tall: float) -> str:
    """A document of one page as large as a TikZ picture of that width and height [bp]."""
    sizes = f"paperwidth={wide + 2 * _BORDER:.1f}bp,paperheight={tall + 2 * _BORDER:.1f}bp"
    packages = (f"[{sizes},margin={_BORDER - 1:g}bp]{{geometry}}", "{tikz}")
    settings = (
        r"\pagestyle{empty}",
        r"\setlength{\parindent}{0pt}\setlength{\topskip}{0pt}",
    )
    return tex_document("{article}", packages, settings, [picture.rstrip("\n")])
