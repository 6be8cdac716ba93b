"""Kane's equations: active and inertia forces along the partial velocities."""

from __future__ import annotations

from torseur.equations.formalisms.kane import derive
from torseur.teach.derivation.by_virtual_power import works_step
from torseur.teach.derivation.generalised_forces import generalised_forces
from torseur.teach.derivation.steps import Step
from torseur.teach.derivation.telling import Telling


def steps(told: Telling) -> list[Step]:
    """Partial velocities, forces of both kinds, their sum."""
    equations = told.in_chosen(derive(told.system))
    inertia = equations.M @ told.described.a + equations.h
    active = generalised_forces(told).total
    both = {("F_{}", "F_{{{}}}"): active, ("F*_{}", "F^*_{{{}}}"): -inertia}
    return [
        told.virtual_twists("partial velocities"),
        told.dynamics(),
        works_step(told, "kane forces", both),
        told.equations(inertia, active, "kane"),
    ]
