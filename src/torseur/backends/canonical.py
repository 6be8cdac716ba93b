"""Hamilton's canonical equations of a tree as kernels: what a symplectic integrator calls.

The state is (q, p, work of the forces without potential), a momentum for every coordinate. With
q̇ = N(q) v, the Hamiltonian is H(q, p) = ½ μ·M⁻¹μ + V at μ = Nᵀ p, so that v = M⁻¹ μ and
ṗ = ∂/∂q (T(q, v) − p·N(q) v) + what lifts the generalised forces. Where speeds are rates, μ is p.

A quaternion a of T*SO(3) is so embedded in R⁴ × R⁴, M and the forces being those of a/|a|. Then
|a|² and a·p are constant, and the momentum about a fixed axis is bilinear in (a, p): invariants
that the methods of Gauss keep. On |a| = 1, a·p = 0 the flow is that of the rigid body, and a map
that is symplectic around is symplectic there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, final

import numpy as np

from torseur.algebra.derivative import gradient, jacobian
from torseur.algebra.expr import Expr, expression, symbol
from torseur.algebra.graph import expressions, free_symbols, substitute
from torseur.algebra.printing.text import text
from torseur.backends.evaluator import Evaluator, kernel_code
from torseur.backends.factorise import parents_of_speeds, solve
from torseur.backends.kernel import Kernel, kernel
from torseur.backends.motion import WORK, inputs_of_state, smoothed
from torseur.dynamics.base_parameters import regrouped
from torseur.dynamics.composite_body import mass_matrix
from torseur.dynamics.energy import kinetic_energy
from torseur.dynamics.newton_euler import inverse_dynamics
from torseur.errors import SolveError
from torseur.formalisms.applied import applied_forces, power_without_potential
from torseur.formalisms.constraints import coordinate_rates
from torseur.formalisms.diagnosis import singular_notices
from torseur.formalisms.sampling import vanishes
from torseur.formalisms.system import System
from torseur.mechanism.fingerprint import fingerprint
from torseur.topology.structure import TIME
from torseur.topology.tree import Tree

Array = np.ndarray


@final
@dataclass(frozen=True)
class Canonical:
    """The canonical equations of a system that nothing restrains besides the joints of its tree."""

    system: System

    @cached_property
    def _p(self) -> Array:
        names = [f"p[{name}]" for name in self.system.coordinates]
        return np.array([symbol(name, "input") for name in names], dtype=object)

    @cached_property
    def _tree(self) -> Tree:
        return regrouped(self.system.tree)

    @cached_property
    def _unit(self) -> dict[Expr, Any]:
        """Every quaternion divided by its norm."""
        found: dict[Expr, Any] = {}
        for _, link in self.system.tree:
            if link.joint.turning:
                four = self.system.q[link.q][-4:]
                found |= dict(zip(four, four / np.sqrt(four @ four), strict=True))
        return found

    def at_unit(self, outputs: Any) -> Any:
        """Expressions with quaternions of unit norm."""
        return substitute(outputs, self._unit) if self._unit else outputs

    @cached_property
    def _M(self) -> Array:
        """M, which must not be singular at every configuration."""
        M = expressions(mass_matrix(self._tree, self.system.q))
        notices = singular_notices(M, self.system)
        if notices:
            raise SolveError(f'mechanism "{self.system.mechanism.name}"', *notices)
        return self.at_unit(M)

    @cached_property
    def _v(self) -> Array:
        """v(q, p)."""
        rates = expressions(coordinate_rates(self.system))
        v = self.system.v
        N = jacobian(rates, v).reshape(len(rates), len(v))
        return solve(self._M, N.T @ self._p, parents_of_speeds(self.system.tree))

    def _lifted(self, mu: Array) -> Array:
        """N (NᵀN)⁻¹ μ: from one number for each speed to one for each coordinate."""
        q, made = self.system.q, np.zeros(self.system.tree.nq, dtype=object)
        for _, link in self.system.tree:
            own = link.joint.rates(q[link.q], mu[link.v])
            if link.joint.turning:
                four = q[link.q][-4:]
                own = np.array([*own[:-4], *(own[-4:] * (4 / (four @ four)))], dtype=object)
            made[link.q] = own
        return made

    def _of_momenta(self, outputs: Any) -> Any:
        """Expressions of q, v and t in terms of q, p and t."""
        return substitute(outputs, dict(zip(self.system.v, self._v, strict=True)))

    def rate(self) -> Kernel:
        """q̇, ṗ and the power of the forces without potential."""
        system, tree, q, v = self.system, self._tree, self.system.q, self.system.v
        rates, still = coordinate_rates(system), np.zeros(tree.nv)
        T = self.at_unit(expression(kinetic_energy(tree, q, v)))
        weight = inverse_dynamics(tree, q, still, still, system.gravity).Q
        forces = self.at_unit(smoothed(expressions(applied_forces(system) - weight)))
        slope = gradient(T - expression(self._p @ rates), q)
        power = self.at_unit(smoothed(power_without_potential(system)))
        return self._kernel("rate", [*rates, *(slope + self._lifted(forces)), power])

    def speeds(self) -> Kernel:
        """(q, v, work)."""
        return self._kernel("speeds", [*self.system.q, *self.system.v, symbol(WORK, "input")])

    def events(self) -> Kernel:
        """The expressions whose zeros are looked for."""
        return self._kernel("events", [x.zero for x in self.system.mechanism.events.values()])

    def momenta(self) -> Kernel:
        """(q, p, work) from (q, v, work)."""
        p = self._lifted(self._M @ self.system.v)
        outputs = expressions([*self.system.q, *p, symbol(WORK, "input")])
        return kernel("momenta", inputs_of_state(self.system), outputs)

    def _kernel(self, name: str, outputs: Sequence[Any]) -> Kernel:
        state = (*self.system.coordinates, *(x.name for x in self._p), WORK)
        made = self._of_momenta(expressions(list(outputs)))
        return kernel(name, (("y", state), ("t", (TIME.name,))), made)


_KERNELS: dict[str, Callable[[Canonical], Kernel]] = {
    "rate": Canonical.rate,
    "speeds": Canonical.speeds,
    "momenta": Canonical.momenta,
    "events": Canonical.events,
}


def canonical_kernels(system: System) -> dict[str, Evaluator]:
    """The machine code of the canonical equations of a tree."""
    made, mechanism = Canonical(system), system.mechanism
    zeros = [text(event.zero) for event in mechanism.events.values()]
    wanted = [name for name in _KERNELS if name != "events" or zeros]
    return {
        name: kernel_code(
            partial(_KERNELS[name], made),
            f"canonical {name} {zeros if name == 'events' else ''} {fingerprint(mechanism)}",
        )
        for name in wanted
    }


def is_conservative(system: System) -> bool:
    """Whether the forces are those of a potential of the coordinates alone."""
    made = Canonical(system)
    Q = expressions(applied_forces(system))
    if any(x is TIME or x.kind == "speed" for x in free_symbols(Q)):
        return False
    return vanishes(made.at_unit(expression(power_without_potential(system))), system.mechanism)
