"""Lagrange's equations, step by step."""

from __future__ import annotations

import numpy as np

from torseur.algebra.derivative import gradient, time_derivative
from torseur.algebra.expr import ONE, ZERO, Expr, expression
from torseur.algebra.graph import expressions
from torseur.algebra.printing.latex import name as latex_name
from torseur.dynamics.energy import kinetic_energy
from torseur.formalisms.lagrangian import require_rates
from torseur.told import traps
from torseur.told.formulas import Formula
from torseur.told.generalised_forces import Generalised, generalised_forces
from torseur.told.hypotheses import GALILEAN, HOLONOMIC, PERFECT, POTENTIAL
from torseur.told.steps import Step
from torseur.told.telling import Telling
from torseur.topology.structure import TIME

Array = np.ndarray


def steps(told: Telling) -> list[Step]:
    """Energies, virtual twists, generalised forces, derivatives, equations."""
    require_rates(told.system, "Lagrange's equations as they are taught")
    T = told.read(expression(kinetic_energy(told.system.tree, told.system.q, told.system.v)))
    forces = generalised_forces(told)
    return [
        told.parametrisation(),
        told.kinematics(),
        _energy(told, T),
        told.virtual_twists(),
        _forces(told, forces),
        _derivatives(told, T),
        _equations(told, T, forces),
    ]


def _energy(told: Telling, T: Expr) -> Step:
    """Koenig, body by body."""
    said = told.words
    found: list[Formula] = []
    total: Expr = ZERO
    for body in told.bodies:
        own = told.kinetic_energy(body)
        total = total + own
        label = told.of("T", body)
        found.append(told.scalar(label.text, label.latex, own))
    rest = told.read(T - total)
    if rest is not ZERO:
        found.append(told.scalar("T(rotors)", r"T_{\mathrm{rotors}}", rest))
    if len(found) > 1:
        found.append(told.scalar("T", "T", T))
    return Step(
        "kinetic energy",
        said["kinetic energy"],
        (said["kinetic energy text"],),
        tuple(found),
        said["koenig"],
    )


def _forces(told: Telling, forces: Generalised) -> Step:
    said = told.words
    found: list[Formula] = []
    for source, values in forces.by_source.items():
        for (name, _), value in zip(told.speeds, values, strict=True):
            if value is not ZERO:
                shown = said.get(f"source {source}", source)
                label = rf"Q_{{{latex_name(name)}}}(\text{{{shown}}})"
                found.append(told.scalar(f"Q_{name}({shown})", label, value))
    if forces.potential is not ZERO:
        found.append(told.scalar("V", "V", forces.potential))
    if forces.rayleigh is not ZERO:
        found.append(told.scalar("R", r"\mathcal{R}", forces.rayleigh))
    key = "forces text" if found else "no forces"
    return Step(
        "forces",
        said["forces"],
        (said[key],),
        tuple(found),
        said["virtual power of actions"],
        (PERFECT,),
        traps.dissipation(told.energies, said),
    )


def _derivatives(told: Telling, T: Expr) -> Step:
    said, made = told.words, told.system
    momenta, slopes = gradient(T, made.v), gradient(T, made.q)
    along = {**dict(zip(made.q, made.v, strict=True)), TIME: ONE}
    along |= dict(zip(made.v, made.a, strict=True))
    rates = time_derivative(expressions(momenta), along)
    found: list[Formula] = []
    for k, (name, speed) in enumerate(told.speeds):
        q, v = latex_name(name), latex_name(speed.name)
        p = rf"\frac{{\partial T}}{{\partial {v}}}"
        found += [
            told.scalar(f"∂T/∂{speed.name}", p, momenta[k]),
            told.scalar(f"d/dt ∂T/∂{speed.name}", rf"\frac{{d}}{{dt}}{p}", rates[k]),
            told.scalar(f"∂T/∂{name}", rf"\frac{{\partial T}}{{\partial {q}}}", slopes[k]),
        ]
    return Step("derivatives", said["derivatives"], (said["derivatives text"],), tuple(found))


def _equations(told: Telling, T: Expr, forces: Generalised) -> Step:
    """d/dt ∂T/∂q̇ − ∂T/∂q = Q + Jᵀ λ."""
    said, made = told.words, told.system
    momenta, slopes = gradient(T, made.v), gradient(T, made.q)
    along = {**dict(zip(made.q, made.v, strict=True)), TIME: ONE}
    along |= dict(zip(made.v, made.a, strict=True))
    rates = time_derivative(expressions(momenta), along)
    found: list[Formula] = [
        told.equation(k, rates[k] - slopes[k], forces.total[k]) for k in range(len(made.v))
    ]
    held = bool(told.efforts.held.owners)
    lines = [said["equations held" if held else "equations text"]]
    needs = [GALILEAN, PERFECT, *([] if held else [HOLONOMIC])]
    if next(x for x in told.hypotheses if x.code == POTENTIAL).holds:
        lines.append(said["with a Lagrangian"])
    return Step(
        "equations",
        said["equations"],
        tuple(lines),
        tuple(found),
        said["lagrange with multipliers" if held else "lagrange"],
        tuple(needs),
    )
