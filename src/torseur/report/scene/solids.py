"""Simple solids drawn on the page in parallel projection, each as SVG with its depth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import acos, atan2, cos, degrees, pi, sin
from typing import final

import numpy as np

from torseur.report.scene.camera import Camera

Array = np.ndarray
_LIGHT = np.array([-0.55, -0.83])  # on the page: from the upper left


@final
@dataclass(frozen=True)
class Stroke:
    """A piece of SVG and how near the reader it is; `discs` are the places it covers."""

    depth: float
    svg: str
    gradient: str = ""
    discs: tuple[tuple[float, float, float], ...] = ()


@final
@dataclass(frozen=True)
class Limb:
    """A tapered rod from a to b, with round ends; `flat` when it stands on a surface at a."""

    a: Array
    b: Array
    thick: float
    thin: float
    style: str = "body"
    flat: bool = False
    lift: float = 0.0

    def strokes(self, view: Camera, name: str) -> Iterator[Stroke]:
        a, b = view.at(self.a), view.at(self.b)
        ra, rb = view.scale * self.thick, view.scale * self.thin
        length = float(np.hypot(*(b - a)))
        depth = (view.depth(self.a) + view.depth(self.b)) / 2 + self.lift
        steps = max(2, int(length / max(rb, 1.0)))
        places = (a + (b - a) * k / steps for k in range(steps + 1))
        discs = tuple((float(x), float(y), rb) for x, y in places)
        if length <= abs(ra - rb) + 1e-9:
            svg = _disc(a, max(ra, rb), name)
        else:
            along = (self.b - self.a) / np.linalg.norm(self.b - self.a)
            foot = ra * abs(float(along @ view.reader)) if self.flat else ra
            svg = f'<path class="line" {_fill(name)} d="{_tapered(a, b, ra, rb, foot)}"/>'
        across = _across(b - a)
        yield Stroke(depth, svg, _gradient(name, self.style, a, across, max(ra, rb)), discs)


@final
@dataclass(frozen=True)
class Cylinder:
    """A cylinder about a unit axis."""

    centre: Array
    axis: Array
    radius: float
    half: float
    style: str = "joint"
    lift: float = 0.0  # added to its depth: a joint is seen before the bodies it links

    def strokes(self, view: Camera, name: str) -> Iterator[Stroke]:
        towards = self.axis if self.axis @ view.reader >= 0 else -self.axis
        far, near = (
            view.at(self.centre - self.half * towards),
            view.at(self.centre + self.half * towards),
        )
        r = view.scale * self.radius
        minor = r * float(towards @ view.reader)
        across = _across(near - far)
        tilt = degrees(atan2(across[1], across[0]))
        middle = (far + near) / 2
        depth = view.depth(self.centre) + self.lift
        gradient = _gradient(name, self.style, middle, across, r)
        ends = [(far + r * across), (near + r * across), (near - r * across), (far - r * across)]
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = ends
        arc = f"A{r:.1f} {minor:.1f} {tilt:.1f} 0"
        turn = int(across[0] * (near - far)[1] > across[1] * (near - far)[0])
        side = (
            f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}{arc} {turn} {x3:.1f} {y3:.1f}"
            f"L{x4:.1f} {y4:.1f}{arc} {turn} {x1:.1f} {y1:.1f}Z"
        )
        cap = (
            f'<ellipse class="line {self.style}-cap" cx="{near[0]:.1f}" cy="{near[1]:.1f}" '
            f'rx="{r:.1f}" ry="{minor:.1f}" '
            f'transform="rotate({tilt:.1f} {near[0]:.1f} {near[1]:.1f})"/>'
        )
        discs = tuple((float(x), float(y), r) for x, y in (far, middle, near))
        svg = f'<path class="line" {_fill(name)} d="{side}"/>{cap}'
        yield Stroke(depth, svg, gradient, discs)


@final
@dataclass(frozen=True)
class Box:
    """A box with its axes in the columns of R."""

    centre: Array
    R: Array
    half: tuple[float, float, float]
    style: str = "joint"
    lift: float = 0.0

    def strokes(self, view: Camera, name: str) -> Iterator[Stroke]:
        faces = []
        for k in range(3):
            normal = self.R[:, k] if self.R[:, k] @ view.reader > 0 else -self.R[:, k]
            u, v = (self.half[j] * self.R[:, j] for j in ((k + 1) % 3, (k + 2) % 3))
            middle = self.centre + self.half[k] * normal
            corners = [view.at(middle + su * u + sv * v) for su, sv in _CORNERS]
            light = float(view.at(normal) @ _LIGHT) / view.scale
            shade = "light" if light > 0.35 else "dark" if light < -0.1 else "mid"
            faces.append(f'<path class="line {self.style}-{shade}" d="{_polygon(corners)}"/>')
        size = view.scale * min(sorted(self.half)[1:])
        x, y = view.at(self.centre)
        depth = view.depth(self.centre) + self.lift
        yield Stroke(depth, "".join(faces), discs=((float(x), float(y), size),))


@final
@dataclass(frozen=True)
class Ball:
    """A ball."""

    centre: Array
    radius: float
    style: str = "joint"
    lift: float = 0.0

    def strokes(self, view: Camera, name: str) -> Iterator[Stroke]:
        x, y = view.at(self.centre)
        r = view.scale * self.radius
        gradient = (
            f'<radialGradient id="{name}" cx="0.35" cy="0.3" r="0.75">'
            f'<stop class="{self.style}-a" offset="0"/><stop class="{self.style}-b" offset="1"/>'
            "</radialGradient>"
        )
        depth = view.depth(self.centre) + self.lift
        disc = _disc(np.array([x, y]), r, name)
        yield Stroke(depth, disc, gradient, ((float(x), float(y), r),))


@final
@dataclass(frozen=True)
class Path:
    """A broken line, closed or with an arrowhead at its end."""

    points: tuple[Array, ...]
    style: str
    lift: float = 0.0
    head: float = 0.0  # length of the arrowhead
    closed: bool = False

    def strokes(self, view: Camera, name: str) -> Iterator[Stroke]:
        places = [view.at(point) for point in self.points]
        depth = float(np.mean([view.depth(point) for point in self.points])) + self.lift
        outline = _polygon(places) if self.closed else _polyline(places)
        svg = f'<path class="{self.style}" d="{outline}"/>'
        size = view.scale * self.head
        if self.head:
            svg += _arrowhead(places, size, self.style)
        discs = [(float(x), float(y), 1.0) for x, y in places]
        middle = np.mean(places, axis=0)
        discs += [(float(middle[0]), float(middle[1]), 1.0), (*discs[-1][:2], size)]
        yield Stroke(depth, svg, discs=tuple(discs))


Solid = Limb | Cylinder | Box | Ball | Path
_CORNERS = ((1, 1), (1, -1), (-1, -1), (-1, 1))


def _fill(name: str) -> str:
    return f'fill="url(#{name})"'


def _disc(centre: Array, r: float, name: str) -> str:
    x, y = centre
    return f'<circle class="line" cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" {_fill(name)}/>'


def _across(along: Array) -> Array:
    """The unit vector normal to a direction of the page, towards the light."""
    size = float(np.hypot(*along))
    normal = np.array([-along[1], along[0]]) / size if size > 1e-9 else _LIGHT
    return normal if normal @ _LIGHT >= 0 else -normal


def _gradient(name: str, style: str, centre: Array, across: Array, radius: float) -> str:
    (x1, y1), (x2, y2) = centre + radius * across, centre - radius * across
    return (
        f'<linearGradient id="{name}" gradientUnits="userSpaceOnUse" '
        f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}">'
        f'<stop class="{style}-b" offset="0"/><stop class="{style}-a" offset="0.3"/>'
        f'<stop class="{style}-b" offset="1"/></linearGradient>'
    )


def _tapered(a: Array, b: Array, ra: float, rb: float, foot: float) -> str:
    """The outline of two discs and their common tangents; that of a bulges by `foot`."""
    heading = atan2(b[1] - a[1], b[0] - a[0])
    spread = acos((ra - rb) / float(np.hypot(*(b - a))))
    points = []
    for centre, r, angle in (
        (a, ra, heading - spread),
        (b, rb, heading - spread),
        (b, rb, heading + spread),
        (a, ra, heading + spread),
    ):
        points.append(centre + r * np.array([cos(angle), sin(angle)]))
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = points
    small, large = int(spread > pi / 2), int(spread < pi / 2)
    return (
        f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}A{rb:.1f} {rb:.1f} 0 {small} 1 {x3:.1f} {y3:.1f}"
        f"L{x4:.1f} {y4:.1f}A{foot:.1f} {ra:.1f} {degrees(heading):.1f} {large} 1 "
        f"{x1:.1f} {y1:.1f}Z"
    )


def _polyline(places: Sequence[Array]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _polygon(places: Sequence[Array]) -> str:
    return _polyline(places) + "Z"


def _arrowhead(places: Sequence[Array], size: float, style: str) -> str:
    tip, before = places[-1], places[-2]
    length = float(np.hypot(*(tip - before)))
    if length < 1e-6:
        return ""
    along = (tip - before) / length
    normal = np.array([-along[1], along[0]])
    foot = tip - 0.3 * size * along
    corners = [tip + 0.7 * size * along, foot + 0.35 * size * normal, foot - 0.35 * size * normal]
    return f'<path class="{style}-head" d="{_polygon(corners)}"/>'
