"""A belt or a chain over two wheels, which does not slip. It is a relation."""

from typing import Any, final

from torseur.algebra.core.expr import symbol
from torseur.model.constraints.meshing import wheel_axis
from torseur.model.constraints.protocol import Declaration, Values
from torseur.model.constraints.relation import Relation
from torseur.model.forces.protocol import SHARED, Key, Kind


@final
class Belt(Declaration):
    """r₁ q₁ ∓ r₂ q₂ keeps its value. The tensions of the two strands are not told apart."""

    names = ("belt", "courroie")
    keys = (
        Key("joints", Kind.TWO_JOINTS, "[A, B]"),
        Key("radii", Kind.TWO_CONSTANTS, "[20 mm, 60 mm]", unit=SHARED),
        Key("crossed", Kind.FLAG),
    )

    @classmethod
    def described(cls, name: str, given: dict[str, Any], value: Values, place: str) -> Relation:
        q1, q2 = (symbol(f"{joint.coordinates[0]}.", "speed") for joint in given["joints"])
        (_, a1), (_, a2) = (wheel_axis(joint, place) for joint in given["joints"])
        r1, r2 = given["radii"]
        side = 1 if given.get("crossed") else -1
        return Relation(name, r1 * q1 + side * (a1 @ a2) * r2 * q2, place)
