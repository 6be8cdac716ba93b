"""Gears, racks and belts on a sheet: pitch circles and lines, pulleys."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.model.description import GROUND
from torseur.report.scene.solids import Polyline
from torseur.report.scene.wheels import Wheel, belt_parts, gear_pairs
from torseur.report.schemes.bodies import hatched
from torseur.report.schemes.lines import SchemeStroke
from torseur.report.schemes.sheet import Sheet
from torseur.report.schemes.symbols import closed, ring

_TURN = np.linspace(0, 2 * np.pi, 73)[:, None]


def gear_lines(sheet: Sheet) -> Iterator[SchemeStroke]:
    """The pitch circles of gears and the pitch lines of racks, dashed."""
    known: set[tuple[str, float, bool]] = set()
    for pair in gear_pairs(sheet.pose):
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
