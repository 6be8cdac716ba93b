"""Forces on one body: a wrench at a point, the resistance of a viscous fluid, drag."""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from torseur.algebra.core.expr import Expr, number
from torseur.model.forces.protocol import (
    Action,
    Array,
    Attachment,
    Effect,
    Force,
    Key,
    Kind,
    Places,
    no_tensor,
    no_vector,
)

SMALL = number(1e-30)  # a speed [m/s] beside which all others are large: slopes exist at rest


@final
@dataclass(frozen=True)
class BodyLoad(Force):
    """A force and a couple applied at a point of a body, in ground axes or in body axes.

    In body axes it follows the body: a jet, a follower load.
    """

    name: str
    body: str
    point: Array = field(default_factory=no_vector)  # in the body [m]
    force: Array = field(default_factory=no_vector)  # [N]
    couple: Array = field(default_factory=no_vector)  # [N m]
    follows: bool = False  # True: components in body axes
    place: str = ""

    names = ("wrench", "torseur")
    keys = (
        Key("body", Kind.BODY, "rod"),
        Key("point", Kind.POINT),
        Key("force", Kind.VECTOR, unit="N"),
        Key("couple", Kind.VECTOR, unit="N.m"),
        Key("frame", Kind.AXES, of_class="follows"),
    )

    def effect(self, places: Places) -> Effect:
        at = Attachment(self.body, self.point)
        return Effect((Action(at, self.force, self.couple, self.follows),))


@final
@dataclass(frozen=True)
class Resistance(Force):
    """A force −R v and a couple −C ω, linear in the motion of the body, the fluid being at rest.

    R and C are tensors in body axes; v is the velocity of the point where the force acts. For a
    sphere in Stokes flow R = 6 π η a and C = 8 π η a³.
    """

    name: str
    body: str
    force: Array = field(default_factory=no_tensor)  # R [N s/m]
    couple: Array = field(default_factory=no_tensor)  # C [N m s/rad]
    point: Array = field(default_factory=no_vector)  # in the body [m]
    place: str = ""

    names = ("resistance", "fluid", "résistance fluide")
    keys = (
        Key("body", Kind.BODY, "ball"),
        Key("force", Kind.TENSOR, unit="N.s/m"),
        Key("couple", Kind.TENSOR, unit="N.m.s/rad"),
        Key("centre", Kind.POINT, of_class="point"),
    )

    def effect(self, places: Places) -> Effect:
        at = Attachment(self.body, self.point)
        w, v = places.twist(at)
        return Effect((Action(at, -(self.force @ v), -(self.couple @ w), follows=True),))


@final
@dataclass(frozen=True)
class Drag(Force):
    """A force −½ ρ c A |u| u, u the velocity of a point of the body in the fluid."""

    name: str
    body: str
    density: Expr  # ρ [kg/m³]
    coefficient: Expr  # c
    area: Expr  # A [m²]
    point: Array = field(default_factory=no_vector)  # in the body [m]
    wind: Array = field(default_factory=no_vector)  # velocity of the fluid, in ground axes [m/s]
    place: str = ""

    names = ("drag", "traînée")
    keys = (
        Key("body", Kind.BODY, "ball"),
        Key("density", Kind.CONSTANT, "1.2 kg/m^3", unit="kg/m^3"),
        Key("coefficient", Kind.CONSTANT, "0.47", unit="1"),
        Key("area", Kind.CONSTANT, "40 cm^2", unit="m^2"),
        Key("centre", Kind.POINT, of_class="point"),
        Key("wind", Kind.VECTOR, unit="m/s"),
    )

    def effect(self, places: Places) -> Effect:
        at = Attachment(self.body, self.point)
        u = places.velocity(at) - self.wind
        size = np.sqrt(u @ u + SMALL**2)
        return Effect((Action(at, -self.density * self.coefficient * self.area * size * u / 2),))
