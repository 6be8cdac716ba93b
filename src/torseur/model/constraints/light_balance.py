"""The balance of forces along a motion without inertia, as a condition."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import Expr
from torseur.model.constraints.protocol import Constraint, ExpressionRow
from torseur.words.sentence import say


@final
@dataclass(frozen=True)
class LightBalance(Constraint):
    """Forces along a motion that nothing resists vanish: no description has it, motions do.

    Without dampers it holds positions, with them speeds. Its multiplier is zero: the equation of
    motion in that direction is the balance itself.
    """

    name: str
    zero: Expr
    coordinate: str = ""  # one that has no inertia, which this decides
    place: str = ""

    names = ("balance", "équilibre")
    keys = ()
    words: ClassVar = "{}: forces on what has no mass."

    @property
    def meanings(self) -> tuple[str, ...]:
        return (say("zero: the forces balance"),)

    @property
    def rows(self) -> ExpressionRow:
        return ExpressionRow(self.name, self.zero)
