"""The terms of Lagrange's equations: rates of momenta, slopes, and what body rates add to them.

Speeds ω that are components of a rotation along the axes of the body that turns are the rates of no
coordinates (quasi-velocities). With q̇ = N(q) u the equations are then d/dt ∂T/∂u − Nᵀ ∂T/∂q = Q,
with ω × ∂T/∂ω more on the left for each rotation. References: Boltzmann (1902); Hamel (1904).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import gradient, jacobian, time_derivative
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr
from torseur.algebra.core.graph import expressions
from torseur.equations.motion.parametrisation import Parametrisation
from torseur.equations.symbols.system import System
from torseur.spatial.vectors import cross

Array = np.ndarray


@final
@dataclass(frozen=True)
class LagrangeTerms:
    """What the derivatives of a function of q and u are in Lagrange's equations."""

    system: System
    rates: Array  # q̇
    turning: tuple[slice, ...] = ()  # where the components of rotations stand among the speeds

    @property
    def quasi(self) -> tuple[str, ...]:
        """The speeds that are the rates of no coordinate."""
        return tuple(name for three in self.turning for name in self.system.speeds[three])

    def momentum_rates(self, L: Expr) -> Array:
        """d/dt ∂L/∂u."""
        system = self.system
        along = {**dict(zip(system.q, self.rates, strict=True)), TIME: ONE}
        along |= dict(zip(system.v, system.a, strict=True))
        return expressions(time_derivative(gradient(L, system.v), along))

    def slopes(self, L: Expr) -> Array:
        """Nᵀ ∂L/∂q: ∂L/∂q itself where the speeds are rates."""
        slopes = gradient(L, self.system.q)
        return expressions(jacobian(self.rates, self.system.v).T @ slopes) if self.quasi else slopes

    def turned(self, L: Expr) -> Array:
        """ω × ∂L/∂ω in the rows of rotations, zero in the others."""
        system, momenta = self.system, gradient(L, self.system.v)
        total = np.full(len(system.v), ZERO, dtype=object)
        for three in self.turning:
            total[three] = cross(system.v[three], momenta[three])
        return expressions(total)

    def operator(self, L: Expr) -> Array:
        """The left side: d/dt ∂L/∂u + ω × ∂L/∂ω − Nᵀ ∂L/∂q."""
        return expressions(self.momentum_rates(L) + self.turned(L) - self.slopes(L))


def of_rates(system: System) -> LagrangeTerms:
    """In coordinates whose rates are the speeds."""
    return LagrangeTerms(system, system.v)


def of_mechanism(variables: Parametrisation) -> LagrangeTerms:
    """In the variables of a mechanism, whose balls turn at body rates."""
    turning = (link for link in variables.system.tree.links if link.joint.turning)
    threes = tuple(slice(link.v.stop - 3, link.v.stop) for link in turning)
    return LagrangeTerms(variables.reduced, variables.rates, threes)
