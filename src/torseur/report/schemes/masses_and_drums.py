"""Balls at the ends of arms, drums with their ropes, brake shoes and bevel wheels on a sheet."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.algebra.core.graph import free_symbols
from torseur.model.constraints.contact import GapContact
from torseur.model.description import GROUND
from torseur.model.forces.joint import Brake
from torseur.model.joints.freedoms import common_axis
from torseur.model.joints.symbol import freedoms_of
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
_SMALL = 0.1  # of its arm: the radius of gyration of a body that is a ball
_PAD = np.radians(np.linspace(-22, 22, 15))[:, None]  # of a shoe about its middle
_THICK = 0.14  # a shoe, in radii of its drum
_FLAT = 0.25  # the depth of a bevel wheel, of the way to the apex


def balls(sheet: Sheet, drawn: list[JointDrawing]) -> Iterator[SchemeStroke]:
    """A ball where the mass of an arm is: at its centre of mass, if its inertia there is small."""
    for body, points in places(sheet, drawn).items():
        described = sheet.geometry.numeric.bodies[body]
        mass = float(described.mass)
        if mass <= 0 or body in sheet.solids:
            continue
        centre = sheet.poses[body].point(np.array(described.centre, dtype=float))
        joined = [x for one in drawn if one.joins(body) for x in one.ends(body)]
        arm = max((float(np.linalg.norm(centre - x)) for x in joined), default=0.0)
        inertia = np.linalg.eigvalsh(np.array(described.inertia, dtype=float))[-1]
        apart = all(not sheet.is_near(centre, x, within=2.0) for x in joined)
        if joined and apart and (max(inertia, 0.0) / mass) ** 0.5 <= _SMALL * arm and points:
            turn = np.hstack([np.cos(_TURN), np.sin(_TURN)])
            rim = sheet.camera.at(centre) + _BALL * sheet.px * turn
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
    """The shoe of each brake, on its drum and carried by the body that presses it, or the ground."""
    for load in sheet.geometry.mechanism.loads.values():
        if not isinstance(load, Brake):
            continue
        joint = sheet.geometry.numeric.joints[load.joint]
        index = common_axis(freedoms_of(joint.kind))
        radius = float(sheet.geometry.numbers(load.radius))
        if index is None or radius <= 0:
            continue
        X = sheet.poses[joint.second] @ joint.X_BM
        centre, axis = X.p, X.R.matrix[:, index]
        presser = _presser(sheet, load)
        foot = _nearest(sheet, drawn, presser, centre) if presser else None
        up = sheet.camera.top if foot is None else foot - centre
        out = up - (up @ axis) * axis
        out = out / (float(np.linalg.norm(out)) or 1.0)
        yield from _shoe(sheet, centre, axis, out, radius, presser, foot)


def _shoe(
    sheet: Sheet, centre: Array, axis: Array, out: Array, radius: float, body: str,
    foot: Array | None,
) -> Iterator[SchemeStroke]:  # fmt: skip
    """A pad on the rim, and the line by which it is held."""
    across = np.cross(axis, out)
    inner = centre + radius * (np.cos(_PAD) * out + np.sin(_PAD) * across)
    outer = centre + (1 + _THICK) * (inner - centre)
    pad = sheet.camera.at(np.concatenate([inner, outer[::-1]]))
    colour = sheet.colour(body) if body else 0
    yield SchemeStroke(closed(pad), colour, closed=True)
    back = centre + (1 + _THICK) * radius * out
    if foot is not None:
        yield SchemeStroke(sheet.camera.at(np.array([back, foot])), colour)
        return
    end = back + 1.6 * sheet.radius * out
    half = 1.2 * sheet.radius * across
    a, b, away = sheet.camera.at(np.array([end - half, end + half, end + out]))
    yield SchemeStroke(sheet.camera.at(np.array([back, end])), 0)
    side = away - (a + b) / 2
    yield from hatched(a, b, side / (float(np.hypot(*side)) or 1.0))


def _presser(sheet: Sheet, load: Brake) -> str:
    """The body that a reaction in the load of a brake presses; "" if there is none."""
    mechanism = sheet.geometry.mechanism
    named = {x.name.partition("_")[2] for x in free_symbols([load.load])}
    for name, contact in mechanism.contacts.items():
        if name in named and isinstance(contact, GapContact):
            moving = {x.name for x in free_symbols([contact.gap])}
            for joint in mechanism.joints.values():
                if moving & set(joint.coordinates) and joint.second != GROUND:
                    return joint.second
    return ""


def _nearest(
    sheet: Sheet, drawn: list[JointDrawing], body: str, centre: Array
) -> Array | None:
    """The place of the lever of a body that is nearest to the axis of a drum."""
    first, *others = places(sheet, drawn)[body]
    best = None
    for other in others:
        way = other - first
        share = float(np.clip((centre - first) @ way / (way @ way), 0.0, 1.0))
        point = first + share * way
        if best is None or np.linalg.norm(point - centre) < np.linalg.norm(best - centre):
            best = point
    return best


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
