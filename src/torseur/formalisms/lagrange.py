"""Lagrange: the equations from the kinetic and the potential energy, by differentiation."""

import numpy as np

from torseur.algebra.derivative import directional, gradient, jacobian
from torseur.algebra.expr import symbol
from torseur.algebra.graph import substitute
from torseur.dynamics.energy import kinetic_energy, potential_energy
from torseur.formalisms.equations import Equations
from torseur.formalisms.system import System, applied_forces

Array = np.ndarray


def derive(system: System) -> Equations:
    """d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q = Q, projected on the speeds: q̇ = N(q) v.

    With quaternions T is written in the rates of the coordinates, differentiated there, and
    projected by Nᵀ: the part of the equations along the quaternion's own norm drops out.
    """
    q, v, a = system.q, system.v, system.a
    rates = _rates(system)
    N = jacobian(rates, v)
    u = np.array([symbol(f"{x.name}'", "speed") for x in q], dtype=object)
    T = kinetic_energy(system.tree, q, _speeds(system, u))
    V = potential_energy(system.tree, q, system.gravity)

    momentum = gradient(T, u)
    mass = N.T @ jacobian(momentum, u) @ N
    along = dict(zip(q, u, strict=True))
    second = directional(rates, dict(zip(q, rates, strict=True)))  # Ṅ v
    inertial = directional(momentum, along) + jacobian(momentum, u) @ second - gradient(T, q)
    real = dict(zip(u, rates, strict=True))
    M, h = substitute(mass, real), substitute(N.T @ inertial, real)
    g = N.T @ gradient(V, q)
    return Equations(
        system,
        "lagrange",
        M=M,
        h=h,
        g=g,
        Q=applied_forces(system),
        inverse_dynamics=M @ a + h + g,
        tables={"T": substitute(T, real), "V": V},
    )


def _rates(system: System) -> Array:
    parts = np.zeros(system.tree.nq, dtype=object)
    for _, link in system.tree:
        parts[link.q] = link.joint.rates(system.q[link.q], system.v[link.v])
    return parts


def _speeds(system: System, u: Array) -> Array:
    parts = np.zeros(system.tree.nv, dtype=object)
    for _, link in system.tree:
        parts[link.v] = link.joint.speeds(system.q[link.q], u[link.q])
    return parts
