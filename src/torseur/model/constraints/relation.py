"""Relations between coordinates, speeds and time, couplings, and motions imposed in time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.model.constraints.protocol import (
    Constraint,
    ConstraintInput,
    Declaration,
    ExpressionRow,
    Holding,
    JointRows,
    Unknown,
)
from torseur.model.forces.protocol import GROUND, OF_COORDINATE, SHARED, Key, Kind
from torseur.model.joints.library import Fixed, Spherical
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY, Rotation
from torseur.spatial.vectors import Array
from torseur.words.sentence import say


@final
@dataclass(frozen=True)
class Relation(Constraint):
    """An expression of coordinates, speeds, time and parameters that stays zero.

    Without speeds it holds positions; with speeds, in which it must be linear, it holds speeds.
    """

    name: str
    zero: Expr
    place: str = ""
    wound: tuple[tuple[str, Expr], ...] = ()  # of a belt: joints and radii of its two wheels
    crossed: bool = False

    names = ("relation",)
    keys = (Key("zero", Kind.VARYING, "x. - r*theta."),)
    words: ClassVar = "{}: a relation between coordinates."

    @property
    def meanings(self) -> tuple[str, ...]:
        return (say("generalised force of the relation: its partial derivatives times this"),)

    @property
    def rows(self) -> ExpressionRow:
        return ExpressionRow(self.name, self.zero)

    def unknown(self, units: Mapping[str, str]) -> Unknown:
        if self.wound:
            words = say("difference of the tensions of the strands of {belt}", self.name)
            return Unknown("T", words, "N")
        return super().unknown(units)


@final
class Coupling(Declaration):
    """Σ c_k q_k = value."""

    names = ("coupling", "couplage")
    keys = (
        Key("value", Kind.VARYING, unit=SHARED),  # the sum has its dimension
        Key("coefficients", Kind.FACTORS, "{phi1: 2, phi2: -1}", unit=SHARED),
    )

    @classmethod
    def described(cls, name: str, given: ConstraintInput) -> Relation:
        total = combination(given["coefficients"], -given.get("value", ZERO))
        return Relation(name, total, given.place)


def combination(factors: Iterable[tuple[str, Expr]], total: Expr = ZERO) -> Expr:
    """Σ c_k q_k, added to `total`."""
    for coordinate, factor in factors:
        total = total + factor * symbol(coordinate, "coordinate")
    return total


# --- imposed motions ------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class CoordinateMotion(Constraint):
    """A coordinate that follows a law of time; its multiplier is the drive."""

    name: str
    coordinate: str
    law: Expr  # of t and the parameters
    place: str = ""

    names = ("motion of a coordinate", "mouvement d'un paramètre")
    keys = (
        Key("coordinate", Kind.ANY_COORDINATE, "phi1"),
        Key("law", Kind.TIMED, "Omega*t", unit=OF_COORDINATE),
    )
    words: ClassVar = "{}: an imposed motion."
    holding = Holding.IMPOSED

    @property
    def rows(self) -> ExpressionRow:
        zero = symbol(self.coordinate, "coordinate") - self.law
        return ExpressionRow(self.name, zero, self.coordinate, self.law)

    @property
    def meanings(self) -> tuple[str, ...]:
        return (say('force or couple that drives "{coordinate}"', self.coordinate),)

    def unknown(self, units: Mapping[str, str]) -> Unknown:
        if units.get(self.coordinate) == "rad":
            return Unknown("C", say("couple that drives ${coordinate}$", self.coordinate), "N·m")
        if units.get(self.coordinate) == "m":
            return Unknown("F", say("force that drives ${coordinate}$", self.coordinate), "N")
        return super().unknown(units)


@final
@dataclass(frozen=True)
class BodyMotion(Constraint):
    """A frame of a body that follows a pose given by laws of time; without R only its origin.

    It is a joint with a frame of the ground that moves so.
    """

    name: str
    body: str
    p: Array  # in the ground, of t and the parameters [m]
    R: Rotation | None = None
    X_BM: Pose = field(default_factory=Pose)  # the frame in the body
    place: str = ""

    names = ("motion of a body", "mouvement d'un solide")
    keys = (
        Key("body", Kind.BODY, "table"),
        Key("point", Kind.PLACE, of_class="X_BM"),
        Key("position", Kind.TIMED_VECTOR, "[0.1*sin(20*t), 0, 0]", of_class="p", unit="m"),
        Key("rotation", Kind.TIMED_ROTATION, of_class="R"),
    )
    words: ClassVar = "{}: an imposed motion."
    holding = Holding.IMPOSED

    @property
    def rows(self) -> JointRows:
        kind: Any = Spherical() if self.R is None else Fixed()
        X_AF = Pose(self.p, IDENTITY if self.R is None else self.R)
        return JointRows(self.name, kind, GROUND, self.body, X_AF, self.X_BM, moving=True)

    @property
    def meanings(self) -> tuple[str, ...]:
        parts = [say("force along {axis} of M, at its origin", x) for x in "xyz"]
        if self.R is not None:
            parts = [*(say("couple about {axis} of M", x) for x in "xyz"), *parts]
        return tuple(say('{effort}, of what moves "{body}"', part, self.body) for part in parts)
