"""Newton-Euler: the recursions on the regrouped tree, the shortest equations we know."""

import numpy as np

from torseur.algebra.forms.program import component_names
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.inverse_dynamics import InverseDynamics, inverse_dynamics
from torseur.dynamics.tree.quantities import mass_matrix
from torseur.equations.actions.applied import applied_forces
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System
from torseur.topology.tree import Tree


def derive(system: System) -> Equations:
    """M by composite bodies; h and g by the Newton-Euler recursion without accelerations."""
    tree, q, v, a = regrouped(system.tree), system.q, system.v, system.a
    still, weightless = np.zeros(tree.nv), np.zeros(3)
    moving = inverse_dynamics(tree, q, v, a, system.gravity)
    bias = inverse_dynamics(tree, q, v, still, weightless)
    weight = inverse_dynamics(tree, q, still, still, system.gravity)
    M, Q = mass_matrix(tree, q), applied_forces(system)
    hints = _names(tree, weight, "G") | _names(tree, bias, "B") | _names(tree, moving, "")
    return Equations(system, "newton-euler", M, bias.Q, weight.Q, Q, moving.Q, hints)


def _names(tree: Tree, dynamics: InverseDynamics, suffix: str) -> dict[int, str]:
    """Readable names for what the recursion computes: w2x, dw2x, acc2x, U2xy, F2x, N2x, KXX2."""
    hints: dict[int, str] = {}
    for i, link in tree:
        motion, name = dynamics.motions[i], f"{link.name}{suffix}"
        for stem, value in (
            ("F", dynamics.forces[i]),
            ("N", dynamics.couples[i]),
            ("U", motion.U),
            ("acc", motion.acc),
            ("dw", motion.dw),
            ("w", motion.w),
        ):
            hints |= component_names(stem, value, name)
        hints |= component_names("h", link.inertia.h, link.name)
        hints |= component_names("K", link.inertia.K, link.name)
    return hints
