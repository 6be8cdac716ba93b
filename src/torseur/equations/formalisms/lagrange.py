"""Lagrange: the equations from the energies, by differentiation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import directional, gradient, jacobian
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import substitute
from torseur.equations.analytical.euler_lagrange import energies, euler_lagrange, kinetic_energy_of
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.parametrisation import Parametrisation, eliminated
from torseur.equations.symbols.system import System

Array = np.ndarray


def derive(system: System, eliminate: Iterable[str] | Mapping[str, str] = ()) -> Equations:
    """d/dt ∂L/∂q̇ − ∂L/∂q + ∂R/∂q̇ = Q + Jᵀ λ, with L = T − V − U.

    `eliminate` names constraints, or {constraint: coordinate}: the coordinate that each gives is
    replaced everywhere by what it is. An imposed motion eliminated so makes T = T2 + T1 + T0, and
    h holds all that T gives besides M a. Constraints that are kept have multipliers.

    With quaternions T is written in the rates of the coordinates, differentiated there, and
    projected by Nᵀ, q̇ = N(q) v: the part along the quaternion's own norm drops out.
    """
    chosen = eliminated(system, eliminate)
    energy = energies(system)
    q, v = chosen.q, chosen.u
    u = _rate_symbols(chosen)
    T = kinetic_energy_of(chosen, u)
    real = {x: rate for x, rate in zip(u, chosen.rates, strict=True) if x is not rate}
    N = jacobian(chosen.rates, v).reshape(len(q), len(v))

    inertial = euler_lagrange(T, q, u)
    bias = inertial.bias
    if real:  # u̇ = N v̇ + Ṅ v
        turning = directional(chosen.rates, dict(zip(q, chosen.rates, strict=True)))
        bias = bias + inertial.mass @ turning

    def projected(row: Array) -> Array:
        return N.T @ row if real else row

    M = substitute(projected(inertial.mass) @ N if real else inertial.mass, real)
    h = substitute(projected(bias), real)
    V, U, R = (expression(chosen.written(x)) for x in (energy.V, energy.U, energy.R))
    g = projected(gradient(V, q))
    stored = euler_lagrange(U, q, u).bias  # d/dt ∂U/∂q̇ − ∂U/∂q; U is linear in the speeds
    Q = substitute(projected(stored), real)
    Q = Q - gradient(R, v) + chosen.B.T @ chosen.written(energy.Q)
    whole, given = M @ chosen.reduced.a + h + g, chosen.constraints
    tables = _tables(substitute(T, real), V, U, R, v, M)
    return Equations(
        chosen.reduced, "lagrange", M, h, g, Q, whole, tables=tables, given_constraints=given
    )


def _rate_symbols(chosen: Parametrisation) -> Array:
    """The rates of the coordinates: the speeds themselves where they are rates."""
    speeds = {y.key for y in chosen.u}
    rates = [
        rate if getattr(rate, "key", None) in speeds else symbol(f"{x.name}'", "speed")
        for x, rate in zip(chosen.q, chosen.rates, strict=True)
    ]
    return np.array(rates, dtype=object)


def _tables(T: Expr, V: Expr, U: Expr, R: Expr, v: Array, M: Array) -> dict[str, Any]:
    """The energies, T by degree in the speeds, and the energy of Painlevé and Jacobi."""
    still = dict.fromkeys(v, ZERO)
    T0 = substitute(T, still)
    N = substitute(gradient(T, v), still)
    T1 = expression(N @ v)
    T2 = expression(v @ (M @ v)) / 2
    stored = V + substitute(U, still)
    return {
        "T": T, "T2": T2, "T1": T1, "T0": T0, "N": N, "V": V + U, "R": R,
        "L": T - V - U, "H": T2 - T0 + stored, "p": gradient(T - U, v),
    }  # fmt: skip
