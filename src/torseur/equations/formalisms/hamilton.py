"""Hamilton: the equations of motion from the canonical ones, with p = M v put back."""

from __future__ import annotations

from torseur.algebra.calculus.derivative import gradient, time_derivative
from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import expressions, substitute
from torseur.equations.analytical.euler_lagrange import energies, euler_lagrange
from torseur.equations.analytical.lagrangian import hamiltonian
from torseur.equations.analytical.sources import of_system
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.expressions.linear import solve
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System
from torseur.errors import ModelError


def derive(system: System) -> Equations:
    """M a + h + g = Q from the canonical equations, with p = M v put back.

    With K(q, p) = ½ p·M⁻¹ p, d(M v)/dt = −∂(K + V)/∂q + Q gives h = Ṁ v + ∂K/∂q at p = M v.
    `tables` has H, the momenta, and the Hamiltonian with its canonical equations.
    """
    check_holonomic(system)
    stored, given = energies(system), of_system(system)
    canonical = hamiltonian(given)
    q, v, M = system.q, system.v, canonical.mass
    K = expression(canonical.p @ solve(M, canonical.p)) / 2
    carried = M @ v
    turning = time_derivative(expressions(carried), dict(zip(q, v, strict=True)))
    slope = substitute(gradient(K, q), dict(zip(canonical.p, carried, strict=True)))
    h, g = turning + slope, gradient(stored.V, q)
    Q = euler_lagrange(stored.U, q, v).bias - gradient(stored.R, v) + stored.Q
    tables = {"H": canonical.H, "p": given.p, "hamiltonian": canonical}
    return Equations(system, "hamilton", M, h, g, Q, M @ system.a + h + g, tables=tables)


def check_holonomic(system: System) -> None:
    """Refuse conditions on speeds that no condition on positions stands for."""
    constraints = constraints_of(system)
    for row, name in enumerate(constraints.owners):
        if row not in constraints.positions:
            raise ModelError(
                f'constraint "{name}"',
                'it holds speeds but not positions, and the formalism "hamilton" needs coordinates '
                "that the constraints leave free: the canonical equations have no other momenta.",
                "Missing is a relation between coordinates that has this rate.",
                'Use "lagrange" with multipliers, "kane", "gibbs-appell" or "virtual-power".',
            )
