"""Kane's equations: active and inertia forces along the partial velocities."""

from __future__ import annotations

from torseur.algebra.core.expr import expression
from torseur.algebra.printing.latex import name as latex_name
from torseur.equations.formalisms.kane import derive
from torseur.teach.derivation import traps
from torseur.teach.derivation.formulas import Formula
from torseur.teach.derivation.generalised_forces import generalised_forces
from torseur.teach.derivation.hypotheses import GALILEAN, PERFECT
from torseur.teach.derivation.steps import Step
from torseur.teach.derivation.telling import Telling


def steps(told: Telling) -> list[Step]:
    """Partial velocities, forces of both kinds, their sum."""
    found = derive(told.system)
    inertia = [expression(x) for x in found.M @ told.system.a + found.h]
    active = generalised_forces(told).total
    said = told.words
    formulas: list[Formula] = []
    for k, (name, _) in enumerate(told.speeds):
        q = latex_name(name)
        formulas += [
            told.scalar(f"F_{name}", rf"F_{{{q}}}", active[k]),
            told.scalar(f"F*_{name}", rf"F^*_{{{q}}}", -inertia[k]),
        ]
    held = bool(told.efforts.held.owners)
    return [
        told.parametrisation(),
        told.kinematics(),
        told.virtual_twists("partial velocities"),
        told.dynamics(),
        Step(
            "kane forces",
            said["kane forces"],
            (said["kane forces text"],),
            tuple(formulas),
            warnings=traps.dissipation(told.energies, said),
        ),
        Step(
            "equations",
            said["equations"],
            (said["kane held" if held else "kane text"],),
            tuple(told.equation(k, x, active[k]) for k, x in enumerate(inertia)),
            said["kane"],
            (GALILEAN, PERFECT),
        ),
    ]
