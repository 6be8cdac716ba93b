"""Hamilton: momenta, the Legendre transform, the canonical equations."""

from __future__ import annotations

from torseur.algebra.core.expr import ZERO, expression, symbol
from torseur.algebra.core.graph import expressions
from torseur.algebra.printing.latex import name as latex_name
from torseur.equations.analytical.lagrangian import Hamiltonian, hamiltonian
from torseur.equations.analytical.sources import of_system
from torseur.equations.formalisms.hamilton import check_holonomic
from torseur.teach.derivation import traps
from torseur.teach.derivation.by_lagrange import kinetic_energy_step, whole_kinetic_energy
from torseur.teach.derivation.formulas import Equation, Formula
from torseur.teach.derivation.generalised_forces import forces_step, generalised_forces
from torseur.teach.derivation.hypotheses import GALILEAN, HOLONOMIC, PERFECT
from torseur.teach.derivation.steps import Step
from torseur.teach.derivation.telling import Telling


def steps(told: Telling) -> list[Step]:
    """Energies, momenta, speeds from momenta, H, canonical equations."""
    check_holonomic(told.system)
    made = hamiltonian(of_system(told.system))
    return [
        told.parametrisation(),
        told.kinematics(),
        kinetic_energy_step(told, whole_kinetic_energy(told)),
        told.virtual_twists(),
        forces_step(told, generalised_forces(told)),
        _momenta(told, made),
        _legendre(told, made),
        _equations(told, made),
    ]


def _momenta(told: Telling, made: Hamiltonian) -> Step:
    """p = ∂L/∂q̇, and the speeds that follow from it."""
    said = told.words
    L = told.read(made.lagrangian.L)
    found: list[Formula] = [told.scalar("L", "L", L)]
    for name, p in zip(made.momenta, made.lagrangian.p, strict=True):
        found.append(told.scalar(name, latex_name(name), p))
    for (_, speed), value in zip(told.speeds, made.speeds, strict=True):
        found.append(told.scalar(speed.name, latex_name(speed.name), value))
    return Step("momenta", said["momenta"], (said["momenta text"],), tuple(found))


def _legendre(told: Telling, made: Hamiltonian) -> Step:
    said = told.words
    timed = told.system.mechanism.motions or not _timeless(told)
    return Step(
        "legendre",
        said["legendre"],
        (said["legendre text"],),
        (told.scalar("H", "H", made.H),),
        said["legendre theorem"],
        (),
        traps.imposed(told.system, said) if timed else (),
    )


def _timeless(told: Telling) -> bool:
    return next(x for x in told.hypotheses if x.code == "H4").holds


def _equations(told: Telling, made: Hamiltonian) -> Step:
    """q̇ = ∂H/∂p, ṗ = −∂H/∂q + Q + Jᵀ λ."""
    said = told.words
    rates = zip(told.speeds, made.coordinate_rates, strict=True)
    found: list[Formula] = [
        Equation(name, speed, told.read(expression(value))) for (name, speed), value in rates
    ]
    free = expressions(made.free_momentum_rates)
    for k, name in enumerate(made.momenta):
        total = told.read(expression(free[k]) + told.reactions(k))
        found.append(Equation(name, symbol(f"{name}.", "input"), total))
    kept = [n for n, x in zip(made.momenta, free, strict=True) if told.read(x) is ZERO]
    held = bool(told.efforts.held.owners)
    lines = [said["canonical held" if held else "canonical text"]]
    if kept and not held:
        lines.append(said["cyclic momenta"].format(", ".join(kept)))
    return Step(
        "equations",
        said["canonical"],
        tuple(lines),
        tuple(found),
        said["hamilton"],
        (GALILEAN, PERFECT, HOLONOMIC),
    )
