"""The mutual attraction of two bodies, both extended."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import Expr
from torseur.errors import ModelError
from torseur.model.forces.attraction import G, attracted
from torseur.model.forces.protocol import (
    Action,
    Attachment,
    Effect,
    Key,
    Kind,
    Places,
    place_of,
)
from torseur.words.sentence import say


@final
@dataclass(frozen=True)
class Gravitation:
    """Newton's attraction between two bodies, to second order in their sizes over their distance.

    V = −G m m'/r − G m (tr I' − 3 û·I' û)/(2 r³) − G m' (tr I − 3 û·I û)/(2 r³).
    """

    name: str
    between: tuple[str, str]
    constant: Expr = G  # [m³/(kg s²)]
    place: str = ""

    names: ClassVar[tuple[str, ...]] = ("gravitation", "mutual attraction", "attraction mutuelle")
    keys: ClassVar[tuple[Key, ...]] = (
        Key("between", Kind.PAIR, "[earth, moon]"),
        Key("constant", Kind.CONSTANT, unit="N.m^2/kg^2"),
    )

    def __post_init__(self) -> None:
        first, second = self.between
        if first == second:
            place = place_of(self)
            problem = say('the body "{first}" is to attract itself.', first)
            raise ModelError(place, problem, "Name two different bodies.")

    def effect(self, places: Places) -> Effect:
        first, second = (Attachment(name, places.bodies[name].centre) for name in self.between)
        m1, m2 = (places.bodies[name].mass for name in self.between)
        # the monopoles are counted once, with the first body
        own1, V1, pull1 = attracted(places, first, m1, second, self.constant * m2)
        own2, V2, pull2 = attracted(places, second, 0, first, self.constant * m1)
        reactions = Action(second, -pull1), Action(first, -pull2)
        return Effect((own1, own2, *reactions), potential=V1 + V2)
