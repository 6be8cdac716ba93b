"""Equations as a flow ẏ = f(y, t): what an integrator needs of any system, tree or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, substitute
from torseur.equations.analytical.lagrangian import Hamiltonian, Lagrangian, Routhian
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.expressions.linear import determinant, solve
from torseur.equations.expressions.sampling import independent_rows, is_regular
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.model.chosen import every_start
from torseur.model.description import Mechanism
from torseur.words.sentence import say

Array = np.ndarray


@final
@dataclass(frozen=True)
class Flow:
    """The rates of a state, and its return onto the constraints it must keep."""

    mechanism: Mechanism  # name, parameters, initial values
    state: Array  # the symbols of y
    rates: Array  # ẏ
    project_positions: Array | None = None  # y after one step of its positions onto them, then gap²
    project_speeds: Array | None = None  # y with speeds or momenta that keep them
    multipliers: Mapping[str, Array] = field(default_factory=dict)  # λ by owner
    speeds: Mapping[str, Expr] = field(default_factory=dict)  # where y has others, or momenta
    regular: Expr | None = None  # changes its sign where quasi-velocities do not give the speeds

    @property
    def names(self) -> tuple[str, ...]:
        """The names of y."""
        return tuple(x.name for x in self.state)


Source = Flow | Equations | Lagrangian | Hamiltonian | Routhian


def flow(source: Source) -> Flow:
    """The flow of equations in (q, v), of a Hamiltonian in (q, p), of a Routhian by quadrature."""
    if isinstance(source, Mechanism):
        problem = say("a {kind} is not a system of equations.", type(source).__name__)
        advice = "Use simulate(mechanism, …), or integrate(derive(mechanism, …), …)."
        raise ModelError(f'mechanism "{source.name}"', problem, advice)
    if isinstance(source, Flow):
        return source
    if isinstance(source, Hamiltonian):
        return _with_states(_canonical(source), source.system)
    if isinstance(source, Routhian):
        return _with_states(_quadrature(source), source.lagrangian.equations.system)
    given = source.equations if isinstance(source, Lagrangian) else source
    return _with_states(_second_order(given), given.system)


def _with_states(given: Flow, system: System) -> Flow:
    """The flow with the first-order states of its mechanism."""
    states = system.mechanism.states
    if not states:
        return given
    rates = constraints_of(system).opened(system.signal_rates)
    return _carrying(given, system.signals, expressions(rates))


def _carrying(given: Flow, more: Array, rates: Array) -> Flow:
    """The flow with quantities that no projection changes."""
    positions, speeds = given.project_positions, given.project_speeds
    return replace(
        given,
        state=np.array([*given.state, *more], dtype=object),
        rates=expressions([*given.rates, *rates]),
        # the gap² stays last
        project_positions=None
        if positions is None
        else expressions([*positions[:-1], *more, positions[-1]]),
        project_speeds=None if speeds is None else np.array([*speeds, *more], dtype=object),
    )


def _second_order(given: Equations) -> Flow:
    """q̇ from the speeds, and M v̇ = S + Jᵀ λ with J v̇ + γ = 0 on independent rows."""
    system, conditions, M = given.system, given.constraints, given.M
    _check_regular(M, system.mechanism)
    forces = given.Q - given.h - given.g
    rows = independent_rows(conditions.J, system.mechanism)
    state, speeds = np.array([*system.q, *system.v], dtype=object), _other_speeds(given)
    regular = _regularity(speeds, system.v)
    if not rows:
        rates = [*conditions.coordinate_rates, *solve(M, forces)]
        return Flow(system.mechanism, state, expressions(rates), speeds=speeds, regular=regular)
    J, gamma = conditions.J[rows], conditions.bias[rows]
    solved = solve(M, np.column_stack([forces, J.T]))
    free, X = solved[:, 0], solved[:, 1:]
    lam = solve(J @ X, -gamma - J @ free)
    rates = [*conditions.coordinate_rates, *(free + X @ lam)]
    excess = J @ system.v + conditions.rate[rows]
    calmed = system.v - X @ solve(J @ X, excess)
    return Flow(
        system.mechanism,
        state,
        expressions(rates),
        _project_positions(conditions, rows, M, system.q, system.v, system.v),
        expressions([*system.q, *calmed]),
        _by_owner(conditions.owners, rows, lam),
        speeds,
        regular,
    )


def _regularity(speeds: Mapping[str, Expr], quasi_velocities: Array) -> Expr | None:
    """1 / det(∂v/∂u) of speeds v by quasi-velocities u; None where the state has the speeds."""
    if not speeds:
        return None
    by = jacobian(expressions(list(speeds.values())), quasi_velocities)
    return expression(1 / determinant(by))


def _other_speeds(given: Equations) -> dict[str, Expr]:
    """The speeds of the mechanism in terms of the quasi-velocities that stand in their places."""
    names, table = given.system.mechanism.speeds, given.tables.get("speeds")
    if table is None or given.system.speeds == names:
        return {}
    return dict(zip(names, table, strict=True))


def _canonical(given: Hamiltonian) -> Flow:
    """q̇ = ∂H/∂p, ṗ = −∂H/∂q + Q + Jᵀ λ."""
    system, constraints, rows = given.system, given.lagrangian.constraints, given.rows
    state = np.array([*system.q, *given.p], dtype=object)
    rates = expressions([*given.coordinate_rates, *given.momentum_rates])
    speeds = dict(zip(system.speeds, given.speeds, strict=True))
    if not rows:
        return Flow(system.mechanism, state, rates, speeds=speeds)
    J = constraints.J[rows]
    X = solve(given.mass, J.T)
    excess = J @ given.speeds + constraints.rate[rows]
    calmed = given.p - J.T @ solve(J @ X, excess)
    return Flow(
        system.mechanism,
        state,
        rates,
        _project_positions(constraints, rows, given.mass, system.q, system.v, given.p),
        expressions([*system.q, *calmed]),
        _by_owner(constraints.owners, rows, given.multipliers),
        speeds,
    )


def _project_positions(
    constraints: Any, rows: list[int], M: Array, q: Array, v: Array, unchanged: Array
) -> Array | None:
    """The smallest step of the coordinates, in the mass metric, that removes the gap; then gap²."""
    numbers = [k for k, row in enumerate(constraints.positions) if row in rows]
    if not numbers:
        return None
    gap, J = constraints.gap[numbers], constraints.J[[constraints.positions[k] for k in numbers]]
    X = solve(M, J.T)
    step = dict(zip(v, -(X @ solve(J @ X, gap)), strict=True))
    displaced = q + substitute(expressions(constraints.coordinate_rates), step)
    return expressions([*displaced, *unchanged, gap @ gap])


def _by_owner(owners: tuple[str, ...], rows: list[int], lam: Array) -> dict[str, Array]:
    multipliers: dict[str, list[Expr]] = {}
    for row, x in zip(rows, lam, strict=True):
        multipliers.setdefault(owners[row], []).append(x)
    return {name: np.array(values, dtype=object) for name, values in multipliers.items()}


def _quadrature(given: Routhian) -> Flow:
    """The motion of the other coordinates, and the cyclic ones carried along."""
    away = np.array([symbol(name, "coordinate") for name in given.rates], dtype=object)
    others = _second_order(given.lagrangian.equations)
    return _carrying(others, away, expressions(list(given.rates.values())))


def _check_regular(M: Array, mechanism: Mechanism) -> None:
    if not is_regular(M, mechanism):
        problem = say(
            "its mass matrix of {number} rows is singular: accelerations do not follow from it.",
            len(M),
        )
        advice = "Give an inertia to every coordinate, or eliminate those without."
        raise ModelError(f'"{mechanism.name}"', problem, advice)


def initial_values(given: Flow, values: Mapping[str, float]) -> dict[str, Expr]:
    """Initial state from the description; values that it does not give are zero."""
    known = every_start(given.mechanism.chosen, given.mechanism.initial)
    known = {**known, **{name: x.initial for name, x in given.mechanism.states.items()}}
    return {name: expression(values.get(name, known.get(name, ZERO))) for name in given.names}


def flow_kernels(flow: Flow) -> dict[str, Kernel]:
    """Functions of (y, t): the rate, the return to constraints and the sign to be kept, if any."""
    inputs = (("y", flow.names), ("t", (TIME.name,)))
    outputs = {
        "rate": flow.rates,
        "project_positions": flow.project_positions,
        "project_speeds": flow.project_speeds,
        "events": None if flow.regular is None else np.array([flow.regular], dtype=object),
    }
    return {name: kernel(name, inputs, x) for name, x in outputs.items() if x is not None}
