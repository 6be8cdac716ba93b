"""Piles: many bodies that touch each other by their shapes, or a plane of the ground."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

from torseur.algebra.core.expr import ZERO, Expr
from torseur.model.constraints.protocol import Constraint, MeetingRows, Unilateral
from torseur.model.forces.protocol import Key, Kind, no_vector
from torseur.model.joints.friction import Friction, Restitution
from torseur.spatial.vectors import Array

COMBINED = {x: x for x in ("largest", "smallest", "mean", "product")}


@final
@dataclass(frozen=True)
class Pile(Constraint):
    """Contacts of all pairs of some bodies by their shapes, or of each with a plane.

    The plane belongs to the ground; the normal points to the side where the bodies are.
    """

    name: str
    among: tuple[str, ...]  # none: all bodies that have a shape
    normal: Array | None = None  # (3,) in ground axes
    through: Array = field(default_factory=no_vector)  # a point of the plane [m]
    friction: Friction | None = None
    restitution: Expr = ZERO
    without: tuple[tuple[str, str], ...] = ()  # bodies that never touch each other
    combine: str = ""  # how the coefficients of friction of two solids make one
    place: str = ""

    names = ("pile", "tas")
    keys = (
        Key("among", Kind.BODIES, "all"),
        Key("normal", Kind.DIRECTION),
        Key("through", Kind.POINT),
        Key("friction", Kind.FRICTION),
        Key("combine", Kind.WORD, options=COMBINED, called="rule of friction"),
        Key("restitution", Kind.CONSTANT),
        Key("without", Kind.PAIRS),
    )
    words: ClassVar = "{}: bodies that touch each other."
    meanings = ()

    @property
    def holding(self) -> Unilateral:
        return Unilateral(self.friction, Restitution(self.restitution))

    @property
    def rows(self) -> MeetingRows:
        return MeetingRows(self.name, self.among)
