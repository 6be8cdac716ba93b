"""Hamilton: momenta, the Legendre transform, the canonical equations."""

from __future__ import annotations

from collections.abc import Iterator

from torseur.algebra.core.expr import ZERO, expression, symbol
from torseur.algebra.core.graph import expressions
from torseur.algebra.printing.latex import name as latex_name
from torseur.equations.analytical.lagrangian import Hamiltonian, hamiltonian
from torseur.equations.analytical.sources import of_variables
from torseur.equations.formalisms.hamilton import check_holonomic
from torseur.teach.derivation import traps
from torseur.teach.derivation.by_lagrange import kinetic_energy_step, whole_kinetic_energy
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.generalised_forces import forces_step, generalised_forces
from torseur.teach.derivation.hypotheses import GALILEAN, HOLONOMIC, PERFECT, TIMELESS
from torseur.teach.derivation.step_formulas import Equation, Scalar
from torseur.teach.derivation.step_formulas import names as names_in_prose
from torseur.teach.derivation.telling import Telling


def steps(telling: Telling) -> list[Step]:
    """Energies, momenta, speeds from momenta, H, canonical equations."""
    check_holonomic(telling.system)
    canonical = hamiltonian(of_variables(telling.variables))
    timed = telling.system.mechanism.motions or not telling.holds(TIMELESS)
    return [
        kinetic_energy_step(telling, whole_kinetic_energy(telling)),
        telling.virtual_twists(),
        forces_step(telling, generalised_forces(telling)),
        told_step(telling.words, "momenta", _momenta(telling, canonical)),
        told_step(
            telling.words,
            "legendre",
            [telling.scalar("H", "H", canonical.H)],
            theorem="legendre theorem",
            warnings=traps.imposed(telling.system, telling.words) if timed else (),
        ),
        _equations(telling, canonical),
    ]


def _momenta(telling: Telling, canonical: Hamiltonian) -> Iterator[Scalar]:
    """p = ∂L/∂q̇, and the speeds that follow from it."""
    yield telling.scalar("L", "L", telling.read(canonical.lagrangian.L))
    names = (*canonical.momenta, *telling.described.speeds)
    for name, value in zip(names, (*canonical.lagrangian.p, *canonical.speeds), strict=True):
        yield telling.scalar(name, latex_name(name), value)


def _equations(telling: Telling, canonical: Hamiltonian) -> Step:
    """q̇ = ∂H/∂p, ṗ = −∂H/∂q + Q + Jᵀ λ."""
    words = telling.words
    rates = zip(telling.speeds, canonical.coordinate_rates, strict=True)
    equations = [
        Equation(name, speed, telling.read(expression(value))) for (name, speed), value in rates
    ]
    free = expressions(canonical.free_momentum_rates)
    for k, name in enumerate(canonical.momenta):
        total = telling.read(expression(free[k]) + telling.reactions(k))
        equations.append(Equation(name, symbol(f"{name}.", "input"), total))
    constant = [n for n, x in zip(canonical.momenta, free, strict=True) if telling.read(x) is ZERO]
    constrained = bool(telling.efforts.held.owners)
    lines = [words["canonical held" if constrained else "canonical text"]]
    if constant and not constrained:
        lines.append(words["cyclic momenta"].format(names_in_prose(constant)))
    return told_step(
        words,
        "equations",
        equations,
        title="canonical",
        text=lines,
        theorem="hamilton",
        needs=(GALILEAN, PERFECT, HOLONOMIC),
    )
