"""A linear damper between two points."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import Expr
from torseur.model.forces.between import Ends, Line
from torseur.model.forces.protocol import Effect, Key, Kind, Places


@final
@dataclass(frozen=True)
class Damper:
    """A damper along a line: tension b l̇; its power is −b l̇²."""

    name: str
    between: Ends
    damping: Expr  # [N s/m]
    place: str = ""

    names: ClassVar[tuple[str, ...]] = ("damper", "amortisseur")
    keys: ClassVar[tuple[Key, ...]] = (
        Key("between", Kind.ENDS, "[[ground, [0, 0, 0]], [cart, [0, 0, 0]]]"),
        Key("damping", Kind.CONSTANT, "12 N.s/m", unit="N.s/m"),
    )

    def effect(self, places: Places) -> Effect:
        line = Line(places, self.between)
        return Effect(line.pulled(self.damping * line.rate))
