"""Names on a sheet: of joints beside them, of contacts, of bodies beside their levers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from torseur.report.schemes.bodies import places
from torseur.report.schemes.joints import JointDrawing
from torseur.report.schemes.lines import Mark, SchemeName, SchemeStroke
from torseur.report.schemes.outlines import solid_lines
from torseur.report.schemes.sheet import Sheet
from torseur.report.schemes.touching import touches

Array = np.ndarray
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
