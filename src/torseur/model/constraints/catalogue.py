"""The constraints and imposed motions by name, English and French."""

from __future__ import annotations

from torseur.errors import unknown
from torseur.model.constraints.elementary_constraints import (
    Coincidence,
    OrthogonalDirections,
    PointOnPlane,
    Separation,
)
from torseur.model.constraints.gear import Belt, Gear
from torseur.model.constraints.protocol import Declaration
from torseur.model.constraints.relation import BodyMotion, CoordinateMotion, Coupling, Relation
from torseur.model.constraints.rolling_contact import RollingContact
from torseur.model.constraints.rope import TightRope
from torseur.model.joints.catalogue import plain, shown_name, type_called

CONSTRAINTS: list[type[Declaration]] = [
    Relation,
    Coupling,
    RollingContact,
    Gear,
    Belt,
    TightRope,
    Coincidence,
    Separation,
    OrthogonalDirections,
    PointOnPlane,
]
MOTIONS: list[type[Declaration]] = [CoordinateMotion, BodyMotion]


def constraint_class(name: str, place: str) -> type[Declaration]:
    """The constraint of this name."""
    known = {plain(word): one for one in CONSTRAINTS for word in one.names}
    if kind := type_called(name, known):
        return kind
    raise unknown(place, "constraint type", name, [shown_name(one.names) for one in CONSTRAINTS])
