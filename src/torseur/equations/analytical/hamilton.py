"""Hamilton: the Legendre transform of a Lagrangian and the canonical equations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import derivative, gradient, jacobian, time_derivative
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, substitute
from torseur.equations.analytical.lagrangian import Lagrangian, of_system
from torseur.equations.energies import energies
from torseur.equations.equations import Equations
from torseur.equations.expressions.linear import solve
from torseur.equations.expressions.sampling import independent_rows, is_regular, vanishes
from torseur.equations.expressions.tidy import tidied
from torseur.equations.formalisms.lagrange import euler_lagrange
from torseur.equations.rows import Constraints
from torseur.equations.system import System
from torseur.errors import ModelError
from torseur.topology.structure import TIME

Array = np.ndarray


@final
@dataclass(frozen=True)
class Hamiltonian:
    """H(q, p, t) = T2 − T0 + V and q̇ = ∂H/∂p, ṗ = −∂H/∂q + Q + Jᵀ λ."""

    lagrangian: Lagrangian
    p: Array  # the symbols of the momenta
    H: Expr
    speeds: Array  # v(q, p, t)
    mass: Array  # ∂²L/∂v²

    @property
    def system(self) -> System:
        """The symbols of the coordinates, the parameters."""
        return self.lagrangian.system

    @property
    def momenta(self) -> tuple[str, ...]:
        """The names of p: p_x is the momentum of the coordinate x."""
        return tuple(x.name for x in self.p)

    @cached_property
    def coordinate_rates(self) -> Array:
        """q̇ = ∂H/∂p."""
        return gradient(self.H, self.p)

    @cached_property
    def free_momentum_rates(self) -> Array:
        """−∂H/∂q + Q, what ṗ would be without constraints."""
        forces = self.lagrangian.Q - gradient(self.lagrangian.R, self.system.v)
        return expressions(self.written(forces) - gradient(self.H, self.system.q))

    @cached_property
    def rows(self) -> list[int]:
        """Independent rows of J."""
        return independent_rows(self.lagrangian.held.J, self.system.mechanism)

    @cached_property
    def multipliers(self) -> Array:
        """λ of those rows, such that J v̇ + γ = 0 with v = ∂H/∂p."""
        held, q = self.lagrangian.held, self.system.q
        if not self.rows:
            return expressions([])
        J = held.J[self.rows]
        along = dict(zip(q, self.coordinate_rates, strict=True))
        along |= dict(zip(self.p, self.free_momentum_rates, strict=True))
        free = time_derivative(self.coordinate_rates, along, TIME)
        gamma = self.written(held.bias[self.rows])
        return solve(J @ solve(self.mass, J.T), -gamma - J @ free)

    @cached_property
    def momentum_rates(self) -> Array:
        """ṗ."""
        if not self.rows:
            return self.free_momentum_rates
        J = self.lagrangian.held.J[self.rows]
        return expressions(self.free_momentum_rates + J.T @ self.multipliers)

    def written(self, outputs: Array) -> Array:
        """Expressions of q, v and t in terms of q, p and t."""
        return substitute(outputs, dict(zip(self.system.v, self.speeds, strict=True)))

    def __repr__(self) -> str:
        names = ", ".join((*self.system.coordinates, *self.momenta))
        return f'<Hamiltonian "{self.system.mechanism.name}": {names}>'

    def __str__(self) -> str:
        lines = [f"H = {self.H}"]
        names = zip(self.system.coordinates, self.momenta, strict=True)
        both = tidied(self.coordinate_rates), tidied(self.momentum_rates)
        rates = zip(names, *both, strict=True)
        for (coordinate, momentum), dq, dp in rates:
            lines += [f"{coordinate}. = {dq}", f"{momentum}. = {dp}"]
        return "\n".join(lines)


def hamiltonian(given: Lagrangian) -> Hamiltonian:
    """p = ∂L/∂v solved for v, and H = p · v − L: with p = M v + b, H = ½ (p − b)·v − L(v = 0).

    Sources: Plaut (2007), §5.1. L must be quadratic in the speeds, with a regular matrix.
    """
    made = given.system
    M = jacobian(given.p, made.v).reshape(len(made.v), len(made.v))
    _check_regular(given, M)
    still = dict.fromkeys(made.v, ZERO)
    M, b = tidied(substitute(M, still)), tidied(substitute(given.p, still))
    p = np.array([symbol(f"p_{name}", "input") for name in made.coordinates], dtype=object)
    v = solve(M, p - b)
    H = expression((p - b) @ v) / 2 - substitute(given.L, still)
    return Hamiltonian(given, p, tidied(H), v, M)


def _check_regular(given: Lagrangian, M: Array) -> None:
    """The speeds must follow from the momenta."""
    mechanism = given.system.mechanism
    if any(not vanishes(x, mechanism) for y in given.system.v for x in derivative(M, y).ravel()):
        raise ModelError(
            f'Lagrangian "{mechanism.name}"',
            f"L = {str(given.L)[:200]} is not quadratic in the speeds: "
            "its momenta cannot be solved for them.",
            "Use its equations as they are: .equations.",
        )
    if not is_regular(M, mechanism):
        rows = zip(given.coordinates, M, strict=True)
        idle = [name for name, row in rows if all(vanishes(x, mechanism) for x in row)]
        raise ModelError(
            f'Lagrangian "{mechanism.name}"',
            f"no kinetic energy goes with {', '.join(idle) or 'some combination of speeds'}: "
            "speeds do not follow from momenta.",
            "Give it an inertia, or eliminate the coordinate.",
        )


def derive(system: System) -> Equations:
    """M a + h + g = Q from the canonical equations, with p = M v put back.

    With K(q, p) = ½ p·M⁻¹ p, d(M v)/dt = −∂(K + V)/∂q + Q gives h = Ṁ v + ∂K/∂q at p = M v.
    `tables` has H, the momenta, and the Hamiltonian with its canonical equations.
    """
    check_holonomic(system)
    found, given = energies(system), of_system(system)
    made = hamiltonian(given)
    q, v, M = system.q, system.v, made.mass
    K = expression(made.p @ solve(M, made.p)) / 2
    carried = M @ v
    turning = time_derivative(expressions(carried), dict(zip(q, v, strict=True)))
    slope = substitute(gradient(K, q), dict(zip(made.p, carried, strict=True)))
    h, g = turning + slope, gradient(found.V, q)
    Q = euler_lagrange(found.U, q, v).bias - gradient(found.R, v) + found.Q
    return Equations(
        system,
        "hamilton",
        M=M,
        h=h,
        g=g,
        Q=Q,
        inverse_dynamics=M @ system.a + h + g,
        tables={"H": made.H, "p": given.p, "hamiltonian": made},
    )


def check_holonomic(system: System) -> None:
    """Refuse conditions on speeds that no condition on positions stands for."""
    held = Constraints(system)
    for row, name in enumerate(held.owners):
        if row not in held.positions:
            raise ModelError(
                f'constraint "{name}"',
                'it holds speeds but not positions, and the formalism "hamilton" needs coordinates '
                "that the constraints leave free: the canonical equations have no other momenta.",
                "Missing is a relation between coordinates that has this rate.",
                'Use "lagrange" with multipliers, "kane", "gibbs-appell" or "virtual-power".',
            )
