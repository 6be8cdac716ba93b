"""Balls at the ends of arms, drums with their ropes, brake shoes and bevel wheels on a sheet."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.model.description import GROUND
from torseur.report.scene.arms_and_shoes import arm_mass, brake_shoes
from torseur.report.scene.scene_solids import Polyline
from torseur.report.scene.ties import drum_parts
from torseur.report.scene.wheels import Wheel, gear_pairs, is_bevel
from torseur.report.schemes.body_lines import hatched, places
from torseur.report.schemes.joint_symbols import JointDrawing
from torseur.report.schemes.lines import SchemeStroke
from torseur.report.schemes.scheme_sheet import Sheet
from torseur.report.schemes.symbol_outlines import closed, solid_lines

Array = np.ndarray
_TURN = np.linspace(0, 2 * np.pi, 33)[:, None]
_BALL = 0.75  # its radius, in those of symbols
_FLAT = 0.25  # the depth of a bevel wheel, of the way to the apex


def balls(sheet: Sheet, drawn: list[JointDrawing]) -> Iterator[SchemeStroke]:
    """A ball where the mass of an arm is: at its centre of mass, if its inertia there is small."""
    for body in places(sheet, drawn):
        inverse = sheet.poses[body].inverse
        joined = [inverse.point(x) for one in drawn if one.joins(body) for x in one.ends(body)]
        centre = arm_mass(sheet.geometry.numeric.bodies[body], joined)
        if centre is None or body in sheet.solids:
            continue
        at = sheet.poses[body].point(centre)
        if not any(sheet.is_near(centre, x, within=2.0) for x in joined):
            turn = np.hstack([np.cos(_TURN), np.sin(_TURN)])
            rim = sheet.camera.at(at) + _BALL * sheet.px * turn
            yield SchemeStroke(rim, sheet.colour(body), closed=True)


def drums(sheet: Sheet) -> Iterator[SchemeStroke]:
    """Drums of brakes, discs of clutches, and fixed drums with the rope over them."""
    for body, part in drum_parts(sheet.geometry, sheet.seen.size):
        placed = part.transformed(sheet.poses[body])
        if isinstance(placed, Polyline):
            yield SchemeStroke(sheet.camera.at(np.array(placed.points)), 0, style="thin")
            continue
        for line in solid_lines(sheet.camera, placed):
            yield SchemeStroke(line, sheet.colour(body))
        if body == GROUND:
            low = sheet.camera.at(placed.corners.mean(axis=0))
            half = np.array([1.6 * sheet.px, 0.0])
            yield from hatched(low - half, low + half, np.array([0.0, 1.0]))


def shoes(sheet: Sheet, drawn: list[JointDrawing]) -> Iterator[SchemeStroke]:
    """The shoe of each brake, on its drum and held by the body that presses it, or the ground."""
    lines = places(sheet, drawn)
    pads = brake_shoes(sheet.geometry, sheet.poses, lambda x: lines.get(x, ()), sheet.camera.top)
    for shoe in pads:
        inner, outer = shoe.rims
        pad = sheet.camera.at(np.concatenate([inner, outer[::-1]]))
        colour = sheet.colour(shoe.body) if shoe.body != GROUND else 0
        yield SchemeStroke(closed(pad), colour, closed=True)
        if shoe.foot is not None:
            yield SchemeStroke(sheet.camera.at(np.array([shoe.back, shoe.foot])), colour)
            continue
        end, across = shoe.back + 1.6 * sheet.radius * shoe.out, np.cross(shoe.axis, shoe.out)
        half = 1.2 * sheet.radius * across
        a, b, away = sheet.camera.at(np.array([end - half, end + half, end + shoe.out]))
        yield SchemeStroke(sheet.camera.at(np.array([shoe.back, end])), 0)
        side = away - (a + b) / 2
        yield from hatched(a, b, side / (float(np.hypot(*side)) or 1.0))


# --- bevel wheels ---------------------------------------------------------------------------------


def bevels(sheet: Sheet) -> Iterator[SchemeStroke]:
    """Each bevel wheel as its cone cut off, in the plane of the two axes."""
    known: set[tuple[str, float]] = set()
    for first, second in gear_pairs(sheet.pose):
        if not is_bevel(first, second):
            continue
        for wheel, other in ((first, second), (second, first)):
            key = wheel.body, round(wheel.radius, 9)
            if key not in known:
                known.add(key)
                yield SchemeStroke(
                    sheet.camera.at(_cone(wheel, other)), sheet.colour(wheel.body), closed=True
                )


def _cone(wheel: Wheel, other: Wheel) -> Array:
    """The outline of a wheel cut by the plane of the axes, from its pitch circle to the apex."""
    across = wheel.pitch - wheel.centre
    normal = np.cross(wheel.axis, other.axis)
    across = across - (across @ normal) * normal / (normal @ normal)
    across = wheel.radius * across / (float(np.linalg.norm(across)) or 1.0)
    way = other.centre - wheel.centre
    depth = float(way @ wheel.axis)
    inside = wheel.centre + _FLAT * depth * wheel.axis
    less = (1 - _FLAT) * across
    corners = [wheel.centre - across, wheel.centre + across, inside + less, inside - less]
    return closed(np.array(corners))
