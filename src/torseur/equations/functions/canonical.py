"""Hamilton's canonical equations as kernels: what a symplectic integrator calls.

The state is (q, p, work of the forces without potential, forces given from outside, constant
between changes), a momentum for every coordinate. With
q̇ = N(q) v, the Hamiltonian is H(q, p) = ½ μ·M⁻¹μ + V at μ = Nᵀ p, so that v = M⁻¹ μ and
ṗ = ∂/∂q (T(q, v) − p·N(q) v) + what lifts the generalised forces. Where speeds are rates, μ is p.

A quaternion a of T*SO(3) is so embedded in R⁴ × R⁴, M and the forces being those of a/|a|. Then
|a|² and a·p are constant, and the momentum about a fixed axis is bilinear in (a, p): invariants
that the methods of Gauss keep. On |a| = 1, a·p = 0 the flow is that of the rigid body, and a map
that is symplectic around is symplectic there.

Constraints g(q) = 0 add Gᵀλ to ṗ, G = ∂g/∂q being J lifted as the forces are. Where M alone is
singular, ½ σ |J v|² is added to T, which changes nothing where J v = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import directional, gradient, jacobian
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.algebra.printing.text import exact_text
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.dynamics.tree.quantities import kinetic_energy
from torseur.equations.actions.applied import power_without_potential
from torseur.equations.constraints.constraint_rows import coordinate_rates
from torseur.equations.expressions.linear import factorised
from torseur.equations.expressions.sampling import agree
from torseur.equations.functions.held_rows import FREE, Rows
from torseur.equations.functions.kernel import Kernel, kernel, smoothed
from torseur.equations.functions.motion import WORK, MotionKernels, inputs_of_state, normalised
from torseur.equations.symbols.system import System, symbols_of
from torseur.model.values.fingerprint import fingerprint
from torseur.topology.tree import Tree

Array = np.ndarray


@final
@dataclass(frozen=True)
class Canonical:
    """The canonical equations of a system whose constraints are the given rows of J."""

    system: System
    rows: Rows = FREE  # all of which hold positions

    @cached_property
    def _names(self) -> list[str]:
        """Names of the momenta, in the order of the coordinates."""
        return [f"p[{name}]" for name in self.system.coordinates]

    @cached_property
    def _p(self) -> Array:
        """The momenta; those of coordinates that only follow angles of joints are zero."""
        p, count = symbols_of(self._names, "input"), self.system.tree.nq
        return np.array([*p[:count], *(ZERO for _ in p[count:])], dtype=object)

    @property
    def _after_momenta(self) -> tuple[Expr, ...]:
        """State after the momenta: the work and the inputs."""
        return (WORK, *self.system.signals)

    @cached_property
    def _tree(self) -> Tree:
        return regrouped(self.system.tree)

    @cached_property
    def _unit(self) -> dict[Expr, Any]:
        """Every quaternion divided by its norm."""
        values: dict[Expr, Any] = {}
        for place in self.system.tree.quaternions:
            four = self.system.q[place]
            values |= dict(zip(four, four / np.sqrt(four @ four), strict=True))
        return values

    def at_unit(self, outputs: Any) -> Any:
        """Expressions with quaternions of unit norm."""
        return substitute(outputs, self._unit) if self._unit else outputs

    @cached_property
    def _gap(self) -> Array:
        """g."""
        return np.asarray(self.at_unit(self._motion.gap))

    @cached_property
    def _J(self) -> Array:
        """∂g/∂t = J v."""
        return np.asarray(self.at_unit(self._motion.J))

    @cached_property
    def _motion(self) -> MotionKernels:
        return MotionKernels(self.system, self.rows, by_gradients=True)

    @cached_property
    def _M(self) -> Array:
        """M, which must not be singular at every configuration that the constraints allow."""
        return np.asarray(self.at_unit(expressions(self._motion.mass[0])))

    def _without_mass(self, mu: Array) -> Array:
        """M⁻¹ μ, of one vector or of several columns."""
        return factorised(self._M, mu, self._motion.mass[1])

    @cached_property
    def _q_rates(self) -> Array:
        """q̇; what follows angles turns as bodies do whose quaternions have unit norm."""
        rates, count = expressions(coordinate_rates(self.system)), self.system.tree.nq
        return np.array([*rates[:count], *self.at_unit(rates[count:])], dtype=object)

    @cached_property
    def _N(self) -> Array:
        """q̇ = N v."""
        rates, v = self._q_rates, self.system.v
        return np.asarray(jacobian(rates, v).reshape(len(rates), len(v)))

    @cached_property
    def _v(self) -> Array:
        """v(q, p)."""
        return self._without_mass(self._N.T @ self._p)

    @cached_property
    def _T(self) -> Expr:
        """T(q, v)."""
        system, sigma = self.system, self._motion.mass[2]
        T = expression(kinetic_energy(self._tree, system.q, system.v))
        if not self.rows.rank:
            return expression(self.at_unit(T))
        forbidden = self._motion.kept_J @ system.v
        return expression(self.at_unit(expression(T + (sigma * forbidden) @ forbidden / 2)))

    def _to_coordinates(self, mu: Array) -> Array:
        """N (NᵀN)⁻¹ μ: from one number for each speed to one for each coordinate."""
        q, tree = self.system.q, self.system.tree
        lifted = tree.rates(q, mu)
        for four in tree.quaternions:
            lifted[four] = lifted[four] * (4 / (q[four] @ q[four]))
        return np.array([*lifted, *(ZERO for _ in q[tree.nq :])], dtype=object)

    def has_potential(self, Q: Array) -> bool:
        """Whether generalised forces are those of a potential of the coordinates alone.

        Then u·(∂Q/∂q) w = w·(∂Q/∂q) u whatever the directions u and w.
        """
        if any(x is TIME or x.kind == "speed" for x in free_symbols(Q)):
            return False
        q, lifted = self.system.q, expressions(self._to_coordinates(self.at_unit(Q)))
        u, w = np.random.default_rng(0).uniform(0.5, 1.5, size=(2, len(q)))
        along_u, along_w = (directional(lifted, dict(zip(q, x, strict=True))) for x in (u, w))
        one, other = expression(u @ along_w), expression(w @ along_u)
        return agree(one, other, self.system.mechanism)

    def _correction(self, excess: Array) -> tuple[Array, Array]:
        """x and M⁻¹ Jᵀ x with J M⁻¹ Jᵀ x = excess."""
        X = self._without_mass(self._J.T)
        x = factorised(self._J @ X, excess)
        return x, X @ x

    def _rates(self, reactions: Array) -> list[Any]:
        """The rate of a state under given reactions."""
        system, tree, q = self.system, self._tree, self.system.q
        rates, still = self._q_rates, np.zeros(tree.nv)
        weight = inverse_dynamics(tree, q, still, still, system.gravity).Q
        forces = self.at_unit(expressions(self._motion.applied - weight))
        slope = gradient(self._T - expression(self._p @ rates), q)
        power = self.at_unit(smoothed(power_without_potential(system, by_gradients=True)))
        unmoved = [ZERO] * len(system.signals)
        return [*rates, *(slope + self._to_coordinates(forces + reactions)), power, *unmoved]

    def free(self) -> Kernel:
        """∂H/∂p, −∂H/∂q and the power: the rate of a state without the reactions."""
        return self._kernel("free", self._rates(np.zeros(self.system.tree.nv)))

    def rate(self) -> Kernel:
        """The rate of a state."""
        if not self.rows.rank:
            return self._kernel("rate", self._rates(np.zeros(self.system.tree.nv)))
        lam = self.at_unit(self._motion.accelerations[1])
        return self._kernel("rate", self._rates(self._J.T @ lam))

    def restraint(self) -> Kernel:
        """g, then the rows of G."""
        G = [self._to_coordinates(row) for row in self._J]
        return self._kernel("restraint", [*self._gap, *np.concatenate(G)])

    def compliance(self) -> Kernel:
        """G (∂²H/∂p²) Gᵀ = J M⁻¹ Jᵀ."""
        compliance = self._J @ self._without_mass(self._J.T)
        return self._kernel("compliance", list(compliance.ravel()))

    def project_positions(self) -> Kernel:
        """The state with one step of its coordinates onto the constraints, then the gap² before."""
        _, step = self._correction(self._gap)
        q = normalised(self.system, self.system.q - self._N @ step)
        gap2 = self.at_unit(self._motion.gap2)
        return self._kernel("project_positions", [*q, *self._p, *self._after_momenta, gap2])

    def project_speeds(self) -> Kernel:
        """The state with momenta whose speeds keep the constraints."""
        x, _ = self._correction(self._J @ self.system.v)
        p = self._p - self._to_coordinates(self._J.T @ x)
        return self._kernel("project_speeds", [*self.system.q, *p, *self._after_momenta])

    def speeds(self) -> Kernel:
        """(q, v, …)."""
        return self._kernel("speeds", [*self.system.q, *self.system.v, *self._after_momenta])

    def events(self) -> Kernel:
        """The expressions whose zeros are looked for."""
        return self._kernel("events", self._motion.events().outputs)

    def momenta(self) -> Kernel:
        """(q, p, …) from (q, v, …)."""
        p = self._to_coordinates(self._M @ self.system.v)
        outputs = expressions([*self.system.q, *p, *self._after_momenta])
        return kernel("momenta", inputs_of_state(self.system), outputs)

    def _kernel(self, name: str, outputs: Sequence[Any]) -> Kernel:
        """Expressions of q, v and t, written in terms of q, p and t."""
        state = (*self.system.coordinates, *self._names, *(x.name for x in self._after_momenta))
        momenta = dict(zip(self.system.v, self._v, strict=True))
        written = substitute(expressions(list(outputs)), momenta)
        return kernel(name, (("y", state), ("t", (TIME.name,))), written)


_ALWAYS = ("rate", "speeds", "momenta")
_UNDER_CONSTRAINTS = ("free", "restraint", "compliance", "project_positions", "project_speeds")


def canonical_kernels(
    system: System, rows: Rows = FREE
) -> dict[str, tuple[str, Callable[[], Kernel]]]:
    """The kernels of the canonical equations, with constraints kept by some rows of J.

    Each with the text that tells it from others, and how it is made.
    """
    canonical, mechanism = Canonical(system, rows), system.mechanism
    zeros = [exact_text(event.zero) for event in mechanism.events.values()]
    names = (*_ALWAYS, *(_UNDER_CONSTRAINTS if rows.rank else ()), *(["events"] if zeros else ()))
    watched = {"events": zeros}
    return {
        name: (
            f"canonical {name} {rows} {watched.get(name, '')} {fingerprint(mechanism)}",
            getattr(canonical, name),
        )
        for name in names
    }
