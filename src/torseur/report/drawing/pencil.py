"""The SVG pencil: solids and lines in parallel projection, each as pieces with their depth."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import acos, atan2, ceil, cos, degrees, pi, sin
from typing import final

import numpy as np

from torseur.report.scene.camera import Camera
from torseur.report.scene.scene_solids import (
    BallPart,
    CylinderPart,
    Limb,
    MeshPart,
    Polyline,
    Solid,
)
from torseur.report.scene.ties import TieLine, strands_on_page

Array = np.ndarray
Disc = tuple[float, float, float]
Rectangle = tuple[float, float, float, float]  # left, top, right, bottom
_FINE = 1e6  # a scale at which the width of lines is nothing
_LIGHT = np.array([-0.49, 0.68, 0.54])  # to the right, to the top, to the reader
_FROM = np.array([-0.55, -0.83])  # on the page: from the upper left
THICKNESS = 8.0  # of the hatching along a line [px]
_EDGE_ON = 0.05  # cosine between the normal of a plate and the line of sight
_ON = 0.02  # of the length of a line: places that are on it and tell no side
_MOST = 10  # pieces of a limb, each with its own depth


@final
@dataclass(frozen=True)
class Stroke:
    """A piece of SVG and how near the reader it is; `discs` are the places it covers."""

    depth: float
    svg: str
    gradient: str = ""
    discs: tuple[Disc, ...] = ()


def strokes(solid: Solid | TieLine, view: Camera, name: str) -> Iterator[Stroke]:
    """The pieces of a solid or of a line; `name` is that of its gradient."""
    if isinstance(solid, Limb):
        yield from _limb(solid, view, name)
    elif isinstance(solid, MeshPart):
        yield from _mesh(solid, view)
    elif isinstance(solid, CylinderPart):
        yield _cylinder(solid, view, name)
    elif isinstance(solid, BallPart):
        yield _ball(solid, view, name)
    elif isinstance(solid, TieLine):
        yield _line(solid, view)
    else:
        yield _path(solid, view, name)


# --- limbs --------------------------------------------------------------------------------------


def _limb(limb: Limb, view: Camera, name: str) -> Iterator[Stroke]:
    """A limb, cut where it comes towards the reader, so that each piece has its depth."""
    a, b = view.at(limb.a), view.at(limb.b)
    ra, rb = view.scale * limb.thick, view.scale * limb.thin
    length, from_depth = float(np.hypot(*(b - a))), view.depth(limb.a)
    deep = view.depth(limb.b) - from_depth
    gradient = _gradient(name, limb.style, a, _across(b - a), max(ra, rb))
    if length <= abs(ra - rb) + 1e-9:
        disc = ((float(a[0]), float(a[1]), max(ra, rb)),)
        nearest = from_depth + max(deep, 0.0) + limb.lift
        yield Stroke(nearest, _disc(a, max(ra, rb), name), gradient, disc)
        return
    least = 2 if any(limb.flat) else 1
    count = min(max(ceil(abs(deep) / (2.25 * max(limb.thick, limb.thin))), least), _MOST)
    slope = abs(deep) / float(np.hypot(length / view.scale, deep))
    lifted = [limb.lift if not any(limb.flat) else 0.0] * count
    for k, flat in zip((0, -1), limb.flat, strict=True):
        lifted[k] = limb.lift if flat else lifted[k]
    for k, lift in enumerate(lifted):
        piece = _Piece(a, b, ra, rb, k / count, (k + 1) / count)
        feet = tuple(slope if flat else 1.0 for flat in limb.flat)
        depth = from_depth + (k + 0.5) / count * deep + lift
        yield Stroke(depth, piece.svg(name, feet), "" if k else gradient, piece.discs)


@final
@dataclass(frozen=True)
class _Piece:
    """The part of a tapered rod on the page from a share of its length to another."""

    a: Array
    b: Array
    ra: float
    rb: float
    start: float
    end: float

    def svg(self, name: str, feet: tuple[float, ...]) -> str:
        """Two discs and their common tangents; those of the ends bulge by `feet` radii."""
        heading = atan2(*(self.b - self.a)[::-1])
        spread = acos((self.ra - self.rb) / float(np.hypot(*(self.b - self.a))))
        small, large = int(spread > pi / 2), int(spread < pi / 2)
        ends = [(self.start, -1), (self.end, -1), (self.end, 1), (self.start, 1)]
        one, two, three, four = (self._at(s, heading + side * spread) for s, side in ends)
        tilt, first, last = degrees(heading), self.start == 0, self.end == 1
        back = f"A{self._arc(0.0, feet[0] if first else 1.0)} {tilt:.1f} {large} 1 {one}"
        front = f"A{self._arc(1.0, feet[1] if last else 1.0)} {tilt:.1f} {small} 1 {three}"
        whole = f"M{one}L{two}{front}L{four}{back}Z"
        if first and last:
            return f'<path class="line" {_fill(name)} d="{whole}"/>'
        sides = f"M{four}{back}L{two}" if first else f"M{one}L{two}"
        sides += f"{front}L{four}" if last else f"M{three}L{four}"
        return f'<path class="fill" {_fill(name)} d="{whole}"/><path class="line" d="{sides}"/>'

    def _radius(self, share: float) -> float:
        return self.ra + share * (self.rb - self.ra)

    def _at(self, share: float, angle: float) -> str:
        towards = np.array([cos(angle), sin(angle)])
        x, y = self.a + share * (self.b - self.a) + self._radius(share) * towards
        return f"{x:.1f} {y:.1f}"

    def _arc(self, side: float, foot: float) -> str:
        r = self._radius(self.end if side else self.start)
        return f"{foot * r:.1f} {r:.1f}"

    @property
    def discs(self) -> tuple[Disc, ...]:
        """The places it covers."""
        part = (self.end - self.start) * float(np.hypot(*(self.b - self.a)))
        steps = max(2, int(part / max(self.rb, 1.0)))
        shares = np.linspace(self.start, self.end, steps + 1)
        places = (self.a + share * (self.b - self.a) for share in shares)
        return tuple((float(x), float(y), self.rb) for x, y in places)


# --- other solids -------------------------------------------------------------------------------


def _cylinder(solid: CylinderPart, view: Camera, name: str) -> Stroke:
    towards = solid.axis if solid.axis @ view.reader >= 0 else -solid.axis
    far, near = (view.at(solid.centre + end * solid.half * towards) for end in (-1, 1))
    r = view.scale * solid.radius
    minor = r * float(towards @ view.reader)
    across = _across(near - far)
    tilt = degrees(atan2(across[1], across[0]))
    middle = (far + near) / 2
    ends = [(far + r * across), (near + r * across), (near - r * across), (far - r * across)]
    one, two, three, four = (f"{x:.1f} {y:.1f}" for x, y in ends)
    turn = int(across[0] * (near - far)[1] > across[1] * (near - far)[0])
    arc = f"A{r:.1f} {minor:.1f} {tilt:.1f} 0 {turn}"
    side = f"M{one}L{two}{arc} {three}L{four}{arc} {one}Z"
    cap = (
        f'<ellipse class="line {solid.style}-cap" cx="{near[0]:.1f}" cy="{near[1]:.1f}" '
        f'rx="{r:.1f}" ry="{minor:.1f}" '
        f'transform="rotate({tilt:.1f} {near[0]:.1f} {near[1]:.1f})"/>'
    )
    discs = tuple((float(x), float(y), r) for x, y in (far, middle, near))
    svg = f'<path class="line" {_fill(name)} d="{side}"/>{cap}'
    depth = view.depth(solid.centre) + solid.lift
    return Stroke(depth, svg, _gradient(name, solid.style, middle, across, r), discs)


def _ball(ball: BallPart, view: Camera, name: str) -> Stroke:
    x, y = view.at(ball.centre)
    r = view.scale * ball.radius
    gradient = (
        f'<radialGradient id="{name}" cx="0.35" cy="0.3" r="0.75">'
        f'<stop class="{ball.style}-a" offset="0"/><stop class="{ball.style}-b" offset="1"/>'
        "</radialGradient>"
    )
    depth = view.depth(ball.centre) + ball.lift
    return Stroke(depth, _disc(np.array([x, y]), r, name), gradient, ((float(x), float(y), r),))


def seen_faces(mesh: MeshPart, view: Camera) -> Iterator[tuple[Array, float, float]]:
    """The faces that are seen: corners, depth, and how lit it stands from 0.1 to 1.

    Those of a symbol have one depth.
    """
    a, b, c = (mesh.vertices[[face[k] for face in mesh.faces]] for k in range(3))
    normals = np.cross(b - a, c - b)
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    towards = normals @ view.reader
    sides = np.where(towards > 0, 1.0, -1.0)[:, None] * normals
    lit = sides @ np.column_stack([view.right, view.top, view.reader]) @ _LIGHT
    places, depths = view.at(mesh.vertices), mesh.vertices @ view.reader
    for k in np.flatnonzero((towards > 0) | mesh.open):
        face = list(mesh.faces[k])
        depth = float(depths.mean() if mesh.lift else depths[face].mean()) + mesh.lift
        yield places[face], depth, 0.1 + 0.9 * max(0.0, float(lit[k]))


def _mesh(mesh: MeshPart, view: Camera) -> Iterator[Stroke]:
    kind = "line" if mesh.edges else "seam"
    for places, depth, lit in seen_faces(mesh, view):
        shape = f'class="{mesh.style}-face {kind}" style="--lit:{round(100 * lit)}%"'
        yield Stroke(depth, f'<path {shape} d="{polygon(places)}"/>', discs=points(places))


def _path(path: Polyline, view: Camera, name: str) -> Stroke:
    places = [view.at(point) for point in path.points]
    depth = float(np.mean([view.depth(point) for point in path.points])) + path.lift
    shape = f'{hatch(name)} d="{polygon(places)}' if path.closed else f'd="{polyline(places)}'
    svg = f'<path class="{path.style}" {shape}"/>'
    size = view.scale * path.head
    if path.head:
        svg += _arrowhead(places, size, path.style)
    discs = points([*places, np.mean(places, axis=0)])
    return Stroke(depth, svg, discs=(*discs, (*discs[-2][:2], size)))


def _line(line: TieLine, view: Camera) -> Stroke:
    """A spring, a damper or a rod, drawn on the page."""
    lines = strands_on_page(line, view)
    outline = "".join(polyline(one) for one in lines)
    depth = view.depth((line.a + line.b) / 2)
    discs = points(place for one in lines for place in one)
    return Stroke(depth, f'<path class="tie {line.style}" d="{outline}"/>', discs=discs)


# --- the ground: a hatched plate, or hatching along a line when it is seen edge-on ---------------


def hatched(plate: Polyline, view: Camera, places: Array, name: str) -> Stroke:
    """A plate as it is seen; hatching is on the side away from what is nearest of `places`."""
    stroke = next(strokes(plate, view, name))
    strip = edge_strip(plate, view, places)
    if strip is None:
        return stroke
    svg = f'<path class="hatching" {hatch(name)} d="{polygon(strip)}"/>'
    svg += f'<path class="edge" d="{polyline(strip[:2])}"/>'
    return Stroke(stroke.depth, svg, discs=points(strip))


def edge_strip(plate: Polyline, view: Camera, places: Array) -> list[Array] | None:
    """Where a plate that is seen edge-on is hatched: its two ends, then back; none of another."""
    a, b, c = plate.points[:3]
    normal = np.cross(b - a, c - b)
    if abs(normal @ view.reader) > _EDGE_ON * float(np.linalg.norm(normal)):
        return None
    corners = view.at(np.array(plate.points))
    middle = corners.mean(axis=0)
    along, across = np.linalg.svd(corners - middle)[2]
    reach = float(np.abs((corners - middle) @ along).max()) * along
    on_page = view.at(places)
    off = on_page[np.abs((on_page - middle) @ across) > _ON * np.linalg.norm(reach)]
    nearest = min(off, key=lambda place: float(np.hypot(*(place - middle))), default=middle)
    deep = THICKNESS * (across if across @ (middle - nearest) > 0 else -across)
    ends = [middle - reach, middle + reach]
    return [*ends, ends[1] + deep, ends[0] + deep]


def pattern(name: str) -> str:
    """The definition of the hatching."""
    return (
        f'<pattern id="{name}" width="6" height="6" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><rect class="paper" width="6" height="6"/>'
        '<line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern>'
    )


# --- pages --------------------------------------------------------------------------------------


def prefix(*values: object) -> str:
    """A prefix for the names of one document alone: several may be in one page."""
    return "d" + blake2b(repr(values).encode(), digest_size=4).hexdigest()


def bounds(discs: Iterable[Disc], room: float = 0.0) -> Rectangle:
    """Left, top, right and bottom of everything."""
    places = np.array(list(discs) or [(0.0, 0.0, 1.0)])
    left, top = (places[:, :2] - places[:, 2:]).min(axis=0) - room
    right, bottom = (places[:, :2] + places[:, 2:]).max(axis=0) + room
    return float(left), float(top), float(right), float(bottom)


def fitted(view: Camera, covered: Callable[[Camera], Iterable[Disc]], room: Array) -> Camera:
    """The camera with the scale at which everything fills a room (width, height)."""
    left, top, right, bottom = bounds(covered(replace(view, scale=_FINE)))
    size = np.maximum([right - left, bottom - top], 1e-9)
    return replace(view, scale=_FINE * float(np.min(room / size)))


# --- pieces of SVG ------------------------------------------------------------------------------


def polyline(places: Iterable[Array]) -> str:
    """An open outline."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def polygon(places: Iterable[Array]) -> str:
    """A closed outline."""
    return polyline(places) + "Z"


def points(places: Iterable[Array]) -> tuple[Disc, ...]:
    """Places as small discs."""
    return tuple((float(x), float(y), 1.0) for x, y in places)


def hatch(name: str) -> str:
    """The hatching of the document to which the gradient `name` belongs."""
    return _fill(f"{name.split('-')[0]}-hatch")


def _fill(name: str) -> str:
    return f'fill="url(#{name})"'


def _disc(centre: Array, r: float, name: str) -> str:
    x, y = centre
    return f'<circle class="line" cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" {_fill(name)}/>'


def _across(along: Array) -> Array:
    """The unit vector normal to a direction of the page, towards the light."""
    size = float(np.hypot(*along))
    normal = np.array([-along[1], along[0]]) / size if size > 1e-9 else _FROM
    return normal if normal @ _FROM >= 0 else -normal


def _gradient(name: str, style: str, centre: Array, across: Array, radius: float) -> str:
    (x1, y1), (x2, y2) = centre + radius * across, centre - radius * across
    return (
        f'<linearGradient id="{name}" gradientUnits="userSpaceOnUse" '
        f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}">'
        f'<stop class="{style}-b" offset="0"/><stop class="{style}-a" offset="0.3"/>'
        f'<stop class="{style}-b" offset="1"/></linearGradient>'
    )


def _arrowhead(places: Sequence[Array], size: float, style: str) -> str:
    tip, before = places[-1], places[-2]
    length = float(np.hypot(*(tip - before)))
    if length < 1e-6:
        return ""
    along = (tip - before) / length
    normal = np.array([-along[1], along[0]])
    foot = tip - 0.3 * size * along
    corners = [tip + 0.7 * size * along, foot + 0.35 * size * normal, foot - 0.35 * size * normal]
    return f'<path class="{style}-head" d="{polygon(corners)}"/>'
