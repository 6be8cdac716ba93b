"""Wheels on one carrier: gears of every kind, and belts.

Wheels turn about axes through c₁ and c₂ of the carrier. Everything follows from the pitch point C
and the direction d of the tooth force: along d the two wheels have the same speed at C.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions
from torseur.errors import ModelError
from torseur.model.constraints.protocol import (
    Constraint,
    ConstraintInput,
    Declaration,
    MeshRow,
    Rubbing,
    Unknown,
    called_body,
    of_pair,
)
from torseur.model.constraints.relation import Relation
from torseur.model.forces.protocol import SHARED, Key, Kind, no_vector
from torseur.model.joints.catalogue import plain
from torseur.model.joints.frames import Values
from torseur.model.joints.freedoms import common_axis
from torseur.model.joints.friction import Friction
from torseur.model.joints.protocol import Joint, unit
from torseur.spatial.vectors import Array, cross
from torseur.words.sentence import say

CLOSE = 1e-6  # tolerance of typed lengths, relative

Teeth = tuple[Any, Any, Any]  # the pitch point, the direction of the force, what pushes apart


def wheel_axis(joint: Joint, place: str) -> tuple[Array, Array]:
    """A point of a joint's axis and its direction, in the first body."""
    axis = common_axis(joint.kind.freedoms)
    if axis is None:
        raise ModelError(
            place,
            say('joint "{joint}" is a {names} joint.', joint.name, joint.kind.names[0]),
            "Wheels turn in revolute or cylindrical joints, racks slide in prismatic ones.",
        )
    return joint.X_AF.p, joint.X_AF.R.out(unit(axis))


@final
@dataclass(frozen=True)
class Wheels:
    """Two wheels on one carrier, in its frame; a method for each kind of teeth."""

    c1: Array  # a point of the first axis
    a1: Array  # and its direction
    c2: Array
    a2: Array
    radii: tuple[Expr, Expr]
    lead: Expr  # of a worm
    value: Values
    place: str

    def external(self) -> Teeth:
        """The axes are the sum of the radii apart."""
        u, distance = self._parallel()
        self._fits(distance, self.radii[0] + self.radii[1], say("the sum of the radii"))
        return self.c1 + self.radii[0] * u, cross(self.a1, u), u

    def internal(self) -> Teeth:
        """The larger wheel is the ring; they touch beyond the centre of the smaller."""
        u, distance = self._parallel()
        first, second = map(self.value, self.radii)
        if first is None or second is None:
            raise ModelError(
                self.place,
                "the radii have no values: either wheel may be the ring.",
                "Give values to the radii.",
            )
        side = 1 if first > second else -1
        apart = side * (self.radii[0] - self.radii[1])
        self._fits(distance, apart, say("the difference of the radii"))
        return self.c1 + side * self.radii[0] * u, cross(self.a1, u), -side * u

    def bevel(self) -> Teeth:
        """Axes that meet at O: C = O + (r₂ a₁ + r₁ a₂) / sin Σ, the axes pointing away from O."""
        normal, between = expressions(cross(self.a1, self.a2)), expressions(self.c2 - self.c1)
        square = normal @ normal
        if self.value(square) == 0:
            problem = "the axes of a bevel gear are parallel."
            raise ModelError(self.place, problem, "Use kind: external.")
        sine = square.sqrt()
        apex = self.c1 + (cross(between, self.a2) @ normal) / square * self.a1
        gap = self.value(between @ normal / sine)
        if gap is not None and abs(gap) > CLOSE:
            problem = say("the axes of the bevel gear miss each other by {gap:.3g} m.", gap)
            raise ModelError(self.place, problem, "Move the joints so that the axes meet.")
        out1, out2 = self._away(self.c1 - apex, self.a1), self._away(self.c2 - apex, self.a2)
        point = apex + (self.radii[1] * out1 + self.radii[0] * out2) / sine
        return point, normal / sine, out1

    def rack(self) -> Teeth:
        """A wheel and a rack that slides along a₂: they touch on the normal to both."""
        radius, side = self.radii  # + or − 1: on which side of the wheel, along a₂ × a₁
        u = side * expressions(cross(self.a2, self.a1))
        return self.c1 + radius * u, self.a2, u

    def worm(self) -> Teeth:
        """The worm's thread advances by `lead` a turn: d is normal to the thread."""
        normal = expressions(cross(self.a1, self.a2))
        sine = (normal @ normal).sqrt()
        distance = expressions(self.c2 - self.c1) @ normal / sine
        side = 1 if (self.value(distance) or 1.0) > 0 else -1
        w = side * normal / sine
        self._fits(side * distance, self.radii[0] + self.radii[1], say("the sum of the radii"))
        slope = self.lead / (2 * np.pi * self.radii[0])
        return self.c1 + self.radii[0] * w, expressions(self.a1) + slope * cross(self.a1, w), w

    def _parallel(self) -> tuple[Array, Expr]:
        """From the first axis to the second: unit vector and distance."""
        between = expressions(self.c2 - self.c1)
        across = between - (between @ self.a1) * self.a1
        distance = (across @ across).sqrt()
        if self.value(distance) == 0:
            problem = "the two wheels turn about the same axis."
            raise ModelError(self.place, problem, "Give the wheels two parallel axes.")
        return across / distance, distance

    def _fits(self, actual: Expr, expected: Expr, what: str) -> None:
        a, b = self.value(actual), self.value(expected)
        if a is not None and b is not None and abs(a - b) > CLOSE * max(abs(a), abs(b)):
            problem = say("the axes are {a:.6g} m apart, but {what} is {b:.6g} m.", a, what, b)
            raise ModelError(self.place, problem, "Correct the radii or the points of the joints.")

    def _away(self, arm: Array, a: Array) -> Array:
        """An axis, pointing from the apex to its wheel."""
        side = self.value(expression(arm @ a))
        return -a if side is not None and side < 0 else a


MESHING: dict[str, Callable[[Wheels], Teeth]] = {
    "external": Wheels.external,
    "internal": Wheels.internal,
    "bevel": Wheels.bevel,
    "rack": Wheels.rack,
    "worm": Wheels.worm,
}


def _carrier(first: Joint, second: Joint, place: str) -> str:
    """The body on which both wheels turn."""
    if first.first == second.first:
        return first.first
    raise ModelError(
        place,
        say(
            'joints "{first}" and "{second}" have the first bodies "{first2}" and "{first3}": '
            "no common carrier.",
            first.name,
            second.name,
            first.first,
            second.first,
        ),
        "Give  bodies, carrier, point  and  direction: the pitch point and the direction of "
        "the tooth force, in the frame of the carrier.",
    )


def _by_point(given: Mapping[str, Any]) -> bool:
    return "point" in given


def _by_joints(given: Mapping[str, Any]) -> bool:
    return "point" not in given


def _rack(given: Mapping[str, Any]) -> bool:
    return "point" not in given and plain(str(given.get("kind"))) == "rack"


@final
@dataclass(frozen=True)
class Gear(Constraint):
    """Two wheels whose teeth touch at a point of their carrier and push along a direction.

    The points of the two wheels that are there have the same speed along that direction. The
    multiplier is the force on the second wheel along it; teeth also push the wheels apart, by
    |multiplier| × `apart`.
    """

    name: str
    first: str
    second: str
    carrier: str
    point: Array  # in the carrier [m]
    direction: Array  # in the carrier, of length 1 for the multiplier to be a force [N]
    apart: Array = field(default_factory=no_vector)  # tan(pressure angle) × direction
    place: str = ""
    friction: Friction | None = None  # the part of the tooth force that is lost; of a worm, μ
    sliding: Array | None = None  # of a worm: the direction of its thread, in the carrier

    names = ("gear", "engrenage")
    keys = (  # by the joints of the wheels on one carrier, or by the pitch point and direction
        Key("joints", Kind.TWO_JOINTS, "[A, B]", when=_by_joints),
        Key("kind", Kind.WORD, options=MESHING, called="kind of gear", when=_by_joints),
        Key("radii", Kind.TWO_CONSTANTS, "[20 mm, 1]", unit="m 1", when=_rack),  # and a side
        Key(
            "radii",
            Kind.TWO_CONSTANTS,
            "[20 mm, 60 mm]",
            unit="m",
            when=lambda given: _by_joints(given) and not _rack(given),
        ),
        Key("pressure_angle", Kind.CONSTANT, unit="rad", when=_by_joints),
        Key("lead", Kind.CONSTANT, unit="m", when=_by_joints),
        Key("bodies", Kind.PAIR, "[sun, planet]", when=_by_point),
        Key("carrier", Kind.BODY, "arm", when=_by_point),
        Key("point", Kind.POINT),
        Key("direction", Kind.DIRECTION, "[0, 0, 1]", when=_by_point),
        Key("friction", Kind.FRICTION),
    )
    words: ClassVar = "{}: teeth that do not slip."

    @classmethod
    def described(cls, name: str, given: ConstraintInput) -> Gear:
        place = given.place
        if "point" in given:
            fields = {entry: x for entry, x in given.entries.items() if entry != "bodies"}
            first, second = given["bodies"]
            return cls(name=name, first=first, second=second, place=place, **fields)
        first, second = given["joints"]
        carrier = _carrier(first, second, place)
        axes = *wheel_axis(first, place), *wheel_axis(second, place)
        wheels = Wheels(*axes, given["radii"], given.get("lead", ZERO), given.value, place)
        kind = given.get("kind", Wheels.external)
        teeth = kind(wheels)
        point, direction, apart = map(expressions, teeth)
        push = apart * given.get("pressure_angle", ZERO).tan()
        sliding = cross(direction, apart) if kind is Wheels.worm else None
        bodies = first.second, second.second, carrier
        rubs = given.get("friction"), sliding
        return cls(name, *bodies, point, direction, push, place, *rubs)

    @property
    def rows(self) -> MeshRow:
        at = self.point, self.direction, self.apart
        return MeshRow(self.name, self.first, self.second, self.carrier, *at)

    @property
    def rubbing(self) -> Rubbing | None:
        """Friction along the thread of a worm; of other gears, a part of the tooth force.

        That is the mean of the sliding about the pitch point, against the speed of its circle.
        """
        if self.friction is None:
            return None
        name, square = f"{self.name}: friction", expression(self.direction @ self.direction)
        size = square.sqrt()
        if self.sliding is not None:
            bodies = self.first, self.second, self.carrier
            row = MeshRow(name, *bodies, self.point, self.sliding / size)
        else:
            bodies = self.carrier, self.first, self.carrier
            row = MeshRow(name, *bodies, self.point, self.direction / size)
        return Rubbing(row, self.friction, size)

    @property
    def meanings(self) -> tuple[str, ...]:
        return (of_pair(say("force along the direction of the teeth"), self.first, self.second),)

    def unknown(self, units: Mapping[str, str]) -> Unknown:
        first, second = called_body(self.first), called_body(self.second)
        return Unknown("F", say("force of the teeth {first} → {second}", first, second), "N")


@final
class Belt(Declaration):
    """r₁ q₁ ∓ r₂ q₂ keeps its value. The tensions of the two strands are not distinguished."""

    names = ("belt", "courroie")
    keys = (
        Key("joints", Kind.TWO_JOINTS, "[A, B]"),
        Key("radii", Kind.TWO_CONSTANTS, "[20 mm, 60 mm]", unit=SHARED),
        Key("crossed", Kind.FLAG),
    )

    @classmethod
    def described(cls, name: str, given: ConstraintInput) -> Relation:
        q1, q2 = (symbol(f"{joint.coordinates[0]}.", "speed") for joint in given["joints"])
        (_, a1), (_, a2) = (wheel_axis(joint, given.place) for joint in given["joints"])
        r1, r2 = given["radii"]
        crossed = bool(given.get("crossed"))
        side = 1 if crossed else -1
        wound = tuple((x.name, r) for x, r in zip(given["joints"], (r1, r2), strict=True))
        return Relation(name, r1 * q1 + side * (a1 @ a2) * r2 * q2, given.place, wound, crossed)
