"""A torsion damper in a joint."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import Expr
from torseur.model.forces.protocol import Effect, Key, Kind, Places


@final
@dataclass(frozen=True)
class TorsionDamper:
    """A couple −b φ̇ between the bodies of a joint, φ its angle; its power is −b φ̇²."""

    name: str
    joint: str
    damping: Expr  # [N m s/rad]
    coordinate: str = ""
    place: str = ""

    names: ClassVar[tuple[str, ...]] = ("torsion damper", "amortisseur de torsion")
    unit: ClassVar[str] = "rad"
    keys: ClassVar[tuple[Key, ...]] = (
        Key("joint", Kind.JOINT, "A"),
        Key("coordinate", Kind.COORDINATE),
        Key("damping", Kind.CONSTANT, "0.1 N.m.s/rad", unit="N.m.s/rad"),
    )

    def effect(self, places: Places) -> Effect:
        freedom = places.freedom(self.joint, self.coordinate, self.unit)
        return Effect(joint_forces=((freedom, -self.damping * freedom.v),))
