"""Forces on bodies: a wrench at a point, the resistance of a viscous fluid, drag, gravitation."""

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression, number
from torseur.algebra.core.graph import expressions
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
    no_tensor,
    no_vector,
    place_of,
)
from torseur.spatial.vectors import cross
from torseur.words.sentence import say

SMALL = number(1e-30)  # a speed [m/s] beside which all others are large: slopes exist at rest


@final
@dataclass(frozen=True)
class BodyLoad(Force):
    """A force and a couple applied at a point of a body, in ground axes or in body axes.

    In body axes it follows the body: a jet, a follower load. The point may move along the body, or
    be a place of the ground, such as the contact point of a wheel: the force acts on whatever
    particle of the body is there.
    """

    name: str
    body: str
    point: Array = field(default_factory=no_vector)  # in the body [m]
    force: Array = field(default_factory=no_vector)  # [N]
    couple: Array = field(default_factory=no_vector)  # [N m]
    follows: bool = False  # True: components in body axes
    at: Array | None = None  # instead of the point: in ground axes [m]
    place: str = ""

    names = ("wrench", "torseur")
    keys = (
        Key("body", Kind.BODY, "rod"),
        Key("point", Kind.MOVING_POINT, unit="m"),
        Key("force", Kind.VECTOR, unit="N"),
        Key("couple", Kind.VECTOR, unit="N.m"),
        Key("frame", Kind.AXES, of_class="follows"),
        Key("at", Kind.VECTOR, unit="m"),
    )

    def __post_init__(self) -> None:
        if self.at is not None and np.any(self.point != ZERO):
            problem = "its point is given twice, in the body and in ground axes."
            raise ModelError(place_of(self), problem, 'Leave out "point" or "at".')

    def effect(self, places: Places) -> Effect:
        at = Attachment(self.body, self.point)
        if self.at is not None:
            arm = places.rotation(self.body).into(self.at - places.position(at))
            at = Attachment(self.body, np.asarray(arm))
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


# --- attraction by masses -------------------------------------------------------------------------


G = number(6.6743e-11)  # [m³/(kg s²)], CODATA 2018
_STRENGTH = "Give either k [m³/s²] or the mass of the centre [kg]: k is G times this mass."


@final
@dataclass(frozen=True)
class Attraction(Force):
    """The attraction of a point on bodies: k = G × its mass, or k itself.

    To second order in size over distance (MacCullagh), û along the line from the centre to the
    centre of mass: V = −k m/r − k (tr I − 3 û·I û)/(2 r³); force and couple follow from it exactly,
    the couple at the centre of mass being 3 k/r³ û × I û. The body that carries the centre feels
    the opposite force.
    """

    name: str
    centre: Attachment
    k: Expr = ZERO  # [m³/s²]
    mass: Expr = ZERO  # [kg]
    on: tuple[str, ...] = ()  # bodies; none: every other body
    place: str = ""

    names = ("attraction", "attraction newtonienne")
    keys = (
        Key("centre", Kind.CENTRE, "[ground, [0, 0, 0]]"),
        Key("k", Kind.CONSTANT, unit="m^3/s^2"),
        Key("mass", Kind.CONSTANT, unit="kg"),
        Key("on", Kind.BODIES),
    )

    def __post_init__(self) -> None:
        place = place_of(self)
        if self.k is ZERO and self.mass is ZERO:
            problem = say('the centre on "{body}" has no strength.', self.centre.body)
            raise ModelError(place, problem, _STRENGTH)
        if self.k is not ZERO and self.mass is not ZERO:
            problem = say(
                "its strength is given twice: k = {k} and mass = {mass}.", self.k, self.mass
            )
            raise ModelError(place, problem, _STRENGTH)
        if self.centre.body in self.on:
            problem = say(
                'the body "{body}" carries the centre and is attracted by it.', self.centre.body
            )
            raise ModelError(place, problem, 'Leave it out of "on".')

    def effect(self, places: Places) -> Effect:
        k, actions, stored = self.k + G * self.mass, [], ZERO
        for name in self.on or _with_mass(places, self.centre.body):
            body = places.bodies[name]
            at = Attachment(name, body.centre)
            away = places.position(at) - places.position(self.centre)
            if expression(away @ away) is ZERO:
                problem = say('the body "{body}" has its centre of mass at the centre.', name)
                raise ModelError(place_of(self), problem, 'Leave it out of "on".')
            action, energy, pull = attracted(places, at, body.mass, self.centre, k)
            actions += [action, Action(self.centre, -pull)]
            stored = stored + energy
        return Effect(tuple(actions), potential=stored)


def _with_mass(places: Places, carrier: str) -> list[str]:
    """The bodies that a centre attracts: those with a mass or an inertia, but the one it is on."""
    others = ((name, body) for name, body in places.bodies.items() if name != carrier)
    return [name for name, x in others if np.any(expressions([x.mass, *x.inertia.flat]) != ZERO)]


def attracted(
    places: Places, at: Attachment, mass: Any, centre: Attachment, k: Any
) -> tuple[Action, Any, Array]:
    """The action of a centre on a body, its potential, and the force in ground axes.

    `at` is the centre of mass of the body; `mass` counts for the first term, −k m/r, only.
    """
    I, R = places.bodies[at.body].inertia, places.rotation(at.body)
    away = places.position(at) - places.position(centre)
    r2, d = away @ away, R.into(away)  # d in body axes
    trace, Id = I[0, 0] + I[1, 1] + I[2, 2], I @ d
    along = d @ Id  # r² û·I û
    near = k / (r2 * np.sqrt(r2))  # k/r³
    potential = -near * (mass * r2 + trace / 2 - 3 * along / (2 * r2))
    radial = mass + 3 * trace / (2 * r2) - 15 * along / (2 * r2 * r2)
    force = -near * (radial * d + 3 / r2 * Id)
    couple = 3 * near / r2 * cross(d, Id)
    return Action(at, force, couple, follows=True), potential, R.out(force)


@final
@dataclass(frozen=True)
class Gravitation(Force):
    """Newton's attraction between two bodies, to second order in their sizes over their distance.

    V = −G m m'/r − G m (tr I' − 3 û·I' û)/(2 r³) − G m' (tr I − 3 û·I û)/(2 r³).
    """

    name: str
    between: tuple[str, str]
    constant: Expr = G  # [m³/(kg s²)]
    place: str = ""

    names = ("gravitation", "mutual attraction", "attraction mutuelle")
    keys = (
        Key("between", Kind.TWO_MASSES, "[earth, moon]"),
        Key("constant", Kind.CONSTANT, unit="N.m^2/kg^2"),
    )

    def __post_init__(self) -> None:
        first, second = self.between
        if first == second:
            problem = say('the body "{first}" cannot attract itself.', first)
            raise ModelError(place_of(self), problem, "Name two different bodies.")

    def effect(self, places: Places) -> Effect:
        first, second = (Attachment(name, places.bodies[name].centre) for name in self.between)
        m1, m2 = (places.bodies[name].mass for name in self.between)
        # the monopoles are counted once, with the first body
        own1, V1, pull1 = attracted(places, first, m1, second, self.constant * m2)
        own2, V2, pull2 = attracted(places, second, 0, first, self.constant * m1)
        reactions = Action(second, -pull1), Action(first, -pull2)
        return Effect((own1, own2, *reactions), potential=V1 + V2)


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
