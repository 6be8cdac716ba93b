"""The variables in which a system is written: fewer coordinates, or other speeds.

A coordinate that a law of time or a relation gives explicitly may be eliminated; the speeds may be
replaced by combinations of them, the quasi-velocities. Either way the speeds of the tree become
v = B u + c, with B and c functions of the coordinates that are left and of time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative, jacobian, solved_for, time_derivative
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.constraints.constraint_rows import (
    Constraints,
    constraints_of,
    coordinate_rates,
)
from torseur.equations.expressions.linear import solve_any
from torseur.equations.expressions.sampling import is_regular
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System
from torseur.equations.symbols.texts import read
from torseur.errors import ModelError, unknown
from torseur.model.chosen import Change, rate_of
from torseur.model.constraints.selection import imposed_coordinates
from torseur.words.sentence import say

Array = np.ndarray
ENERGIES = ("T", "T2", "T1", "T0", "V", "R", "L", "H", "p")  # that can be told in other variables


@final
@dataclass(frozen=True)
class Parametrisation:
    """Coordinates q, speeds u, and what the tree's own are in terms of them."""

    system: System  # of the tree
    q: Array  # the coordinates that are left
    u: Array  # the speeds
    known: Mapping[Expr, Any]  # the other coordinates
    speeds: Array  # v (nv) of the tree
    eliminated: tuple[int, ...] = ()  # the rows of J that hold by themselves

    @property
    def changed(self) -> bool:
        """Whether anything is other than in the tree."""
        return any(x is not y for x, y in zip(self.speeds, self.system.v, strict=True))

    @cached_property
    def rates(self) -> Array:
        """q̇ from u."""
        by_coordinate = dict(zip(self.system.q, coordinate_rates(self.system), strict=True))
        remaining = [x for x in self.q if x in by_coordinate and x not in self.known]
        replacements = {**dict(zip(self.system.v, self.speeds, strict=True)), **self.known}
        rates = substitute(expressions([by_coordinate[x] for x in remaining]), replacements)
        written = dict(zip(remaining, rates, strict=True))
        return np.array(
            [written.get(x, symbol(f"{x.name}.", "speed")) for x in self.q], dtype=object
        )

    @cached_property
    def B(self) -> Array:
        """∂v/∂u (nv × n)."""
        return np.asarray(jacobian(self.speeds, self.u))

    @cached_property
    def carried(self) -> Array:
        """c: the speeds of the tree at u = 0."""
        return np.asarray(substitute(self.speeds, dict.fromkeys(self.u, ZERO)))

    @cached_property
    def turning(self) -> Array:
        """v̇ at u̇ = 0."""
        return np.asarray(self.rate(self.speeds))

    @cached_property
    def accelerations(self) -> Array:
        """v̇ of the tree."""
        return expressions(self.B @ self.reduced.a + self.turning)

    def rate(self, outputs: Any) -> Any:
        """d/dt of functions of q, u and t at u̇ = 0."""
        return time_derivative(outputs, dict(zip(self.q, self.rates, strict=True)), TIME)

    def written(self, outputs: Any) -> Any:
        """Expressions of the tree's coordinates and speeds in these variables."""
        if not self.changed and not self.known:
            return outputs
        known = {**dict(zip(self.system.v, self.speeds, strict=True)), **self.known}
        known |= dict(zip(self.system.a, self.accelerations, strict=True))
        return substitute(outputs, known)

    @cached_property
    def reduced(self) -> System:
        """The system with these variables."""
        a = [symbol(f"{x.name}.", "acceleration") for x in self.u]
        return replace(self.system, q=self.q, v=self.u, a=np.array(a, dtype=object))

    @cached_property
    def constraints(self) -> GivenConstraints | None:
        """The constraints in these variables; None where nothing changes."""
        if not self.changed:
            return None
        constraints = constraints_of(self.system)
        rows = [k for k in range(len(constraints.owners)) if k not in self.eliminated]
        J = self.written(constraints.J[rows]).reshape(len(rows), len(self.speeds))
        gaps = [k for k, row in enumerate(constraints.positions) if row in rows]
        return GivenConstraints(
            tuple(constraints.owners[row] for row in rows),
            constraints.unknowns[rows],
            tuple(rows.index(constraints.positions[k]) for k in gaps),
            self.written(constraints.gap[gaps]),
            expressions(J @ self.B),
            expressions(J @ self.carried + self.written(constraints.rate[rows])),
            expressions(J @ self.turning + self.written(constraints.bias[rows])),
            self.rates,
            sum(k < constraints.joint_gaps for k in gaps),
        )


def unchanged(system: System) -> Parametrisation:
    """The coordinates and speeds of the tree."""
    return Parametrisation(system, system.q, system.v, {}, system.v)


def in_variables(given: Equations, chosen: Parametrisation) -> Equations:
    """Equations of the tree, projected on other variables: Bᵀ (M (B u̇ + v̇₀) + h + g − Q) = 0."""
    B, reduced = chosen.B, chosen.reduced
    inertia = chosen.written(given.M)
    M = expressions(B.T @ inertia @ B)
    h = expressions(B.T @ (chosen.written(given.h) + inertia @ chosen.turning))
    g, Q = (expressions(B.T @ chosen.written(x)) for x in (given.g, given.Q))
    whole = expressions(M @ reduced.a + h + g)
    tables = {name: chosen.written(x) for name, x in given.tables.items() if name in ENERGIES}
    if "p" in tables:
        tables["p"] = expressions(B.T @ tables["p"])
    conditions = chosen.constraints
    return Equations(
        reduced, given.formalism, M, h, g, Q, whole, tables=tables, given_constraints=conditions
    )


# --- coordinates of the user --------------------------------------------------------------------


def chosen_coordinates(system: System) -> Parametrisation:
    """With the coordinates that the description chooses."""
    return in_coordinates(system, system.mechanism.change)


def in_coordinates(system: System, change: Change) -> Parametrisation:
    """With other coordinates, each at the place that it takes."""
    if not change.taken:
        return unchanged(system)
    known = {symbol(name, "coordinate"): x for name, x in change.values.items()}
    rates = {symbol(f"{name}.", "speed"): rate_of(x) for name, x in change.values.items()}
    q = [symbol(change.name(x.name), "coordinate") if x in known else x for x in system.q]
    speed_names = {f"{joint}.": f"{chosen}." for joint, chosen in change.taken.items()}
    u = [symbol(speed_names[y.name], "speed") if y in rates else y for y in system.v]
    speeds = np.array([rates.get(y, y) for y in system.v], dtype=object)
    chosen = np.array(q, dtype=object), np.array(u, dtype=object)
    return Parametrisation(system, chosen[0], chosen[1], known, speeds)


# --- fewer coordinates --------------------------------------------------------------------------


def eliminated(system: System, chosen: Iterable[str] | Mapping[str, str]) -> Parametrisation:
    """Without the coordinates that the named constraints give: {constraint: coordinate}.

    A motion gives its own coordinate. A relation gives the coordinate asked for, or the last one
    that it is linear in with a constant factor.
    """
    by_condition = dict(chosen) if isinstance(chosen, Mapping) else dict.fromkeys(chosen, "")
    if not by_condition:
        return unchanged(system)
    constraints = constraints_of(system)
    zeros = _position_zeros(constraints)
    plain = _plain_coordinates(system)
    known: dict[Expr, Any] = {}
    for name, coordinate in by_condition.items():
        if name not in constraints.owners:
            raise unknown("eliminate", "constraint", name, dict.fromkeys(constraints.owners))
        if name not in zeros:
            raise _not_explicit(system, name, zeros)
        zero = substitute(zeros[name][1], known)
        x = _coordinate(system, name, coordinate, zero, plain)
        known = solved_for(x, zero, known)
    remaining = np.array([x for x in system.q if x not in known], dtype=object)
    moving = {x: plain[x] for x in known}
    u = np.array([y for y in system.v if y not in moving.values()], dtype=object)
    rates = dict(zip(system.q, coordinate_rates(system), strict=True))
    along = {**{x: substitute(expression(rates[x]), known) for x in remaining}, TIME: ONE}
    given = {moving[x]: time_derivative(value, along) for x, value in known.items()}
    speeds = np.array([given.get(y, y) for y in system.v], dtype=object)
    rows = tuple(zeros[name][0] for name in by_condition)
    return Parametrisation(system, remaining, u, known, speeds, rows)


def imposed(system: System) -> tuple[str, ...]:
    """The motions that impose a coordinate of the tree."""
    motions, names = imposed_coordinates(system.mechanism), set(system.coordinates)
    return tuple(name for name, motion in motions.items() if motion.coordinate in names)


def _position_zeros(constraints: Constraints) -> dict[str, tuple[int, Expr]]:
    """The row and the expression of each relation that holds positions, by name."""
    return {
        constraints.owners[row]: (row, constraints.gap[k])
        for k, row in enumerate(constraints.positions)
        if k >= constraints.joint_gaps
    }


def _plain_coordinates(system: System) -> dict[Expr, Expr]:
    """The coordinates whose rate is a speed, and that speed."""
    rates = coordinate_rates(system)
    speeds = {y.key: y for y in system.v}
    pairs = zip(system.q, rates, strict=True)
    return {x: speeds[rate.key] for x, rate in pairs if getattr(rate, "key", None) in speeds}


def _coordinate(
    system: System, name: str, preferred: str, zero: Expr, plain: Mapping[Expr, Expr]
) -> Expr:
    """The coordinate that a relation gives."""
    motions = imposed_coordinates(system.mechanism)
    if name in motions and not preferred:
        preferred = motions[name].coordinate
    present = [x for x in free_symbols(zero) if x in plain]
    if preferred:
        matching = [x for x in present if x.name == preferred]
        if not matching:
            raise unknown(f'eliminate "{name}"', "coordinate", preferred, [x.name for x in present])
        factor = derivative(zero, matching[0])
        if matching[0] in free_symbols(factor):
            problem = say(
                'it is not linear in "{wanted}", and gives more than one value of it.',
                preferred,
            )
            advice = "Keep the coordinate: the multiplier of the constraint is its reaction."
            raise ModelError(f'eliminate "{name}"', problem, advice)
        return matching[0]
    for x in reversed([x for x in system.q if x in present]):
        if all(y.kind == "parameter" for y in free_symbols(derivative(zero, x))):
            return expression(x)
    problem = say(
        "it gives none of {present} explicitly.",
        ", ".join(x.name for x in present) or say("the coordinates"),
    )
    advice = "Name a coordinate that it is linear in, or keep the constraint with its multiplier."
    raise ModelError(f'eliminate "{name}"', problem, advice)


def _not_explicit(system: System, name: str, zeros: Mapping[str, Any]) -> ModelError:
    possible = say("Constraints that can be: {zeros}.", ", ".join(zeros) or say("none"))
    if any(cut.name == name for cut in system.cuts):
        return ModelError(
            f'eliminate "{name}"',
            say('"{name}" closes a loop or is a contact: it gives no coordinate explicitly.', name),
            possible,
            "Keep it with its multipliers; .reduced() eliminates the dependent speeds.",
        )
    return ModelError(
        f'eliminate "{name}"',
        say(
            '"{name}" holds speeds, not positions: no coordinate can be put into the energy with '
            "it.",
            name,
        ),
        possible,
        'Keep it with its multiplier, or use "kane" or "gibbs-appell" and .reduced().',
    )


# --- other speeds -------------------------------------------------------------------------------


def quasi_velocities(system: System, definitions: Mapping[str, str | Expr]) -> Parametrisation:
    """With speeds u given as expressions linear in those of the tree: u = Y v + z."""
    n = len(system.v)
    if len(definitions) != n:
        problem = say(
            "{number} given, but the mechanism has {n} speeds: {speeds}.",
            len(definitions),
            n,
            ", ".join(system.speeds),
        )
        advice = "Give one for each; a speed may be kept as it is."
        raise ModelError("quasi_velocities", problem, advice)
    given = expressions(
        [read(system.mechanism, x, f'quasi-velocity "{name}"') for name, x in definitions.items()]
    )
    Y = jacobian(given, system.v)
    bent = [x for x in free_symbols(Y) if x.kind in ("speed", "acceleration")]
    if bent:
        rows = zip(definitions, Y, strict=True)
        name = next(name for name, row in rows if bent[0] in free_symbols(row))
        problem = say('it is not linear in the speed "{bent}".', bent[0].name)
        advice = "A quasi-velocity is a(q, t)·v + b(q, t)."
        raise ModelError(f'quasi-velocity "{name}"', problem, advice)
    z = substitute(given, dict.fromkeys(system.v, ZERO))
    u = np.array([symbol(name, "speed") for name in definitions], dtype=object)
    if not is_regular(Y, system.mechanism):
        problem = say(
            "{definitions} are not independent: the speeds do not follow from them.",
            ", ".join(definitions),
        )
        raise ModelError("quasi_velocities", problem, "Change one of the definitions.")
    return Parametrisation(system, system.q, u, {}, solve_any(Y, u - z))
