"""The kinematic scheme of a mechanism: classes of bodies, levers and symbols of joints, named."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from torseur.errors import unknown
from torseur.model.constraints.selection import between_frames
from torseur.model.description import GROUND, Joint, Mechanism
from torseur.model.joints.freedoms import Slide, Turn
from torseur.model.joints.mesh_points import MeshPoint
from torseur.model.joints.symbol import freedoms_of
from torseur.report.drawing.labels import picture_place, write_picture
from torseur.report.scene.scene_solids import Polyline
from torseur.report.scene.shape_solids import convex
from torseur.report.scene.wheels import Wheel, belt_parts, gear_pairs, is_bevel
from torseur.report.schemes.body_lines import (
    TouchSymbol,
    ground,
    hatched,
    levers,
    outlines,
    places,
    ties,
    touches,
)
from torseur.report.schemes.joint_symbols import JointDrawing, arranged, joint_marks
from torseur.report.schemes.lines import PIXEL, Mark, SchemeName, SchemeStroke, extent, svg, tikz
from torseur.report.schemes.masses_and_drums import balls, bevels, drums, shoes
from torseur.report.schemes.scheme_sheet import Sheet
from torseur.report.schemes.symbol_outlines import LONG, closed, ring, solid_lines
from torseur.report.schemes.views import VIEWS
from torseur.spatial.rotation import rodrigues

Array = np.ndarray


def scheme(
    mechanism: Mechanism,
    path: str | os.PathLike[str],
    q: Mapping[str, float] | Sequence[float] | Array | None = None,
    parameters: Mapping[str, float] | None = None,
    *,
    view: str = "auto",
    names: bool = True,
) -> Path:
    """Write the normalised scheme of a mechanism (ISO 3952) as SVG, or as TikZ (.tex).

    `view`: a plane mechanism is seen in its plane and others in perspective; "plane" looks along
    the axis about which most bodies turn, "x", "y" or "z" along an axis of the ground. Bodies
    fixed to each other form one class and share a colour. Without `names` it suits an exam.
    """
    place = picture_place(path)
    if view not in VIEWS:
        raise unknown("view", "view", view, VIEWS)
    return write_picture(place, *_written(Sheet(mechanism, q, parameters, view), names))


def scheme_texts(mechanism: Mechanism) -> tuple[str, str]:
    """The scheme as an SVG document and as a TikZ picture."""
    written, picture, _ = _written(Sheet(mechanism, None, None, "auto"), True)
    return written, picture


def _written(sheet: Sheet, named: bool) -> tuple[str, str, Array]:
    """A sheet as SVG, as TikZ, and its size on paper [bp]."""
    drawn = scheme_marks(sheet, named)
    box = extent(drawn, 14.0)
    picture = tikz(drawn, box)
    return svg(drawn, box, sheet.geometry.mechanism.name), picture, PIXEL * (box[1] - box[0])


def scheme_marks(sheet: Sheet, named: bool) -> list[Mark]:
    """The ground, levers, what is tied, symbols, solids and what touches, then names."""
    drawn = arranged(sheet)
    lines: list[Mark] = [
        *ground(sheet, drawn),
        *levers(sheet, drawn),
        *ties(sheet),
        *gear_lines(sheet),
        *belt_lines(sheet),
        *stop_lines(sheet, drawn),
        *(bevels(sheet) if sheet.is_axial else ()),
        *drums(sheet),
        *shoes(sheet, drawn),
        *joint_marks(sheet, drawn),
        *balls(sheet, drawn),
        *outlines(sheet),
        *contact_lines(sheet),
    ]
    return [*lines, *name_marks(sheet, drawn, lines)] if named else lines


_TURN = np.linspace(0, 2 * np.pi, 73)[:, None]


def gear_lines(sheet: Sheet) -> Iterator[SchemeStroke]:
    """The pitch circles of gears and the pitch lines of racks, dashed."""
    known: set[tuple[str, float, bool]] = set()
    for pair in gear_pairs(sheet.pose):
        if sheet.is_axial and is_bevel(*pair):
            continue
        for wheel, other in (pair, pair[::-1]):
            key = wheel.body, round(wheel.radius, 9), wheel.hollow
            if key in known:
                continue
            known.add(key)
            out = wheel.pitch - wheel.centre
            line = wheel.centre + np.cos(_TURN) * out + np.sin(_TURN) * np.cross(wheel.axis, out)
            if not wheel.radius:
                line = wheel.pitch + np.outer((-1.0, 1.0), other.radius * wheel.axis)
            yield SchemeStroke(sheet.camera.at(line), sheet.colour(wheel.body), style="dashed")
            if wheel.body == GROUND:
                yield from _pivot(sheet, wheel)


def _pivot(sheet: Sheet, wheel: Wheel) -> Iterator[SchemeStroke]:
    """The ground that holds a ring, a sun or a rack, beyond its pitch point or below it."""
    if wheel.radius:
        top = sheet.camera.top - (sheet.camera.top @ wheel.axis) * wheel.axis
        top = top / (float(np.linalg.norm(top)) or 1.0)
        at, away = wheel.centre - wheel.radius * top, -top if wheel.hollow else top
        along = np.cross(wheel.axis, top)
    else:
        towards = wheel.pitch - wheel.centre if wheel.towards is None else wheel.towards
        at, away, along = wheel.pitch, -towards, wheel.axis
    half = 1.6 * sheet.radius * along
    a, b = sheet.camera.at(np.array([at - half, at + half]))
    side = sheet.camera.at(away) - sheet.camera.at(np.zeros(3))
    yield from hatched(a, b, side / (float(np.hypot(*side)) or 1.0))


def belt_lines(sheet: Sheet) -> Iterator[SchemeStroke]:
    """Pulleys, and the belts about them."""
    for body, parts in belt_parts(sheet.pose, sheet.seen.size):
        part = parts.transformed(sheet.poses[body])
        if isinstance(part, Polyline):
            yield SchemeStroke(sheet.camera.at(np.array(part.points)), 0, style="thin")
            continue
        across = np.linalg.svd(part.axis[np.newaxis])[2][1:]  # two directions of the wheel
        rim = part.centre + closed(ring(2, part.radius))[:, :2] @ across
        yield SchemeStroke(sheet.camera.at(rim), sheet.colour(body))


_REACH = (2.0, 3.6)  # from where to where a stop of a pivot reaches, in radii of symbols
_ACROSS = 1.3  # half a stop of a slide, in the same


def stop_lines(sheet: Sheet, drawn: list[JointDrawing]) -> Iterator[SchemeStroke]:
    """A thick line at each limit at which a pivot or a slide stops."""
    points = places(sheet, drawn)
    for one in drawn:
        joint, freedoms = one.site.joint, freedoms_of(one.site.joint.kind)
        if not isinstance(joint, Joint) or joint.stop is None or len(freedoms) != 1:
            continue
        X = one.F.inverse @ one.M
        now = float(joint.kind.read(X.R.matrix, X.p)[0])
        for limit in _limits(sheet, joint):
            match freedoms[0]:
                case Slide(axis):
                    ends = _of_slide(sheet, one, one.F.R.matrix[:, axis], limit - now)
                case Turn(axis):
                    start, *others = points.get(joint.second, [one.at])
                    arm = next((x - start for x in others), sheet.camera.right)
                    turned = rodrigues(one.F.R.matrix[:, axis], limit - now) @ arm
                    out = sheet.radius * turned / float(np.linalg.norm(arm))
                    ends = one.at + np.outer(_REACH, out)
                case _:
                    continue
            yield SchemeStroke(sheet.camera.at(ends), sheet.colour(joint.first), style="thick")


def _limits(sheet: Sheet, joint: Joint) -> tuple[float, ...]:
    described = sheet.geometry.mechanism.joints[joint.name]
    limits = sheet.geometry.limits(described.limits[0]) if described.limits else None
    return () if limits is None else limits


def _of_slide(sheet: Sheet, one: JointDrawing, axis: Array, way: float) -> Array:
    """Across the rail where the end of the sleeve would be, after so much of a way."""
    at = one.M.p + (way + float(np.copysign(LONG * sheet.radius, way))) * axis
    across = np.cross(axis, sheet.camera.reader)
    across = across / (float(np.linalg.norm(across)) or 1.0)
    return np.asarray(at + np.outer((-1.0, 1.0), _ACROSS * sheet.radius * across))


_AROUND = [np.array([np.cos(a), np.sin(a)]) for a in np.radians(range(0, 360, 30))]
_FAR = (20.0, 30.0, 42.0, 58.0)  # of names from what they name [px]


def name_marks(
    sheet: Sheet, drawn: list[JointDrawing], lines: Sequence[Mark]
) -> Iterator[SchemeName]:
    """Every name where there is room; bodies with the number of their class."""
    occupied = [p for mark in lines if isinstance(mark, SchemeStroke) for p in _covered(mark)]
    touching = {site.joint.second for site in sheet.touching}
    for one in drawn:
        placed = one.site.symbol.line == "link" and one.site.joint.second in touching
        if one.symbol and (one.is_visible or one.is_line) and not placed:  # else it is in its frame
            yield _placed(sheet.camera.at(one.at), one.name, 0, occupied)
    for touch in touches(sheet):
        yield _placed(sheet.camera.at(touch.foot), touch.site.joint.name, 0, occupied)
    for body, points in places(sheet, drawn).items():
        number = str(sheet.classes[body])
        text = body if body == number else f"{number} {body}"
        yield _placed(
            _middle(sheet, body, points), text, sheet.colour(body), occupied, upright=True
        )


def _middle(sheet: Sheet, body: str, points: list[Array]) -> Array:
    """The middle of the longest lever of a body on the page, or its centre.

    Where joints at one place are drawn apart, what they carry is away from its centre.
    """
    if body not in sheet.solids and len(points) > 1:
        far = max(points[1:], key=lambda end: float(np.linalg.norm(end - points[0])))
        return sheet.camera.at((points[0] + far) / 2)
    centre = sheet.geometry.numeric.bodies[body].centre
    at = sheet.camera.at(sheet.poses[body].point(centre))
    parts = sheet.solids.get(body, ())
    lines = [line for part in parts for line in solid_lines(sheet.camera, part)]
    if not lines:
        return at
    on_page = np.concatenate(lines)
    low, high = on_page.min(axis=0), on_page.max(axis=0)
    return at if (low <= at).all() and (at <= high).all() else np.asarray((low + high) / 2)


def _placed(
    at: Array, text: str, colour: int, occupied: list[Array], *, upright: bool = False
) -> SchemeName:
    """The freest place around a point; what it takes is added to what is `taken`."""
    half = np.array([4.6 * len(text) + 2, 9.0])
    known = np.array(occupied)
    choices = []
    for distance in _FAR:
        for way in _AROUND:
            place = at + (distance + half[0] * abs(way[0])) * way
            hit = np.all(np.abs(known - place) < half + 3, axis=1).sum()
            choices.append((3.0 * hit + 0.06 * distance, float(place[0]), float(place[1])))
    _, x, y = min(choices)
    columns = (-1, -0.5, 0, 0.5, 1)
    occupied += [np.array([x + s * half[0], y + t]) for s in columns for t in (-6, 6)]
    return SchemeName((x, y), text, colour, upright)


def _covered(mark: SchemeStroke) -> Iterator[Array]:
    """Points along a line; of an outline that hides what is behind it, also those within it."""
    yield from _dense(mark.points)
    if mark.closed:
        middle = mark.points.mean(axis=0)
        whole = np.concatenate([mark.points, mark.points[:1]])
        for share in (0.4, 0.8):
            yield from _dense(middle + share * (whole - middle))


def _dense(points: Array) -> Iterator[Array]:
    """Points along a broken line, close enough to hide no name."""
    for a, b in pairwise(points):
        steps = max(int(np.hypot(*(b - a)) // 8), 1)
        yield from (a + (b - a) * k / steps for k in range(steps))
    yield points[-1]


# --- contacts on a sheet: planes and surfaces, and what touches them or rolls on them -------------

_EDGE = 0.05  # sine: a plane that is seen from its edge
_BEYOND = 3.0  # of a plane beside what touches it, in radii of symbols
_AROUND_CONTACT = ((0, 0), (1, 0), (1, 1), (0, 1))  # the corners of a plane
_DOT = 0.28  # the radius of a point that touches, in the same


def contact_lines(sheet: Sheet) -> Iterator[SchemeStroke]:
    """Planes under all that touches them, surfaces, and what touches."""
    contacts = touches(sheet)
    groups: list[list[TouchSymbol]] = []
    for touch in (x for x in contacts if x.on_plane):
        for group in groups:
            if _same_plane(sheet, group[0], touch):
                group.append(touch)
                break
        else:
            groups.append([touch])
    for group in groups:
        yield from _plane(sheet, group)
    for touch in contacts:
        yield from _parts(sheet, touch)
    yield from _meshes(sheet)


def _same_plane(sheet: Sheet, one: TouchSymbol, other: TouchSymbol) -> bool:
    same = one.site.joint.first == other.site.joint.first
    level = abs(float((one.foot - other.foot) @ one.normal)) < 1e-6 * sheet.seen.size.unit
    return same and level and float(one.normal @ other.normal) > 1 - 1e-9


def _plane(sheet: Sheet, group: list[TouchSymbol]) -> Iterator[SchemeStroke]:
    """A plane as large as what touches it: a line from its edge, else its outline."""
    normal, body, camera = group[0].normal, group[0].site.joint.first, sheet.camera
    feet = np.array([touch.foot for touch in group])
    room = max(1.3 * max(x.radius for x in group), _BEYOND * sheet.radius)
    away = camera.at(-normal) - camera.at(np.zeros(3))
    if abs(float(normal @ camera.reader)) < _EDGE:
        along = np.cross(normal, camera.reader)
        a, b = _span(feet, along / np.linalg.norm(along), room)
        yield from _edge(sheet, a, b, away, body)
        return
    first, second = group[0].tangents
    spans = [_span(feet, e, room) - feet[0] for e in (first, second)]
    corners = np.array([feet[0] + spans[0][i] + spans[1][j] for i, j in _AROUND_CONTACT])
    yield SchemeStroke(camera.at(closed(corners)), sheet.colour(body), style="thin")
    if body == GROUND:
        sides = list(zip(corners, np.roll(corners, -1, axis=0), strict=True))
        a, b = max(sides, key=lambda side: float(camera.at(side[0] + side[1])[1]))
        yield from _edge(sheet, a, b, away, body)


def _span(feet: Array, along: Array, room: float) -> Array:
    """The ends of a line through the first foot that reaches `room` beyond all."""
    ends = np.array([(feet @ along).min() - room, (feet @ along).max() + room])
    return np.asarray(feet[0] + np.outer(ends - feet[0] @ along, along))


def _edge(sheet: Sheet, a: Array, b: Array, away: Array, body: str) -> Iterator[SchemeStroke]:
    """The line of a plane, hatched if it is the ground's."""
    first, last = sheet.camera.at(np.array([a, b]))
    if body != GROUND:
        yield SchemeStroke(np.array([first, last]), sheet.colour(body))
        return
    yield from hatched(first, last, away / (float(np.hypot(*away)) or 1.0))


def _parts(sheet: Sheet, touch: TouchSymbol) -> Iterator[SchemeStroke]:
    """Outlines of both touching shapes; a touching point is a dot."""
    if touch.sized:
        for body, solid in sheet.touched(touch.site):
            for line in solid_lines(sheet.camera, solid):
                yield SchemeStroke(line, sheet.colour(body))
        return
    dot = ring(2, _DOT * sheet.px)[:, :2]
    colour = sheet.colour(touch.site.joint.second)
    yield SchemeStroke(sheet.camera.at(touch.at) + dot, colour, closed=True)


def _meshes(sheet: Sheet) -> Iterator[SchemeStroke]:
    """Convex bodies that touch each other."""
    numeric = sheet.geometry.numeric
    for contact in between_frames(numeric.contacts.values()):
        if isinstance(contact.kind, MeshPoint):
            shape = contact.kind.shape
            for body, X, corners in (
                (contact.first, contact.X_AF, shape.first),
                (contact.second, contact.X_BM, shape.second),
            ):
                numbers = np.array([sheet.geometry.numbers(list(x)) for x in corners])
                solid = convex(numbers, "own").transformed(
                    sheet.poses[body] @ sheet.geometry.pose(X)
                )
                for line in solid_lines(sheet.camera, solid):
                    yield SchemeStroke(line, sheet.colour(body), style="thin")
