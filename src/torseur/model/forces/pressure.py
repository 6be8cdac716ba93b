"""The pressure on a piston that slides in a cylinder."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import Expr
from torseur.model.forces.protocol import Effect, Key, Kind, Places


@final
@dataclass(frozen=True)
class Pressure:
    """A force p A along the axis of a joint: a positive pressure makes its distance grow.

    The chamber is between the two bodies; both are pushed, in opposite directions.
    """

    name: str
    joint: str
    pressure: Expr  # above that of the other side [Pa]
    area: Expr  # of the piston [m²]
    coordinate: str = ""
    place: str = ""

    names: ClassVar[tuple[str, ...]] = ("pressure", "pression")
    unit: ClassVar[str] = "m"
    keys: ClassVar[tuple[Key, ...]] = (
        Key("joint", Kind.JOINT, "P"),
        Key("coordinate", Kind.COORDINATE),
        Key("pressure", Kind.VARYING, "6 bar", unit="Pa"),
        Key("area", Kind.VARYING, "20 cm^2", unit="m^2"),
    )

    def effect(self, places: Places) -> Effect:
        freedom = places.freedom(self.joint, self.coordinate, self.unit)
        return Effect(joint_forces=((freedom, self.pressure * self.area),))
