"""Contacts: bodies that touch or not, slide or stick, and rebound."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, final

from torseur.algebra.core.expr import ZERO, Expr
from torseur.model.constraints.pile import Pile
from torseur.model.constraints.protocol import (
    Constraint,
    Declaration,
    ExpressionRow,
    JointRows,
    Rows,
    Unilateral,
)
from torseur.model.constraints.rolling import has_entry, shaped
from torseur.model.forces.protocol import Key, Kind, no_vector
from torseur.model.joints.catalogue import plain
from torseur.model.joints.frames import Values
from torseur.model.joints.friction import Friction
from torseur.model.joints.rolling import ContactType, RollingAlong, RollingBall, RollingDisc
from torseur.spatial.pose import Pose

_POINT = ("point", "pointe")
SHAPES: dict[str, Any] = {
    plain(word): shape
    for shape in (RollingBall, RollingDisc, RollingAlong)
    for word in shape.names
} | {plain(word): RollingBall for word in _POINT}
LAWS = (
    Key("friction", Kind.FRICTION),
    Key("restitution", Kind.CONSTANT),
)


def _is_round(given: Any) -> bool:
    return "radius" in given or plain(str(given.get("shape", "point"))) not in _POINT


@final
@dataclass(frozen=True)
class Contact(Constraint):
    """A point, a ball or a wheel of the second body, on or above a plane of the first.

    `rolling` and `pivoting` are lengths: couples up to these times the normal force resist rolling
    and pivoting (Llibre 2009, §1.5.1; laws of Coulomb and Morin).
    """

    name: str
    kind: ContactType
    first: str
    second: str
    X_AF: Pose = field(default_factory=Pose)
    X_BM: Pose = field(default_factory=Pose)
    friction: Friction | None = None
    restitution: Expr = ZERO
    rolling: Expr = ZERO  # [m]
    pivoting: Expr = ZERO  # [m]
    place: str = ""

    names = ("contact",)
    keys = (
        Key("bodies", Kind.PAIR, "[ground, ball]"),
        Key("shape", Kind.WORD, options=SHAPES, called="contact shape"),
        Key("radius", Kind.CONSTANT, "0.1", unit="m", when=_is_round),
        Key("point", Kind.POINT),
        Key("through", Kind.POINT),
        Key("normal", Kind.DIRECTION),
        Key("axis", Kind.DIRECTION, "y", when=lambda given: has_entry("axis", given)),
        Key("along", Kind.DIRECTION, when=lambda given: has_entry("along", given)),
        *LAWS,
        Key("rolling", Kind.CONSTANT, unit="m"),
        Key("pivoting", Kind.CONSTANT, unit="m"),
    )
    words: ClassVar = {
        "en": "{}: a contact that only pushes.",
        "fr": "{} : un contact unilatéral.",
    }

    @classmethod
    def described(cls, name: str, given: dict[str, Any], value: Values, place: str) -> Contact:
        shape = given.get("shape", RollingBall)
        kind, R_AF, R_BM = shaped({"radius": ZERO, **given, "shape": shape}, value, place)
        first, second = given["bodies"]
        X_AF = Pose(given.get("through", no_vector()), R_AF)
        X_BM = Pose(given.get("point", no_vector()), R_BM)
        laws = ("friction", "restitution", "rolling", "pivoting")
        own = {entry: given[entry] for entry in laws if entry in given}
        return cls(name, kind, first, second, X_AF, X_BM, place=place, **own)

    @property
    def holding(self) -> Unilateral:
        return Unilateral(self.friction, self.restitution)

    @property
    def rows(self) -> JointRows:
        return JointRows(self.name, self.kind, self.first, self.second, self.X_AF, self.X_BM)

    @property
    def meanings(self) -> tuple[str, ...]:
        pair = f'of "{self.first}" on "{self.second}"'
        return tuple(f"{text}, {pair}" for text in self.kind.meanings)


@final
@dataclass(frozen=True)
class GapContact(Constraint):
    """An expression that stays positive or zero; where it is zero, something slides at `slip`."""

    name: str
    gap: Expr
    slip: Expr | None = None
    friction: Friction | None = None
    restitution: Expr = ZERO
    place: str = ""

    names = ("gap", "jeu")
    keys = (Key("gap", Kind.VARYING, "y - r"), Key("slip", Kind.VARYING), *LAWS)
    words: ClassVar = Contact.words
    meanings = ("generalised force of the contact: the partial derivatives of the gap times this",)

    @property
    def holding(self) -> Unilateral:
        return Unilateral(self.friction, self.restitution)

    @property
    def rows(self) -> ExpressionRow:
        return ExpressionRow(self.name, self.gap)

    @property
    def sliding(self) -> Rows | None:
        """The row of the speed at which it slides."""
        return None if self.slip is None else ExpressionRow(f"{self.name}: slip", self.slip)


CONTACTS: list[type[Declaration]] = [Contact, GapContact, Pile]
