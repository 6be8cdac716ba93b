"""A force along the line between two points, by any law of its length and rate."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import Expr, symbol
from torseur.algebra.core.graph import substitute
from torseur.model.forces.between import Ends, Line
from torseur.model.forces.potentials import check_potential, potential_of
from torseur.model.forces.protocol import Effect, Key, Kind, Places, place_of

LENGTH, RATE = symbol("length", "input"), symbol("rate", "input")
_LOCAL = (("length", LENGTH, "m"), ("rate", RATE, "m/s"))


@final
@dataclass(frozen=True)
class LineForce:
    """A tension φ(l, l̇) that pulls two points together (Llibre 2009, §4.2.3).

    The potential V of its part at rest, dV/dl = φ(l, 0), is found when that is a polynomial in l,
    or given. The remainder is counted by its power.
    """

    name: str
    between: Ends
    tension: Expr  # [N], of length and rate
    potential: Expr | None = None  # [J], of length
    place: str = ""

    names: ClassVar[tuple[str, ...]] = ("line", "ligne")
    keys: ClassVar[tuple[Key, ...]] = (
        Key("between", Kind.ENDS, "[[ground, [0, 0, 0]], [cart, [0, 0, 0]]]"),
        Key("tension", Kind.VARYING, "80*(length - 0.2) + 3*rate", local=_LOCAL, unit="N"),
        Key("potential", Kind.VARYING, local=_LOCAL, unit="J"),
    )

    def __post_init__(self) -> None:
        if self.potential is not None:
            place = place_of(self)
            check_potential(place, self.potential, self.tension, LENGTH, RATE)

    def effect(self, places: Places) -> Effect:
        line = Line(places, self.between)
        given = self.potential
        stored = potential_of(self.tension, LENGTH, RATE) if given is None else given
        tension = substitute(self.tension, {LENGTH: line.length, RATE: line.rate})
        return Effect(line.pulled(tension), potential=substitute(stored, {LENGTH: line.length}))
