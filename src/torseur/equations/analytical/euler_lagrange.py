"""The functions analytical mechanics starts from, and Lagrange's operator on them.

Every motor and force of a system is put where it belongs: what has a potential U(q, v, t) into the
Lagrangian, what is linear in the speeds with a symmetric matrix into R, the rest into generalised
forces, found from the power they would bring if they were frozen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import gradient, jacobian, time_derivative
from torseur.algebra.core.angles import terms
from torseur.algebra.core.coefficients import scale
from torseur.algebra.core.expr import ONE, PARAMETER, TIME, ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, reachable, substitute
from torseur.algebra.forms.normal_form import NormalForm, normal_form, product
from torseur.algebra.forms.readable import readable
from torseur.dynamics.tree.quantities import kinetic_energy, potential_energy
from torseur.equations.actions.applied import Applied, Part, actions_of, frozen_gradient
from torseur.equations.constraints.constraint_rows import coordinate_rates
from torseur.equations.expressions.tidy import tidied
from torseur.equations.motion.parametrisation import Parametrisation
from torseur.equations.symbols.system import System
from torseur.model.forces.joint import GeneralisedPotential
from torseur.model.forces.protocol import Force

Array = np.ndarray
_DRAWN = 24  # states at random at which forces are compared with a potential
_MOST = 60  # terms of a product of sums that is worth expanding


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
    applied = actions_of(system)
    moving = [(x.v, x.w) for x in applied.places.velocities]
    V = expression(potential_energy(system.tree, system.q, system.gravity))
    U, R, Q = ZERO, ZERO, expressions(np.zeros(system.tree.nv))
    motors, loads = system.mechanism.motors, system.mechanism.loads
    named = {f"forces.{name}" if name in motors else name: load for name, load in loads.items()}
    for name, part in applied.parts.items():
        potential, left = _conservative(applied, named.get(name), part)
        stored = applied.opened(expression(potential))
        U = U + stored
        forces = applied.opened(frozen_gradient(left, moving, system.v))
        if stored is not ZERO and left is not part:
            whole = applied.opened(frozen_gradient(part, moving, system.v))
            forces = forces + _without_potential(system, whole - forces, stored)
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


def _without_potential(system: System, at_rest: Array, stored: Expr) -> Array:
    """The generalised forces at rest that do not come from a potential; zero where none do."""
    if any(x.kind == "speed" for x in free_symbols(stored)):
        return np.zeros(len(system.v))
    along = dict(zip(system.q, coordinate_rates(system), strict=True))
    rest = expressions(at_rest + gradient(time_derivative(stored, along), system.v))
    names = sorted({x.name for x in free_symbols([*at_rest, *rest])})
    draws = np.random.default_rng(0).uniform(-1.2, 1.2, (len(names), _DRAWN))
    values = dict(zip(names, draws, strict=True))
    with np.errstate(all="ignore"):
        samples = [np.broadcast_to(x, _DRAWN) for x in evaluate([*rest, *at_rest], values)]
    Q = np.array(samples, dtype=float)
    size = np.abs(Q[:, np.isfinite(Q).all(axis=0)])
    n = len(rest)
    follows = size[:n].max(initial=0.0) <= 1e-9 * size[n:].max(initial=0.0)
    return np.zeros(len(system.v)) if follows else rest


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
    if any(x.op in ("if", "call") for x in reachable(list(forces))):
        return False  # elsewhere it may be another function
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


@final
@dataclass(frozen=True)
class EulerLagrange:
    """d/dt ∂L/∂u − ∂L/∂q = mass u̇ + bias, for coordinates q of rates u."""

    momentum: Array  # ∂L/∂u
    mass: Array
    bias: Array


def euler_lagrange(L: Expr, q: Array, u: Array) -> EulerLagrange:
    """The operator of Lagrange applied to a function of q, u and t."""
    momentum = gradient(L, u)
    along = {**dict(zip(q, u, strict=True)), TIME: ONE}
    bias = time_derivative(momentum, along) - gradient(L, q)
    return EulerLagrange(momentum, jacobian(momentum, u).reshape(len(u), len(u)), bias)


def kinetic_energy_of(chosen: Parametrisation, u: Array) -> Expr:
    """T(q, u, t), u being the rates of the coordinates that are left."""
    system, tree = chosen.system, chosen.system.tree
    along = {**dict(zip(chosen.q, u, strict=True)), TIME: ONE}
    rates = dict(zip(chosen.q, u, strict=True))
    rates |= {x: time_derivative(expression(y), along) for x, y in chosen.known.items()}
    q = substitute(system.q, chosen.known) if chosen.known else system.q
    speeds = np.zeros(tree.nv, dtype=object)
    for _, link in tree:
        link_rates = np.array([rates[x] for x in system.q[link.q]], dtype=object)
        speeds[link.v] = link.joint.speeds(q[link.q], link_rates)
    return expression(kinetic_energy(tree, q, speeds))


def with_and_without_speeds(L: Expr) -> tuple[Expr, Expr]:
    """The two parts of a sum; m (½ ẋ² − g x) has terms of both."""
    moving, static = ZERO, ZERO
    for coefficient, core in terms(L):
        term = scale(coefficient, core)
        if not _has_speeds(term):
            static = static + term
            continue
        form = normal_form(term, most=_MOST)
        still = ZERO if form is None else _of(form, lambda x: not _has_speeds(x))
        if form is None or still is ZERO:
            moving = moving + term
        else:
            moving, static = moving + _of(form, _has_speeds), static + still
    return moving, static


def without_constants(x: Expr) -> Expr:
    """A sum without the terms that are the same at every place and time, as it is best read."""
    form = normal_form(x)
    rest = x if form is None else _of(form, lambda y: y.stage > PARAMETER)
    return expression(readable(rest))


def _of(form: NormalForm, kind: Callable[[Expr], bool]) -> Expr:
    """The sum of the terms of a kind."""
    selected = {monomial: c for monomial, c in form.terms.items() if kind(product(monomial))}
    return expression(tidied(NormalForm(selected).expr()))


def _has_speeds(x: Expr) -> bool:
    return any(y.kind == "speed" for y in free_symbols(x))
