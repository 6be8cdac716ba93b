"""Lagrange's operator on a function of coordinates and rates, and T in chosen coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import gradient, jacobian, time_derivative
from torseur.algebra.core.expr import ONE, TIME, Expr, expression
from torseur.algebra.core.graph import substitute
from torseur.dynamics.tree.quantities import kinetic_energy
from torseur.equations.motion.parametrisation import Parametrisation

Array = np.ndarray


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
