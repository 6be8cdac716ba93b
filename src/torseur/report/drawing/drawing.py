"""A mechanism in a pose as an SVG drawing, light or dark as its reader likes."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, expression
from torseur.model.description import Mechanism
from torseur.model.joints.freedoms import Ball, Helix, Slide, Turn
from torseur.model.joints.symbol import Bar, freedoms_of
from torseur.named_words import report_words
from torseur.output import writable, write_text
from torseur.report.assets import asset
from torseur.report.drawing.labels import (
    Label,
    covered,
    paper,
    placed_labels,
    svg_document,
    svg_element,
    written,
)
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
from torseur.report.scene.body_looks import LIFT, bar_ends
from torseur.report.scene.camera import Camera
from torseur.report.scene.geometry import geometry
from torseur.report.scene.movement import Movement
from torseur.report.scene.movement_sources import still
from torseur.report.scene.scene import Scene, Site, scene
from torseur.report.scene.scene_solids import Polyline, Solid, triad
from torseur.report.scene.skeleton import Skeleton, attached, best
from torseur.report.scene.ties import TieLine
from torseur.spatial.pose import Pose
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


def annotations(
    pose: Movement, skeleton: Skeleton, scene: Scene, view: Camera
) -> tuple[list[Solid], list[Label]]:
    """Annotations of a pose, seen by a camera."""
    poses, tree = pose.poses(0), pose.geometry.structure.tree
    marks = [_Marks(site, poses, view) for site in scene.sites]
    solids = [x for mark in marks for x in mark.solids()]
    labels = [x for mark in marks for x in mark.labels()]
    for _, link in tree:
        labels += _lengths(pose, scene, link.name, {x.words for x in labels})
        frame = poses[link.name] @ link.X_MB.inverse
        for tip in skeleton.tips(link.name):
            solids += triad(tip, frame.R.matrix, scene.size)
    return solids, labels


def _lengths(
    pose: Movement, scene: Scene, body: str, known: set[tuple[str, ...]]
) -> Iterator[Label]:
    """The names of the levers of a body along one axis, at their middles, those not yet known."""
    places, X = attached(pose.geometry)[body], pose.poses(0)[body]
    start, *ends = (X.point(at) for at in scene.places[body][: len(places)])
    for place, at in zip(places[1:], ends, strict=True):
        vector = () if place.vector is None else place.vector
        parts = [x for x in map(expression, vector) if x is not ZERO]
        words = tuple(x.name for x in parts if x.op == "symbol")
        if len(parts) == len(words) == 1 and words not in known:
            known.add(words)
            yield Label((start + at) / 2, words, "length", None, 2.2 * scene.size.thick)


@final
class _Marks:
    """Annotations of a joint, whose frames F and M are in the ground."""

    def __init__(self, site: Site, poses: Mapping[str, Pose], view: Camera) -> None:
        self.joint, self.symbol, self.size, self.view = site.joint, site.symbol, site.size, view
        self.F = poses[site.joint.first] @ site.X_AF
        self.M = poses[site.joint.second] @ site.X_BM
        self.freedoms, index = freedoms_of(site.joint.kind), site.symbol.axis
        self.axis = None if index is None else self.F.R.matrix[:, index]
        on_bar = any(isinstance(part, Bar) for part in site.symbol.first)
        self.place = self.M.p if on_bar else self.F.p

    def labels(self) -> Iterator[Label]:
        """The names of the coordinates, at the end of the axis."""
        names, size = getattr(self.joint, "coordinates", ()), self.size
        if names and self.axis is not None:
            end = self.place + (size.half + 0.3 * size.unit * size.factor) * self.axis
            yield Label(end, names, "coordinate", self.axis, 0.07 * size.unit)
        elif names:
            yield Label(self.place, names, "coordinate", None, 2.2 * size.radius)

    def solids(self) -> Iterator[Solid]:
        """The axes about which it turns and arrows along its motions, as far as they are few."""
        turns = [x.axis for x in self.freedoms if isinstance(x, Turn)]
        slides = [x.axis for x in self.freedoms if isinstance(x, Slide)]
        if Ball() in self.freedoms:
            yield from () if slides else (self._socket(),)
        elif not slides:
            for k, index in enumerate(turns):
                yield self._axis_line((self.M if k else self.F).R.matrix[:, index])
            if self.axis is not None and len(self.freedoms) == 1:
                yield from self._turning(self.axis, 0.0)
                yield from self._thread() if isinstance(self.freedoms[0], Helix) else ()
        elif len(slides) == 1 and self.axis is not None:
            yield self._sliding(self.axis)
            yield from self._turning(self.axis, 0.5 * self.size.half) if turns else ()

    @property
    def _lift(self) -> float:
        return (LIFT + 3) * self.size.radius

    def _axis_line(self, axis: Array) -> Polyline:
        beyond = self.size.half + 0.3 * self.size.unit * self.size.factor
        ends = (self.place - beyond * axis, self.place + beyond * axis)
        return Polyline(ends, "axis", -0.5 * self.size.radius)

    def _turning(self, axis: Array, further: float) -> Iterator[Solid]:
        """An arrow around the axis, most of it on the reader's side."""
        size = self.size
        centre = self.place + (size.half + further + 0.14 * size.unit * size.factor) * axis
        u = self._normal(axis, self.view.reader)
        v = np.cross(axis, u)
        angles = np.radians(np.linspace(-130, 130, 40))
        arc = [centre + 1.15 * size.radius * (np.cos(t) * u + np.sin(t) * v) for t in angles]
        behind = Polyline(tuple(arc[:10]), "motion", -2 * size.radius)
        yield behind
        yield Polyline(tuple(arc[9:31]), "motion", self._lift)
        yield replace(behind, points=tuple(arc[30:]), head=0.09 * size.unit * size.factor)

    def _normal(self, axis: Array, towards: Array) -> Array:
        """The unit vector normal to an axis and nearest to a direction."""
        side = towards - (towards @ axis) * axis
        if np.linalg.norm(side) < 1e-6:
            side = self.view.top - (self.view.top @ axis) * axis
        return np.asarray(side / float(np.linalg.norm(side)))

    def _sliding(self, axis: Array) -> Polyline:
        """An arrow along the axis, beside the joint."""
        size = self.size
        offset = 1.7 * size.radius * np.cross(axis, self._normal(axis, self.view.reader))
        if offset @ self.view.top > 0:
            offset = -offset
        ends = (self.place + offset + x * size.half * axis for x in (-1.0, 1.6))
        return Polyline(tuple(ends), "motion", self._lift, head=0.09 * size.unit)

    def _thread(self) -> Iterator[Polyline]:
        """The thread on the rod of a screw."""
        out = self.F.R.into(self.F.p - self.M.p)
        travel = np.array([out, out])
        for bar in (part for part in self.symbol.second if isinstance(part, Bar)):
            a, b = (self.M.point(end) for end in bar_ends(bar, travel, self.size.radius))
            axis, r = self.M.R.matrix[:, bar.axis], bar.radius * self.size.radius
            u = self._normal(axis, self.view.reader)
            v = np.cross(axis, u)
            turns = np.linspace(0, 1, 200)
            thread = (a + t * (b - a) + r * (np.cos(70 * t) * u + np.sin(70 * t) * v)
                      for t in turns)  # fmt: skip
            yield Polyline(tuple(thread), "thread", (LIFT - 0.2) * self.size.radius)

    def _socket(self) -> Polyline:
        """The ring around a ball."""
        angles, r = np.radians(np.linspace(-145, 145, 40)) + np.pi, 1.45 * self.size.radius
        ways = (np.cos(t) * self.view.top + np.sin(t) * self.view.right for t in angles)
        ring = tuple(self.place + r * way for way in ways)
        return Polyline(ring, "socket", (LIFT + 0.1) * self.size.radius)
