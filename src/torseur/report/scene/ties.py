"""Ties between bodies: springs, dampers and other forces along a line, rods, links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO
from torseur.algebra.core.graph import free_symbols
from torseur.model.constraints.contact import Contact, GapContact
from torseur.model.description import Joint
from torseur.model.forces.joint import Brake
from torseur.model.forces.protocol import ends_of
from torseur.model.joints.freedoms import Slide, common_axis, only
from torseur.model.joints.symbol import Plate, freedoms_of
from torseur.report.scene.camera import Camera
from torseur.report.scene.geometry import SceneGeometry
from torseur.report.scene.scene_solids import CylinderPart, Polyline, Size, Solid

Array = np.ndarray
_COILS = 9


@final
@dataclass(frozen=True)
class Tie:
    """A line between points of two bodies: a spring, a damper, a rod, a link."""

    name: str
    style: str
    ends: tuple[tuple[str, Array], tuple[str, Array]]
    shift: float = 0.0  # beside others that have the same ends, in widths


@final
@dataclass(frozen=True)
class TieLine:
    """A tie in the ground, from a to b."""

    a: Array
    b: Array
    style: str
    width: float
    shift: float = 0.0  # to the side, in widths


def ties(geometry: SceneGeometry) -> list[Tie]:
    """Ties with ties between the same two places shifted beside each other."""
    groups: dict[Any, list[Tie]] = {}
    for tie in (*pulled(geometry), *_linked(geometry), *_hung(geometry)):
        key = tuple((body, *np.round(place, 9)) for body, place in tie.ends)
        groups.setdefault(key, []).append(tie)
    return [
        replace(tie, shift=k - (len(group) - 1) / 2)
        for group in groups.values()
        for k, tie in enumerate(group)
    ]


def strands(style: str) -> Sequence[Sequence[tuple[float, float]]]:
    """The broken lines of a style: how far along, and how far to the side in widths."""
    if style == "spring":
        places = range(1, 2 * _COILS)
        coils = [(0.14 + 0.36 * k / _COILS, 1.0 if k % 2 else -1.0) for k in places]
        return [[(0, 0), (0.14, 0), *coils, (0.86, 0), (1, 0)]]
    if style == "damper":
        cup = [(0.68, 0.8), (0.35, 0.8), (0.35, -0.8), (0.68, -0.8)]
        return [[(0, 0), (0.35, 0)], cup, [(0.55, 0.6), (0.55, -0.6)], [(0.55, 0), (1, 0)]]
    return [[(0, 0), (1, 0)]]


def strands_on_page(
    line: TieLine, view: Camera, width: float | None = None, beside: float = 2.6
) -> list[Array]:
    """The broken lines of a spring, a damper or a rod as they are seen, each (n, 2).

    A width on the page may be given; `beside` others they stand so many widths apart.
    """
    a, b = view.at(line.a), view.at(line.b)
    along, width = b - a, view.scale * line.width if width is None else width
    normal = np.array([-along[1], along[0]]) / (float(np.hypot(*along)) or 1e-9)
    shift = beside * line.shift
    return [
        np.array([a + s * along + (n + shift) * width * normal for s, n in one])
        for one in strands(line.style)
    ]


def pulled(geometry: SceneGeometry) -> Iterator[Tie]:
    """The lines along which forces act between two points."""
    for load in geometry.mechanism.loads.values():
        ends = [(end.body, geometry.numbers(end.point)) for end in ends_of(load)]
        style = load.names[0] if load.names[0] in ("spring", "damper") else "rod"
        yield from (Tie(load.name, style, pair) for pair in pairwise(ends))


def _linked(geometry: SceneGeometry) -> Iterator[Tie]:
    """The joints that are drawn as a line."""
    for joint in geometry.numeric.joints.values():
        style = joint.kind.symbol.line
        if style:
            ends = (joint.first, joint.X_AF.p), (joint.second, joint.X_BM.p)
            yield Tie(joint.name, style, ends)


def _hung(geometry: SceneGeometry) -> Iterator[Tie]:
    """The strands of ropes that hang from a drum."""
    for joint in (joint for pair in strands_of_ropes(geometry) for joint in pair):
        ends = (joint.first, joint.X_AF.p), (joint.second, joint.X_BM.p)
        yield Tie(f"{joint.name}: rope", "rod", ends)


# --- drums and discs that laws of friction tell of: of brakes, of round contacts, of ropes --------

_THIN = 0.2  # half of the height of a disc, in radii
_ARC = 25  # points of a rope about a drum
_PARALLEL = 1e-6


def drum_parts(geometry: SceneGeometry, size: Size) -> Iterator[tuple[str, Solid]]:
    """Drums and discs in the frames of their bodies; a fixed drum has its rope about it."""
    for load in geometry.mechanism.loads.values():
        if isinstance(load, Brake) and load.radius is not ONE:
            joint, radius = geometry.numeric.joints[load.joint], _number(geometry, load.radius)
            axis = common_axis(freedoms_of(joint.kind))
            if axis is not None:
                direction = joint.X_BM.R.matrix[:, axis]
                yield joint.second, CylinderPart(joint.X_BM.p, direction, radius, 0.6 * size.half)
    for contact in geometry.mechanism.contacts.values():
        if isinstance(contact, Contact) and contact.patch is not None:
            yield contact.second, _disc(geometry, contact)
    for first, second in strands_of_ropes(geometry):
        yield from _drum(first, second, size)


def strands_of_ropes(geometry: SceneGeometry) -> Iterator[tuple[Joint, Joint]]:
    """The slides along which the two ends of a rope about a drum go, side by side."""
    slides = {
        joint.coordinates[0]: joint
        for joint in geometry.numeric.joints.values()
        if isinstance(only(freedoms_of(joint.kind)), Slide)
    }
    for rope in geometry.mechanism.contacts.values():
        if isinstance(rope, GapContact) and rope.friction and rope.friction.wrap is not ZERO:
            named = sorted(x.name for x in free_symbols([rope.gap]))
            pair = [slides[name] for name in named if name in slides]
            if len(pair) == 2 and pair[0].first == pair[1].first and _beside(*pair):
                yield pair[0], pair[1]


def _number(geometry: SceneGeometry, x: object) -> float:
    return float(geometry.numbers(x))


def _disc(geometry: SceneGeometry, contact: Contact) -> CylinderPart:
    """The round surface of a contact, as a disc that stands on it."""
    assert contact.patch is not None, "asked of contacts that have one"
    plates = contact.kind.symbol.first
    normal = next((x.normal for x in plates if isinstance(x, Plate)), 2)
    X, radius = geometry.pose(contact.X_BM), _number(geometry, contact.patch.radius)
    axis, half = X.R.matrix[:, normal], _THIN * radius
    return CylinderPart(X.p + half * axis, axis, radius, half)


def _along(joint: Joint) -> Array:
    slide = only(freedoms_of(joint.kind))
    assert isinstance(slide, Slide), "a joint of one slide"
    return np.asarray(joint.X_AF.R.matrix[:, slide.axis])


def _beside(first: Joint, second: Joint) -> bool:
    """Whether two slides are parallel and apart."""
    along, away = _along(first), second.X_AF.p - first.X_AF.p
    apart = float(np.linalg.norm(np.cross(along, away)))
    return float(np.linalg.norm(np.cross(along, _along(second)))) < _PARALLEL and apart > _PARALLEL


def _drum(first: Joint, second: Joint, size: Size) -> Iterator[tuple[str, Solid]]:
    """The drum between two strands, and the rope over it."""
    p, along = first.X_AF.p, _along(first)
    away = second.X_AF.p - p
    across = away - (away @ along) * along
    radius, side = float(np.linalg.norm(across)) / 2, across / np.linalg.norm(across)
    middle = p + across / 2
    axis = np.cross(along, side)
    yield (
        first.first,
        CylinderPart(middle, axis, radius, 0.6 * size.half, "ground", -0.5 * size.unit),
    )
    arc = (np.cos(t) * side + np.sin(t) * along for t in np.linspace(-np.pi, 0, _ARC))
    points = tuple(middle + radius * x for x in arc)
    yield first.first, Polyline(points, "belt", 0.1 * size.unit)
