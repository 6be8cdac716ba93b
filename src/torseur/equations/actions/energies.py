"""The functions analytical mechanics starts from: T, V, potentials, Rayleigh's R and the rest.

Every motor and force of a system is put where it belongs: what has a potential U(q, v, t) into the
Lagrangian, what is linear in the speeds with a symmetric matrix into R, the rest into generalised
forces, found from the power they would bring if they were frozen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.dynamics.tree.quantities import potential_energy
from torseur.equations.actions.applied import Applied, Part, frozen_gradient
from torseur.equations.symbols.system import System
from torseur.model.forces.generalised_potential import GeneralisedPotential
from torseur.model.forces.protocol import Force

Array = np.ndarray


@final
@dataclass(frozen=True)
class Energies:
    """Energies of a system, in the coordinates and speeds of its tree."""

    V: Expr  # of gravity
    U: Expr  # of everything else that has one; linear in the speeds
    R: Expr  # Rayleigh: the forces are −∂R/∂v
    Q: Array  # the generalised forces of the rest


def energies(system: System) -> Energies:
    """V, U, R and Q of a system."""
    applied = Applied(system)
    moving = [(x.v, x.w) for x in applied.places.velocities]
    V = expression(potential_energy(system.tree, system.q, system.gravity))
    U, R, Q = ZERO, ZERO, expressions(np.zeros(system.tree.nv))
    motors, loads = system.mechanism.motors, system.mechanism.loads
    named = {f"forces.{name}" if name in motors else name: load for name, load in loads.items()}
    for name, part in applied.parts.items():
        potential, left = _conservative(applied, named.get(name), part)
        U = U + applied.opened(expression(potential))
        forces = applied.opened(frozen_gradient(left, moving, system.v))
        if _dissipates(system, forces):
            R = R - forces @ system.v / 2
        else:
            Q = Q + forces
    return Energies(V, U, R, expressions(Q))


def _conservative(applied: Applied, load: Force | None, part: Part) -> tuple[Any, Part]:
    """The potential of a force, and the part of it that has none: what vanishes at rest."""
    if load is None:
        return ZERO, part
    if isinstance(load, GeneralisedPotential):
        return load.value, ({}, {})
    potential = applied.effects[load.name].potential
    if expression(potential) is ZERO:
        return ZERO, part
    wrenches, rows = part
    moving = {i: (_moving(F), _moving(N)) for i, (F, N) in wrenches.items()}
    return potential, (moving, {row: _moving([x])[0] for row, x in rows.items()})


def _moving(values: Any) -> Array:
    """Components of a force less their values at rest."""
    components = expressions(values)
    speeds = [x for x in free_symbols(components) if x.kind == "speed"]
    return np.asarray(components - substitute(components, dict.fromkeys(speeds, ZERO)))


def _dissipates(system: System, forces: Array) -> bool:
    """Whether forces are −∂R/∂v of a quadratic R: linear in v, with v₁·Q(v₂) = v₂·Q(v₁).

    Judged at random speeds v₁ and v₂, at their sum and at rest.
    """
    spoken = free_symbols(forces)
    if not any(x.kind == "speed" for x in spoken):
        return False
    rng = np.random.default_rng(0)
    v = rng.uniform(-1, 1, (2, len(system.v)))
    speeds = np.array([v[0], v[1], v[0] + v[1], 0 * v[0]])
    values = {x.name: np.full(4, rng.uniform(0.3, 1.2)) for x in spoken}
    values |= dict(zip(system.speeds, speeds.T, strict=True))
    with np.errstate(all="ignore"):
        samples = [np.broadcast_to(x, 4) for x in evaluate(list(forces), values)]
    Q = np.array(samples, dtype=float).T
    apart = [*(Q[0] + Q[1] - Q[2]), *Q[3], v[0] @ Q[1] - v[1] @ Q[0]]
    return bool(np.isfinite(Q).all()) and np.abs(apart).max() <= 1e-10 * np.abs(Q).max()
