"""A relation between coordinates, speeds and time, and the coupling, which is one."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.model.constraints.protocol import Constraint, Declaration, ExpressionRow
from torseur.model.forces.protocol import SHARED, Key, Kind
from torseur.model.joints.frames import Values


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
    words: ClassVar = {
        "en": "{}: a relation between coordinates.",
        "fr": "{} : une relation entre les paramètres.",
    }
    meanings = ("generalised force of the relation: its partial derivatives times this",)

    @property
    def rows(self) -> ExpressionRow:
        return ExpressionRow(self.name, self.zero)


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
