"""SVG pictures: labels that hide nothing, the frame of the document, and files on paper."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import final
from unicodedata import normalize

import numpy as np

from torseur.algebra.printing.names import GREEK, identifier
from torseur.algebra.printing.unicode import DOTS
from torseur.errors import ModelError
from torseur.output import writable, write_text
from torseur.report.documents.latex import tex_document
from torseur.report.drawing.pencil import Disc, Rectangle
from torseur.report.scene.camera import Camera
from torseur.words.sentence import say

Array = np.ndarray

HEIGHT = {"coordinate": 17.0, "length": 15.0, "axis": 14.0}
_DIRECTIONS = 16


@final
@dataclass(frozen=True)
class Label:
    """Words to be written near a point of space, on the side of `towards` if there is room."""

    at: Array
    words: tuple[str, ...]
    style: str
    towards: Array | None = None
    distance: float = 0.0


def placed_labels(
    labels: Sequence[Label], view: Camera, discs: Iterable[Disc]
) -> list[tuple[Label, Array]]:
    """Each label with the place of its middle on the page, chosen one after the other."""
    obstacles = np.array(list(discs), dtype=float).reshape(-1, 3)
    occupied: list[Rectangle] = []
    placed = []
    for label in labels:
        width, height = extent(label)
        at, best, least = view.at(label.at), None, np.inf
        for place in _places(label, view, at, width, height):
            box = _box(place, width, height)
            cost = _overlap(box, obstacles, occupied) + _preference(label, view, at, place)
            if cost < least:
                best, least = place, cost
        assert best is not None, "a label has places to choose from"
        occupied.append(_box(best, width, height))
        placed.append((label, best))
    return placed


def extent(label: Label) -> tuple[float, float]:
    """Width and height of a label."""
    height = HEIGHT[label.style]
    letters = sum(len(word) for word in label.words) + 2 * (len(label.words) - 1)
    return 0.56 * height * max(letters, 1), height


def covered(label: Label, at: Array) -> list[Disc]:
    """The place a label covers, as discs in a row."""
    width, height = extent(label)
    steps = max(1, round(width / height))
    offsets = ((k + 0.5) / steps - 0.5 for k in range(steps))
    return [(float(at[0] + width * part), float(at[1]), height / 2) for part in offsets]


def _places(label: Label, view: Camera, at: Array, width: float, height: float) -> list[Array]:
    places = []
    for further in (0.0, 0.5, 1.2):
        for angle in 2 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS:
            way = np.array([np.cos(angle), np.sin(angle)])
            reach = view.scale * label.distance + further * height
            places.append(at + way * (reach + 0.5 * np.array([width, height]) @ np.abs(way)))
    return places


def _preference(label: Label, view: Camera, at: Array, place: Array) -> float:
    away = place - at
    cost = 0.02 * float(np.hypot(*away))
    if label.towards is not None:
        way = view.at(label.towards)
        size = float(np.hypot(*way) * np.hypot(*away))
        cost += 0.6 * (1 - float(way @ away) / size) if size > 1e-9 else 0.0
    return cost


def _box(place: Array, width: float, height: float) -> Rectangle:
    x, y = float(place[0]), float(place[1])
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _overlap(box: Rectangle, discs: Array, occupied: list[Rectangle]) -> float:
    """Area of the drawing and of earlier labels that a label hides."""
    x, y, r = discs.T
    dx = np.maximum(np.maximum(box[0] - x, x - box[2]), 0.0)
    dy = np.maximum(np.maximum(box[1] - y, y - box[3]), 0.0)
    cost = float(np.maximum(0.0, 1 - np.hypot(dx, dy) / (r + 6.0)).sum())
    for left, top, right, bottom in occupied:
        if box[0] < right + 4 and left < box[2] + 4 and box[1] < bottom + 2 and top < box[3] + 2:
            cost += 6.0
    return cost


def written(label: Label, place: Array) -> str:
    """The label as SVG text, centred on its place."""
    names = '<tspan class="upright">, </tspan>'.join(svg_name(word) for word in label.words)
    height = HEIGHT[label.style]
    return (
        f'<text class="label {label.style}" x="{place[0]:.1f}" y="{place[1] + 0.32 * height:.1f}" '
        f'font-size="{height:g}">{names}</text>'
    )


def svg_name(name: str) -> str:
    """A name with its subscript lowered and its dots above: q1 as q₁, x. as ẋ."""
    parts = identifier(name)
    stem = _dotted(GREEK.get(parts.stem, parts.stem), parts.dots)
    if not parts.subscripts:
        return stem
    below = escape(",".join(GREEK.get(word, word) for word in parts.subscripts))
    lowered = f'<tspan class="upright" dy="0.28em" font-size="72%">{below}</tspan>'
    return f'{stem}{lowered}<tspan dy="-0.2em">\u200b</tspan>'


def _dotted(letters: str, dots: int) -> str:
    """Letters with dots above: as one sign where there is one, else the dots set over them."""
    whole = normalize("NFC", letters + DOTS[min(dots, 3)])
    if not dots or len(whole) == len(letters):
        return f"<tspan>{escape(whole)}</tspan>"
    signs, wide = "\u02d9" * dots, 0.24 * len(letters) + 0.17 * dots  # [em], about
    over = f'<tspan dx="{-wide:.2f}em" dy="-0.3em">{signs}</tspan>'
    return f'<tspan>{escape(letters)}</tspan>{over}<tspan dy="0.3em">\u200b</tspan>'


# --- the frame of an SVG document: its box, its title and its style sheet -------------------------

Box = tuple[float, float, float, float]  # left, top, right, bottom


def svg_document(box: Box, title: str, sheet: str, content: str, kind: str = "") -> str:
    """A document of its own, as large as its box."""
    element = svg_element(box, title, f"<style>{sheet}</style>{content}", kind)
    return element.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1) + "\n"


def svg_element(box: Box, title: str, content: str, kind: str = "") -> str:
    """A drawing within a page, which has its style sheet."""
    left, top, right, bottom = box
    wide, tall = right - left, bottom - top
    named = f' class="{kind}"' if kind else ""
    return (
        f'<svg{named} role="img" width="{wide:.0f}" height="{tall:.0f}" '
        f'viewBox="{left:.1f} {top:.1f} {wide:.1f} {tall:.1f}">'
        f"<title>{escape(title)}</title>{content}</svg>"
    )


def paper(box: Box, kind: str = "paper") -> str:
    """Background of a drawing."""
    return f'<rect class="{kind}" x="{box[0]:.1f}" y="{box[1]:.1f}" width="100%" height="100%"/>'


# --- paper ----------------------------------------------------------------------------------------

# Pictures on paper as files: SVG, a LaTeX document of one page, or a TikZ picture to include.

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
