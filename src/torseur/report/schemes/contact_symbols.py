"""Contacts on a sheet: planes and surfaces, and what touches them or rolls on them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.model.constraints.selection import between_frames
from torseur.model.description import GROUND
from torseur.model.joints.mesh_points import MeshPoint
from torseur.report.scene.shape_solids import convex
from torseur.report.schemes.body_lines import TouchSymbol, hatched, touches
from torseur.report.schemes.lines import SchemeStroke
from torseur.report.schemes.scheme_sheet import Sheet
from torseur.report.schemes.symbol_outlines import closed, ring, solid_lines

Array = np.ndarray
_EDGE = 0.05  # sine: a plane that is seen from its edge
_BEYOND = 3.0  # of a plane beside what touches it, in radii of symbols
_AROUND = ((0, 0), (1, 0), (1, 1), (0, 1))  # the corners of a plane
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
    corners = np.array([feet[0] + spans[0][i] + spans[1][j] for i, j in _AROUND])
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
