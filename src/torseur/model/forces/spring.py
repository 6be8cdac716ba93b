"""A linear spring between two points."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import ZERO, Expr
from torseur.model.forces.between import Ends, Line
from torseur.model.forces.protocol import Effect, Key, Kind, Places


@final
@dataclass(frozen=True)
class Spring:
    """A spring along a line: tension k (l − l₀), potential ½ k (l − l₀)²."""

    name: str
    between: Ends
    stiffness: Expr  # [N/m]
    length: Expr = ZERO  # at rest [m]
    place: str = ""

    names: ClassVar[tuple[str, ...]] = ("spring", "ressort")
    keys: ClassVar[tuple[Key, ...]] = (
        Key("between", Kind.ENDS, "[[ground, [0, 0, 0]], [cart, [0, 0, 0]]]"),
        Key("stiffness", Kind.CONSTANT, "80 N/m", unit="N/m"),
        Key("length", Kind.CONSTANT, unit="m"),
    )

    def effect(self, places: Places) -> Effect:
        line = Line(places, self.between)
        longer = line.length - self.length
        tension = self.stiffness * longer
        return Effect(line.pulled(tension), potential=self.stiffness * longer**2 / 2)
