"""Figures of successive rotations: each in the plane it turns, as courses draw them.

The third axis comes out of the page (a circled dot); axes before a rotation are thin, those after
it are thick, and the angle is marked from one to the other, positive anticlockwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, radians, sin
from pathlib import Path

from torseur.errors import ModelError
from torseur.output import writable, write_text
from torseur.report.drawing.labels import svg_document, svg_name
from torseur.spatial.rotation import AXES
from torseur.words.sentence import say

SIDE = 230.0  # of one figure [px]
ARM = 88.0
SHOWN = 26.0  # every angle is drawn as this many degrees
_GREEK = {"zxz": ("psi", "theta", "phi")}
_STYLE = """svg{background:#fff;color:#1b1f24}text{font:15px "Latin Modern Math","STIX Two Math",
"Cambria Math",serif;fill:currentColor}line,path,circle{stroke:currentColor;fill:none}
.new{stroke-width:2.2}.old{stroke-width:1;stroke-opacity:.65}.angle{stroke:#b3261e}
text.angle{fill:#b3261e;stroke:none}.dot{fill:currentColor}.hub{fill:#fff}
@media (prefers-color-scheme:dark){svg{background:#14181d;color:#e6e9ed}.angle{stroke:#ff8a80}
text.angle{fill:#ff8a80}.hub{fill:#14181d}}"""


def rotations(path: str | Path, sequence: str = "zxz", angles: Sequence[str] = ()) -> Path:
    """Save the figures of a sequence of rotations about moving axes, such as z-x-z, as SVG.

    Frame 0 is turned into frame 1 by the first angle, and so on; `angles` are their names.
    """
    place = writable(path)
    if place.suffix != ".svg":
        problem = say('"{suffix}" is not a picture format.', place.suffix)
        raise ModelError(str(path), problem, "Use .svg.")
    if not sequence or any(axis not in AXES for axis in sequence):
        problem = say('"{sequence}" is no sequence of axes.', sequence)
        raise ModelError("rotations", problem, "Axes: x, y, z; for instance zxz.")
    default = tuple(f"alpha{k}" for k in range(1, len(sequence) + 1))
    named = tuple(angles) or _GREEK.get(sequence, default)
    if len(named) != len(sequence):
        problem = say("{number} angles are named for {count} rotations.", len(named), len(sequence))
        raise ModelError("rotations", problem, "Give one name a rotation.")
    return write_text(place, _svg(sequence, named))


def _svg(sequence: str, angles: Sequence[str]) -> str:
    figures = "".join(
        f'<g transform="translate({SIDE * k:g} 0)">{"".join(_figure(axis, k, angle))}</g>'
        for k, (axis, angle) in enumerate(zip(sequence, angles, strict=True))
    )
    title = " → ".join(f"{a} ({x})" for a, x in zip(angles, sequence, strict=True))
    return svg_document((0, 0, SIDE * len(sequence), SIDE), title, _STYLE, figures)


def _figure(axis: str, k: int, angle: str) -> Iterator[str]:
    """One rotation: y to the left of x turns with it; the axis looks at the reader."""
    i = AXES[axis]
    right, up = "xyz"[(i + 1) % 3], "xyz"[(i + 2) % 3]
    x, y = 62.0, SIDE - 62.0
    for name, start in ((right, 0.0), (up, 90.0)):
        yield _axis(x, y, start, "old", f"{name}{k}")
        yield _axis(x, y, start + SHOWN, "new", f"{name}{k + 1}")
        yield _arc(x, y, start, angle if name == right else "")
    yield f'<circle class="hub" cx="{x:g}" cy="{y:g}" r="6"/>'
    yield f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="1.8"/>'
    same = f"{svg_name(f'{axis}{k}')} = {svg_name(f'{axis}{k + 1}')}"
    yield f'<text x="{x - 40:g}" y="{y + 30:g}">{same}</text>'


def _point(x: float, y: float, degrees: float, length: float) -> tuple[float, float]:
    return x + length * cos(radians(degrees)), y - length * sin(radians(degrees))


def _axis(x: float, y: float, degrees: float, style: str, name: str) -> str:
    a, b = _point(x, y, degrees, ARM)
    heads = [_point(a, b, degrees + 180 + turn, 9) for turn in (-22, 22)]
    tip = "M" + " L".join(f"{p:.1f} {q:.1f}" for p, q in (heads[0], (a, b), heads[1]))
    u, v = _point(x, y, degrees, ARM + 14)
    return (
        f'<line class="{style}" x1="{x:g}" y1="{y:g}" x2="{a:.1f}" y2="{b:.1f}"/>'
        f'<path class="{style}" d="{tip}"/>'
        f'<text x="{u:.1f}" y="{v + 5:.1f}" text-anchor="middle">{svg_name(name)}</text>'
    )


def _arc(x: float, y: float, start: float, angle: str) -> str:
    r = 0.62 * ARM
    (a, b), (c, d) = _point(x, y, start, r), _point(x, y, start + SHOWN, r)
    drawn = f'<path class="angle" d="M{a:.1f} {b:.1f} A{r:g} {r:g} 0 0 0 {c:.1f} {d:.1f}"/>'
    u, v = _point(x, y, start + SHOWN / 2, r + 12)
    named = f'<text class="angle" x="{u:.1f}" y="{v + 5:.1f}">{svg_name(angle)}</text>'
    return drawn + (named if angle else "")
