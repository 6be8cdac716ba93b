"""A mechanism in a pose as an SVG drawing, light or dark as its reader likes."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Any, final

import numpy as np

from torseur.model.description import Mechanism
from torseur.named_words import report_words
from torseur.output import writable, write_text
from torseur.report.assets import asset
from torseur.report.drawing.annotations import annotations
from torseur.report.drawing.document import paper, svg_document, svg_element
from torseur.report.drawing.labels import Label, covered, placed_labels, written
from torseur.report.drawing.pencil import (
    Disc,
    Rectangle,
    Stroke,
    bounds,
    fitted,
    pattern,
    prefix,
    strokes,
)
from torseur.report.scene.camera import Camera
from torseur.report.scene.geometry import geometry
from torseur.report.scene.scene import scene
from torseur.report.scene.skeleton import best
from torseur.report.scene.solids import Polyline, Solid
from torseur.report.scene.sources import still
from torseur.report.scene.ties import TieLine
from torseur.words.language import chosen

Array = np.ndarray
SHEET, _KIND = "drawing/drawing.css", "torseur-drawing"  # of drawings: style sheet and class
_TALLEST = 0.95  # height over width
_ROOM = 46.0  # around the mechanism, for labels [px]
_LETTER = 6.6  # width of a letter of the caption [px]
_AXES = 40.0  # length of the axes of the ground frame [px]


@final
@dataclass(frozen=True)
class DrawnFigure:
    """An <svg> element for a page that holds the style, and what its caption must say."""

    svg: str
    assumed: tuple[str, ...]  # lengths without a value, drawn as 1
    apart: bool  # joints at one place are drawn apart


def drawing(
    mechanism: Mechanism,
    path: str | os.PathLike[str],
    q: Mapping[str, float] | Sequence[float] | Array | None = None,
    parameters: Mapping[str, float] | None = None,
    *,
    width: int = 680,
    lang: str | None = None,
) -> Path:
    """Write the scheme of a mechanism at the coordinates q as SVG; loops are assembled.

    q is an array in the order of `mechanism.coordinates` or a dict by name; without it the pose is
    one that shows the structure. A length that has no value is drawn as 1, an angle as 0, and a
    caption says so.
    """
    lang = chosen(lang)
    place = writable(path)
    drawn = figure(mechanism, q, parameters, width=width, caption_in=lang)
    return write_text(place, drawn.svg)


def figure(
    mechanism: Mechanism,
    q: Any = None,
    parameters: Mapping[str, float] | None = None,
    *,
    width: int = 680,
    caption_in: str | None = None,
) -> DrawnFigure:
    """The drawing within a page; with a language, a document of its own, with its caption."""
    shape = geometry(mechanism, parameters)
    choices = still(shape, q)
    skeleton, view = best(choices)
    pose = choices.at(skeleton.sample)
    solids = scene(pose, skeleton)
    marks, named = annotations(pose, skeleton, solids, view)
    content = [*(x for _, x in solids.solids(pose)), *marks, *solids.lines(pose)]
    room = np.array([width, _TALLEST * width]) - 2 * _ROOM
    view = fitted(view, lambda fine: _discs(_strokes(content, fine, "")), room)
    name = prefix(mechanism.name, view, content)
    pieces = _strokes(content, view, name)
    discs = _discs(pieces)
    labels = placed_labels(named, view, discs)
    discs += [disc for label, at in labels for disc in covered(label, at)]
    frame, corner = _ground_frame(view, discs)
    box = bounds([*discs, corner], 8.0)
    texts = "".join(written(label, at) for label, at in labels)
    apart = any(skeleton.ranks)
    drawn = f'<g fill="none">{"".join(piece.svg for piece in pieces)}{frame}{texts}</g>'
    gradients = "".join(piece.gradient for piece in pieces)
    defined = f"<defs>{pattern(f'{name}-hatch')}{gradients}</defs>"
    if caption_in is None:
        svg = svg_element(box, mechanism.name, defined + drawn, _KIND)
        return DrawnFigure(svg, shape.assumed, apart)
    box, lines = _captioned(box, caption(shape.assumed, apart, caption_in))
    whole = f"{defined}{paper(box)}{drawn}{lines}"
    svg = svg_document(box, mechanism.name, asset(SHEET), whole, _KIND)
    return DrawnFigure(svg, shape.assumed, apart)


def caption(assumed: tuple[str, ...], apart: bool, lang: str) -> list[str]:
    """Notes under the drawing."""
    words = report_words(lang)
    notes = (
        [words["Lengths without a value are drawn as 1: {}."].format(", ".join(assumed))]
        if assumed
        else []
    )
    return [*notes, words["Joints at the same place are drawn apart."]] if apart else notes


def _strokes(content: list[Solid | TieLine], view: Camera, prefix: str) -> list[Stroke]:
    """Every piece of the drawing, the farthest first."""
    pieces = (
        piece for k, one in enumerate(content) for piece in strokes(one, view, f"{prefix}-{k}")
    )
    return sorted(pieces, key=lambda piece: piece.depth)


def _discs(pieces: list[Stroke]) -> list[Disc]:
    """The places that pieces cover."""
    return [disc for piece in pieces for disc in piece.discs]


def _ground_frame(view: Camera, occupied: list[Disc]) -> tuple[str, Disc]:
    """X, Y, Z in the lower left corner, further left when the mechanism is there."""
    reach = _AXES + 18.0
    left, _, _, bottom = bounds(occupied)
    x, y = left + 0.6 * reach, bottom - 0.6 * reach
    while any(np.hypot(x - a, y - b) < r + reach for a, b, r in occupied):
        x -= 4.0
    origin = np.array([x, y])
    pieces = []
    for k, name in enumerate("xyz"):
        unit = replace(view, scale=_AXES)
        arrow = Polyline((np.zeros(3), np.eye(3)[k]), f"frame-{name}", head=0.2)
        stroke = next(strokes(arrow, unit, ""))
        end = origin + unit.at(1.42 * np.eye(3)[k])
        shifted = f'<g transform="translate({x:.1f} {y:.1f})">{stroke.svg}</g>'
        text = written(Label(np.zeros(3), (name.upper(),), "axis"), end)
        pieces.append((stroke.depth, shifted + text.replace("axis", f"of-{name}", 1)))
    return "".join(svg for _, svg in sorted(pieces)), (float(x), float(y), reach)


def _captioned(box: Rectangle, notes: list[str]) -> tuple[Rectangle, str]:
    """A box with room for notes below, and their lines."""
    left, top, right, bottom = box
    short = [part for note in notes for part in wrap(note, int((right - left - 20) / _LETTER))]
    lines = "".join(
        f'<text class="caption" x="{left + 10:.1f}" y="{bottom + 16 + 17 * k:.1f}">'
        f"{escape(note)}</text>"
        for k, note in enumerate(short)
    )
    return (left, top, right, bottom + (17 * len(short) + 10 if short else 0)), lines
