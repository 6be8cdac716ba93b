"""A brake: dry friction in a joint whose load is given, so that it may hold."""

from dataclasses import dataclass
from typing import final

from torseur.algebra.core.expr import ONE, Expr
from torseur.model.forces.joint import JOINT, JointForce
from torseur.model.forces.protocol import Effect, Key, Kind, Places
from torseur.model.joints.friction import Friction


@final
@dataclass(frozen=True)
class Brake(JointForce):
    """Dry friction up to μ N r on a coordinate of a joint, N any expression: it slips or holds.

    N may depend on time, on the motion and on reactions (a pad that is pressed by a lever); a load
    below zero is none. On a distance there is no radius.
    """

    name: str
    joint: str
    friction: Friction
    load: Expr  # N [N]
    radius: Expr = ONE  # r [m]
    coordinate: str = ""
    place: str = ""

    names = ("brake", "frein")
    rubs = True
    keys = (
        *JOINT,
        Key("friction", Kind.FRICTION, "0.4"),
        Key("load", Kind.VARYING, "800 N", unit="N"),
        Key("radius", Kind.CONSTANT, unit="m"),
    )

    def effect(self, places: Places) -> Effect:
        return Effect(rubbing=((self.freedom(places), self.friction, self.load * self.radius),))
