"""A couple about the axis of a joint, or a force along it, by any law of its position and rate."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import Expr, symbol
from torseur.algebra.core.graph import substitute
from torseur.model.forces.potentials import check_potential, potential_of
from torseur.model.forces.protocol import (
    COORDINATE_RATE,
    EFFORT,
    Effect,
    Key,
    Kind,
    Places,
    place_of,
)

POSITION, RATE = symbol("position", "input"), symbol("rate", "input")
_LOCAL = (("angle", POSITION, "rad"), ("distance", POSITION, "m"), ("rate", RATE, COORDINATE_RATE))


@final
@dataclass(frozen=True)
class JointLaw:
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

    names: ClassVar[tuple[str, ...]] = ("law", "loi")
    unit: ClassVar[str] = ""
    keys: ClassVar[tuple[Key, ...]] = (
        Key("joint", Kind.JOINT, "A"),
        Key("coordinate", Kind.COORDINATE),
        Key("value", Kind.VARYING, "-40*angle - 0.3*rate", local=_LOCAL, unit=EFFORT),
        Key("potential", Kind.VARYING, local=_LOCAL, unit="J"),
    )

    def __post_init__(self) -> None:
        if self.potential is not None:
            place = place_of(self)
            check_potential(place, self.potential, -self.value, POSITION, RATE)

    def effect(self, places: Places) -> Effect:
        freedom = places.freedom(self.joint, self.coordinate, self.unit)
        given = self.potential
        stored = potential_of(-self.value, POSITION, RATE) if given is None else given
        value = substitute(self.value, {POSITION: freedom.q, RATE: freedom.v})
        potential = substitute(stored, {POSITION: freedom.q})
        return Effect(joint_forces=((freedom, value),), potential=potential)
