"""Quantities that may be constant: energies and momenta, each with the condition of its theorem."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from torseur.algebra.calculus.antiderivative import potential
from torseur.algebra.calculus.derivative import derivative, gradient
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import free_symbols, substitute
from torseur.algebra.forms.normal_form import normal_form, vanishes
from torseur.analyse.integrals.rigid_symmetries import (
    ANGULAR,
    LINEAR,
    Candidate,
    rigid_symmetries,
)
from torseur.dynamics.tree.quantities import kinetic_energy, potential_energy
from torseur.equations.actions.applied import power_without_potential, stored_energy
from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.equations.analytical.sources import of_system, of_variables
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.formalisms.derive import derived
from torseur.equations.motion.parametrisation import chosen_coordinates, imposed
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.model.values.scales import state_units
from torseur.words.sentence import say

Array = np.ndarray
JOULE = "J"
_ENERGY = "no force without a potential works, and nothing that holds the system moves by itself"
_GAUGE = say(
    "what changes $L$ + work in time is the derivative of an expression of $q$ and $t$ (Noether)"
)
_TYPED = say(
    "$L$ does not depend on time, and no other force works: $v ∂L/∂v - L$ (Painlevé, Jacobi)"
)
_WORK = say(
    "the power of the forces without a potential is the derivative of an expression of $q$ and $t$"
)
_PAINLEVE = say(
    "$L$ does not depend on time once the imposed motions are put into it (Painlevé, Jacobi)"
)


def candidates(system: System, given: Lagrangian | None) -> Iterator[Candidate]:
    """Everything that is worth a test, the best known names first."""
    if given is not None:
        yield _energy_of(given, "E", "energy", _TYPED)
        yield from _energy_with_gauge(given, "E")
        yield from _cyclic(given)
        return
    yield from _energy(system)
    laws = imposed(system)
    rigid = rigid_symmetries(system)
    variables = chosen_coordinates(system)
    try:
        written = of_system(system, laws) if laws else of_variables(variables)
    except ModelError:  # speeds that are not rates: no Lagrangian in these coordinates
        yield from rigid
        yield from _quasi_momenta(system)
        return
    if laws or system.mechanism.frame is not None:
        yield _energy_of(written, "H", say("Painlevé's integral $T2 - T0 + V$"), _PAINLEVE)
        yield from _energy_with_gauge(written, "H")
    yield from _cyclic(written) if laws else _of_joints(_cyclic(written), system)
    yield from rigid


def _of_joints(result: Iterator[Candidate], system: System) -> Iterator[Candidate]:
    """Momenta of chosen coordinates, in those of joints."""
    known: dict[Expr, Expr] = {}
    for one in system.mechanism.chosen.values():
        known[symbol(one.name, "coordinate")] = one.value
        known[symbol(f"{one.name}.", "speed")] = one.rate
    for candidate in result:
        yield replace(candidate, value=expression(substitute(candidate.value, known)))


def _energy(system: System) -> Iterator[Candidate]:
    """T + V + what forces store; less the work of the others where q and t tell it."""
    T = kinetic_energy(system.tree, system.q, system.v)
    V = potential_energy(system.tree, system.q, system.gravity)
    value = expression(T + V + stored_energy(system))
    power = power_without_potential(system)

    def still() -> bool:
        return all(vanishes(x) for x in constraints_of(system).rate)

    yield Candidate("E", "energy", value, JOULE, _ENERGY, lambda: vanishes(power) and still())
    work = _integrated(power, system) if len(system.q) == len(system.v) else None
    if work is not None and work is not ZERO:
        yield Candidate("E_W", "energy less a work", value - work, JOULE, _WORK, still, ("E",))


def _energy_of(given: Lagrangian, name: str, kind: str, why: str) -> Candidate:
    """v · ∂L/∂v − L; its rate is −∂L/∂t + (Q − ∂R/∂v) · v − λ · b."""

    def proved() -> bool:
        drifting = [derivative(given.L, TIME), _works(given), *given.constraints.rate]
        return all(vanishes(x) for x in drifting)

    return Candidate(name, kind, given.energy, JOULE, why, proved)


def _works(given: Lagrangian) -> Expr:
    """The power of the forces that are not in L."""
    v = given.system.v
    return expression((given.Q - gradient(given.R, v)) @ v)


def _energy_with_gauge(given: Lagrangian, plain: str) -> Iterator[Candidate]:
    """v · ∂L/∂v − L − G, where (Q − ∂R/∂v) · v − ∂L/∂t = dG/dt: L counts up to a derivative."""
    system = given.system
    gauge = _integrated(_works(given) - expression(derivative(given.L, TIME)), system)
    if gauge is not None and gauge is not ZERO:
        kind, value = "energy less a gauge term", given.energy - gauge
        known = (plain, "E", "E_W")

        def still() -> bool:
            return all(vanishes(x) for x in given.constraints.rate)

        yield Candidate(f"{plain}_G", kind, value, JOULE, _GAUGE, still, known)


# --- momenta of coordinates ---------------------------------------------------------------------


def _cyclic(given: Lagrangian) -> Iterator[Candidate]:
    """∂L/∂q̇_j − F(q, t), where ∂L/∂q_j + Q_j − ∂R/∂q̇_j = dF/dt and J leaves q_j alone."""
    system = given.system
    units = _momentum_units(system)
    slopes = gradient(given.L, system.q) + given.Q - gradient(given.R, system.v)
    for k, name in enumerate(system.coordinates):
        column = given.constraints.J[:, k]
        impulse = _integrated(expression(slopes[k]), system)
        if impulse is None or not all(vanishes(x) for x in column):
            continue
        plain = impulse is ZERO
        yield Candidate(
            f"p_{name}",
            "momentum of a cyclic coordinate" if plain else "momentum less an impulse",
            expression(given.p[k]) - impulse,
            units.get(name, ""),
            _why_cyclic(name, plain, bool(len(column))),
            lambda: True,
        )


def _why_cyclic(name: str, plain: bool, constrained: bool) -> str:
    free = say(", and no constraint holds ${name}$", name) if constrained else ""
    if plain:
        return say("$L$ does not depend on ${name}$, no other force works on it{free}", name, free)
    return say(
        "what works on ${name}$ is the derivative of an expression of $q$ and $t${free}", name, free
    )


def _integrated(slope: Expr, system: System) -> Expr | None:
    """F(q, t) of which Σ a_k(q, t) v_k + b(q, t) is the derivative in every motion; None if none.

    a_k = ∂F/∂q_k and b = ∂F/∂t. L itself may change by such a derivative (Noether's gauge term).
    """
    if slope is ZERO:
        return ZERO
    form = normal_form(slope)
    if form is None:
        return None
    slope = form.expr()
    along = {q: expression(derivative(slope, v)) for q, v in zip(system.q, system.v, strict=True)}
    if any(x.kind == "speed" for x in free_symbols(list(along.values()))):
        return None
    along[TIME] = substitute(slope, dict.fromkeys(system.v, ZERO))
    return potential(along)


def _momentum_units(system: System) -> dict[str, str]:
    """Unit of the momentum of every coordinate and speed."""
    units = {"m": LINEAR, "rad": ANGULAR, "m/s": LINEAR, "rad/s": ANGULAR}
    return {name: units.get(unit, "") for name, unit in state_units(system.mechanism).items()}


def _quasi_momenta(system: System) -> Iterator[Candidate]:
    """(M v)_k of speeds that are not rates: the spin of a symmetric body, for instance."""
    equations = derived(system, "newton-euler")
    constraints, units = constraints_of(system), _momentum_units(system)
    for k, name in enumerate(system.speeds):
        if all(vanishes(x) for x in constraints.J[:, k]):
            yield Candidate(
                f"p_{name.rstrip('.')}",
                "momentum of a speed",
                expression(equations.M[k] @ system.v),
                units.get(name, ""),
                say("in every motion its rate is zero: nothing works on the speed {name}", name),
                lambda: False,
            )
