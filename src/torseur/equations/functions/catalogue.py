"""The functions of a compiled model: what each takes and the expressions it evaluates."""

import operator
from functools import partial

import numpy as np

from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.expr import TIME, expression
from torseur.algebra.core.graph import expressions, flat, substitute
from torseur.algebra.forms.count import count
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.closure import Closure, closures, relative_motions
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.dynamics.tree.quantities import (
    centre_of_mass,
    centroidal_matrix,
    centroidal_momentum,
    forward_dynamics,
    inverse_dynamics_derivatives,
    is_covered,
    kinetic_energy,
    mass_matrix,
    potential_energy,
)
from torseur.equations.actions.applied import (
    actions_of,
    applied_forces,
    power_without_potential,
    powers,
    stored_energy,
)
from torseur.equations.actions.reactions import joint_wrenches, pushed_apart
from torseur.equations.constraints.constraint_rows import constraints_of, coordinate_rates
from torseur.equations.expressions.linear import factorised, parents_of_speeds
from torseur.equations.functions.kernel import Function as Function
from torseur.equations.functions.kernel import catalogued, smoothed
from torseur.equations.functions.kernel import inputs_of as inputs_of
from torseur.equations.functions.kernel import kernel_of as kernel_of
from torseur.equations.functions.kernel import multiplier_names as multiplier_names
from torseur.equations.functions.regressor import columns
from torseur.equations.motion.diagnosis import singular_notices
from torseur.equations.symbols.system import System, symbols_of
from torseur.equations.symbols.system_places import body_places, speed_axes
from torseur.errors import ModelError, SolveError
from torseur.model.values.numbers import values_of
from torseur.spatial.vectors import skew
from torseur.topology.tree import Tree
from torseur.words.sentence import say

Array = np.ndarray
WEIGHTLESS = np.zeros(3)
POSE_AND_MOTION = 18  # of a closing joint: R of M in F row by row, p, t

FUNCTIONS: dict[str, Function] = {}
OF_LOOPS = ("constraint_jacobian", "constraint_rate", "constraint_bias", "closure_gap")
# Above this many speeds the graph is not tried: on chains of 12 bodies and on a tree of 30 the
# recursion has 39 and 21 % fewer operations, and the graph takes its time to differentiate.
_MANY = 24


def generalised_forces(system: System) -> Array:
    """A symbol for the generalised force of each speed."""
    return symbols_of([f"Q[{name}]" for name in system.speeds], "input")


def _multipliers(system: System) -> Array:
    """A symbol for the multiplier of each constraint."""
    return symbols_of(multiplier_names(len(constraints_of(system).owners)), "input")


# --- one after the other ------------------------------------------------------------------------


_function = partial(catalogued, FUNCTIONS)


@_function(
    "inverse_dynamics", "qva", "the Q to apply on top, M a + bias + gravity - applied", free=True
)
def _inverse_dynamics(system: System) -> Array:
    return _left_to_apply(system, system.a)


def _left_to_apply(system: System, a: Array) -> Array:
    """M a + h + g less what the description applies, in one recursion."""
    tree, applied = regrouped(system.tree), actions_of(system)
    wrenches, Q = applied.total
    needed = inverse_dynamics(tree, system.q, system.v, a, system.gravity, wrenches).Q
    return np.asarray(applied.opened(needed - Q))


@_function(
    "forward_dynamics",
    "qvQ",
    "accelerations a, with M a + bias + gravity = applied + Q",
    free=True,
    solves=True,
)
def _forward_dynamics(system: System) -> Array:
    pushed = generalised_forces(system) + applied_forces(system)
    return _accelerations(system, pushed, _left_to_apply(system, _still(system)))


def _accelerations(system: System, pushed: Array, needed: Array) -> Array:
    """The cheaper of the factorised mass matrix and the articulated bodies.

    `pushed` is what acts on the tree besides its weight; `needed`, what the caller's forces must be
    for no acceleration.
    """
    tree = regrouped(system.tree)
    M = regular_mass_matrix(system)
    by_factors = factorised(M, generalised_forces(system) - needed, parents_of_speeds(tree))
    if any(link.rotor is not None and link.rotor.axis is not None for _, link in system.tree):
        return by_factors
    articulated = forward_dynamics(tree, system.q, system.v, pushed, system.gravity)
    return min((by_factors, articulated), key=lambda x: count(flat(x)).total)


def regular_mass_matrix(system: System) -> Array:
    """M, which must not be singular at every configuration."""
    M = _mass_matrix(system)
    notices = singular_notices(expressions(M), system)
    if notices:
        raise SolveError(f'mechanism "{system.mechanism.name}"', *notices)
    return M


def _of_tree(system: System, v: Array, a: Array, gravity: Array) -> Array:
    return inverse_dynamics(regrouped(system.tree), system.q, v, a, gravity).Q


def _still(system: System) -> Array:
    return np.zeros(system.tree.nv)


_function("tree_inverse_dynamics", "qva", "M a + bias + gravity of the tree without constraints")(
    lambda system: _of_tree(system, system.v, system.a, system.gravity)
)


@_function(
    "tree_forward_dynamics",
    "qvQ",
    "a with M a + bias + gravity = Q, nothing else applied",
    solves=True,
)
def _tree_forward_dynamics(system: System) -> Array:
    needed = _of_tree(system, system.v, _still(system), system.gravity)
    return _accelerations(system, generalised_forces(system), needed)


@_function("mass_matrix", "q", "mass matrix M, with T = vᵀ M v / 2")
def _mass_matrix(system: System) -> Array:
    return mass_matrix(regrouped(system.tree), system.q)


@_function("bias", "qv", "velocity terms h of M a + h + g = applied + Q")
def _bias(system: System) -> Array:
    return _of_tree(system, system.v, _still(system), WEIGHTLESS)


@_function("gravity", "q", "gravity terms g of M a + h + g = applied + Q")
def _gravity(system: System) -> Array:
    return _of_tree(system, _still(system), _still(system), system.gravity)


@_function("applied", "qv", "motors, friction and loads of the description")
def _applied(system: System) -> Array:
    return np.asarray(constraints_of(system).opened(expressions(applied_forces(system))))


_function("moving_forces", "qv", "Q with dry friction smoothed as in runs", commanded=True)(
    lambda system: np.asarray(smoothed(_applied(system)))
)
_function("rates", "qv", "rates of the coordinates")(coordinate_rates)


@_function(
    "coriolis_matrix",
    "qv",
    "C, with C v = bias and dM/dt - 2 C skew-symmetric, that of Christoffel's symbols",
)
def _coriolis_matrix(system: System) -> Array:
    """C = ½ (∂h/∂v + M A), where A y = [v, y] is the bracket of the motions that speeds stand for.

    h is quadratic in v, and C x y − C y x = M [x, y] for the connection without torsion; where
    speeds are rates of coordinates, the brackets vanish and Christoffel's symbols are left.
    """
    A = np.zeros((system.tree.nv, system.tree.nv), dtype=object)
    for _, link in system.tree:
        if link.joint.turning:  # the last three speeds are ω, in the axes of M: [x, y] = x × y
            turned = slice(link.v.stop - 3, link.v.stop)
            A[turned, turned] = skew(system.v[turned])
    slopes = jacobian(expressions(_bias(system)), system.v)
    return expressions((slopes + _mass_matrix(system) @ A) / 2)


_function("centre_of_mass", "q", "centre of mass G of all bodies, fixed ones too, in the ground")(
    lambda system: centre_of_mass(_heavy(system), system.q)
)
_function("body_places", "q", "axes of each body in the ground, by rows, and its centre of mass")(
    body_places
)
_function("speed_axes", "q", "axis (ω; v) of each speed at the origin of the ground")(speed_axes)
_function(
    "centroidal_matrix",
    "q",
    "A_G, with (angular momentum at G; linear momentum) = A_G v in ground axes",
)(lambda system: centroidal_matrix(_heavy(system), system.q))
_function(
    "centroidal_momentum",
    "qv",
    "angular momentum at G, then linear momentum of all bodies, in ground axes",
)(lambda system: centroidal_momentum(_heavy(system), system.q, system.v))


def _heavy(system: System) -> Tree:
    """The tree of a system, which must have a mass: without it there is no centre of mass."""
    mechanism = system.mechanism
    total = sum(expression(link.inertia.m) for _, link in system.tree)
    if values_of(mechanism)(total) == 0:
        problem = say(
            "the mass of its {number} bodies is zero: they have no centre of mass.",
            len(mechanism.bodies),
        )
        raise ModelError(f'mechanism "{mechanism.name}"', problem, "Give a body a mass.")
    return system.tree


@_function("power", "qv", "power of the forces that have no potential", commanded=True)
def _power(system: System) -> Array:
    """Power of motors, friction, dampers and loads without a potential."""
    return np.asarray(power_without_potential(system), dtype=object)


@_function("powers", "qv", "power of each motor and force", commanded=True)
def _powers(system: System) -> Array:
    """Powers of motors and forces, by name, as in a motion."""
    return np.asarray(smoothed(expressions([*powers(system).values()])))


_function("constraint_jacobian", "q", "J, with J v + b = 0")(lambda x: constraints_of(x).J)
_function("constraint_rate", "q", "b, with J v + b = 0")(lambda x: constraints_of(x).rate)
_function("constraint_bias", "qv", "γ, with J a + γ = 0")(lambda x: constraints_of(x).bias)
_function("closure_gap", "q", "how far loops are from closed")(lambda x: constraints_of(x).gap)


@_function("closing_motions", "qv", "pose and motion of closing joints")
def _closing_motions(system: System) -> Array:
    """Motions of closing joints with coordinates: R and p of M in F, then t = (ω; v) in M."""
    closing, motions = _closing(system)
    rows = [[*c.R.ravel(), *c.p, *t] for c, t in zip(closing, motions, strict=True)]
    return expressions(np.array(rows, dtype=object).reshape(len(closing), POSE_AND_MOTION))


@_function("closing_accelerations", "qva", "rates of those motions")
def _closing_accelerations(system: System) -> Array:
    """The rate of t, in the axes of M, of every closing joint with coordinates."""
    motions = np.array(_closing(system)[1], dtype=object).reshape(-1, 6)
    rates = dict(zip(system.q, coordinate_rates(system), strict=True))
    rates |= dict(zip(system.v, system.a, strict=True))
    return np.asarray(time_derivative(expressions(motions), rates, TIME))


def _closing(system: System) -> tuple[list[Closure], list[Array]]:
    """The closing joints with coordinates, and how they move."""
    named = tuple(cut for cut in system.cuts if cut.coordinates)
    closing = closures(system.tree, named, system.q)
    return closing, relative_motions(system.tree, closing, system.q, system.v)


@_function("joint_wrenches", "qvaL", "force, couple and frame of each joint", commanded=True)
def _joint_wrenches(system: System) -> Array:
    """With forces as in a motion."""
    return np.asarray(smoothed(expressions(joint_wrenches(system, _multipliers(system)))))


_function("pushed_apart", "qL", "what the teeth of gears push apart, as Q")(
    lambda system: pushed_apart(system, _multipliers(system))
)
_function("kinetic_energy", "qv", "kinetic energy T = vᵀ M v / 2")(
    lambda x: np.asarray(kinetic_energy(regrouped(x.tree), x.q, x.v), dtype=object)
)


@_function("potential_energy", "q", "potential energy V")
def _potential_energy(system: System) -> Array:
    weight = potential_energy(system.tree, system.q, system.gravity)
    return np.asarray(weight + stored_energy(system), dtype=object)


@_function("regressor", "qva", "Y, with Y @ regressor_parameters = inverse dynamics", free=True)
def _regressor(system: System) -> Array:
    """A column for each parameter, and for each force that is no parameter times something."""
    return np.column_stack([column.force for column in columns(system)])


@_function("inverse_dynamics_derivatives", "qva", "∂Q/∂q, ∂Q/∂v of inverse_dynamics", free=True)
def _inverse_dynamics_derivatives(system: System) -> Array:
    """∂Q/∂q and ∂Q/∂v side by side (∂Q/∂a is the mass matrix)."""
    return by_coordinates(system, _inverse_dynamics(system), _applied(system))


@_function(
    "inverse_dynamics_tangent_derivatives",
    "qva",
    "∂Q by small motions, one for each speed, ∂Q/∂v of inverse_dynamics",
    free=True,
)
def _inverse_dynamics_tangent_derivatives(system: System) -> Array:
    return by_small_motions(system, _inverse_dynamics(system), _applied(system))


@_function(
    "applied_stiffness",
    "qv",
    "stiffness and damping of what is applied: −∂ by small motions, −∂/∂v",
)
def _applied_stiffness(system: System) -> Array:
    """Derivatives of the forces of the description, added to those of the tree alone."""
    slopes = slopes_of(system, _applied(system))
    return expressions(-along_speeds(system, slopes))


def _solved(system: System, slopes: Array) -> Array:
    """∂a/∂q, ∂a/∂v and ∂a/∂Q side by side: −M⁻¹ ∂(inverse dynamics), and M⁻¹."""
    M, parent = regular_mass_matrix(system), parents_of_speeds(regrouped(system.tree))
    needed = _left_to_apply(system, _still(system))
    solution = factorised(M, generalised_forces(system) - needed, parent)
    slopes = substitute(slopes, dict(zip(system.a, solution, strict=True)))
    right = np.concatenate([-slopes, np.eye(len(M))], axis=1)
    return factorised(M, right, parent)


_function(
    "forward_dynamics_derivatives",
    "qvQ",
    "∂a/∂q, ∂a/∂v, ∂a/∂Q of forward_dynamics",
    free=True,
    solves=True,
)(lambda system: _solved(system, _inverse_dynamics_derivatives(system)))
_function(
    "forward_dynamics_tangent_derivatives",
    "qvQ",
    "∂a by small motions, one for each speed, ∂a/∂v, ∂a/∂Q of forward_dynamics",
    free=True,
    solves=True,
)(lambda system: _solved(system, _inverse_dynamics_tangent_derivatives(system)))


def by_coordinates(system: System, Q: Array, applied: Array) -> Array:
    """∂Q/∂q and ∂Q/∂v of inverse dynamics Q, from which what is applied is taken already."""
    small = speeds_are_rates(system)
    return by_small_motions(system, Q, applied) if small else slopes_of(system, Q)


def by_small_motions(system: System, Q: Array, applied: Array) -> Array:
    """∂Q by small motions and ∂Q/∂v: of the graph or by the recursion over bodies, the shorter."""
    if not is_covered(system.tree):
        return along_speeds(system, slopes_of(system, Q))
    tree = regrouped(system.tree)
    derivatives = inverse_dynamics_derivatives(tree, system.q, system.v, system.a, system.gravity)
    derivatives = expressions(derivatives - along_speeds(system, slopes_of(system, applied)))
    if system.tree.nv > _MANY:
        return derivatives
    other = along_speeds(system, slopes_of(system, Q))
    return min((other, derivatives), key=lambda x: count(flat(x)).total)


def slopes_of(system: System, Q: Array) -> Array:
    """∂Q/∂q and ∂Q/∂v side by side, on the graph."""
    Q = expressions(Q)
    return np.concatenate([jacobian(Q, system.q), jacobian(Q, system.v)], axis=1)


def along_speeds(system: System, slopes: Array) -> Array:
    """Derivatives by coordinates, then others, as derivatives by small motions: δq = N δ.

    q̇ = N v. A quaternion has four coordinates and three motions, turns about the axes of M.
    """
    if speeds_are_rates(system):
        return slopes
    N = jacobian(expressions(coordinate_rates(system)), system.v)
    nq = len(system.q)
    return np.concatenate([expressions(slopes[:, :nq] @ N), slopes[:, nq:]], axis=1)


def speeds_are_rates(system: System) -> bool:
    """Whether every speed is the rate of the coordinate in its place."""
    rates = coordinate_rates(system)
    return len(rates) == len(system.v) and all(map(operator.is_, rates, system.v))
