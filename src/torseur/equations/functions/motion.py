"""The kernels an integrator calls: the rate of the state, and its return onto the constraints.

The state y is (q, v, work of the forces without potential, forces given from outside,
constant between changes, and first-order states). The constraints are M a = S + Jᵀ λ,
J a = −γ on a set of rows: λ from J M⁻¹ Jᵀ, everything in straight-line code. Where M alone is
singular, σ Jᵀ (J a + γ) = 0 is added to the first equation, which changes nothing. Where rows
repeat each other on closed poses, combinations of them take their place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, symbol
from torseur.algebra.core.graph import expressions, substitute
from torseur.algebra.forms.count import count
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.dynamics.tree.quantities import mass_matrix
from torseur.equations.actions.applied import applied_forces, power_without_potential
from torseur.equations.constraints.constraint_rows import (
    constraints_of,
    coordinate_rates,
)
from torseur.equations.expressions.linear import (
    constrained,
    constrained_by_branches,
    parents_of_speeds,
)
from torseur.equations.functions.branch_order import branch_order
from torseur.equations.functions.catalogue import FUNCTIONS, generalised_forces
from torseur.equations.functions.held_rows import Rows, row_size, speed_size
from torseur.equations.functions.kernel import Kernel, kernel, smoothed
from torseur.equations.motion.diagnosis import singular_notices
from torseur.equations.symbols.system import System, symbols_of
from torseur.errors import SolveError

Array = np.ndarray
WORK = symbol("work", "input")  # of the forces without potential
LONG = 40_000  # operations of ẏ times components of y
_AT_LEAST = 0.01  # of the inertia that rows may hold: what each speed counts for in σ


@final
@dataclass(frozen=True)
class MotionKernels:
    """The motion of a system whose constraints are the given rows."""

    system: System
    rows: Rows
    pushed: bool = False  # whether forces Q of the caller act besides
    by_gradients: bool = False  # how forces act in closing joints; see `Applied`
    level: bool = False  # rows of joints may be in other axes: multipliers have no meaning then
    judged: bool = False  # results are judged, so that a singular branch is noticed

    @cached_property
    def applied(self) -> Array:
        """Applied forces: Q of the description, for integration, or with the caller's."""
        if self.pushed:
            return expressions(self.described + generalised_forces(self.system))
        return np.asarray(smoothed(self.described))

    @cached_property
    def described(self) -> Array:
        """Q of the description."""
        return expressions(applied_forces(self.system, by_gradients=self.by_gradients))

    def _select(self, outputs: Array) -> Array:
        """Select the kept constraints from numbers or rows, one for each constraint."""
        return np.asarray(outputs[list(self.rows.selected)])

    def _combine(self, selected: Array) -> Array:
        """Combine numbers or rows, one for each kept constraint, to those that hold the motion."""
        return expressions(self.rows.shares() @ selected) if self.rows.repeating else selected

    def _restrain(self, outputs: Array) -> Array:
        """Numbers or rows that hold the motion, from one for each constraint."""
        return self._combine(self._select(outputs))

    @cached_property
    def _written(self) -> tuple[Array, Array]:
        """J and γ of all constraints, in the axes in which they are needed."""
        known = constraints_of(self.system)
        if self.level and not self.rows.repeating:
            return known.level(self.rows.selected)
        return known.J, known.bias

    @cached_property
    def kept_J(self) -> Array:
        """The rows of J that are kept, as they are before they are combined."""
        return self._select(self._written[0])

    @cached_property
    def J(self) -> Array:
        """The speeds that are forbidden."""
        return self._combine(self.kept_J)

    @cached_property
    def _kept_gamma(self) -> Array:
        return self._select(self._written[1])

    @cached_property
    def _gamma(self) -> Array:
        return self._combine(self._kept_gamma)

    @property
    def restraint_rate(self) -> Array:
        """b of J v + b = 0 on the rows that hold the motion."""
        return self._b

    @cached_property
    def _b(self) -> Array:
        return self._restrain(constraints_of(self.system).rate)

    @cached_property
    def positions(self) -> list[int]:
        """Which of the rows of J hold positions."""
        if self.rows.repeating:
            return list(range(self.rows.position_rank))
        return [k for k, row in enumerate(self.rows.selected) if row in self.rows.positions]

    @cached_property
    def gap(self) -> Array:
        """Gaps of the positions in those rows."""
        gaps = np.full(len(constraints_of(self.system).owners), ZERO, dtype=object)
        gaps[list(constraints_of(self.system).positions)] = constraints_of(self.system).gap
        return self._restrain(gaps)[self.positions]

    @cached_property
    def gap2(self) -> Any:
        """The square of the gap of every kept row, each in its size."""
        places = {row: k for k, row in enumerate(constraints_of(self.system).positions)}
        sizes = (
            (constraints_of(self.system).gap[places[row]] / row_size(row))
            for row in self.rows.positions
        )
        return sum((x * x for x in sizes), ZERO)

    @cached_property
    def mass(self) -> tuple[Array, list[int], Array]:
        """M or M + Jᵀ diag(σ) J on the rows kept, its sparsity as parents of speeds, and σ.

        The rows are not combined: combinations are full, and change while the mechanism moves.
        """
        tree, J = regrouped(self.system.tree), self.kept_J
        M, n = mass_matrix(tree, self.system.q), tree.nv
        sigma = np.full(len(J), ZERO, dtype=object)
        if not singular_notices(expressions(M), self.system):
            return M, parents_of_speeds(tree), sigma
        if self.rows.rank:
            sigma = self._weights(M)
            M = M + J.T @ (sigma[:, np.newaxis] * J)
        if loose := singular_notices(expressions(M), self.system):
            raise SolveError(f'mechanism "{self.system.mechanism.name}"', *loose)
        return M, list(range(-1, n - 1)), sigma

    def _weights(self, M: Array) -> Array:
        """σ of each row, which makes Jᵀ diag(σ) J about as large as M whatever the units are.

        A speed without inertia counts as a share of what the rows may hold: σ does not vanish where
        they hold only such speeds for a while, as those of two bars folded on each other.
        """
        motion_sizes = np.array([speed_size(k) for k in range(len(M))], dtype=object)
        sizes = np.array([row_size(row) for row in self.rows.selected], dtype=object)
        inertia = M.diagonal() * motion_sizes**2
        J2 = (self.kept_J * motion_sizes / sizes[:, np.newaxis]) ** 2
        touched = [any(x is not ZERO for x in column) for column in J2.T]
        counted = inertia + _AT_LEAST * (inertia[touched].sum() or inertia.sum() or ONE)
        mean = (J2 @ counted).sum() / (J2 * J2).sum()
        return expressions(mean / sizes**2)

    def _correction(self, J: Array, excess: Array) -> Array:
        """M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ excess: the smallest change, in the mass metric, that removes it."""
        M, parent, _ = self.mass
        return constrained(M, np.full(len(M), ZERO, dtype=object), parent, J, excess)[0]

    def _constrained(self, right: Array, rates: Array) -> tuple[Array, Array]:
        """a and λ of M a = right + Jᵀ λ and J a = rates."""
        M, parent, _ = self.mass
        if self._is_led:
            M, parent = (
                np.diag([1 / speed_size(k) ** 2 for k in range(len(right))]),
                [-1] * len(right),
            )
        if self._branches:
            sizes = [row_size(k) for k in self.rows.selected]
            return constrained_by_branches(M, right, self.J, rates, self._branches, sizes)
        return constrained(M, right, parent, self.J, rates)

    @property
    def _is_led(self) -> bool:
        """Whether the rows alone determine a, so that no inertia counts."""
        return self.level and self.rows.rank == self.system.tree.nv and not self.rows.repeating

    @cached_property
    def _branches(self) -> list[list[int]]:
        """The order of elimination by branches, for results that are judged: a leg may be singular.

        There the pivots of its rows vanish, where those of all rows together do not.
        """
        if not self.judged or self.rows.repeating or not self.rows.rank:
            return []
        owners = constraints_of(self.system).owners
        listed = [owners[k] for k in self.rows.selected]
        return branch_order(self.J, listed, self.mass[1], self.system.mechanism)

    @cached_property
    def accelerations(self) -> tuple[Array, Array]:
        """a, and the multipliers of the rows, as expressions of the state."""
        system = self.system
        if not system.constrained:
            by_symbol = dict(zip(generalised_forces(system), self.applied, strict=True))
            free = FUNCTIONS["tree_forward_dynamics"].build(system)
            return substitute(expressions(free), by_symbol), expressions([])
        if self._is_led:
            return self._constrained(np.full(system.tree.nv, ZERO), -self._gamma)
        _, _, sigma = self.mass
        tree, still = regrouped(system.tree), np.zeros(system.tree.nv)
        bias = inverse_dynamics(tree, system.q, system.v, still, system.gravity).Q
        stiff = self.kept_J.T @ (sigma * self._kept_gamma)
        a, lam = self._constrained(self.applied - bias - stiff, -self._gamma)
        return a, lam if self.rows.rank else expressions([])

    def _power(self, lam: Array) -> Any:
        """Power of the forces without potential, and of imposed motions."""
        imposed = -(lam @ self._b) if self.rows.rank else ZERO
        return smoothed(power_without_potential(self.system)) + imposed

    @property
    def needed(self) -> dict[str, Callable[[], Kernel]]:
        """Builders of the kernels that a motion needs, by name.

        Nothing is to be kept in a tree without quaternions.
        """
        builders = {"rate": self.rate}
        if self.rows.selected or self.system.tree.quaternions:
            builders["project_positions"] = self.project_positions
        if self.rows.selected:
            builders["project_speeds"] = self.project_speeds
        if self.system.mechanism.events:
            builders["events"] = self.events
        return builders

    def rate(self) -> Kernel:
        """ẏ."""
        a, lam = self.accelerations
        rates = coordinate_rates(self.system)
        return self._kernel("rate", [*rates, *a, self._power(lam), *self.signal_rates])

    @cached_property
    def signal_rates(self) -> Array:
        """Rates of first-order states, after zeros for what is given from outside."""
        return expressions(smoothed(constraints_of(self.system).opened(self.system.signal_rates)))

    @property
    def has_long_derivative(self) -> bool:
        """Whether ∂ẏ/∂y is better taken by differences than from its code.

        Its code has about 0.45 operations for each operation of ẏ and component of y; beyond some
        ten thousand, compiling takes many seconds and differences cost no more than the code.
        """
        return count(self.rate().outputs).total * (len(self.system.q) + len(self.system.v)) > LONG

    def rate_derivative(self) -> Kernel:
        """∂ẏ/∂y."""
        system = self.system
        first, states = len(system.q) + len(system.v), system.mechanism.states
        places = [k for k, x in enumerate(system.signals) if x.name in states]
        state = [*system.q, *system.v, *system.signals[places]]
        lam = symbols_of((f"lambda[{k}]" for k in range(self.rows.rank)), "input")
        da, dlam = self._acceleration_derivatives(state, lam)
        power = expressions([self._power(lam)])
        power_row = jacobian(power, state) + jacobian(power, lam) @ dlam
        known = dict(zip(lam, self.accelerations[1], strict=True))
        rows = [*jacobian(coordinate_rates(system), state), *da, *substitute(power_row, known)]
        rows += [*jacobian(self.signal_rates, state)]
        # nothing depends on the work, and what is given from outside does not change in a step
        output = np.full((len(rows), len(rows)), ZERO, dtype=object)
        output[:, [*range(first), *(first + 1 + k for k in places)]] = np.array(rows, dtype=object)
        return kernel("rate_derivative", inputs_of_state(system), output)

    def _acceleration_derivatives(self, state: list[Expr], lam: Array) -> tuple[Array, Array]:
        """∂a and ∂λ: what M a + h − Q − Jᵀ λ and J a + γ change by at given a and λ, solved for.

        Straight-line code of the derivatives of a solution would be several times longer.
        """
        system, J, (_, _, sigma) = self.system, self.J, self.mass
        tree = regrouped(system.tree)
        forces = inverse_dynamics(tree, system.q, system.v, system.a, system.gravity).Q
        residual = self.kept_J @ system.a + self._kept_gamma
        known = dict(zip([*system.a, *lam], np.concatenate(self.accelerations), strict=True))
        changed = jacobian(expressions(forces - self.applied - J.T @ lam), state)
        selected = substitute(jacobian(expressions(residual), state), known)
        right = -substitute(changed, known) - self.kept_J.T @ (sigma[:, np.newaxis] * selected)
        combined = self._combine(selected)
        a, dlam = self._constrained(right, -combined)
        return a, dlam if self.rows.rank else combined

    def acceleration_derivatives(self, state: list[Expr]) -> Array:
        """∂a by quantities that a depends on, side by side."""
        lam = symbols_of((f"lambda[{k}]" for k in range(self.rows.rank)), "input")
        return self._acceleration_derivatives(state, lam)[0]

    def project_positions(self) -> Kernel:
        """y with one step of its positions onto the constraints, then the gap² it had before."""
        system, q = self.system, self.system.q
        if self.positions:
            step = -self._correction(self.J[self.positions], self.gap)
            q = q + substitute(coordinate_rates(system), dict(zip(system.v, step, strict=True)))
        return self._kernel(
            "project_positions",
            [*normalised(system, q), *system.v, WORK, *system.signals, self.gap2],
        )

    def project_speeds(self) -> Kernel:
        """y with its speeds on the constraints."""
        system = self.system
        v = system.v - self._correction(self.J, self.J @ system.v + self._b)
        return self._kernel("project_speeds", [*system.q, *v, WORK, *system.signals])

    def events(self) -> Kernel:
        """The expressions whose zeros are looked for."""
        zeros = expressions([event.zero for event in self.system.mechanism.events.values()])
        return self._kernel("events", list(constraints_of(self.system).opened(zeros)))

    def _kernel(self, name: str, outputs: Sequence[Any]) -> Kernel:
        return kernel(name, inputs_of_state(self.system), expressions(list(outputs)))


def inputs_of_state(system: System) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """y and t."""
    given = (x.name for x in system.signals)
    y = (*system.coordinates, *system.speeds, WORK.name, *given)
    return ("y", y), ("t", (TIME.name,))


def normalised(system: System, q: Array) -> Array:
    """The coordinates with quaternions of unit norm."""
    unit = np.array(q, dtype=object)
    for four in system.tree.quaternions:
        unit[four] = unit[four] / np.sqrt(unit[four] @ unit[four])
    return unit
