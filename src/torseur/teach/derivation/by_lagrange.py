"""Lagrange's equations step by step: of a mechanism, and of a Lagrangian that was given as such."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import gradient, time_derivative
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.latex import name as latex_name
from torseur.dynamics.tree.quantities import kinetic_energy
from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.equations.symbols.system import System, require_rates
from torseur.errors import ModelError
from torseur.named_words import teach_words
from torseur.teach.derivation.formulas import Equation, Scalar, SymbolLabel
from torseur.teach.derivation.generalised_forces import forces_step, generalised_forces
from torseur.teach.derivation.hypotheses import GALILEAN, HOLONOMIC, PERFECT, POTENTIAL
from torseur.teach.derivation.steps import Derivation, Step, told_step
from torseur.teach.derivation.telling import Telling
from torseur.words.sentence import say

Array = np.ndarray
FORMALISM = "lagrange"


def steps(told: Telling) -> list[Step]:
    """Energies, virtual twists, forces, derivatives, d/dt ∂T/∂q̇ − ∂T/∂q = Q + Jᵀ λ."""
    require_rates(told.system, say("Lagrange's equations as they are taught"))
    T, forces = whole_kinetic_energy(told), generalised_forces(told)
    held = bool(told.efforts.held.owners)
    return [
        kinetic_energy_step(told, T),
        told.virtual_twists(),
        forces_step(told, forces),
        told_step(told.words, "derivatives", _derivatives("T", T, told.described, told.scalar)),
        told.equations(
            _operator(T, told.described),
            forces.total,
            "equations",
            theorem="lagrange with multipliers" if held else "lagrange",
            needs=(GALILEAN, PERFECT) if held else (GALILEAN, PERFECT, HOLONOMIC),
            after=[told.words["with a Lagrangian"]] if told.holds(POTENTIAL) else [],
        ),
    ]


def whole_kinetic_energy(told: Telling) -> Expr:
    """T, as it is best read."""
    system = told.system
    return expression(told.read(kinetic_energy(system.tree, system.q, system.v)))


def kinetic_energy_step(told: Telling, T: Expr) -> Step:
    """T by Koenig's theorem."""
    return energy_step(told, "kinetic energy", "T", T, told.kinetic_energy)


def energy_step(
    told: Telling, name: str, letter: str, whole: Expr, own: Callable[[str], Expr]
) -> Step:
    """An energy body by body, what rotors add, and the whole."""
    parts: list[Scalar] = []
    total: Expr = ZERO
    for body in told.bodies:
        part = own(body)
        total = total + part
        label = told.of(letter, body)
        parts.append(told.scalar(label.text, label.latex, part))
    rest = told.read(whole - total)
    if rest is not ZERO:
        parts.append(told.scalar(f"{letter}(rotors)", rf"{letter}_{{\mathrm{{rotors}}}}", rest))
    if len(parts) > 1:
        parts.append(told.scalar(letter, letter, whole))
    return told_step(told.words, name, parts, theorem="koenig")


def _derivatives(
    letter: str, L: Expr, system: System, scalar: Callable[[str, str, Any], Scalar]
) -> list[Scalar]:
    """∂L/∂q̇, d/dt ∂L/∂q̇ and ∂L/∂q of each coordinate."""
    momenta, slopes, rates = (
        gradient(L, system.v),
        gradient(L, system.q),
        _momentum_rates(L, system),
    )
    formulas = []
    for k, (q, v) in enumerate(zip(system.coordinates, system.speeds, strict=True)):
        p, slope = (
            rf"\frac{{\partial {letter}}}{{\partial {latex_name(name)}}}" for name in (v, q)
        )
        formulas += [
            scalar(f"∂{letter}/∂{v}", p, momenta[k]),
            scalar(f"d/dt ∂{letter}/∂{v}", rf"\frac{{d}}{{dt}}{p}", rates[k]),
            scalar(f"∂{letter}/∂{q}", slope, slopes[k]),
        ]
    return formulas


def _momentum_rates(L: Expr, system: System) -> Array:
    """d/dt ∂L/∂q̇."""
    along = {**dict(zip(system.q, system.v, strict=True)), TIME: ONE}
    along |= dict(zip(system.v, system.a, strict=True))
    return expressions(time_derivative(gradient(L, system.v), along))


def _operator(L: Expr, system: System) -> Array:
    """d/dt ∂L/∂q̇ − ∂L/∂q."""
    return expressions(_momentum_rates(L, system) - gradient(L, system.q))


# --- a Lagrangian -------------------------------------------------------------------------------


def told_lagrangian(given: Lagrangian, formalism: str, lang: str) -> Derivation:
    """L as it was given, its derivatives, d/dt ∂L/∂q̇ − ∂L/∂q = Q − ∂R/∂q̇ + Jᵀ λ."""
    said, name = teach_words(lang), given.system.mechanism.name
    if formalism != FORMALISM:
        raise ModelError(
            "tell",
            say('"{formalism}" cannot start from a Lagrangian: it has no bodies.', formalism),
            say(
                'Formalisms of a Lagrangian: "{formalism}". Tell a mechanism by the others.',
                FORMALISM,
            ),
        )
    steps_told = (
        told_step(said, "lagrangian", _given(given)),
        told_step(
            said,
            "derivatives",
            _derivatives("L", given.L, given.system, _scalar),
            title="derivatives of a lagrangian",
        ),
        told_step(
            said,
            "equations",
            _equations(given),
            text=[said["equations of a lagrangian"]],
            theorem="lagrange with multipliers" if given.held.owners else "lagrange",
        ),
    )
    title = said["title"].format(name, said[f"by {formalism}"])
    return Derivation(name, formalism, lang, title, (), steps_told)


def _scalar(text: str, latex: str, value: Any) -> Scalar:
    return Scalar(SymbolLabel(text, latex), readable(expression(value)))


def _given(given: Lagrangian) -> list[Scalar]:
    """L, R and the forces, those that are not zero."""
    formulas = [_scalar("L", "L", given.L)]
    formulas += [_scalar("R", "R", given.R)] if given.R is not ZERO else []
    forces = zip(given.coordinates, expressions(given.Q), strict=True)
    return formulas + [
        _scalar(f"Q_{q}", f"Q_{{{latex_name(q)}}}", x) for q, x in forces if x is not ZERO
    ]


def _equations(given: Lagrangian) -> list[Equation]:
    system, held = given.system, given.held
    forces = expressions(given.Q - gradient(given.R, system.v))
    if held.owners:
        forces = expressions(forces + held.J.T @ held.unknowns)
    return [
        Equation(name, readable(a), readable(b))
        for name, a, b in zip(given.coordinates, _operator(given.L, system), forces, strict=True)
    ]
