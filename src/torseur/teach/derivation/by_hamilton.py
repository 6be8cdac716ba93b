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
from torseur.teach.derivation.formulas import Equation, Scalar
from torseur.teach.derivation.generalised_forces import forces_step, generalised_forces
from torseur.teach.derivation.hypotheses import GALILEAN, HOLONOMIC, PERFECT, TIMELESS
from torseur.teach.derivation.prose import names as names_in_prose
from torseur.teach.derivation.steps import Step, told_step
from torseur.teach.derivation.telling import Telling


def steps(told: Telling) -> list[Step]:
    """Energies, momenta, speeds from momenta, H, canonical equations."""
    check_holonomic(told.system)
    canonical = hamiltonian(of_variables(told.variables))
    timed = told.system.mechanism.motions or not told.holds(TIMELESS)
    return [
        kinetic_energy_step(told, whole_kinetic_energy(told)),
        told.virtual_twists(),
        forces_step(told, generalised_forces(told)),
        told_step(told.words, "momenta", _momenta(told, canonical)),
        told_step(
            told.words,
            "legendre",
            [told.scalar("H", "H", canonical.H)],
            theorem="legendre theorem",
            warnings=traps.imposed(told.system, told.words) if timed else (),
        ),
        _equations(told, canonical),
    ]


def _momenta(told: Telling, canonical: Hamiltonian) -> Iterator[Scalar]:
    """p = ∂L/∂q̇, and the speeds that follow from it."""
    yield told.scalar("L", "L", told.read(canonical.lagrangian.L))
    names = (*canonical.momenta, *told.described.speeds)
    for name, value in zip(names, (*canonical.lagrangian.p, *canonical.speeds), strict=True):
        yield told.scalar(name, latex_name(name), value)


def _equations(told: Telling, canonical: Hamiltonian) -> Step:
    """q̇ = ∂H/∂p, ṗ = −∂H/∂q + Q + Jᵀ λ."""
    said = told.words
    rates = zip(told.speeds, canonical.coordinate_rates, strict=True)
    equations = [
        Equation(name, speed, told.read(expression(value))) for (name, speed), value in rates
    ]
    free = expressions(canonical.free_momentum_rates)
    for k, name in enumerate(canonical.momenta):
        total = told.read(expression(free[k]) + told.reactions(k))
        equations.append(Equation(name, symbol(f"{name}.", "input"), total))
    kept = [n for n, x in zip(canonical.momenta, free, strict=True) if told.read(x) is ZERO]
    held = bool(told.efforts.held.owners)
    lines = [said["canonical held" if held else "canonical text"]]
    if kept and not held:
        lines.append(said["cyclic momenta"].format(names_in_prose(kept)))
    return told_step(
        said,
        "equations",
        equations,
        title="canonical",
        text=lines,
        theorem="hamilton",
        needs=(GALILEAN, PERFECT, HOLONOMIC),
    )
