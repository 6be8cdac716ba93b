"""The generalised forces of each action: weight, motors, springs, loads, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.algebra.printing.latex import name as latex_name
from torseur.algebra.printing.latex import quoted
from torseur.equations.actions.applied import WEIGHT, actions_of, frozen_gradient
from torseur.teach.derivation import traps
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.energy_forms import with_rest_lengths
from torseur.teach.derivation.hypotheses import PERFECT
from torseur.teach.derivation.step_formulas import Formula, Scalar, SymbolLabel
from torseur.teach.derivation.telling import Telling

Array = np.ndarray


@final
@dataclass(frozen=True)
class Generalised:
    """Q by source and by coordinate, the potential they have together, Rayleigh's function."""

    by_source: dict[str, Array]
    potential: Expr
    rayleigh: Expr

    @property
    def total(self) -> Array:
        """The sum over all sources."""
        parts = list(self.by_source.values())
        return expressions(sum(parts[1:], parts[0]))


def generalised_forces(telling: Telling) -> Generalised:
    """Σ {F} · {V*} of each source, frozen forces being differentiated with respect to speeds."""
    system, applied = telling.system, actions_of(telling.system)
    moving = [(x.v, x.w) for x in applied.places.velocities]
    by_source: dict[str, Array] = {WEIGHT: _weight(telling)}
    for name, part in applied.told_apart(applied.parts).items():
        forces = applied.opened(frozen_gradient(part, moving, system.v))
        by_source[f"forces.{name}" if name == WEIGHT else name] = telling.read(
            telling.projected(expressions(forces))
        )
    if telling.slides is not None:
        names = ", ".join(x.name for x in telling.slides.parts)
        rubbing = telling.read(telling.projected(telling.rubbing))
        by_source[telling.words["source sliding"].format(names)] = rubbing
    nonzero = {name: x for name, x in by_source.items() if any(y is not ZERO for y in x)}
    if not nonzero:
        nonzero = {WEIGHT: expressions(np.zeros(len(system.v)))}
    V = expression(telling.energies.V + telling.energies.U)
    return Generalised(nonzero, telling.read(V), telling.read(expression(telling.energies.R)))


def _weight(telling: Telling) -> Array:
    """Σ m g · ∂V(G)/∂q̇ over the bodies."""
    gravity = np.asarray(telling.system.gravity, dtype=object)
    values = []
    for _, speed in telling.speeds:
        total = ZERO
        for body in telling.bodies:
            mass, R = telling.mechanism.bodies[body].mass, telling.places.rotation(body)
            velocity = R.out(expressions(telling.virtual(body, speed).moment))
            total = total + expression(mass * (gravity @ velocity))
        values.append(telling.read(total))
    return expressions(values)


def forces_step(telling: Telling, forces: Generalised) -> Step:
    """The generalised forces by source, then V and R where there are any."""
    words = telling.words
    formulas: list[Formula] = []
    for source, values in forces.by_source.items():
        for (name, _), value in zip(telling.speeds, values, strict=True):
            if value is not ZERO:
                title = words.get(f"source {source}", source)
                label = rf"Q_{{{latex_name(name)}}}({quoted(title)})"
                formulas.append(telling.scalar(f"Q_{name}({title})", label, value))
    if forces.potential is not ZERO:
        formulas.append(Scalar(SymbolLabel("V", "V"), with_rest_lengths(forces.potential)))
    if forces.rayleigh is not ZERO:
        formulas.append(telling.scalar("R", r"\mathcal{R}", forces.rayleigh))
    return told_step(
        words,
        "forces",
        formulas,
        text=[] if formulas else [words["no forces"]],
        theorem="virtual power of actions",
        needs=(PERFECT,),
        warnings=traps.dissipation(telling.energies, words),
    )
