"""Appell's equations: the energy of accelerations, body by body, then its derivatives."""

from __future__ import annotations

from torseur.algebra.calculus.derivative import gradient
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import substitute
from torseur.algebra.printing.latex import name as latex_name
from torseur.equations.formalisms.gibbs_appell import acceleration_energy
from torseur.teach.derivation.by_lagrange import energy_step
from torseur.teach.derivation.derivation_steps import Step
from torseur.teach.derivation.generalised_forces import forces_step, generalised_forces
from torseur.teach.derivation.telling import Telling


def steps(telling: Telling) -> list[Step]:
    """Dynamic torseurs, energies of accelerations, generalised forces, ∂S/∂q̈ = Q + Jᵀ λ."""
    S = _read(telling, acceleration_energy(telling.system, telling.efforts.motions))
    forces = generalised_forces(telling)
    slopes = gradient(S, telling.described.a)
    derivatives = [
        telling.scalar(f"∂S/∂{a.name}", rf"\frac{{\partial S}}{{\partial {latex_name(a.name)}}}", x)
        for a, x in zip(telling.described.a, slopes, strict=True)
    ]

    def energy_of(body: str) -> Expr:
        return _read(telling, telling.own.acceleration_energy(telling.bodies[body]))

    return [
        telling.dynamics(),
        energy_step(telling, "acceleration energy", "S", S, energy_of),
        telling.virtual_twists(),
        forces_step(telling, forces),
        telling.equations(slopes, forces.total, "appell", before=derivatives),
    ]


def _read(telling: Telling, S: Expr) -> Expr:
    """S without the terms that have no acceleration, and no derivative."""
    return expression(telling.read(S - substitute(S, dict.fromkeys(telling.system.a, ZERO))))
