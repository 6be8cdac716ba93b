"""Bodies on a sheet: levers between their joints, outlines of solids, the hatched ground."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.model.description import GROUND
from torseur.model.joints.rolling import ContactType
from torseur.model.joints.symbol import Plate
from torseur.report.scene.camera import level
from torseur.report.scene.scene import Site
from torseur.report.scene.ties import pulled, strands_on_page
from torseur.report.schemes.joint_symbols import JointDrawing, rail_ends
from torseur.report.schemes.lines import SchemeStroke
from torseur.report.schemes.scheme_sheet import Sheet
from torseur.report.schemes.symbol_outlines import closed, solid_lines
from torseur.spatial.hulls import outline
from torseur.spatial.pose import Pose

Array = np.ndarray
_HELD = ("spring", "damper")  # what the ground holds besides joints
_HATCH, _HATCHED = 9.0, 16.0  # between the lines that mark the ground, and half their length [px]
_BROAD = 0.15  # over its length: a body of several places that is a frame and no line
_ASIDE = 0.7  # cosine: a lever that leaves a place of the ground as its hatching would
_OUT = [np.array(way) for way in ((0.0, 1.0), (0.0, -1.0), (-1.0, 0.0), (1.0, 0.0))]


@final
@dataclass(frozen=True)
class Held:
    """A place of the ground that holds something, and the axis along which that slides."""

    at: Array
    axis: Array | None = None


def levers(sheet: Sheet, drawn: list[JointDrawing]) -> Iterator[SchemeStroke]:
    """The lines of each body: around its places, or from the one that carries it to the others."""
    for body, points in places(sheet, drawn).items():
        joined = sheet.distinct([x for one in drawn if one.joins(body) for x in one.ends(body)])
        framed = next((x for x in (points, joined) if _is_frame(sheet, x)), [])
        if framed:
            around = outline(sheet.camera.at(np.array(framed)))
            yield SchemeStroke(closed(around), sheet.colour(body))
        for end in points[1:]:
            if not any(sheet.is_near(end, corner) for corner in framed):
                yield SchemeStroke(sheet.camera.at(np.array([points[0], end])), sheet.colour(body))


def _is_frame(sheet: Sheet, corners: list[Array]) -> bool:
    """Whether places are the corners of a frame on the page: none inside, not on one line."""
    if len(corners) < 3:
        return False
    on_page = sheet.camera.at(np.array(corners))
    sizes = np.linalg.svd(on_page - on_page.mean(axis=0), compute_uv=False)
    return bool(sizes[1] > _BROAD * sizes[0]) and len(outline(on_page)) == len(corners)


def places(sheet: Sheet, drawn: list[JointDrawing]) -> dict[str, list[Array]]:
    """Where each body is joined, that of the joint that carries it first, and its named points.

    A body that ends at its joint and has no outline goes to its centre of mass.
    """
    carrying = {x.name: x.joint_name for x in sheet.geometry.structure.tree.links}
    by_body: dict[str, list[Array]] = {body: [] for body in carrying}
    for one in sorted(drawn, key=lambda x: x.name not in carrying.values()):
        for body in (one.site.joint.first, one.site.joint.second):
            if body != GROUND:
                first = 0 if carrying[body] == one.name else len(by_body[body])
                by_body[body][first:first] = one.ends(body)
    for touch in touches(sheet):
        for body in touch.ends:
            by_body[body].append(touch.at)
    for wheel in sheet.wheels:
        if wheel.body != GROUND and (not wheel.radius or sheet.is_axial):
            by_body[wheel.body].append(wheel.centre if wheel.radius else wheel.pitch)
    for point in sheet.geometry.mechanism.points.values():
        if point.body != GROUND and point.body not in sheet.solids:
            position = sheet.geometry.numbers(point.position)
            by_body[point.body].append(sheet.poses[point.body].point(position))
    for tie in pulled(sheet.geometry):
        for body, at in tie.ends:
            if body != GROUND:
                by_body[body].append(sheet.poses[body].point(at))
    for body, points in by_body.items():
        by_body[body] = sheet.distinct(points or [sheet.poses[body].p])
        if len(by_body[body]) == 1 and body not in sheet.solids:
            centre = sheet.geometry.numeric.bodies[body].centre
            by_body[body] = sheet.distinct([*by_body[body], sheet.poses[body].point(centre)])
    return by_body


# --- solids -------------------------------------------------------------------------------------


def outlines(sheet: Sheet) -> Iterator[SchemeStroke]:
    """The bodies that are drawn as they look, by thin lines."""
    for body, solids in sheet.solids.items():
        for part in solids:
            for line in solid_lines(sheet.camera, part):
                yield SchemeStroke(line, sheet.colour(body), style="thin")


# --- ties ---------------------------------------------------------------------------------------


def ties(sheet: Sheet) -> Iterator[SchemeStroke]:
    """Springs, dampers and rods between points; how a body that touches is placed is no rod."""
    touch = {site.joint.second for site in sheet.touching}
    lines = zip(sheet.seen.ties, sheet.seen.lines(sheet.pose), strict=True)
    for tie, line in lines:
        ends = sheet.camera.at(np.array([line.a, line.b]))
        placed = line.style == "link" and tie.ends[1][0] in touch
        colour = sheet.colour(tie.ends[1][0]) if line.style == "link" else 0
        if line.style != "free" and not placed and np.ptp(ends, 0).any():
            for strand in strands_on_page(line, sheet.camera, 7.0, 2.2):
                yield SchemeStroke(strand, colour, style="thin")


# --- the ground ---------------------------------------------------------------------------------


def grounded(sheet: Sheet, drawn: list[JointDrawing]) -> list[Held]:
    """The places of the ground by which it holds something, and the axes of what slides there."""
    supports: list[Held] = []
    touch = {site.joint.second for site in sheet.touching}
    for one in drawn:
        joint = one.site.joint
        if GROUND not in (joint.first, joint.second) or joint.kind.nv == 6:
            continue
        placed = one.site.symbol.line == "link" and joint.second in touch
        if placed or not (one.is_visible or one.is_line or joint.kind.nv == 0):
            continue
        if one.swapped and joint.first == GROUND:
            supports += [Held(end) for end in rail_ends(sheet, one)]
        elif one.is_visible:
            supports.append(Held(one.at, None if one.swapped else one.axis))
        else:
            supports.append(Held(one.F.p if joint.first == GROUND else one.M.p))
    ends = [end for tie in sheet.seen.ties if tie.style in _HELD for end in tie.ends]
    supports += [Held(at) for body, at in ends if body == GROUND]
    return [
        x
        for k, x in enumerate(supports)
        if not any(sheet.is_near(x.at, y.at) for y in supports[:k])
    ]


def ground(sheet: Sheet, drawn: list[JointDrawing]) -> Iterator[SchemeStroke]:
    """A hatched line under each place of the ground, or where nothing leaves it."""
    ways = [
        sheet.camera.at(np.array([start, end]))
        for start, *others in places(sheet, drawn).values()
        for end in others
    ]
    ways += [sheet.camera.at(np.array([x.a, x.b])) for x in sheet.seen.lines(sheet.pose)]
    for support in grounded(sheet, drawn):
        point = sheet.camera.at(support.at)
        leaving = [b - a for line in ways for a, b in (line, line[::-1]) if _meets(a, point)]
        if support.axis is not None:
            rod = sheet.camera.at(support.axis) - sheet.camera.at(np.zeros(3))
            leaving += [rod, -rod]
        sizes = [float(np.hypot(*way)) or 1.0 for way in leaving]
        free = (
            out
            for out in _OUT
            if not any(w @ out > _ASIDE * n for w, n in zip(leaving, sizes, strict=True))
        )
        out = next(free, _OUT[0])
        end, along = point + 2.6 * sheet.px * out, _HATCHED * np.array([out[1], -out[0]])
        yield SchemeStroke(np.array([point, end]), 0)
        yield from hatched(end - along, end + along, out)


def hatched(a: Array, b: Array, away: Array) -> Iterator[SchemeStroke]:
    """A line of the ground on the page from a to b, hatched `away` from what it holds."""
    yield SchemeStroke(np.array([a, b]), 0)
    length = float(np.hypot(*(b - a)))
    count = max(int(length // _HATCH), 1)
    along = (b - a) / (length or 1.0)
    for k in range(count + 1):
        start = a + along * length * (k + 0.5) / (count + 1)
        yield SchemeStroke(
            np.array([start, start + _HATCH * (away - along) / 1.2]), 0, style="thin"
        )


def _meets(a: Array, b: Array) -> bool:
    return float(np.hypot(*(a - b))) < 1.0


# --- where bodies touch on a sheet: the point, the normal, and what is touched --------------------


@final
@dataclass(frozen=True)
class TouchSymbol:
    """A contact at the pose of a sheet, in the ground."""

    site: Site
    at: Array  # the point of the second body that touches, or would
    foot: Array  # below it on the first body
    normal: Array  # from the first body to the second
    tangents: Array  # (2, 3)
    radius: float  # of what touches
    F: Pose
    M: Pose
    ends: tuple[str, ...]  # the bodies whose levers go there
    sized: bool  # it is no point that touches

    @property
    def on_plane(self) -> bool:
        """Whether what is touched is a plane."""
        return any(isinstance(part, Plate) for part in self.site.symbol.first)


def touches(sheet: Sheet) -> list[TouchSymbol]:
    """Every contact of a mechanism."""
    return [_touch(sheet, site) for site in sheet.touching]


def _touch(sheet: Sheet, site: Site) -> TouchSymbol:
    F, M = sheet.frames(site)
    X = F.inverse @ M
    described: Any = site.joint.kind
    kind: ContactType = described.numeric(lambda x: float(sheet.geometry.numbers(x)))
    R, p = X.R.matrix, X.p
    at = M.point(np.asarray(kind.touching(R, p), dtype=float))
    normal, *others = (F.R.matrix @ np.asarray(kind.frame(R, p), dtype=np.float64).T).T
    tangents = np.array(level(normal) if len(others) < 2 else others)
    foot = at - float(kind.gap(R, p)[0]) * normal
    radius = float(sheet.geometry.numbers(getattr(kind, "radius", None) or 0.0))
    second = site.joint.second
    sizes = [float(np.ptp(solid.corners, axis=0).max()) for _, solid in sheet.touched(site)]
    sized = max([radius, *sizes]) > 0
    bare = not sized and second != GROUND and second not in sheet.solids
    return TouchSymbol(
        site, at, foot, normal, tangents, radius, F, M, (second,) if bare else (), sized
    )
