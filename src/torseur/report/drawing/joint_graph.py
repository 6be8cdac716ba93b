"""The joint graph (graphe des liaisons): bodies as nodes, joints as edges with their freedoms."""

from __future__ import annotations

import math
import os
from collections import Counter
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import final

from torseur.model.called import called_body, called_type
from torseur.model.constraints.protocol import JointRows, MeshRow
from torseur.model.description import GROUND, Mechanism
from torseur.model.joint_graph import spanning
from torseur.output import writable, write_text
from torseur.words.sentence import worded

_RADIUS, _NODE = 190.0, 34.0
_STYLE = """
.graph { font: 13px system-ui, sans-serif; }
.graph circle { fill: #eef3fa; stroke: #2b3a4b; stroke-width: 1.5; }
.graph .ground { fill: #d9dde3; stroke-width: 3; }
.graph path { fill: none; stroke: #2b3a4b; stroke-width: 1.5; }
.graph .closing { stroke-dasharray: 6 4; stroke: #b4430a; }
.graph text { fill: #17202b; text-anchor: middle; }
.graph .joint { font-size: 12px; fill: #b4430a; }
.graph .joint { paint-order: stroke; stroke: #fff; stroke-width: 4; }
"""


@final
@dataclass(frozen=True)
class Edge:
    """A joint or a contact drawn between two bodies, bent when several join the same two."""

    name: str
    first: str
    second: str
    kind: str  # type and freedoms
    closing: bool
    bend: float

    @property
    def label(self) -> str:
        """Name, type and freedoms."""
        return f"{self.name}{worded(': ')}{self.kind}"


def edges(mechanism: Mechanism) -> list[Edge]:
    """The joints, then constraints between two bodies; those that close loops are marked."""
    closing = {joint.name for joint in spanning(mechanism).closing}
    seen: Counter[frozenset[str]] = Counter()
    drawn = []

    def add(name: str, first: str, second: str, kind: str, closes: bool) -> None:
        pair = frozenset((first, second))
        rank = seen[pair]
        seen[pair] += 1
        bend = 40.0 * ((rank + 1) // 2) * (-1 if rank % 2 else 1)
        drawn.append(Edge(name, first, second, kind, closes, bend))

    for joint in mechanism.joints.values():
        kind = f"{called_type(joint.kind)} ({joint.kind.nv})"
        add(joint.name, joint.first, joint.second, kind, joint.name in closing)
    for constraint in (*mechanism.constraints.values(), *mechanism.contacts.values()):
        rows = constraint.rows
        if isinstance(rows, JointRows | MeshRow):
            of = f"{called_type(rows.kind)} " if isinstance(rows, JointRows) else ""
            kind = f"{called_type(constraint)} {of}({6 - rows.count})"
            add(constraint.name, rows.first, rows.second, kind, True)
    return drawn


def places(mechanism: Mechanism) -> dict[str, tuple[float, float]]:
    """The bodies on a circle, the ground at the bottom."""
    names = [GROUND, *mechanism.bodies]
    turn = 2 * math.pi / len(names)
    return {
        name: (_RADIUS * math.sin(k * turn), _RADIUS * math.cos(k * turn))
        for k, name in enumerate(names)
    }


def graph(mechanism: Mechanism, path: str | os.PathLike[str]) -> Path:
    """Write the joint graph as SVG, or as TikZ to a file that ends in .tex."""
    place = writable(path)
    return write_text(place, (graph_tikz if place.suffix == ".tex" else graph_svg)(mechanism))


def graph_svg(mechanism: Mechanism) -> str:
    """The joint graph as an SVG picture; closing joints are dashed."""
    at, size = places(mechanism), _RADIUS + 90
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" width="{2 * size:g}" '
        f'height="{2 * size:g}" viewBox="{-size:g} {-size:g} {2 * size:g} {2 * size:g}">',
        f"<title>{escape(mechanism.name)}</title><style>{_STYLE}</style>",
    ]
    for edge in edges(mechanism):
        (x1, y1), (x2, y2) = at[edge.first], at[edge.second]
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        cx = (x1 + x2) / 2 - (y2 - y1) / length * edge.bend
        cy = (y1 + y2) / 2 + (x2 - x1) / length * edge.bend
        kind = ' class="closing"' if edge.closing else ""
        parts.append(f'<path{kind} d="M{x1:.1f} {y1:.1f} Q{cx:.1f} {cy:.1f} {x2:.1f} {y2:.1f}"/>')
        mx, my = (x1 + 2 * cx + x2) / 4, (y1 + 2 * cy + y2) / 4
        parts.append(f'<text class="joint" x="{mx:.1f}" y="{my:.1f}">{escape(edge.label)}</text>')
    for name, (x, y) in at.items():
        kind = ' class="ground"' if name == GROUND else ""
        parts.append(f'<circle{kind} cx="{x:.1f}" cy="{y:.1f}" r="{_NODE:g}"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + 4:.1f}">{escape(called_body(name))}</text>')
    return "\n".join([*parts, "</svg>\n"])


def graph_tikz(mechanism: Mechanism) -> str:
    """The joint graph as a TikZ picture for LaTeX."""
    number = {name: k for k, name in enumerate(places(mechanism))}
    lines = [r"\begin{tikzpicture}[body/.style={circle, draw, minimum size=12mm}]"]
    for name, (x, y) in places(mechanism).items():
        place = f"({x / 60:.2f}, {-y / 60:.2f})"
        lines.append(rf"  \node[body] (b{number[name]}) at {place} {{{_tex(called_body(name))}}};")
    for edge in edges(mechanism):
        style = "dashed" if edge.closing else "solid"
        first, second = number[edge.first], number[edge.second]
        bend = f", bend left={edge.bend / 2:.0f}" if edge.bend else ""
        label = rf"node[midway, fill=white] {{\small {_tex(edge.label)}}}"
        lines.append(rf"  \draw[{style}] (b{first}) to[{style}{bend}] {label} (b{second});")
    return "\n".join([*lines, r"\end{tikzpicture}", ""])


def _tex(text: str) -> str:
    return "".join(f"\\{c}" if c in "#$%&_{}" else c for c in text)
