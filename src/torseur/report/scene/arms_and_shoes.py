"""Masses at the ends of arms, and the shoes of brakes: what a description says without a shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.expr import ONE
from torseur.algebra.core.graph import free_symbols
from torseur.model.constraints.contact import GapContact
from torseur.model.description import GROUND, Body
from torseur.model.forces.joint import Brake
from torseur.model.joints.freedoms import common_axis
from torseur.model.joints.symbol import freedoms_of
from torseur.report.scene.geometry import SceneGeometry
from torseur.report.scene.scene_solids import MeshPart, strip
from torseur.spatial.pose import Pose

Array = np.ndarray
_SMALL = 0.1  # of its arm: the radius of gyration of a body that is a ball
_PAD = np.radians(np.linspace(-22, 22, 15))[:, None]  # of a shoe about its middle
THICK = 0.14  # a shoe, in radii of its drum


def arm_mass(body: Body, joined: Sequence[Array]) -> Array | None:
    """The centre of mass of a body that is a ball at the end of an arm; None for any other.

    The body has numbers; the places of its joints are in its frame, as the centre is.
    """
    mass, centre = float(np.asarray(body.mass, dtype=float)), np.array(body.centre, dtype=float)
    if mass <= 0 or not len(joined):
        return None
    ways = [float(np.linalg.norm(centre - x)) for x in joined]
    inertia = max(float(np.linalg.eigvalsh(np.array(body.inertia, dtype=float))[-1]), 0.0)
    is_ball = (inertia / mass) ** 0.5 <= _SMALL * max(ways) and min(ways) > _SMALL * max(ways)
    return centre if is_ball else None


@final
@dataclass(frozen=True)
class BrakeShoe:
    """A shoe on a drum, in the ground, and the place by which a body holds it."""

    body: str  # that presses it, or the ground
    centre: Array  # of the drum
    axis: Array
    out: Array  # from the axis to the middle of the shoe
    radius: float
    foot: Array | None

    @property
    def rims(self) -> tuple[Array, Array]:
        """The arc on the drum and the one behind it, point by point."""
        across = np.cross(self.axis, self.out)
        inner = self.centre + self.radius * (np.cos(_PAD) * self.out + np.sin(_PAD) * across)
        return inner, self.centre + (1 + THICK) * (inner - self.centre)

    @property
    def back(self) -> Array:
        """The middle of its back."""
        return self.centre + (1 + THICK) * self.radius * self.out

    def solid(self, half: float) -> MeshPart:
        """The shoe as a solid, so wide along the axis."""
        inner, outer = self.rims
        row = np.concatenate([inner, outer[::-1]])
        count, side = len(row), half * self.axis
        front, far = list(range(count)), list(range(count, 2 * count))
        faces = (tuple(far), tuple(front[::-1]), *strip(front, far))
        return MeshPart(np.concatenate([row - side, row + side]), faces, edges=True)


def brake_shoes(
    geometry: SceneGeometry,
    poses: Mapping[str, Pose],
    levers: Callable[[str], Sequence[Array]],
    up: Array,
) -> Iterator[BrakeShoe]:
    """The shoe of each brake on a drum; `levers` are the places of a body in the ground."""
    for load in geometry.mechanism.loads.values():
        if not isinstance(load, Brake):
            continue
        joint = geometry.numeric.joints[load.joint]
        index, radius = common_axis(freedoms_of(joint.kind)), float(geometry.numbers(load.radius))
        presser = _presser(geometry, load)
        if index is None or radius <= 0 or load.radius is ONE:  # on a coordinate, not on a drum
            continue
        X = poses[joint.second] @ geometry.pose(joint.X_BM)
        foot = None if presser == GROUND else _nearest(levers(presser), X.p)
        axis, way = X.R.matrix[:, index], up if foot is None else foot - X.p
        out = way - (way @ axis) * axis
        size = float(np.linalg.norm(out))
        if size > 0:
            yield BrakeShoe(presser, X.p, axis, out / size, radius, foot)


def _presser(geometry: SceneGeometry, load: Brake) -> str:
    """The body that presses a brake: that of a reaction in its load, else the ground."""
    mechanism = geometry.mechanism
    named = {x.name.partition("_")[2] for x in free_symbols([load.load])}
    for name, contact in mechanism.contacts.items():
        if name in named and isinstance(contact, GapContact):
            moving = {x.name for x in free_symbols([contact.gap])}
            for joint in mechanism.joints.values():
                if moving & set(joint.coordinates):
                    return joint.second
    return GROUND


def _nearest(places: Sequence[Array], centre: Array) -> Array | None:
    """The point of a lever that is nearest to the axis of a drum."""
    if not len(places):
        return None
    first, *others = places
    points = [first]
    for other in others:
        way = other - first
        share = float(np.clip((centre - first) @ way / (way @ way or 1.0), 0.0, 1.0))
        points.append(first + share * way)
    return min(points, key=lambda x: float(np.linalg.norm(x - centre)))
