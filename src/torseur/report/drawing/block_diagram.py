"""The block diagram of the resolution: from forces to accelerations, two integrators, and back.

As a scheme of Simulink would have it (Llibre, fig. B.1 to B.6): what the mechanism has decides
which blocks there are. Forces Q and the terms h and g meet at a sum; the mass matrix gives the
accelerations, with the multipliers where there are constraints; speeds and coordinates come of
two integrators and are fed back, with the time where something depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import final

from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import free_symbols
from torseur.equations.formalisms.derive import derive
from torseur.equations.motion.equations import Equations
from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.output import writable, write_text
from torseur.report.drawing.labels import svg_document, svg_name
from torseur.words.language import chosen
from torseur.words.sentence import said, say

_LEFT = 90.0  # of the first block
_HEIGHT, _GAP, _TOP = 64.0, 46.0, 70.0
_STYLE = """svg{background:#fff;color:#1b1f24}text{font:15px "Latin Modern Math","STIX Two Math",
"Cambria Math",serif;fill:currentColor;text-anchor:middle}.small{font-size:12px;fill-opacity:.8}
.wire{stroke:currentColor;fill:none;stroke-width:1.5}.block{stroke:currentColor;fill:#eef3fa;
stroke-width:1.5}.held{fill:#fbeee6}.tip{fill:currentColor;stroke:none}
@media (prefers-color-scheme:dark){svg{background:#14181d;color:#e6e9ed}.block{fill:#1f2a38}
.held{fill:#3a2a20}}"""


@final
@dataclass(frozen=True)
class DiagramBlock:
    """A box of the diagram: its formula, what it is, and where it stands in the line."""

    formula: str
    words: str
    width: float
    kind: str = "block"


def _blocks(equations: Equations, lang: str) -> list[DiagramBlock]:
    """The blocks from left to right."""
    constrained = len(equations.J) > 0
    n, rows = len(equations.speeds), len(equations.J)
    line = [DiagramBlock("Q − h − g", said(say("forces, {n} rows", n), lang), 130)]
    if constrained:
        label = said(say("{rows} multipliers", rows), lang)
        line.append(DiagramBlock("M a = S + Jᵀλ, J a = −γ", label, 220, "block held"))
    else:
        line.append(DiagramBlock("a = M⁻¹ S", said(say("mass matrix {n} × {n}", n), lang), 130))
    line.append(DiagramBlock("∫", said(say("speeds"), lang), 60))
    if _rates(equations):
        line.append(DiagramBlock("q̇ = B(q) v", "", 110))
    line.append(DiagramBlock("∫", said(say("coordinates"), lang), 60))
    if constrained:
        line.append(DiagramBlock("φ(q, t) = 0", said(say("projection"), lang), 120, "block held"))
    return line


def _rates(equations: Equations) -> bool:
    """Whether speeds are not the rates of the coordinates."""
    return [f"{name}." for name in equations.coordinates] != list(equations.speeds)


def blocks(mechanism: Mechanism, path: str | Path, lang: str | None = None) -> Path:
    """Save the block diagram of the resolution of the equations of a mechanism as SVG."""
    lang = chosen(lang)
    place = writable(path)
    if place.suffix != ".svg":
        problem = say('"{suffix}" is not a picture format.', place.suffix)
        raise ModelError(str(path), problem, "Use .svg.")
    return write_text(place, _svg(derive(mechanism), lang))


def _svg(equations: Equations, lang: str) -> str:
    line, name = _blocks(equations, lang), equations.system.mechanism.name
    width = _LEFT + sum(one.width + _GAP for one in line) + 60
    content = "\n".join(_drawn(equations, line))
    return svg_document((0, 0, width, _TOP + _HEIGHT + 110), name, _STYLE, content)


def _drawn(equations: Equations, line: list[DiagramBlock]) -> Iterator[str]:
    wires = ["S", "a", "v", *(["q̇"] if _rates(equations) else []), "q"]
    left, middle = _LEFT, _TOP + _HEIGHT / 2
    yield from _wire([(30, middle), (left, middle)])
    parts = [*equations.Q, *equations.J.ravel(), *equations.gamma, *equations.constraints.gap]
    given = "u, t" if TIME in free_symbols(parts) else "u"
    yield f'<text x="52" y="{middle - 8:g}">{given}</text>'
    x, ends = left, []
    for k, one in enumerate(line):
        yield from _box(one, x)
        x += one.width
        ends.append(x)
        yield from _wire([(x, middle), (x + _GAP, middle)])
        label = wires[k] if k < len(wires) else ("q" if k == len(line) - 1 else "")
        yield f'<text x="{x + _GAP / 2 - 3:g}" y="{middle - 8:g}">{label}</text>'
        x += _GAP
    forces, solved = (end - one.width / 2 for end, one in zip(ends[:2], line, strict=False))
    yield from _feedback((x, ends[2]), (forces, solved), middle, equations)


def _feedback(
    ends: tuple[float, float],
    targets: tuple[float, float],
    middle: float,
    equations: Equations,
) -> Iterator[str]:
    """The wires by which coordinates and speeds come back to forces and to what is solved."""
    low, bottom = _TOP + _HEIGHT, _TOP + _HEIGHT + 34
    last, speeds = ends[0] - _GAP / 2, ends[1] + _GAP / 2
    names = (", ".join(_short(equations.coordinates)), ", ".join(_short(equations.speeds)))
    for at, depth, shift, label in (
        (last, bottom + 36, 12.0, names[0]),
        (speeds, bottom, -12.0, names[1]),
    ):
        for target in targets:
            yield from _wire(
                [(at, middle), (at, depth), (target + shift, depth), (target + shift, low)]
            )
        yield f'<circle class="tip" cx="{at:g}" cy="{middle:g}" r="3"/>'
        yield (
            f'<text class="small" x="{(at + targets[1]) / 2 + 8:g}" y="{depth - 6:g}">'
            f"{label}</text>"
        )


def _short(names: tuple[str, ...]) -> list[str]:
    """The first names, as a book writes them, and how many follow."""
    return [*map(svg_name, names[:4]), *(["…"] if len(names) > 4 else [])]


def _box(one: DiagramBlock, x: float) -> Iterator[str]:
    yield (
        f'<rect class="{one.kind}" x="{x:g}" y="{_TOP:g}" width="{one.width:g}" '
        f'height="{_HEIGHT:g}" rx="4"/>'
    )
    centre = x + one.width / 2
    yield f'<text x="{centre:g}" y="{_TOP + _HEIGHT / 2 + 5:g}">{escape(one.formula)}</text>'
    yield f'<text class="small" x="{centre:g}" y="{_TOP - 10:g}">{escape(one.words)}</text>'


def _wire(points: list[tuple[float, float]]) -> Iterator[str]:
    """A line through points, with a tip at its end."""
    path = " L".join(f"{x:g} {y:g}" for x, y in points)
    yield f'<path class="wire" d="M{path}"/>'
    (x0, y0), (x, y) = points[-2:]
    if x != x0:
        tip = f"{x:g},{y:g} {x - 8:g},{y - 4:g} {x - 8:g},{y + 4:g}"
    else:
        side = 8 if y < y0 else -8
        tip = f"{x:g},{y:g} {x - 4:g},{y + side:g} {x + 4:g},{y + side:g}"
    yield f'<polygon class="tip" points="{tip}"/>'
