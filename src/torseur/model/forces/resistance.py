"""The resistance of a viscous fluid to a slow body."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from torseur.model.forces.protocol import (
    Action,
    Array,
    Attachment,
    Effect,
    Key,
    Kind,
    Places,
    no_tensor,
    no_vector,
)


@final
@dataclass(frozen=True)
class Resistance:
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

    names: ClassVar[tuple[str, ...]] = ("resistance", "fluid", "résistance fluide")
    keys: ClassVar[tuple[Key, ...]] = (
        Key("body", Kind.BODY, "ball"),
        Key("force", Kind.TENSOR, unit="N.s/m"),
        Key("couple", Kind.TENSOR, unit="N.m.s/rad"),
        Key("centre", Kind.POINT, of_class="point"),
    )

    def effect(self, places: Places) -> Effect:
        at = Attachment(self.body, self.point)
        w, v = places.twist(at)
        return Effect((Action(at, -(self.force @ v), -(self.couple @ w), follows=True),))
