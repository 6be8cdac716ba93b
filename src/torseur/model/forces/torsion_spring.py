"""A torsion spring in a joint."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import ZERO, Expr
from torseur.model.forces.protocol import Effect, Key, Kind, Places


@final
@dataclass(frozen=True)
class TorsionSpring:
    """A couple −C (φ − φ₀) between the bodies of a joint, φ its angle: potential ½ C (φ − φ₀)²."""

    name: str
    joint: str
    stiffness: Expr  # [N m/rad]
    angle: Expr = ZERO  # at rest [rad]
    coordinate: str = ""
    place: str = ""

    names: ClassVar[tuple[str, ...]] = ("torsion spring", "ressort de torsion")
    unit: ClassVar[str] = "rad"
    keys: ClassVar[tuple[Key, ...]] = (
        Key("joint", Kind.JOINT, "A"),
        Key("coordinate", Kind.COORDINATE),
        Key("stiffness", Kind.CONSTANT, "5 N.m/rad", unit="N.m/rad"),
        Key("angle", Kind.CONSTANT, unit="rad"),
    )

    def effect(self, places: Places) -> Effect:
        freedom = places.freedom(self.joint, self.coordinate, self.unit)
        turned = freedom.q - self.angle
        couple, stored = -self.stiffness * turned, self.stiffness * turned**2 / 2
        return Effect(joint_forces=((freedom, couple),), potential=stored)
