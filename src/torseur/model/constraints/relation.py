"""A relation between coordinates, speeds and time, and the coupling, which is one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.model.constraints.protocol import (
    Constraint,
    ConstraintInput,
    Declaration,
    ExpressionRow,
    Unknown,
)
from torseur.model.forces.protocol import SHARED, Key, Kind
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
