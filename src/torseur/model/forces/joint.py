"""A generalised force on a coordinate of a joint, as an expression."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import Expr
from torseur.model.forces.protocol import EFFORT, Effect, Key, Kind, Places


@final
@dataclass(frozen=True)
class JointLoad:
    """A couple [N m] or a force [N] between the two bodies of a joint, along a coordinate of it."""

    name: str
    joint: str
    value: Expr
    place: str = ""
    coordinate: str = ""

    names: ClassVar[tuple[str, ...]] = ("joint", "liaison")
    unit: ClassVar[str] = ""
    keys: ClassVar[tuple[Key, ...]] = (
        Key("joint", Kind.JOINT, "A"),
        Key("coordinate", Kind.COORDINATE),
        Key("value", Kind.VARYING, "-2*x.", unit=EFFORT),
    )

    def effect(self, places: Places) -> Effect:
        freedom = places.freedom(self.joint, self.coordinate, self.unit)
        return Effect(joint_forces=((freedom, self.value),))
