"""The functions of mechanisms with loops: accelerations, and the forces of chosen actuators.

M a + h + g = applied + Q + Jᵀ λ, J a = −γ, on rows of J that are independent where the mechanism
is. Each kernel ends with numbers by which its result is judged: see JUDGED.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.expressions.linear import factorised
from torseur.equations.functions.catalogue import FUNCTIONS, generalised_forces
from torseur.equations.functions.held_rows import Rows, row_size
from torseur.equations.functions.kernel import Function, Kernel, kernel_of
from torseur.equations.functions.motion import MotionKernels
from torseur.equations.symbols.system import System

Array = np.ndarray
# What a result ends with, all of them squares without dimension: how far it is from solving its
# equations, what that is compared with, how far loops are from closed, and how far accelerations
# are from keeping them closed.
JUDGED = ("excess", "size", "gap", "opening")
SOLVED = 1e-9  # of what it is compared with: what equations may be off by
CLOSED = 1e-6  # of the mechanism: a loop that is closed
KEPT = 1e-6  # of what it is compared with: accelerations that keep loops closed


@final
@dataclass(frozen=True)
class ClosedSystem:
    """A system held by rows of J; `actuators` are the speeds along which forces are sought."""

    system: System
    rows: Rows
    actuators: tuple[str, ...] = ()
    judged: bool = True

    @cached_property
    def _motion(self) -> MotionKernels:
        return MotionKernels(self.system, self.rows, pushed=True, level=True, judged=self.judged)

    # --- what results are judged by -------------------------------------------------------------

    @cached_property
    def _sizes(self) -> Array:
        return np.array(
            [row_size(k) for k in range(len(constraints_of(self.system).owners))], dtype=object
        )

    @cached_property
    def _gap(self) -> Any:
        places = list(constraints_of(self.system).positions)
        return _square(constraints_of(self.system).gap / self._sizes[places]) if places else ZERO

    def _opening(self, a: Array) -> Any:
        """Gaps of all rows, also of those that are left out."""
        J, bias = self._level
        return _square((J @ a + bias) / self._sizes)

    @cached_property
    def _level(self) -> tuple[Array, Array]:
        """J and γ of all rows; the sum of their squares is the same in the axes that cost least."""
        return constraints_of(self.system).level(())

    # --- functions ------------------------------------------------------------------------------

    def accelerations(self) -> Array:
        """a of given forces Q."""
        a, _ = self._motion.accelerations
        opening = self._opening(a)
        size = _square(self._level[1] / self._sizes) + _square(a)
        return np.array([*a, opening, size, self._gap, ZERO], dtype=object)

    def derivatives(self) -> Array:
        """∂a/∂q, ∂a/∂v and ∂a/∂Q side by side, J and γ being those of open loops too."""
        system = self.system
        state = [*system.q, *system.v, *generalised_forces(system)]
        return self._motion.acceleration_derivatives(state)

    def forces(self) -> Array:
        """τ of the actuators for given accelerations that keep loops closed.

        B τ + Jᵀ λ = w with the smallest |τ|: τ = Bᵀ μ, and J μ = 0. (B Bᵀ + Jᵀ σ J) μ + Jᵀ λ = w
        has the same solution and a matrix that is regular where the actuators move all freedoms.
        """
        system, J = self.system, self._motion.J
        tree = regrouped(system.tree)
        needed = inverse_dynamics(tree, system.q, system.v, system.a, system.gravity).Q
        w = expressions(needed - self._motion.described)
        B = np.full((len(w), len(self.actuators)), 0, dtype=object)
        for k, speed in enumerate(self.actuators):
            B[system.speeds.index(speed), k] = 1
        sigma = np.array([1 / (row @ row) for row in J], dtype=object)
        K = expressions(B @ B.T + J.T @ (sigma[:, np.newaxis] * J))
        X = factorised(K, np.column_stack([w, J.T]))
        lam = factorised(expressions(J @ X[:, 1:]), expressions(J @ X[:, 0]))
        tau = expressions(B.T @ (X[:, 0] - X[:, 1:] @ lam))
        excess = _square(w - B @ tau - J.T @ lam)
        judged = excess, _square(w), self._gap, self._opening(system.a)
        return np.array([*tau, *judged], dtype=object)


def _square(x: Array) -> Expr | Any:
    return sum((one * one for one in np.ravel(x)), ZERO)


BUILDS: dict[str, Callable[[ClosedSystem], Array]] = {
    "forward_dynamics": ClosedSystem.accelerations,
    "inverse_dynamics": ClosedSystem.forces,
    "forward_dynamics_derivatives": ClosedSystem.derivatives,
}


def closed_kernel(name: str, closed: ClosedSystem, judged: bool = True) -> Kernel:
    """A function of a mechanism with loops, with or without what it is judged by."""
    known = FUNCTIONS[name]

    def build(_: System) -> Array:
        outputs = BUILDS[name](replace(closed, judged=judged and name == "forward_dynamics"))
        is_plain = judged or name == "forward_dynamics_derivatives"
        return outputs if is_plain else outputs[: -len(JUDGED)]

    function = Function(name, known.arguments, build, known.result, solves=known.solves)
    return kernel_of(function, closed.system)
