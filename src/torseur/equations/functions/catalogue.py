"""The functions of a compiled model: what each takes and the expressions it evaluates."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.expr import TIME, symbol
from torseur.algebra.core.graph import expressions, flat, free_symbols, substitute
from torseur.algebra.forms.count import count
from torseur.dynamics.tree import articulated_body
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.closure import Closure, closures, relative_motions
from torseur.dynamics.tree.composite_body import mass_matrix
from torseur.dynamics.tree.energy import kinetic_energy, potential_energy
from torseur.dynamics.tree.newton_euler import inverse_dynamics
from torseur.equations.actions.applied import (
    Applied,
    applied_forces,
    power_without_potential,
    powers,
    stored_energy,
)
from torseur.equations.actions.reactions import joint_wrenches, pushed_apart
from torseur.equations.constraints.rows import Constraints, coordinate_rates
from torseur.equations.functions.factorise import parents_of_speeds, solve
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.functions.regressor import columns
from torseur.equations.functions.smooth import smoothed
from torseur.equations.motion.diagnosis import singular_notices
from torseur.equations.symbols.system import System
from torseur.errors import ModelError, SolveError
from torseur.words.sentence import say

Array = np.ndarray
WEIGHTLESS = np.zeros(3)
POSE_AND_MOTION = 18  # of a closing joint: R of M in F row by row, p, t


@final
@dataclass(frozen=True)
class Function:
    """A name, its arguments among q, v, a, Q and the multipliers L, and the recursion it runs."""

    name: str
    arguments: str
    build: Callable[[System], Array]
    result: str  # what comes out, in words
    free: bool = False  # whether it has a meaning only where nothing restrains the tree
    solves: bool = False  # whether it divides by inertias, so that it may not be finite


OF_LOOPS = ("constraint_jacobian", "constraint_rate", "constraint_bias", "closure_gap")


def kernel_of(function: Function, system: System) -> Kernel:
    """The kernel of a function of a system; one that depends on time takes t last."""
    if function.free:
        _require_free(function, system)
    rows = len(Constraints(system).owners) if "L" in function.arguments else 0
    inputs = inputs_of(function, system.coordinates, system.speeds, rows)
    output = function.build(system)
    if TIME in free_symbols(expressions(output)):
        inputs = (*inputs, ("t", (TIME.name,)))
    known = {name for _, listed in inputs for name in listed}
    for x in free_symbols(expressions(output)):
        if x.kind != "parameter" and x.name not in known:
            raise ModelError(
                f'mechanism "{system.mechanism.name}"',
                say(
                    '{function} depends on "{x}", which is not one of its arguments.',
                    function.name,
                    x.name,
                ),
                say("It is a function of {arguments}.", ", ".join(function.arguments)),
            )
    return replace(kernel(function.name, inputs, output), solves=function.solves)


def inputs_of(
    function: Function, coordinates: tuple[str, ...], speeds: tuple[str, ...], rows: int = 0
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The arguments of a function, each with the names of its entries; L only if there is any."""
    names = {
        "q": coordinates,
        "v": speeds,
        "a": tuple(f"{name}." for name in speeds),
        "Q": tuple(f"Q[{name}]" for name in speeds),
        "L": multiplier_names(rows),
    }
    listed = ((letter, names[letter]) for letter in function.arguments)
    return tuple((letter, own) for letter, own in listed if letter != "L" or rows)


def multiplier_names(rows: int) -> tuple[str, ...]:
    """A name for the multiplier of each constraint."""
    return tuple(f"lambda[{k}]" for k in range(rows))


def generalised_forces(system: System) -> Array:
    """A symbol for the generalised force of each speed."""
    names = [f"Q[{name}]" for name in system.speeds]
    return np.array([symbol(name, "input") for name in names], dtype=object)


def _require_free(function: Function, system: System) -> None:
    """Where constraints act, their forces are unknown too: the cut tree alone says nothing."""
    owners = Constraints(system).owners if system.constrained else ()
    if owners:
        raise ModelError(
            f'mechanism "{system.mechanism.name}"',
            say(
                '{function} would be that of the tree that is left without "{owners}", whose '
                "forces are unknown too.",
                function.name,
                owners[0],
            ),
            "ts.simulate finds the motion, run.reaction and run.drive the forces. By hand, solve "
            "M a + h + g = applied + Q + Jᵀ λ, J a = −γ with mass_matrix, bias, gravity, applied, "
            "constraint_jacobian and constraint_bias.",
        )


def _tree_inverse_dynamics(system: System) -> Array:
    tree = regrouped(system.tree)
    return inverse_dynamics(tree, system.q, system.v, system.a, system.gravity).Q


def _inverse_dynamics(system: System) -> Array:
    return _left_to_apply(system, system.a)


def _left_to_apply(system: System, a: Array) -> Array:
    """M a + h + g less what the description applies, in one recursion."""
    tree, applied = regrouped(system.tree), Applied(system)
    wrenches, Q = applied.total
    needed = inverse_dynamics(tree, system.q, system.v, a, system.gravity, wrenches).Q
    return applied.opened(needed - Q)


def _mass_matrix(system: System) -> Array:
    return mass_matrix(regrouped(system.tree), system.q)


def _bias(system: System) -> Array:
    still = np.zeros(system.tree.nv)
    return inverse_dynamics(regrouped(system.tree), system.q, system.v, still, WEIGHTLESS).Q


def _gravity(system: System) -> Array:
    still = np.zeros(system.tree.nv)
    return inverse_dynamics(regrouped(system.tree), system.q, still, still, system.gravity).Q


def _kinetic_energy(system: System) -> Array:
    return np.asarray(kinetic_energy(regrouped(system.tree), system.q, system.v), dtype=object)


def _potential_energy(system: System) -> Array:
    weight = potential_energy(system.tree, system.q, system.gravity)
    return np.asarray(weight + stored_energy(system), dtype=object)


def _constraint_jacobian(system: System) -> Array:
    return Constraints(system).J


def _constraint_rate(system: System) -> Array:
    return Constraints(system).rate


def _constraint_bias(system: System) -> Array:
    return Constraints(system).bias


def _closure_gap(system: System) -> Array:
    return Constraints(system).gap


def _tree_forward_dynamics(system: System) -> Array:
    tree, still = regrouped(system.tree), np.zeros(system.tree.nv)
    needed = inverse_dynamics(tree, system.q, system.v, still, system.gravity).Q
    return _accelerations(system, generalised_forces(system), needed)


def _closing_motions(system: System) -> Array:
    """Of every closing joint with coordinates: R and p of M in F, then t = (ω; v) in M."""
    closing = _closing(system)
    motions = relative_motions(system.tree, closing, system.q, system.v)
    rows = [[*c.R.ravel(), *c.p, *t] for c, t in zip(closing, motions, strict=True)]
    return expressions(np.array(rows, dtype=object).reshape(len(closing), POSE_AND_MOTION))


def _closing_accelerations(system: System) -> Array:
    """The rate of t, in the axes of M, of every closing joint with coordinates."""
    closing = _closing(system)
    motions = relative_motions(system.tree, closing, system.q, system.v)
    rates = dict(zip(system.q, coordinate_rates(system), strict=True))
    rates |= dict(zip(system.v, system.a, strict=True))
    return time_derivative(expressions(np.array(motions, dtype=object).reshape(-1, 6)), rates, TIME)


def _closing(system: System) -> list[Closure]:
    return closures(system.tree, tuple(c for c in system.cuts if c.coordinates), system.q)


def _forward_dynamics(system: System) -> Array:
    pushed = generalised_forces(system) + applied_forces(system)
    return _accelerations(system, pushed, _left_to_apply(system, np.zeros(system.tree.nv)))


def _accelerations(system: System, pushed: Array, needed: Array) -> Array:
    """The cheaper of the factorised mass matrix and the articulated bodies.

    `pushed` is what acts on the tree besides its weight; `needed`, what the caller's forces must be
    for no acceleration.
    """
    tree = regrouped(system.tree)
    M = _regular_mass_matrix(system)
    factorised = solve(M, generalised_forces(system) - needed, parents_of_speeds(tree))
    if any(link.rotor is not None and link.rotor.axis is not None for _, link in system.tree):
        return factorised
    articulated = articulated_body.forward_dynamics(
        tree, system.q, system.v, pushed, system.gravity
    )
    return min((factorised, articulated), key=lambda x: count(flat(x)).total)


def _regular_mass_matrix(system: System) -> Array:
    """M, which must not be singular at every configuration."""
    M = _mass_matrix(system)
    notices = singular_notices(expressions(M), system)
    if notices:
        raise SolveError(f'mechanism "{system.mechanism.name}"', *notices)
    return M


def _inverse_dynamics_derivatives(system: System) -> Array:
    """∂Q/∂q and ∂Q/∂v side by side (∂Q/∂a is the mass matrix)."""
    Q = _inverse_dynamics(system)
    return np.concatenate([jacobian(Q, system.q), jacobian(Q, system.v)], axis=1)


def _forward_dynamics_derivatives(system: System) -> Array:
    """∂a/∂q, ∂a/∂v and ∂a/∂Q side by side: −M⁻¹ ∂(inverse dynamics), and M⁻¹."""
    tree = regrouped(system.tree)
    M = _regular_mass_matrix(system)
    parent = parents_of_speeds(tree)
    n = tree.nv
    needed = _left_to_apply(system, np.zeros(n))
    found = solve(M, generalised_forces(system) - needed, parent)
    partial = _inverse_dynamics_derivatives(system)
    partial = substitute(partial, dict(zip(system.a, found, strict=True)))
    right = np.concatenate([-partial, np.eye(n)], axis=1)
    return solve(M, right, parent)


def _regressor(system: System) -> Array:
    """A column for each parameter, and for each force that is no parameter times something."""
    return np.column_stack([column.force for column in columns(system)])


def _applied(system: System) -> Array:
    return Constraints(system).opened(expressions(applied_forces(system)))


def _moving_forces(system: System) -> Array:
    return smoothed(_applied(system))


def _joint_wrenches(system: System) -> Array:
    """With forces as in a motion."""
    names = multiplier_names(len(Constraints(system).owners))
    multipliers = np.array([symbol(name, "input") for name in names], dtype=object)
    return smoothed(expressions(joint_wrenches(system, multipliers)))


def _pushed_apart(system: System) -> Array:
    names = multiplier_names(len(Constraints(system).owners))
    return pushed_apart(system, np.array([symbol(name, "input") for name in names], dtype=object))


def _rates(system: System) -> Array:
    return coordinate_rates(system)


def _power(system: System) -> Array:
    """What motors, friction, dampers and loads without a potential bring."""
    return np.asarray(power_without_potential(system), dtype=object)


def _powers(system: System) -> Array:
    """As in a motion."""
    return smoothed(expressions([*powers(system).values()]))


FUNCTIONS: dict[str, Function] = {
    f.name: f
    for f in (
        Function(
            "inverse_dynamics",
            "qva",
            _inverse_dynamics,
            "the Q to apply on top, M a + bias + gravity - applied",
            free=True,
        ),
        Function(
            "forward_dynamics",
            "qvQ",
            _forward_dynamics,
            "accelerations a, with M a + bias + gravity = applied + Q",
            free=True,
            solves=True,
        ),
        Function(
            "tree_inverse_dynamics",
            "qva",
            _tree_inverse_dynamics,
            "M a + bias + gravity of the tree without constraints",
        ),
        Function(
            "tree_forward_dynamics",
            "qvQ",
            _tree_forward_dynamics,
            "a with M a + bias + gravity = Q, nothing else applied",
            solves=True,
        ),
        Function("mass_matrix", "q", _mass_matrix, "mass matrix M, with T = vᵀ M v / 2"),
        Function("bias", "qv", _bias, "velocity terms h of M a + h + g = applied + Q"),
        Function("gravity", "q", _gravity, "gravity terms g of M a + h + g = applied + Q"),
        Function("applied", "qv", _applied, "motors, friction and loads of the description"),
        Function("moving_forces", "qv", _moving_forces, "Q with dry friction smoothed as in runs"),
        Function("rates", "qv", _rates, "rates of the coordinates"),
        Function("power", "qv", _power, "power of the forces that have no potential"),
        Function("powers", "qv", _powers, "power of each motor and force"),
        Function("constraint_jacobian", "q", _constraint_jacobian, "J, with J v + b = 0"),
        Function("constraint_rate", "q", _constraint_rate, "b, with J v + b = 0"),
        Function("constraint_bias", "qv", _constraint_bias, "γ, with J a + γ = 0"),
        Function("closure_gap", "q", _closure_gap, "how far loops are from closed"),
        Function("closing_motions", "qv", _closing_motions, "pose and motion of closing joints"),
        Function("closing_accelerations", "qva", _closing_accelerations, "rates of those motions"),
        Function(
            "joint_wrenches", "qvaL", _joint_wrenches, "force, couple and frame of each joint"
        ),
        Function("pushed_apart", "qL", _pushed_apart, "what the teeth of gears push apart, as Q"),
        Function("kinetic_energy", "qv", _kinetic_energy, "kinetic energy T = vᵀ M v / 2"),
        Function("potential_energy", "q", _potential_energy, "potential energy V"),
        Function(
            "regressor",
            "qva",
            _regressor,
            "Y, with Y @ regressor_parameters = inverse dynamics",
            free=True,
        ),
        Function(
            "inverse_dynamics_derivatives",
            "qva",
            _inverse_dynamics_derivatives,
            "∂Q/∂q, ∂Q/∂v of inverse_dynamics",
            free=True,
        ),
        Function(
            "forward_dynamics_derivatives",
            "qvQ",
            _forward_dynamics_derivatives,
            "∂a/∂q, ∂a/∂v, ∂a/∂Q of forward_dynamics",
            free=True,
            solves=True,
        ),
    )
}
