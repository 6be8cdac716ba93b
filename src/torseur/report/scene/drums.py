"""Drums and discs that laws of friction tell of: of brakes, of round contacts, of ropes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO
from torseur.algebra.core.graph import free_symbols
from torseur.model.constraints.contact import Contact, GapContact
from torseur.model.description import Joint
from torseur.model.forces.joint import Brake
from torseur.model.joints.freedoms import Slide, common_axis, only
from torseur.model.joints.symbol import Plate, freedoms_of
from torseur.report.scene.geometry import SceneGeometry
from torseur.report.scene.scene_solids import CylinderPart, Polyline, Size, Solid

Array = np.ndarray
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
    for first, second in strands(geometry):
        yield from _drum(first, second, size)


def strands(geometry: SceneGeometry) -> Iterator[tuple[Joint, Joint]]:
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
