"""Random states of a mechanism in motion: constraints hold, accelerations are the true ones.

Identities are tested there: what stays constant, what two formulas have in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import gradient
from torseur.algebra.core.expr import TIME, Expr, symbol
from torseur.algebra.core.graph import evaluate, free_symbols, mapped, remade
from torseur.equations.motion.equations import Equations
from torseur.errors import SolveError
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.description import Mechanism
from torseur.model.parameters import values as parameter_values
from torseur.model.values.scales import coordinate_units
from torseur.simulation.constraints.multipliers import accelerations
from torseur.simulation.constraints.newton import Look, returned
from torseur.words.sentence import say

Array = np.ndarray
_TRIES = 8  # starts for each state that is wanted
_STEPS = 30  # of Newton's method
_CLOSED = 1e-11
_SPREAD = 0.6  # of coordinates about their initial values [rad, or part of a length]
_VARIED = (0.8, 1.25)  # factors of parameters
_UNKNOWN = (0.5, 1.5)  # parameters without a value


@final
@dataclass(frozen=True)
class MovingState:
    """A state by name, and the rate of every coordinate and speed, and of t."""

    values: Mapping[str, float]  # parameters, coordinates, speeds, t, accelerations
    rates: Mapping[str, float]

    def rates_of(self, quantities: Sequence[Expr]) -> list[tuple[float, float, float]]:
        """For each quantity its value, its rate, and what the rate would be if nothing were kept.

        The last adds up the sizes of all terms of the rate; a speed whose own acceleration vanishes
        counts with the largest of the others.
        """
        usual = max((abs(x) for n, x in self.rates.items() if f"{n}." in self.values), default=0.0)

        def rebuild(x: Expr, args: list[Any]) -> tuple[float, float, float]:
            if x.op == "symbol":
                rate = self.rates.get(x.name, 0.0)
                size = max(abs(rate), usual) if x.kind == "speed" else abs(rate)
                return self.values[x.name], rate, size
            if x.op == "add":
                (a, da, sa), (b, db, sb) = args
                return a + b, da + db, sa + sb
            if x.op == "mul":
                (a, da, sa), (b, db, sb) = args
                return a * b, a * db + b * da, abs(a) * sb + abs(b) * sa
            if not x.args:
                return float(evaluate(x, {})), 0.0, 0.0
            return _function(x, args)

        return [mapped(x, rebuild) for x in quantities]


def _function(x: Expr, args: list[tuple[float, float, float]]) -> tuple[float, float, float]:
    """A power or a function of arguments that change."""
    inner = [symbol(f"x{k}") for k in range(len(args))]
    alone = remade(x, inner)
    values = {y.name: a for y, (a, _, _) in zip(inner, args, strict=True)}
    value, *slopes = (float(evaluate(y, values)) for y in (alone, *gradient(alone, inner)))
    pairs = list(zip(slopes, args, strict=True))
    rate = sum(slope * da for slope, (_, da, _) in pairs)
    return value, rate, sum(abs(slope) * size for slope, (_, _, size) in pairs)


def independent_speeds(equations: Equations, state: MovingState) -> int:
    """Number of speeds that the constraints leave free at a state."""
    n = len(equations.speeds)
    J = _numbers(equations.J, state.values).reshape(len(equations.J), n)
    return n - int(np.linalg.matrix_rank(J, tol=1e-9)) if len(J) else n


def random_motions(equations: Equations, count: int, *, vary: bool) -> list[MovingState]:
    """States at which the constraints hold, with the accelerations that the equations give.

    With `vary`, parameters differ from state to state, each near its value; where loops then do not
    close, fewer states are found, or none.
    """
    rng = np.random.default_rng(0)
    states: list[MovingState] = []
    for _ in range(_TRIES * count):
        if len(states) == count:
            break
        known = random_parameters(equations.system.mechanism, rng, vary=vary)
        state = _state(equations, known, rng)
        if state is not None:
            states.append(state)
    return states


def random_parameters(
    mechanism: Mechanism, rng: np.random.Generator, *, vary: bool
) -> dict[str, float]:
    """A value for every parameter: near its own with `vary`; those defined from others follow."""
    table = mechanism.parameter_table
    given: dict[str, float] = {}
    for name, value in parameter_values(table).items():
        definition = table[name].value
        if definition is not None and free_symbols(definition):
            continue
        if value is None:
            given[name] = float(rng.uniform(*_UNKNOWN))
        elif vary:
            given[name] = value * float(rng.uniform(*_VARIED))
    return {name: float(x) for name, x in parameter_values(table, given).items() if x is not None}


def given_motions(equations: Equations, count: int) -> list[MovingState]:
    """States at the given values of the parameters; an error if none can be found."""
    states = random_motions(equations, count, vary=False)
    if not states:
        raise SolveError(
            f'mechanism "{equations.system.mechanism.name}"',
            say(
                "no state was found at which its {number} constraints hold.",
                len(equations.constraints.owners),
            ),
            "Give initial values near an assembled configuration.",
        )
    return states


def _state(
    equations: Equations, known: Mapping[str, float], rng: np.random.Generator
) -> MovingState | None:
    system, constraints = equations.system, equations.constraints
    values: dict[str, Any] = dict(known) | {TIME.name: float(rng.uniform(0.1, 0.9))}
    values |= _coordinates(equations, values, rng)
    values |= dict.fromkeys(system.speeds, 0.0)
    with np.errstate(all="ignore"):
        closed = _closed(equations, values)
        if closed is None:
            return None
        values = closed
        v = rng.normal(size=len(system.v))
        J = _numbers(constraints.J, values).reshape(len(constraints.owners), len(v))
        if len(J):
            b = _numbers(constraints.rate, values)
            v = v - np.linalg.pinv(J, rcond=1e-9) @ (J @ v + b)
        values |= dict(zip(system.speeds, map(float, v), strict=True))
        M, h, g, Q = (_numbers(getattr(equations, x), values) for x in ("M", "h", "g", "Q"))
        gamma = _numbers(constraints.bias, values)
        arrays = (M, h, g, Q, J, gamma)
        if not all(np.isfinite(x).all() for x in arrays) or not np.abs(M).max(initial=0.0) > 0:
            return None
        a, _ = accelerations(M, Q - h - g, J, gamma)
    q_rates = _numbers(constraints.coordinate_rates, values)
    rates = dict(zip(system.coordinates, map(float, q_rates), strict=True))
    rates |= dict(zip(system.speeds, map(float, a), strict=True)) | {TIME.name: 1.0}
    values |= {x.name: float(y) for x, y in zip(system.a, a, strict=True)}
    return MovingState(values, rates)


def _numbers(outputs: Array, values: Mapping[str, Any]) -> Array:
    return np.asarray(evaluate(outputs, values), dtype=float)


def _coordinates(
    equations: Equations, known: Mapping[str, Any], rng: np.random.Generator
) -> dict[str, float]:
    """About the initial values; lengths without one are positive, quaternions of unit norm."""
    system = equations.system
    initial = system.mechanism.initial
    units = coordinate_units(system.mechanism)
    values = {}
    for name in system.coordinates:
        start = float(evaluate(initial[name], known)) if name in initial else 0.0
        if units.get(name) == "m":
            size = abs(start) or 0.7
            values[name] = (start or size) + 0.5 * _SPREAD * size * float(rng.uniform(-1, 1))
        else:
            values[name] = start + _SPREAD * float(rng.uniform(-1, 1))
    for motion in imposed_coordinates(system.mechanism).values():
        if motion.coordinate in values:
            values[motion.coordinate] = float(evaluate(motion.law, known))
    for four in system.quaternions:
        parts = rng.normal(size=4)
        unit = parts / np.linalg.norm(parts)
        values |= dict(zip(four, map(float, unit), strict=True))
    return values


def _closed(equations: Equations, values: dict[str, Any]) -> dict[str, Any] | None:
    """The values moved onto the constraints that hold positions; None where that fails."""
    constraints = equations.constraints
    if not len(constraints.gap):
        return values
    both = np.column_stack([constraints.gap, constraints.J[list(constraints.positions)]])

    def look(known: dict[str, Any]) -> Look[dict[str, Any]]:
        gap, J = np.split(_numbers(both, known), [1], axis=1)
        gap = gap[:, 0]
        return Look(
            gap,
            lambda: -np.linalg.lstsq(J, gap, rcond=1e-9)[0],
            lambda step: _values_after(equations, known, step),
        )

    result = returned(
        look, values, lambda _, factor: factor * _CLOSED, steps=_STEPS, growth=np.inf, loose=1.0
    )
    return result.q if result.is_closed else None


def _values_after(equations: Equations, known: dict[str, Any], step: Array) -> dict[str, Any]:
    """The values after a displacement, quaternions of unit norm."""
    system = equations.system
    moving = known | dict(zip(system.speeds, map(float, step), strict=True))
    change = _numbers(equations.constraints.coordinate_rates, moving)
    result = known | {
        n: known[n] + float(x) for n, x in zip(system.coordinates, change, strict=True)
    }
    for four in system.quaternions:
        size = np.linalg.norm([result[n] for n in four])
        result |= {n: result[n] / float(size) for n in four}
    return result
