"""Forces in a joint, along one of its coordinates, and potentials that depend on speeds."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.calculus.derivative import gradient, jacobian, time_derivative
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, symbol
from torseur.algebra.core.graph import free_symbols, substitute
from torseur.errors import ModelError, suggestion
from torseur.model.forces.potentials import check_potential, potential_of
from torseur.model.forces.protocol import (
    COORDINATE_RATE,
    EFFORT,
    Effect,
    Force,
    Freedom,
    Key,
    Kind,
    Places,
    place_of,
)
from torseur.model.joints.friction import Friction
from torseur.model.joints.protocol import Joint
from torseur.spatial.in_words import listed
from torseur.words.sentence import Sentence, say

POSITION, RATE = symbol("position", "input"), symbol("rate", "input")
_LOCAL = (("angle", POSITION, "rad"), ("distance", POSITION, "m"), ("rate", RATE, COORDINATE_RATE))
JOINT = (Key("joint", Kind.JOINT, "A"), Key("coordinate", Kind.COORDINATE))


class JointForce(Force):
    """A force on a coordinate of a joint, which needs no name if there is only one of its unit."""

    unit: ClassVar[str] = ""  # "rad" or "m"; nothing: either
    joint: str
    coordinate: str

    def freedom(self, places: Places) -> Freedom:
        """The coordinate that it acts on."""
        return places.freedom(self.joint, self.coordinate, self.unit)


@final
@dataclass(frozen=True)
class JointLoad(JointForce):
    """A couple [N m] or a force [N] between the two bodies of a joint, as an expression."""

    name: str
    joint: str
    value: Expr
    place: str = ""
    coordinate: str = ""

    names = ("joint", "liaison")
    keys = (*JOINT, Key("value", Kind.VARYING, "-2*x.", unit=EFFORT))

    def effect(self, places: Places) -> Effect:
        return Effect(joint_forces=((self.freedom(places), self.value),))


@final
@dataclass(frozen=True)
class TorsionSpring(JointForce):
    """A couple −C (φ − φ₀) between the bodies of a joint, φ its angle: potential ½ C (φ − φ₀)²."""

    name: str
    joint: str
    stiffness: Expr  # [N m/rad]
    angle: Expr = ZERO  # at rest [rad]
    coordinate: str = ""
    place: str = ""

    names = ("torsion spring", "ressort de torsion")
    unit = "rad"
    keys = (
        *JOINT,
        Key("stiffness", Kind.CONSTANT, "5 N.m/rad", unit="N.m/rad"),
        Key("angle", Kind.CONSTANT, unit="rad"),
    )

    def effect(self, places: Places) -> Effect:
        freedom = self.freedom(places)
        turned = freedom.q - self.angle
        couple, stored = -self.stiffness * turned, self.stiffness * turned**2 / 2
        return Effect(joint_forces=((freedom, couple),), potential=stored)


@final
@dataclass(frozen=True)
class TorsionDamper(JointForce):
    """A couple −b φ̇ between the bodies of a joint, φ its angle; its power is −b φ̇²."""

    name: str
    joint: str
    damping: Expr  # [N m s/rad]
    coordinate: str = ""
    place: str = ""

    names = ("torsion damper", "amortisseur de torsion")
    unit = "rad"
    keys = (*JOINT, Key("damping", Kind.CONSTANT, "0.1 N.m.s/rad", unit="N.m.s/rad"))

    def effect(self, places: Places) -> Effect:
        freedom = self.freedom(places)
        return Effect(joint_forces=((freedom, -self.damping * freedom.v),))


@final
@dataclass(frozen=True)
class JointLaw(JointForce):
    """An effort c(θ, θ̇) in a joint (Llibre 2009, §4.2.3), positive along its coordinate.

    The potential V of its part at rest, −dV/dθ = c(θ, 0), is found when that is a polynomial in θ,
    or given. The remainder is counted by its power.
    """

    name: str
    joint: str
    value: Expr  # [N m] or [N], of angle or distance, and rate
    potential: Expr | None = None  # [J]
    coordinate: str = ""
    place: str = ""

    names = ("law", "loi")
    keys = (
        *JOINT,
        Key("value", Kind.VARYING, "-40*angle - 0.3*rate", local=_LOCAL, unit=EFFORT),
        Key("potential", Kind.VARYING, local=_LOCAL, unit="J"),
    )

    def __post_init__(self) -> None:
        if self.potential is not None:
            check_potential(place_of(self), self.potential, -self.value, POSITION, RATE)

    def effect(self, places: Places) -> Effect:
        freedom, given = self.freedom(places), self.potential
        stored = potential_of(-self.value, POSITION, RATE) if given is None else given
        value = substitute(self.value, {POSITION: freedom.q, RATE: freedom.v})
        potential = substitute(stored, {POSITION: freedom.q})
        return Effect(joint_forces=((freedom, value),), potential=potential)


@final
@dataclass(frozen=True)
class Pressure(JointForce):
    """A force p A along the axis of a joint: a positive pressure makes its distance grow.

    The chamber is between the two bodies; both are pushed, in opposite directions.
    """

    name: str
    joint: str
    pressure: Expr  # above that of the other side [Pa]
    area: Expr  # of the piston [m²]
    coordinate: str = ""
    place: str = ""

    names = ("pressure", "pression")
    unit = "m"
    keys = (
        Key("joint", Kind.JOINT, "P"),
        Key("coordinate", Kind.COORDINATE),
        Key("pressure", Kind.VARYING, "6 bar", unit="Pa"),
        Key("area", Kind.VARYING, "20 cm^2", unit="m^2"),
    )

    def effect(self, places: Places) -> Effect:
        return Effect(joint_forces=((self.freedom(places), self.pressure * self.area),))


@final
@dataclass(frozen=True)
class Brake(JointForce):
    """Dry friction up to μ N r on a coordinate of a joint, N any expression: it slips or holds.

    N may depend on time, on the motion and on reactions (a pad that is pressed by a lever); a load
    below zero is none. On a distance there is no radius.
    """

    name: str
    joint: str
    friction: Friction
    load: Expr  # N [N]
    radius: Expr = ONE  # r [m]
    coordinate: str = ""
    place: str = ""

    names = ("brake", "frein")
    rubs = True
    keys = (
        *JOINT,
        Key("friction", Kind.FRICTION, "0.4"),
        Key("load", Kind.VARYING, "800 N", unit="N"),
        Key("radius", Kind.CONSTANT, unit="m"),
    )

    def effect(self, places: Places) -> Effect:
        return Effect(rubbing=((self.freedom(places), self.friction, self.load * self.radius),))


_WORDS = {"rad": say("an angle"), "m": say("a distance")}
_SEVERAL = {
    "rad": 'joint "{joint}" has {number} angles, not one.',
    "m": 'joint "{joint}" has {number} distances, not one.',
    "": 'joint "{joint}" has {number} degrees of freedom, not one.',
}


def freedom_index(place: str, joint: Joint, coordinate: str, unit: str = "") -> int:
    """The number of a coordinate among those of its joint; without a name there must be only one.

    With a unit, "rad" or "m", only the coordinates measured in it count. A coordinate without a
    speed of its own, such as a component of a quaternion, has no generalised force.
    """
    kind, names = joint.kind, joint.coordinates
    if kind.nq != kind.nv or not kind.nv:
        raise ModelError(
            place,
            say(
                'joint "{joint}" has {nv} degrees of freedom, but no coordinate whose rate is its '
                "speed.",
                joint.name,
                kind.nv,
            ),
            "Act on the body instead: a force of type wrench takes any expression.",
        )
    fitting = [k for k, x_unit in enumerate(kind.coordinate_units) if not unit or x_unit == unit]
    if coordinate in names and names.index(coordinate) in fitting:
        return names.index(coordinate)
    if not coordinate and len(fitting) == 1:
        return fitting[0]
    described = [f"{x} [{x_unit}]" for x, x_unit in zip(names, kind.coordinate_units, strict=True)]
    advice: tuple[str, ...] = (say("It has {listed}.", ", ".join(described)),)
    if coordinate and coordinate not in names:
        problem = say('joint "{joint}" has no coordinate "{coordinate}".', joint.name, coordinate)
        advice += suggestion(coordinate, names)
    elif coordinate:
        problem = say(
            'the coordinate "{coordinate}" of joint "{joint}" is not {words}.',
            coordinate,
            joint.name,
            _WORDS[unit],
        )
    elif not fitting:
        problem = say(
            'joint "{joint}" has no coordinate that is {words}.', joint.name, _WORDS[unit]
        )
    else:
        values = {"joint": joint.name, "number": len(fitting)}
        problem = Sentence(_SEVERAL[unit], values)
        choices = listed([names[k] for k in fitting], "or")
        advice = (say("Name one: coordinate: {choices}.", choices),)
    raise ModelError(place, problem, *advice)


@final
@dataclass(frozen=True)
class GeneralisedPotential(Force):
    """Q = d/dt ∂U/∂v − ∂U/∂q, with U(q, v, t) linear in the speeds (Llibre 2009, §2.2.3).

    What U has without speeds, U₀(q, t), is stored energy; the rest does no work if it does not
    depend on t. Were U not linear in the speeds, Q would depend on accelerations: such a term
    belongs to the kinetic energy.
    """

    name: str
    value: Expr  # U [J]
    place: str = ""

    names = ("generalised potential", "generalized potential", "potentiel généralisé")
    keys = (Key("value", Kind.VARYING, "e*B/2*(y*x. - x*y.)", unit="J"),)

    def __post_init__(self) -> None:
        speeds = [x for x in free_symbols(self.value) if x.kind == "speed"]
        for x in free_symbols(jacobian([self.value], speeds)):
            if x.kind == "speed":
                raise ModelError(
                    place_of(self),
                    say(
                        'the potential is not linear in the speed "{x}": its force would depend on '
                        "accelerations.",
                        x.name,
                    ),
                    "Give the mass or the inertia that such a term stands for.",
                )

    def effect(self, places: Places) -> Effect:
        moving = {x: x.kind for x in free_symbols(self.value) if x.kind in ("coordinate", "speed")}
        freedoms = [f for f in places.freedoms if f.q in moving or f.v in moving]
        for x in moving.keys() - {f.q for f in freedoms} - {f.v for f in freedoms}:
            raise ModelError(
                place_of(self),
                say('"{x}" is not a coordinate whose rate is its speed, nor such a speed.', x.name),
                "Describe the body by joints with angles and distances.",
            )
        q, v = [f.q for f in freedoms], [f.v for f in freedoms]
        momenta = gradient(self.value, v)
        rates = time_derivative(momenta, dict(zip(q, v, strict=True)), TIME)
        forces = rates - gradient(self.value, q)
        stored = substitute(self.value, dict.fromkeys(v, ZERO))
        return Effect(joint_forces=tuple(zip(freedoms, forces, strict=True)), potential=stored)
