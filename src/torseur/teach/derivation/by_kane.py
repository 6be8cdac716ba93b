"""Kane's equations: active and inertia forces along the partial velocities."""

from __future__ import annotations

from torseur.equations.formalisms.kane import derive
from torseur.teach.derivation.by_virtual_power import works_step
from torseur.teach.derivation.derivation_steps import Step
from torseur.teach.derivation.generalised_forces import generalised_forces
from torseur.teach.derivation.telling import Telling


def steps(telling: Telling) -> list[Step]:
    """Partial velocities, forces of both kinds, their sum."""
    equations = telling.in_chosen(derive(telling.system))
    inertia = equations.M @ telling.described.a + equations.h
    active = generalised_forces(telling).total
    both = {("F_{}", "F_{{{}}}"): active, ("F*_{}", "F^*_{{{}}}"): -inertia}
    return [
        telling.virtual_twists("partial velocities"),
        telling.dynamics(),
        works_step(telling, "kane forces", both),
        telling.equations(inertia, active, "kane"),
    ]
