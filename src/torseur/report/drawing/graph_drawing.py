"""The joint graph (graphe des liaisons): bodies as nodes, joints as edges with their freedoms.

Every joint is a box of its own between its bodies, which says its name, type, axis and point: so
labels are never over each other, and the graph is drawn in layers from the ground.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, final

from torseur.algebra.printing.latex_words import words as tex
from torseur.algebra.printing.unicode import unicode_text
from torseur.model.constraints.protocol import JointRows, MeshRow
from torseur.model.description import GROUND, Joint, Mechanism
from torseur.model.joint_graph import spanning
from torseur.model.joints.catalogue import shown_name
from torseur.model.joints.freedoms import Slide
from torseur.model.joints.symbol import freedoms_of
from torseur.model.values.named_numbers import with_short_loops
from torseur.named_words import Words, report_words
from torseur.report.assets import asset
from torseur.report.drawing.labels import paper, picture_place, svg_document, write_picture
from torseur.report.drawing.layers import Place, Size, layered
from torseur.report.scene.geometry import geometry
from torseur.words.catalogue import ENGLISH
from torseur.words.language import chosen
from torseur.words.sentence import said, say, type_words

_LETTER, _SMALL = 7.2, 6.2  # usual widths of letters: of names, of what is said besides [px]
_BODY, _LINE = 40.0, 16.0  # heights of the box of a body and of a line of text
_MARGIN = 14.0
_PORT = 14.0  # between edges where they leave a box, at most
_LONG = 18  # letters of a place that is told in numbers instead
_LONGEST = 24  # letters of a name and a type in one line
_CENTIMETRE = 42.0  # of pixels in TikZ
_POINTS = 72 / 2.54 / _CENTIMETRE  # of a pixel there [bp]


@final
@dataclass(frozen=True)
class Edge:
    """A joint or a contact drawn between two bodies."""

    name: str
    first: str
    second: str
    kind: str  # type and freedoms
    closing: bool
    where: tuple[str, ...] = ()  # its axis and its point
    lang: str = ENGLISH

    @property
    def label(self) -> str:
        """Name, type and freedoms."""
        return said(say("{words}: {names}", self.name, self.kind), self.lang)

    @property
    def lines(self) -> tuple[str, ...]:
        """Text of its box: a long type is below the name."""
        label = (self.label,) if len(self.label) <= _LONGEST else (self.name, self.kind)
        return *label, *self.where

    @property
    def size(self) -> Size:
        """The width and the height of its box."""
        first, *others = self.lines
        wide = max(_LETTER * len(first), *(_SMALL * len(line) for line in others), 0.0)
        return wide + 2 * _MARGIN, _LINE * len(self.lines) + 8


def edges(mechanism: Mechanism, lang: str | None = None) -> list[Edge]:
    """The joints, then constraints between two bodies; those that close loops are marked."""
    lang = chosen(lang)
    words = report_words(lang)
    closing = {joint.name for joint in spanning(with_short_loops(mechanism)).closing}
    drawn = [
        Edge(
            joint.name,
            joint.first,
            joint.second,
            f"{type_words(joint.kind.words, lang)} ({joint.kind.nv})",
            joint.name in closing,
            _where(joint, mechanism, words),
            lang,
        )
        for joint in mechanism.joints.values()
    ]
    for constraint in (*mechanism.constraints.values(), *mechanism.contacts.values()):
        rows = constraint.rows
        if isinstance(rows, JointRows | MeshRow):
            of = f"{shown_name(rows.kind.names, lang)} " if isinstance(rows, JointRows) else ""
            touches = isinstance(rows, JointRows) and constraint.name in mechanism.contacts
            constrained = rows.positions if touches else rows.count  # what only touches may slide
            kind = f"{shown_name(constraint.names, lang)} {of}({6 - constrained})"
            bodies = rows.first, rows.second
            drawn.append(Edge(constraint.name, *bodies, kind, True, lang=lang))
    return drawn


# --- axes and points ----------------------------------------------------------------------------


def _where(joint: Joint, mechanism: Mechanism, words: Words) -> tuple[str, ...]:
    """The axis, the direction or the normal of a joint, and the point it goes through."""
    index, freedoms = joint.kind.symbol.axis, freedoms_of(joint.kind)
    slides = [x for x in freedoms if isinstance(x, Slide)]
    point, place = _point(joint, mechanism)
    if index is None:
        return place
    axis = _direction([joint.X_AF.R.matrix[k, index] for k in range(3)])
    if len(slides) == 2:
        return (words["normal {}"].format(axis),)
    if len(slides) == 1 == len(freedoms):
        return (words["direction {}"].format(axis),)
    return words["axis ({}, {})"].format(point, axis), *place


def _point(joint: Joint, mechanism: Mechanism) -> tuple[str, tuple[str, ...]]:
    """Name of the point of a joint, and its place in the first body unless at the origin.

    That is the name of a point of the mechanism, or of the joint.
    """
    position = [_short(x) for x in joint.X_AF.p]
    for point in mechanism.points.values():
        if point.body == joint.first and [_short(x) for x in point.position] == position:
            return point.name, ()
    if len("".join(position)) > _LONG:
        shape = geometry(mechanism)
        if not shape.unvalued:
            position = [_short(x) for x in shape.numbers(joint.X_AF.p)]
    text = f"{joint.name} = ({', '.join(position)})"
    return joint.name, (text,) if set(position) != {"0"} else ()


def _direction(components: list[Any]) -> str:
    """The letter of an axis of the first body, or the components."""
    numbers = [_short(x) for x in components]
    for sign in ("", "−"):
        for k, letter in enumerate("xyz"):
            if numbers == [f"{sign}1" if i == k else "0" for i in range(3)]:
                return sign + letter
    return f"({', '.join(numbers)})"


def _short(value: Any) -> str:
    """A number with a few figures; an expression as a book writes it."""
    try:
        number = round(float(str(value)), 12)
    except ValueError:
        return unicode_text(value)
    return f"{number + 0.0:.3g}".replace("-", "−")


# --- pictures -----------------------------------------------------------------------------------


def graph(mechanism: Mechanism, path: str | os.PathLike[str], *, lang: str | None = None) -> Path:
    """Write the joint graph as SVG, or for LaTeX: .tex is a document, .tikz a picture."""
    place = picture_place(path)
    sheet = _Sheet(mechanism, chosen(lang))
    left, top, right, bottom = sheet.bounds
    size = _POINTS * (right - left), _POINTS * (bottom - top)
    return write_picture(place, *_drawn(sheet), size)


def graph_texts(mechanism: Mechanism, lang: str | None = None) -> tuple[str, str]:
    """The joint graph as an SVG picture and as a TikZ picture; closing joints are dashed."""
    return _drawn(_Sheet(mechanism, chosen(lang)))


def _drawn(sheet: _Sheet) -> tuple[str, str]:
    return _svg(sheet), _tikz(sheet)


def _svg(sheet: _Sheet) -> str:
    parts = [paper(sheet.bounds, "sheet")]
    for edge in sheet.edges:
        kind = ' class="closing"' if edge.closing else ""
        parts.append(f'<path{kind} d="{"".join(sheet.curves(edge))}"/>')
    parts += [text for edge in sheet.edges for text in sheet.label(edge)]
    for name in sheet.bodies:
        (x, y), (w, h) = sheet.at[name], sheet.sizes[name]
        kind = ' class="body ground"' if name == GROUND else ' class="body"'
        parts.append(f'<rect{kind} {_box(x, y, w, h)} rx="{h / 2:g}"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + 5:.1f}">{escape(sheet.bodies[name])}</text>')
    style = asset("drawing/graph.css")
    return svg_document(sheet.bounds, sheet.title, style, "\n".join(parts), "graph")


def _tikz(sheet: _Sheet) -> str:
    style = "body/.style={rounded corners=4mm, draw, thick, inner sep=2pt}"
    lines = [rf"\begin{{tikzpicture}}[{style}, joint/.style={{align=center, inner sep=2pt}}]"]
    for edge in sheet.edges:
        drawn = "dashed" if edge.closing else "solid"
        bends = ([_cm(place) for place in bend] for bend in sheet.bends(edge))
        ways = [f"{a} .. controls {b} and {c} .. {d}" for a, b, c, d in bends]
        lines.append(rf"  \draw[{drawn}] {' '.join(ways)};")
        text = r" \\ ".join(rf"\small {tex(line)}" for line in edge.lines)
        lines.append(rf"  \node[joint] at {_cm(sheet.at[_node(edge)])} {{{text}}};")
    for name, label in sheet.bodies.items():
        wide, high = (size / _CENTIMETRE for size in sheet.sizes[name])
        box = f"minimum width={wide:.2f}cm, minimum height={high:.2f}cm"
        lines.append(rf"  \node[body, {box}] at {_cm(sheet.at[name])} {{{tex(label)}}};")
    return "\n".join([*lines, r"\end{tikzpicture}", ""])


@final
class _Sheet:
    """Bodies and joints as boxes at their places."""

    def __init__(self, mechanism: Mechanism, lang: str) -> None:
        self.title = mechanism.name
        self.edges = edges(mechanism, lang)
        self.bodies = {GROUND: report_words(lang)["ground"]} | {x: x for x in mechanism.bodies}
        ends = Counter(body for edge in self.edges for body in (edge.first, edge.second))
        self.sizes: dict[str, Size] = {
            name: (max(_BODY, _LETTER * len(box), _PORT * ends[name]) + _MARGIN, _BODY)
            for name, box in self.bodies.items()
        } | {_node(edge): edge.size for edge in self.edges}
        links = [(body, _node(edge)) for edge in self.edges for body in (edge.first, edge.second)]
        self.at: dict[str, Place] = layered(self.sizes, links, GROUND)

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of everything."""
        boxes = [(*self.at[name], *self.sizes[name]) for name in self.at]
        left, right = min(x - w / 2 for x, _, w, _ in boxes), max(x + w / 2 for x, _, w, _ in boxes)
        top, bottom = min(y - h / 2 for _, y, _, h in boxes), max(y + h / 2 for _, y, _, h in boxes)
        return left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN

    @cached_property
    def _ports(self) -> dict[tuple[str, str, int], float]:
        """Offset at which each edge leaves the middle of a body, by body, joint and end."""
        sides: dict[tuple[str, bool], list[tuple[str, int]]] = {}
        for edge in self.edges:
            for k, body in enumerate((edge.first, edge.second)):
                above = self.at[_node(edge)][1] < self.at[body][1]
                sides.setdefault((body, above), []).append((_node(edge), k))
        ports = {}
        for (body, _), ends in sides.items():
            room = (self.sizes[body][0] - _BODY / 2) / max(len(ends), 2)
            listed = sorted(ends, key=lambda end: (self.at[end[0]][0], end[1]))
            for k, (node, end) in enumerate(listed):
                ports[body, node, end] = min(room, _PORT) * (k - (len(ends) - 1) / 2)
        return ports

    def curves(self, edge: Edge) -> list[str]:
        """The bends of an edge as paths of SVG."""
        points = ([f"{x:.1f} {y:.1f}" for x, y in bend] for bend in self.bends(edge))
        return [f"M{start}C{' '.join(others)}" for start, *others in points]

    def bends(self, edge: Edge) -> list[tuple[Place, Place, Place, Place]]:
        """From each body to the box of the joint; upright at both ends, so that it meets no box."""
        curves, node = [], _node(edge)
        (X, Y), (_, H) = self.at[node], self.sizes[node]
        bodies = edge.first, edge.second
        same_side = len({self.at[body][1] > Y for body in bodies}) == 1
        left = self.at[bodies[0]][0] <= self.at[bodies[1]][0]
        for k, body in enumerate(bodies):
            (x, y), (_, h) = self.at[body], self.sizes[body]
            x += self._ports[body, node, k]
            side, apart = -1 if y > Y else 1, (_PORT if (k == 0) != left else -_PORT) * same_side
            low, high = y + side * h / 2, Y - side * H / 2
            middle, end = (low + high) / 2, X + apart
            curves.append(((x, low), (x, middle), (end, middle), (end, high)))
        return curves

    def label(self, edge: Edge) -> list[str]:
        """The box of a joint and what it says."""
        (x, y), (w, h) = self.at[_node(edge)], edge.size
        kind = "joint closes" if edge.closing else "joint"
        first = y - _LINE * (len(edge.lines) - 1) / 2 + 4.5
        texts = [
            f'<text class="{style}" x="{x:.1f}" y="{first + k * _LINE:.1f}">{escape(line)}</text>'
            for k, line in enumerate(edge.lines)
            for style in ("where" if k else "name",)
        ]
        return [f'<rect class="{kind}" {_box(x, y, w, h)} rx="7"/>', *texts]


def _node(edge: Edge) -> str:
    """The node of a joint in the graph: no body has a name with a line break."""
    return f"\n{edge.name}"


def _box(x: float, y: float, w: float, h: float) -> str:
    return f'x="{x - w / 2:.1f}" y="{y - h / 2:.1f}" width="{w:.1f}" height="{h:.1f}"'


def _cm(place: Place) -> str:
    return f"({place[0] / _CENTIMETRE:.2f}, {-place[1] / _CENTIMETRE:.2f})"
