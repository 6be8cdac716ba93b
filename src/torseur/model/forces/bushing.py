"""Bushings: elastic links of two frames, with a law for the six coordinates between them."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import expression, symbol
from torseur.algebra.core.graph import substitute
from torseur.errors import ModelError
from torseur.model.forces.protocol import (
    Action,
    Array,
    Attachment,
    Effect,
    Force,
    Key,
    Kind,
    Places,
    no_six_tensor,
    no_vector,
    place_of,
)
from torseur.spatial.rotation import IDENTITY, Rotation

Ends = tuple[Attachment, Attachment]
NAMES = ("dx", "dy", "dz", "rx", "ry", "rz")  # distances, then angles
COORDINATES = tuple(symbol(name, "input") for name in NAMES)
RATES = tuple(symbol(f"{name}.", "input") for name in NAMES)
_UNITS = ("m",) * 3 + ("rad",) * 3
_LOCAL = (
    *zip(NAMES, COORDINATES, _UNITS, strict=True),
    *((f"{name}.", x, f"{unit}/s") for name, x, unit in zip(NAMES, RATES, _UNITS, strict=True)),
)


@final
@dataclass(frozen=True)
class Between:
    """The frame of the second end between from the first: position, Cardan angles, their rates.

    The rotation is that by rx about x, then by ry about the new y, then by rz about the new z.
    """

    places: Places
    ends: Ends
    rest: Rotation  # of the second body in the first, where all angles are zero

    @cached_property
    def distances(self) -> Array:
        """The second end from the first, in axes of the first body [m]."""
        first, second = self.ends
        apart = self.places.position(second) - self.places.position(first)
        return np.asarray(self.places.rotation(first.body).into(apart))

    @property
    def opposite(self) -> Attachment:
        """The point of the first body where the second end is."""
        first, _ = self.ends
        return Attachment(first.body, first.point + self.distances)

    @cached_property
    def _R(self) -> Array:
        first, second = self.ends
        turned = self.places.rotation(first.body).inverse @ self.places.rotation(second.body)
        return np.asarray((turned @ self.rest.inverse).matrix, dtype=object)

    @cached_property
    def _cosine(self) -> Any:
        """cos ry, positive: the angles are unique while ry stays below 90 degrees."""
        return expression(self._R[0, 0] ** 2 + self._R[0, 1] ** 2).sqrt()

    @property
    def angles(self) -> Array:
        """rx, ry, rz [rad]."""
        R = [[expression(x) for x in row] for row in self._R]
        rx, rz = (-R[1][2]).arctan2(R[2][2]), (-R[0][1]).arctan2(R[0][0])
        return np.array([rx, R[0][2].arctan2(self._cosine), rz], dtype=object)

    @cached_property
    def _angle_rates(self) -> Array:
        """E⁻¹, which makes rates of the angles from an angular velocity in the first axes."""
        c2, s2 = self._cosine, self._R[0, 2]
        c1, s1 = self._R[2, 2] / c2, -self._R[1, 2] / c2
        rows = [[1, s1 * s2 / c2, -c1 * s2 / c2], [0, c1, s1], [0, -s1 / c2, c1 / c2]]
        return np.array(rows, dtype=object)

    @property
    def rates(self) -> Array:
        """Rates of the distances and of the angles."""
        first, second = self.ends
        into = self.places.rotation(first.body).into
        linear = into(self.places.velocity(second) - self.places.velocity(self.opposite))
        w_first, _ = self.places.twist(first)
        w_second, _ = self.places.twist(second)
        angular = into(self.places.rotation(second.body).out(w_second)) - w_first
        return np.concatenate([linear, self._angle_rates @ angular])

    def couple(self, moments: Array) -> Array:
        """The couple on the second body, in axes of the first, whose power is moments · rates."""
        return np.asarray(self._angle_rates.T @ moments)


@final
@dataclass(frozen=True)
class Bushing(Force):
    """A wrench −K ξ − D ξ̇ + law(ξ, ξ̇) between two frames, ξ their distances and Cardan angles.

    K ξ has the potential ½ ξᵀ K ξ, exactly, at angles of any size: moments along the angles become
    the couple that has their power. Forces and reactions act at the same point of space.
    """

    name: str
    between: Ends
    stiffness: Array = field(default_factory=no_six_tensor)  # K, symmetric
    damping: Array = field(default_factory=no_six_tensor)  # D
    rotation: Rotation = IDENTITY  # of the second body in the first at rest
    force: Array = field(default_factory=no_vector)  # on the second body [N]
    couple: Array = field(default_factory=no_vector)  # along the angles [N m]
    place: str = ""

    names = ("bushing", "elastic joint", "liaison élastique", "silentbloc")
    keys = (
        Key("between", Kind.ENDS, "[[ground, [0, 0, 0]], [engine, [0, 0, 0]]]"),
        Key("stiffness", Kind.SIX_TENSOR, unit="N/m N.m/rad N"),
        Key("damping", Kind.SIX_TENSOR, unit="N.s/m N.m.s/rad N.s"),
        Key("rotation", Kind.ROTATION),
        Key("force", Kind.VECTOR, local=_LOCAL, unit="N"),
        Key("couple", Kind.VECTOR, local=_LOCAL, unit="N.m"),
    )

    def __post_init__(self) -> None:
        if any(self.stiffness[i, j] != self.stiffness[j, i] for i in range(6) for j in range(i)):
            problem = "the stiffness is not symmetric: it would have no potential."
            advice = 'Write the other part into "force" and "couple", with dx, dy, dz, rx, ry, rz.'
            raise ModelError(place_of(self), problem, advice)

    def effect(self, places: Places) -> Effect:
        between = Between(places, self.between, self.rotation)
        at, rates = np.concatenate([between.distances, between.angles]), between.rates
        known = dict(zip((*COORDINATES, *RATES), (*at, *rates), strict=True))
        law = substitute(np.concatenate([self.force, self.couple]), known)
        efforts = law - self.stiffness @ at - self.damping @ rates
        out = places.rotation(self.between[0].body).out
        force, couple = out(efforts[:3]), out(between.couple(efforts[3:]))
        return Effect(
            (Action(self.between[1], force, couple), Action(between.opposite, -force, -couple)),
            potential=at @ self.stiffness @ at / 2,
        )
