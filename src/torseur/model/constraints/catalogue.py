"""The constraints and imposed motions by name, English and French; what all types are called."""

from __future__ import annotations

from typing import Any

from torseur.errors import unknown
from torseur.model.constraints.elementary import (
    Coincidence,
    OrthogonalDirections,
    PointOnPlane,
    Separation,
)
from torseur.model.constraints.gear import Belt, Gear
from torseur.model.constraints.motion import BodyMotion, CoordinateMotion
from torseur.model.constraints.protocol import Declaration
from torseur.model.constraints.relation import Coupling, Relation
from torseur.model.constraints.rolling import RollingContact
from torseur.model.forces.protocol import GROUND
from torseur.model.joints.catalogue import plain
from torseur.words.language import FRENCH, spoken
from torseur.words.sentence import say

CONSTRAINTS: list[type[Declaration]] = [
    Relation,
    Coupling,
    RollingContact,
    Gear,
    Belt,
    Coincidence,
    Separation,
    OrthogonalDirections,
    PointOnPlane,
]
MOTIONS: list[type[Declaration]] = [CoordinateMotion, BodyMotion]


def constraint_class(name: str, place: str) -> type[Declaration]:
    """The constraint of this name."""
    for one in CONSTRAINTS:
        if plain(name) in map(plain, one.names):
            return one
    raise unknown(place, "constraint type", name, [one.names[0] for one in CONSTRAINTS])


def called_type(kind: Any) -> str:
    """The name of a type of joint, force or constraint."""
    if spoken() != FRENCH:
        return str(kind.names[0])
    french = getattr(kind, "words", {}).get("fr", "")
    own = kind.names[1] if len(kind.names) > 1 else kind.names[0]
    return str(own if "{" in french or not french else french)


def called_body(name: str) -> str:
    """The name of a body; that of the ground is a word."""
    return say("ground") if name == GROUND else name
