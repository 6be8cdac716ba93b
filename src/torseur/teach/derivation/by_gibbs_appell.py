"""Appell's equations: the energy of accelerations, body by body, then its derivatives."""

from __future__ import annotations

import numpy as np

from torseur.algebra.calculus.derivative import gradient
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import substitute
from torseur.algebra.printing.latex import name as latex_name
from torseur.equations.formalisms.gibbs_appell import acceleration_energy
from torseur.teach.derivation.by_lagrange import energy_step
from torseur.teach.derivation.formulas import Formula
from torseur.teach.derivation.generalised_forces import Generalised, forces_step, generalised_forces
from torseur.teach.derivation.hypotheses import GALILEAN, PERFECT
from torseur.teach.derivation.steps import Step
from torseur.teach.derivation.telling import Telling

Array = np.ndarray


def steps(told: Telling) -> list[Step]:
    """Dynamic torseurs, energies of accelerations, generalised forces, derivatives."""
    S = told.read(_moving(told, acceleration_energy(told.system, told.efforts.motions)))
    forces = generalised_forces(told)
    return [
        told.parametrisation(),
        told.kinematics(),
        told.dynamics(),
        _energy(told, S),
        told.virtual_twists(),
        forces_step(told, forces),
        _equations(told, S, forces),
    ]


def _moving(told: Telling, S: Expr) -> Expr:
    """S without the terms that have no acceleration, and no derivative."""
    return expression(S - substitute(S, dict.fromkeys(told.system.a, ZERO)))


def _energy(told: Telling, S: Expr) -> Step:
    def own(body: str) -> Expr:
        return told.read(_moving(told, told.own.acceleration_energy(told.bodies[body])))

    return energy_step(told, "acceleration energy", "S", S, own)


def _equations(told: Telling, S: Expr, forces: Generalised) -> Step:
    """∂S/∂q̈ = Q + Jᵀ λ."""
    said = told.words
    slopes = gradient(S, told.system.a)
    found: list[Formula] = []
    for a, slope in zip(told.system.a, slopes, strict=True):
        label = rf"\frac{{\partial S}}{{\partial {latex_name(a.name)}}}"
        found.append(told.scalar(f"∂S/∂{a.name}", label, slope))
    found += [told.equation(k, x, forces.total[k]) for k, x in enumerate(slopes)]
    held = bool(told.efforts.held.owners)
    return Step(
        "equations",
        said["equations"],
        (said["appell held" if held else "appell text"],),
        tuple(found),
        said["appell"],
        (GALILEAN, PERFECT),
    )
