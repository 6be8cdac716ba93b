"""Where the symbols of joints are on a sheet, whose each part is, and their outlines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.model.description import GROUND
from torseur.model.joints.freedoms import Ball, Helix, Slide, slides
from torseur.model.joints.symbol import freedoms_of
from torseur.report.scene.scene import Site
from torseur.report.schemes.lines import Mark, SchemeName, SchemeStroke
from torseur.report.schemes.scheme_sheet import Sheet
from torseur.report.schemes.symbol_outlines import (
    LONG,
    RAIL,
    Cup,
    Outline,
    Scheme,
    SymbolHull,
    Trough,
    Wire,
    scheme_symbol,
    trough,
)
from torseur.spatial.hulls import outline as convex
from torseur.spatial.pose import Pose

Array = np.ndarray
_INNER, _OUTER = 0.75, 1.45  # the smallest of symbols at one place; each next one is larger
_BESIDE = 3.6  # a sleeve from a contact, in radii
_ALONG = 0.999  # cosine: an axis that is seen from its end


@final
@dataclass(frozen=True)
class JointDrawing:
    """The symbol of a joint: where it is, how large, and which body has its sleeve."""

    site: Site
    symbol: Scheme | None  # None: the norm has none
    F: Pose
    M: Pose
    at: Array  # of the symbol
    swapped: bool = False  # the second body has the sleeve, the first the rod
    factor: float = 1.0

    @property
    def name(self) -> str:
        return self.site.joint.name

    @property
    def is_visible(self) -> bool:
        """Whether there is something to see."""
        symbol = self.symbol
        return symbol is None or bool(symbol.first or symbol.second or symbol.second_behind)

    @property
    def is_line(self) -> bool:
        """Whether it is drawn as a line between F and M: a rod, or a place that is defined."""
        return not self.is_visible and self.site.symbol.line in ("rod", "link")

    @property
    def axis(self) -> Array | None:
        """The direction along which it slides alone, or with a turn about it."""
        along = _slide(self.site)
        return None if along is None else self.F.R.matrix[:, along]

    def joins(self, body: str) -> bool:
        """Whether a body is one of its two."""
        return body in (self.site.joint.first, self.site.joint.second)

    def ends(self, body: str) -> list[Array]:
        """Where a body must reach to be joined."""
        first = body == self.site.joint.first
        if self.is_line or not self.is_visible:
            return [self.F.p if first else self.M.p]
        if first:
            return [self.at]
        return [self.M.p] if np.allclose(self.M.p, self.at) else [self.M.p, self.at]


def arranged(sheet: Sheet) -> list[JointDrawing]:
    """The symbols of all joints; those at one place one within the other."""
    drawn = [_placed(sheet, site) for site in sheet.joined]
    groups: list[list[JointDrawing]] = []
    for one in sorted((x for x in drawn if x.is_visible), key=lambda x: x.axis is None):
        for group in groups:
            if sheet.is_near(group[0].at, one.at):
                group.append(one)
                break
        else:
            groups.append([one])
    sizes = {
        one.name: _INNER * _OUTER ** (len(group) - 1 - k) if len(group) > 1 else 1.0
        for group in groups
        for k, one in enumerate(group)
    }
    return [replace(one, factor=sizes.get(one.name, 1.0)) for one in drawn]


def _slide(site: Site) -> int | None:
    """The axis of a joint that slides along one axis, turns at most about it, and has a rod."""
    freedoms = freedoms_of(site.joint.kind)
    symbol = scheme_symbol(freedoms or None)
    along = [x.axis for x in freedoms if isinstance(x, Slide | Helix)]
    return along[0] if symbol and symbol.second_behind and len(along) == 1 else None


def _placed(sheet: Sheet, site: Site) -> JointDrawing:
    F, M = sheet.frames(site)
    freedoms = getattr(site.joint.kind, "freedoms", None)
    symbol = scheme_symbol(freedoms)
    if symbol is None and site.symbol.line:
        symbol = scheme_symbol([Ball()]) if sheet.is_near(F.p, M.p) else Scheme()
    given = tuple(freedoms or ())
    normal = F.R.matrix[:, 3 - sum(slides(given))] if len(slides(given)) == 2 else None
    facing = normal is not None and abs(float(normal @ sheet.camera.reader)) > _ALONG
    if facing and sheet.is_plane and len(given) == 3:
        return JointDrawing(site, Scheme(), F, M, M.p)  # freedom in the plane of the page
    along = _slide(site)
    if along is None:
        free = [F.R.matrix[:, k] for k in slides(given)]
        return JointDrawing(site, symbol, F, M, F.p + sum(((M.p - F.p) @ e * e for e in free), 0.0))
    axis = F.R.matrix[:, along]
    foot = F.p + ((M.p - F.p) @ axis) * axis
    there = _crowd(sheet, site, site.joint.second, M.p)
    if not there:
        return JointDrawing(site, symbol, F, M, M.p)
    room, first = 2 * (LONG + 1) * sheet.radius, site.joint.first
    apart = first != GROUND and np.linalg.norm(foot - F.p) > room
    if apart and _crowd(sheet, site, first, F.p) and not _reaches(sheet, first, F.p):
        return JointDrawing(site, symbol, F, M, (F.p + foot) / 2)
    if all(len(freedoms_of(x.joint.kind)) == 1 for x in there):
        return JointDrawing(site, symbol, F, M, M.p, swapped=True)
    return JointDrawing(site, symbol, F, M, _beside(sheet, site, M.p, axis))


def _beside(sheet: Sheet, site_drawn: Site, at: Array, axis: Array) -> Array:
    """The place before or behind a contact that is farther from all other joints and contacts."""
    way = _BESIDE * sheet.radius * axis
    origins = [
        X.p for site in sheet.seen.sites if site is not site_drawn for X in sheet.frames(site)
    ]
    others = [p for p in origins if not sheet.is_near(p, at, LONG)]

    def room(place: Array) -> float:
        return min((float(np.linalg.norm(p - place)) for p in others), default=0.0)

    return max((at + way, at - way), key=room)


def _crowd(sheet: Sheet, site: Site, body: str, at: Array) -> list[Site]:
    """The other joints and contacts of a body that would be within a sleeve."""
    return [
        other
        for other in sheet.seen.sites
        if other is not site
        and other.joint.kind.nv not in (0, 6)
        and any(
            owner == body and sheet.is_near(X.p, at, LONG + 1)
            for owner, X in zip(
                (other.joint.first, other.joint.second), sheet.frames(other), strict=True
            )
        )
    ]


def _reaches(sheet: Sheet, body: str, at: Array) -> bool:
    """Whether a body is joined elsewhere: it is a rail, and no tube that ends in its sleeve."""
    frames = (
        (owner, X.p)
        for site in sheet.joined
        for owner, X in zip((site.joint.first, site.joint.second), sheet.frames(site), strict=True)
    )
    return any(owner == body and not sheet.is_near(p, at, LONG + 1) for owner, p in frames)


# --- on the page --------------------------------------------------------------------------------


def joint_marks(sheet: Sheet, drawn: list[JointDrawing]) -> Iterator[Mark]:
    """The symbols, the farthest first, and large ones before those within them."""
    for one in sorted(drawn, key=lambda x: (sheet.camera.depth(x.at), -x.factor)):
        yield from _marks(sheet, one)


def _marks(sheet: Sheet, one: JointDrawing) -> Iterator[Mark]:
    """The symbol of one joint, in the colours of its bodies."""
    joint, radius = one.site.joint, sheet.radius * one.site.size.factor * one.factor
    first, second = sheet.colour(joint.first), sheet.colour(joint.second)
    if one.symbol is None:
        yield from _framed(sheet, one, radius, first)
        return
    if one.swapped:
        first, second = second, first
    X_first, towards = Pose(one.at, one.F.R), _towards(sheet, one)
    X_second = X_first if one.symbol.second_behind else one.M
    for X, outlines, colour in (
        (X_second, one.symbol.second_behind, second),
        (X_first, one.symbol.first, first),
        (X_second, one.symbol.second, second),
    ):
        for outline in outlines:
            yield from _outline(sheet, X, outline, colour, radius, towards)


def _outline(
    sheet: Sheet, X: Pose, outline: Outline, colour: int, radius: float, towards: Array
) -> Iterator[SchemeStroke]:
    if isinstance(outline, Wire):
        points = sheet.camera.at(X.p + radius * outline.points @ X.R.matrix.T)
        yield SchemeStroke(points, colour, style=outline.style)
    elif isinstance(outline, SymbolHull):
        corners = sheet.camera.at(X.p + radius * outline.corners @ X.R.matrix.T)
        yield SchemeStroke(convex(corners), colour, closed=True)
        for edge, normal in zip(outline.edges, outline.normals, strict=True):
            if X.R.matrix @ normal @ sheet.camera.reader > 0.02:
                points = sheet.camera.at(X.p + radius * edge @ X.R.matrix.T)
                yield SchemeStroke(points, colour, style="thin")
    elif isinstance(outline, Trough):
        axis = X.R.matrix[:, outline.axis]
        across = towards - (towards @ axis) * axis
        if np.linalg.norm(across) < 1e-6 * np.linalg.norm(towards):
            across = X.R.matrix[:, (outline.axis + 1) % 3]
        for line in trough(axis, across / np.linalg.norm(across)):
            yield SchemeStroke(sheet.camera.at(X.p + radius * line), colour)
    else:
        yield _cup(sheet, X, outline, colour, radius, towards)


def _towards(sheet: Sheet, one: JointDrawing) -> Array:
    """From a joint to the rest of its second body, else away from its first one; or upwards."""
    for body, sign in ((one.site.joint.second, 1.0), (one.site.joint.first, -1.0)):
        ends = [sheet.poses[body].point(at) for at in sheet.seen.places[body]]
        if body != GROUND:
            ends.append(sheet.poses[body].point(sheet.geometry.numeric.bodies[body].centre))
        out = sign * (np.mean(ends, axis=0) - one.at)
        if np.linalg.norm(out) > 0.5 * sheet.radius and not (body == GROUND and len(ends) < 2):
            return np.asarray(out)
    return np.asarray(sheet.geometry.up)


def _cup(
    sheet: Sheet, X: Pose, cup: Cup, colour: int, radius: float, towards: Array
) -> SchemeStroke:
    """An arc on the page, open towards the other body."""
    centre = sheet.camera.at(X.p)
    out = sheet.camera.at(X.p + towards) - centre
    middle = np.arctan2(out[1], out[0])
    angles = middle + np.linspace(cup.opening, 2 * np.pi - cup.opening, 33)
    r = cup.radius * radius * sheet.camera.scale
    return SchemeStroke(centre + r * np.column_stack([np.cos(angles), np.sin(angles)]), colour)


def _framed(sheet: Sheet, one: JointDrawing, radius: float, colour: int) -> Iterator[Mark]:
    """A frame with the name of a joint for which there is no symbol."""
    x, y = sheet.camera.at(one.at)
    half, high = max(1.6 * radius * sheet.camera.scale, 5.0 * len(one.name) + 6), 11.0
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    yield SchemeStroke(np.array([x, y]) + [half, high] * corners, colour, closed=True)
    yield SchemeName((float(x), float(y)), one.name, colour)


def rail_ends(sheet: Sheet, one: JointDrawing) -> list[Array]:
    """Where the rail of a first body that has no sleeve is held."""
    axis = one.axis if one.axis is not None else np.zeros(3)
    reach = 0.85 * RAIL * sheet.radius * one.site.size.factor * one.factor
    return [one.at - reach * axis, one.at + reach * axis]
