"""Derivatives of inverse dynamics, of the graph or by the recursion, whichever is shorter.

On the graph they are those of what was derived; the recursion over bodies gives those by small
motions, one for each speed, which are those by coordinates where speeds are rates of coordinates.
"""

import operator

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.graph import expressions, flat
from torseur.algebra.forms.count import count
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.quantities import inverse_dynamics_derivatives, is_covered
from torseur.equations.constraints.rows import coordinate_rates
from torseur.equations.symbols.system import System

Array = np.ndarray
# Above this many speeds the graph is not tried: on chains of 12 bodies and on a tree of 30 the
# recursion has 39 and 21 % fewer operations, and the graph takes its time to differentiate.
_MANY = 24


def by_coordinates(system: System, Q: Array, applied: Array) -> Array:
    """∂Q/∂q and ∂Q/∂v of inverse dynamics Q, from which what is applied is taken already."""
    small = speeds_are_rates(system)
    return by_small_motions(system, Q, applied) if small else partial(system, Q)


def by_small_motions(system: System, Q: Array, applied: Array) -> Array:
    """∂Q by small motions and ∂Q/∂v, the shorter."""
    if not is_covered(system.tree):
        return along_speeds(system, partial(system, Q))
    tree = regrouped(system.tree)
    derivatives = inverse_dynamics_derivatives(tree, system.q, system.v, system.a, system.gravity)
    derivatives = expressions(derivatives - along_speeds(system, partial(system, applied)))
    if system.tree.nv > _MANY:
        return derivatives
    other = along_speeds(system, partial(system, Q))
    return min((other, derivatives), key=lambda x: count(flat(x)).total)


def partial(system: System, Q: Array) -> Array:
    """∂Q/∂q and ∂Q/∂v side by side, on the graph."""
    Q = expressions(Q)
    return np.concatenate([jacobian(Q, system.q), jacobian(Q, system.v)], axis=1)


def along_speeds(system: System, partial: Array) -> Array:
    """Derivatives by coordinates, then others, as derivatives by small motions: δq = N δ.

    q̇ = N v. A quaternion has four coordinates and three motions, turns about the axes of M.
    """
    if speeds_are_rates(system):
        return partial
    N = jacobian(expressions(coordinate_rates(system)), system.v)
    nq = len(system.q)
    return np.concatenate([expressions(partial[:, :nq] @ N), partial[:, nq:]], axis=1)


def speeds_are_rates(system: System) -> bool:
    """Whether every speed is the rate of the coordinate in its place."""
    rates = coordinate_rates(system)
    return len(rates) == len(system.v) and all(map(operator.is_, rates, system.v))
