"""The imposed motion of a coordinate."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import Expr, symbol
from torseur.model.constraints.protocol import Constraint, ExpressionRow, Holding
from torseur.model.forces.protocol import OF_COORDINATE, Key, Kind


@final
@dataclass(frozen=True)
class CoordinateMotion(Constraint):
    """A coordinate that follows a law of time; what drives it is found as its multiplier."""

    name: str
    coordinate: str
    law: Expr  # of t and the parameters
    place: str = ""

    names = ("motion of a coordinate", "mouvement d'un paramètre")
    keys = (
        Key("coordinate", Kind.COORDINATE, "phi1"),
        Key("law", Kind.TIMED, "Omega*t", unit=OF_COORDINATE),
    )
    words: ClassVar = {"en": "{}: an imposed motion.", "fr": "{} : un mouvement imposé."}
    holding = Holding.IMPOSED

    @property
    def rows(self) -> ExpressionRow:
        zero = symbol(self.coordinate, "coordinate") - self.law
        return ExpressionRow(self.name, zero, self.coordinate, self.law)

    @property
    def meanings(self) -> tuple[str, ...]:
        return (f'force or couple that drives "{self.coordinate}"',)
