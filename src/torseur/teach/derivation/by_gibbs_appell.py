"""Appell's equations: the energy of accelerations, body by body, then its derivatives."""

from __future__ import annotations

from torseur.algebra.calculus.derivative import gradient
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import substitute
from torseur.algebra.printing.latex import name as latex_name
from torseur.equations.formalisms.gibbs_appell import acceleration_energy
from torseur.teach.derivation.by_lagrange import energy_step
from torseur.teach.derivation.generalised_forces import forces_step, generalised_forces
from torseur.teach.derivation.steps import Step
from torseur.teach.derivation.telling import Telling


def steps(told: Telling) -> list[Step]:
    """Dynamic torseurs, energies of accelerations, generalised forces, ∂S/∂q̈ = Q + Jᵀ λ."""
    S = _read(told, acceleration_energy(told.system, told.efforts.motions))
    forces = generalised_forces(told)
    slopes = gradient(S, told.described.a)
    derivatives = [
        told.scalar(f"∂S/∂{a.name}", rf"\frac{{\partial S}}{{\partial {latex_name(a.name)}}}", x)
        for a, x in zip(told.described.a, slopes, strict=True)
    ]

    def own(body: str) -> Expr:
        return _read(told, told.own.acceleration_energy(told.bodies[body]))

    return [
        told.dynamics(),
        energy_step(told, "acceleration energy", "S", S, own),
        told.virtual_twists(),
        forces_step(told, forces),
        told.equations(slopes, forces.total, "appell", before=derivatives),
    ]


def _read(told: Telling, S: Expr) -> Expr:
    """S without the terms that have no acceleration, and no derivative."""
    return expression(told.read(S - substitute(S, dict.fromkeys(told.system.a, ZERO))))
