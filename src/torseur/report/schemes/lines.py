"""Lines, outlines and names on a sheet, written as SVG or as TikZ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import final

import numpy as np

from torseur.algebra.printing.latex import name as name_latex
from torseur.algebra.printing.latex_words import words
from torseur.report.drawing.labels import svg_document, svg_name

Array = np.ndarray
PIXEL = 0.6  # on paper [bp]

# One colour a class of bodies: distinct in print and for most eyes; the ground is black.
COLOURS = ("#1b1f24", "#c1440e", "#1a5fb4", "#2e7d32", "#8e24aa", "#b8860b", "#00838f", "#6d4c41")
DARK = ("#e6e9ed", "#ff8a65", "#82b1ff", "#81c784", "#ce93d8", "#ffd54f", "#4dd0e1", "#bcaaa4")


@final
@dataclass(frozen=True)
class SchemeStroke:
    """A broken line on the page, of a class of bodies; a closed one hides what is behind it."""

    points: Array  # (n, 2): x to the right, y downwards [px]
    colour: int  # index of the class
    closed: bool = False
    style: str = "line"  # line, thin, thick, dashed
    turn: tuple[int, int] = (0, 1)  # of lines that lie on each other: which one, of how many


@final
@dataclass(frozen=True)
class SchemeName:
    """A name about a place, or from there on."""

    at: tuple[float, float]
    text: str
    colour: int
    upright: bool = False  # the name of a body, not of a quantity
    begins: bool = False  # at the place


Mark = SchemeStroke | SchemeName

_WIDTHS = {"line": 1.8, "thin": 1.0, "thick": 3.2, "dashed": 1.0}
_TURN = 9.0  # a dash of lines that take turns [px]
_STYLE = """svg{background:#fff}.s{fill:none;stroke-linejoin:round;stroke-linecap:round}
.w{fill:#fff}text{font:italic 16px "STIX Two Text","Latin Modern Roman",Georgia,serif;
text-anchor:middle}text.b{font:14px system-ui,sans-serif}.upright{font-style:normal}
text.f{text-anchor:start}
"""


def svg(marks: Sequence[Mark], box: Array, title: str) -> str:
    """The sheet as an SVG document, light or dark as its reader likes."""
    (x, y), (right, bottom) = box
    night = f"svg{{background:#14181d}}.w{{fill:#14181d}}{_classes(DARK)}"
    sheet = f"{_STYLE}{_classes(COLOURS)}@media (prefers-color-scheme:dark){{{night}}}"
    return svg_document((x, y, right, bottom), title, sheet, "".join(map(_svg_mark, marks)))


def _classes(colours: Sequence[str]) -> str:
    return "".join(f".c{k}{{stroke:{x}}}.t{k}{{fill:{x}}}" for k, x in enumerate(colours))


def _svg_mark(mark: Mark) -> str:
    if isinstance(mark, SchemeName):
        kind = f"t{mark.colour}{' b' * mark.upright}{' f' * mark.begins}"
        text = escape(mark.text) if mark.upright else svg_name(mark.text)
        return f'<text class="{kind}" x="{mark.at[0]:.1f}" y="{mark.at[1] + 5:.1f}">{text}</text>'
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in mark.points) + "Z" * mark.closed
    dashes = ' stroke-dasharray="7 4"' if mark.style == "dashed" else _svg_turn(*mark.turn)
    filled = "w" if mark.closed else "s"
    width = _WIDTHS[mark.style]
    return f'<path class="{filled} c{mark.colour}" stroke-width="{width:g}"{dashes} d="{path}"/>'


def _svg_turn(which: int, several: int) -> str:
    """Dashes of one of the lines that lie on each other; the first is whole below the others."""
    if not which:
        return ""
    on, off, later = _TURN, _TURN * (several - 1), _TURN * (several - which)
    return f' stroke-linecap="butt" stroke-dasharray="{on:g} {off:g}" stroke-dashoffset="{later:g}"'


def tikz(marks: Sequence[Mark], box: Array) -> str:
    """The sheet as a TikZ picture of the size of its box; 1 px is 0.6 bp."""
    used = sorted({mark.colour for mark in marks})
    colours = [rf"\definecolor{{class{k}}}{{HTML}}{{{COLOURS[k][1:].upper()}}}" for k in used]
    start = rf"\begin{{tikzpicture}}[x={PIXEL}bp,y=-{PIXEL}bp,line join=round,line cap=round]"
    (x, y), (right, bottom) = box
    frame = rf"\useasboundingbox ({x:.1f},{y:.1f}) rectangle ({right:.1f},{bottom:.1f});"
    drawn = map(_tikz_mark, marks)
    return "\n".join([*colours, start, frame, *drawn, r"\end{tikzpicture}", ""])


def _tikz_mark(mark: Mark) -> str:
    if isinstance(mark, SchemeName):
        text = rf"\textsf{{{words(mark.text)}}}" if mark.upright else f"${name_latex(mark.text)}$"
        how = f"class{mark.colour}{',anchor=west,inner xsep=0pt' * mark.begins}"
        return rf"\node[{how}] at ({mark.at[0]:.1f},{mark.at[1]:.1f}) {{{text}}};"
    places = " -- ".join(f"({x:.1f},{y:.1f})" for x, y in mark.points)
    options = [f"class{mark.colour}", f"line width={PIXEL * _WIDTHS[mark.style]:.2f}bp"]
    options += ["fill=white"] if mark.closed else []
    options += ["dashed"] if mark.style == "dashed" else _tikz_turn(*mark.turn)
    return rf"\draw[{','.join(options)}] {places}{' -- cycle' if mark.closed else ''};"


def _tikz_turn(which: int, several: int) -> list[str]:
    if not which:
        return []
    on, off, later = (PIXEL * _TURN * x for x in (1, several - 1, several - which))
    pattern = f"dash pattern=on {on:.1f}bp off {off:.1f}bp"
    return ["line cap=butt", pattern, f"dash phase={later:.1f}bp"]


def extent(marks: Iterable[Mark], margin: float) -> Array:
    """The corners of the smallest box around everything."""
    points = [mark.points for mark in marks if isinstance(mark, SchemeStroke)]
    for mark in marks:
        if isinstance(mark, SchemeName):
            half = 4.5 * len(mark.text) + 4
            x, y = mark.at
            points.append(np.array([[x - half, y - 10], [x + half, y + 10]]))
    stacked = np.concatenate(points)
    return np.array([stacked.min(axis=0) - margin, stacked.max(axis=0) + margin])
