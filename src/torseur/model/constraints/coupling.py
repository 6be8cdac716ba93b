"""A coupling: a sum of coordinates times factors has a given value. It is a relation."""

from typing import Any, final

from torseur.algebra.core.expr import ZERO, symbol
from torseur.model.constraints.protocol import Declaration, Values
from torseur.model.constraints.relation import Relation
from torseur.model.forces.protocol import SHARED, Key, Kind


@final
class Coupling(Declaration):
    """Σ c_k q_k = value."""

    names = ("coupling", "couplage")
    keys = (
        Key("value", Kind.VARYING, unit=SHARED),  # what it measures is what the sum must
        Key("coefficients", Kind.FACTORS, "{phi1: 2, phi2: -1}", unit=SHARED),
    )

    @classmethod
    def described(cls, name: str, given: dict[str, Any], value: Values, place: str) -> Relation:
        total = -given.get("value", ZERO)
        for coordinate, factor in given["coefficients"]:
            total = total + factor * symbol(coordinate, "coordinate")
        return Relation(name, total, place)
