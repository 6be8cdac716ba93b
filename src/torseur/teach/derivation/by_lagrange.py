"""Lagrange's equations, step by step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from torseur.algebra.calculus.derivative import gradient, time_derivative
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.algebra.printing.latex import name as latex_name
from torseur.dynamics.tree.energy import kinetic_energy
from torseur.equations.system import require_rates
from torseur.teach.derivation.formulas import Formula
from torseur.teach.derivation.generalised_forces import Generalised, forces_step, generalised_forces
from torseur.teach.derivation.hypotheses import GALILEAN, HOLONOMIC, PERFECT, POTENTIAL
from torseur.teach.derivation.steps import Step
from torseur.teach.derivation.telling import Telling
from torseur.words.sentence import say

Array = np.ndarray


def steps(told: Telling) -> list[Step]:
    """Energies, virtual twists, generalised forces, derivatives, equations."""
    require_rates(told.system, say("Lagrange's equations as they are taught"))
    T = whole_kinetic_energy(told)
    forces = generalised_forces(told)
    return [
        told.parametrisation(),
        told.kinematics(),
        kinetic_energy_step(told, T),
        told.virtual_twists(),
        forces_step(told, forces),
        _derivatives(told, T),
        _equations(told, T, forces),
    ]


def whole_kinetic_energy(told: Telling) -> Expr:
    """T, as it is best read."""
    made = told.system
    return told.read(expression(kinetic_energy(made.tree, made.q, made.v)))


def kinetic_energy_step(told: Telling, T: Expr) -> Step:
    """T by Koenig's theorem."""
    return energy_step(told, "kinetic energy", "T", T, told.kinetic_energy)


def energy_step(
    told: Telling, name: str, letter: str, whole: Expr, own: Callable[[str], Expr]
) -> Step:
    """An energy body by body, what rotors add, and the whole."""
    said = told.words
    found: list[Formula] = []
    total: Expr = ZERO
    for body in told.bodies:
        part = own(body)
        total = total + part
        label = told.of(letter, body)
        found.append(told.scalar(label.text, label.latex, part))
    rest = told.read(whole - total)
    if rest is not ZERO:
        found.append(told.scalar(f"{letter}(rotors)", rf"{letter}_{{\mathrm{{rotors}}}}", rest))
    if len(found) > 1:
        found.append(told.scalar(letter, letter, whole))
    return Step(name, said[name], (said[f"{name} text"],), tuple(found), said["koenig"])


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
