"""A relation between coordinates, speeds and time."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import Expr
from torseur.model.constraints.protocol import Constraint, ExpressionRow
from torseur.model.forces.protocol import Key, Kind


@final
@dataclass(frozen=True)
class Relation(Constraint):
    """An expression of coordinates, speeds, time and parameters that stays zero.

    Without speeds it holds positions; with speeds, in which it must be linear, it holds speeds.
    """

    name: str
    zero: Expr
    place: str = ""

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
