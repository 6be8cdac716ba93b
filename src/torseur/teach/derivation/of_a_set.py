"""Some bodies isolated together: mass at G, Koenig, dynamic torseur, actions, powers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.algebra.printing.latex import quoted
from torseur.analyse.efforts.body_torseurs import BodyTorseurs, body_torseurs
from torseur.analyse.efforts.power_balance import force_powers
from torseur.equations.actions.efforts import Transmitted
from torseur.spatial.torseur import Torseur
from torseur.spatial.vectors import cross
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.hypotheses import GALILEAN, PERFECT
from torseur.teach.derivation.step_formulas import (
    Components,
    Formula,
    Scalar,
    SymbolLabel,
    TorseurFormula,
    Vector,
    word,
)
from torseur.teach.derivation.telling import Telling

_ORIGIN = SymbolLabel("O", "O")
_RESULTANT, _MOMENT = SymbolLabel("R", r"\vec{R}"), SymbolLabel("M(O)", r"\vec{M}(O)")
_HERE = ("ground", (0, 0, 0))


def steps(telling: Telling, bodies: tuple[str, ...]) -> list[Step]:
    """{D} = {F} and dT/dt = P_ext + P_int of the bodies together, of G and about G.

    Moments are taken at the origin O of the ground, components along its axes.
    """
    words, whole = telling.words, body_torseurs(telling.mechanism, bodies, at=_HERE)
    inside = {telling.bodies[name] for name in bodies}
    around = [x.name for x in telling.efforts.transmitted if x.on(inside)]
    text = [words["set text"].format(", ".join(bodies), ", ".join(around) or "0")]
    return [
        told_step(words, "set", text=text),
        *([_centre(telling, whole)] if whole.mass != 0 else []),
        told_step(words, "actions", _actions(telling, whole), text=[words["set actions"]]),
        told_step(
            words,
            "bodies",
            telling.balance(whole.dynamic, whole.action),
            title="set balance",
            text=[words["set balance text"]],
            theorem="pfd",
            needs=(GALILEAN,),
        ),
        told_step(
            words,
            "powers",
            _powers(telling, whole, bodies),
            theorem="energy theorem",
            needs=(GALILEAN, PERFECT),
        ),
    ]


def _vector(telling: Telling, text: str, latex: str, value: Any) -> Vector:
    return Vector(SymbolLabel(text, latex), Components(telling.read(expressions(value))))


def _torseur(telling: Telling, text: str, latex: str, value: Torseur) -> TorseurFormula:
    letters = zip((_RESULTANT, _MOMENT), (value.resultant, value.moment), strict=True)
    resultant, moment = (_vector(telling, x.text, x.latex, vector) for x, vector in letters)
    return TorseurFormula(SymbolLabel(text, latex), resultant, moment, _ORIGIN)


def _centre(telling: Telling, whole: BodyTorseurs) -> Step:
    """m, OG and V(G); σ* and T* in Koenig's frame.

    What is left about G is made without dividing by the mass: m σ* = m σ(O) − m OG × m V(G) and
    2 m T* = 2 m T − (m V(G))².
    """
    m, moment = whole.mass, telling.read(expressions(whole.mass * whole.centre))
    kinetic, p = whole.kinetic, telling.read(expressions(whole.kinetic.resultant))
    spin = _by_mass(telling, m * kinetic.moment - cross(moment, p), m)
    energy = _by_mass(telling, m * whole.kinetic_energy - p @ p / 2, m)
    formulas: list[Formula] = [
        telling.scalar("m", "m", m),
        _vector(telling, "OG", r"\vec{OG}", whole.centre),
        _vector(telling, "V(G)", r"\vec{V}(G)", whole.centre_velocity),
        _vector(telling, "σ*", r"\vec{\sigma}^{*}", spin),
        telling.scalar("½ m V(G)²", r"\frac{1}{2}\,m\,\vec{V}(G)^{2}", whole.energy_of_centre),
        telling.scalar("T*", "T^{*}", expression(energy)),
    ]
    return told_step(telling.words, "set centre", formulas, theorem="koenig")


def _by_mass(telling: Telling, times_mass: Any, mass: Any) -> Any:
    """A quantity from its product by the mass, read before it is divided."""
    return telling.read(times_mass) / mass


def _actions(telling: Telling, whole: BodyTorseurs) -> Iterator[Formula]:
    """The dynamic torseur, then weight, loads and each joint of the border."""
    yield _torseur(telling, "D", r"\mathcal{D}", whole.dynamic)
    loads = {telling.words.get(f"source {name}", name): x for name, x in whole.forces.items()}
    acting = {telling.words["set weight"]: whole.weight} | loads | whole.joints
    for name, torseur in acting.items():
        formula = _torseur(telling, f"F({name})", rf"\mathcal{{F}}_{{{word(name)}}}", torseur)
        if not formula.is_nothing:
            yield formula


def _powers(telling: Telling, whole: BodyTorseurs, bodies: tuple[str, ...]) -> Iterator[Scalar]:
    """From outside and inside, action by action; then what belongs to G."""
    external, internal = force_powers(telling.system, bodies)
    each = {name: body_torseurs(telling.mechanism, name, at=_HERE) for name in bodies}
    weight = sum((x.weight.comoment(x.kinematic) for x in each.values()), ZERO)
    external = {telling.words.get(f"source {name}", name): x for name, x in external.items()}
    external = {telling.words["set weight"]: expression(weight), **external}
    moving = {telling.bodies[name]: x.kinematic for name, x in each.items()}
    for x in telling.efforts.transmitted:
        within = x.first in moving and x.second in moving
        (internal if within else external)[x.name] = _through(x, moving)
    total: Expr = ZERO
    for kind, value in (("ext", external), ("int", internal)):
        for name, power in value.items():
            total = total + power
            label = rf"P_{{\mathrm{{{kind}}}}}({quoted(name.replace('_', ' '))})"
            scalar = telling.scalar(f"P_{kind}({name})", label, power)
            if scalar.value is not ZERO:
                yield scalar
    yield telling.scalar("dT/dt", r"\frac{\mathrm{d}T}{\mathrm{d}t}", total)
    if whole.mass != 0:
        of_centre = np.asarray(whole.action.resultant) @ np.asarray(whole.centre_velocity)
        latex = r"\vec{R}_{\mathrm{ext}}\cdot \vec{V}(G)"
        yield telling.scalar("R_ext·V(G)", latex, of_centre)
        about = r"\frac{\mathrm{d}T^{*}}{\mathrm{d}t}"
        left = whole.mass * total - np.asarray(whole.action.resultant) @ whole.kinetic.resultant
        yield telling.scalar("dT*/dt", about, expression(_by_mass(telling, left, whole.mass)))


def _through(x: Transmitted, moving: dict[int, Torseur]) -> Expr:
    """Wrench through a joint: the whole for a body outside, else the part that drives it.

    The reaction of a perfect joint has no power in the motion of its two bodies relative to each
    other, and the ground does not move.
    """
    power: Any = ZERO
    open_end = any(i >= 0 and i not in moving for i in (x.first, x.second))
    acting = x.reaction + x.driven if open_end else x.driven
    for i, side in ((x.second, 1), (x.first, -1)):
        if i in moving:
            power = power + side * acting.comoment(moving[i])
    return expression(power)
