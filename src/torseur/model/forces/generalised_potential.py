"""A potential that depends on speeds, such as that of a charge in a magnetic field."""

from dataclasses import dataclass
from typing import final

from torseur.algebra.calculus.derivative import gradient, jacobian, time_derivative
from torseur.algebra.core.expr import TIME, ZERO, Expr
from torseur.algebra.core.graph import free_symbols, substitute
from torseur.errors import ModelError
from torseur.model.forces.protocol import Effect, Force, Key, Kind, Places, place_of
from torseur.words.sentence import say


@final
@dataclass(frozen=True)
class GeneralisedPotential(Force):
    """Q = d/dt ∂U/∂v − ∂U/∂q, with U(q, v, t) linear in the speeds (Llibre 2009, §2.2.3).

    What U has without speeds, U₀(q, t), is stored energy; the rest does no work if it does not
    depend on t. Were U not linear in the speeds, Q would depend on accelerations: such a term
    belongs to the kinetic energy.
    """

    name: str
    value: Expr  # U [J]
    place: str = ""

    names = ("generalised potential", "generalized potential", "potentiel généralisé")
    keys = (Key("value", Kind.VARYING, "e*B/2*(y*x. - x*y.)", unit="J"),)

    def __post_init__(self) -> None:
        speeds = [x for x in free_symbols(self.value) if x.kind == "speed"]
        for x in free_symbols(jacobian([self.value], speeds)):
            if x.kind == "speed":
                raise ModelError(
                    place_of(self),
                    say(
                        'the potential is not linear in the speed "{x}": its force would depend on '
                        "accelerations.",
                        x.name,
                    ),
                    "Give the mass or the inertia that such a term stands for.",
                )

    def effect(self, places: Places) -> Effect:
        moving = {x: x.kind for x in free_symbols(self.value) if x.kind in ("coordinate", "speed")}
        freedoms = [f for f in places.freedoms if f.q in moving or f.v in moving]
        for x in moving.keys() - {f.q for f in freedoms} - {f.v for f in freedoms}:
            raise ModelError(
                place_of(self),
                say('"{x}" is not a coordinate whose rate is its speed, nor such a speed.', x.name),
                "Describe the body by joints with angles and distances.",
            )
        q, v = [f.q for f in freedoms], [f.v for f in freedoms]
        momenta = gradient(self.value, v)
        rates = time_derivative(momenta, dict(zip(q, v, strict=True)), TIME)
        forces = rates - gradient(self.value, q)
        stored = substitute(self.value, dict.fromkeys(v, ZERO))
        return Effect(joint_forces=tuple(zip(freedoms, forces, strict=True)), potential=stored)
