"""Conditions that stay zero, each one row: relations, laws of coordinates and the teeth of gears.

A condition f(q, t) = 0 is differentiated on the graph: u = ḟ is linear in v, so that J = ∂u/∂v,
b = u(v = 0) and γ = u̇ at a = 0. A condition on speeds is u itself; if its coefficients are constant
it is integrated at once, and then holds positions too.

Constraints that are given as plain arrays, of a system that is no tree or in other speeds, answer
what `Constraints` answers, so that equations need not know where they come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.dynamics.tree.kinematics import relative_jacobian
from torseur.equations.constraints.unknowns import row_unknowns
from torseur.equations.symbols.system import System, symbols_of
from torseur.equations.symbols.system_places import places_of
from torseur.model.constraints.protocol import (
    ExpressionRow,
    JointRows,
    MeshRow,
    RopeRow,
    check_linear,
    has_speeds,
)
from torseur.model.constraints.selection import rows_of
from torseur.model.description import GROUND, Mechanism
from torseur.model.forces.rope_path import RopePath
from torseur.spatial.pose import Pose
from torseur.topology.tree import Tree

Array = np.ndarray


@final
class Conditions:
    """Expressions that stay zero as rows; each part is built on first use."""

    def __init__(self, zeros: Iterable[Expr], v: Array, rates: Mapping[Expr, Any]) -> None:
        self._zeros, self._v, self._rates = list(zeros), v, rates  # rates: q̇ of every q

    @cached_property
    def positions(self) -> list[int]:
        """Conditions that hold positions."""
        return [k for k, zero in enumerate(self._zeros) if not has_speeds(zero)]

    @property
    def gap(self) -> list[Expr]:
        """The conditions on positions."""
        return [self._zeros[k] for k in self.positions]

    @cached_property
    def u(self) -> Array:
        """Their rates, or the conditions on speeds themselves."""
        position_rows = set(self.positions)
        return expressions(
            [
                time_derivative(zero, self._rates, TIME) if k in position_rows else zero
                for k, zero in enumerate(self._zeros)
            ]
        )

    @property
    def J(self) -> Array:
        """The speeds that they forbid."""
        return np.asarray(jacobian(self.u, self._v).reshape(len(self.u), len(self._v)))

    @property
    def rate(self) -> Array:
        """b: what time alone would change."""
        return np.asarray(substitute(self.u, dict.fromkeys(self._v, ZERO)))

    @property
    def bias(self) -> Array:
        """γ."""
        return np.asarray(time_derivative(self.u, self._rates, TIME))


def stated(system: System, coordinates: System | None = None) -> list[tuple[str, Expr]]:
    """Conditions of a system besides joints between frames: name, and expression that stays zero.

    What can be integrated is so in the coordinates of the system, or in other ones.
    """
    conditions = []
    for row in rows_of(system.mechanism):
        if not isinstance(row, JointRows):
            zero = row.zero if isinstance(row, ExpressionRow) else between_bodies(system, row)
            conditions.append((row.name, integrated(coordinates or system, zero)))
    return conditions


def between_bodies(system: System, row: MeshRow | RopeRow) -> Expr:
    """The speed or the length between bodies that stays zero."""
    if isinstance(row, MeshRow):
        return sliding(system, row)
    path = RopePath(places_of(system), row.through, row.place)
    return expression(-path.rate if row.length is None else row.length - path.length)


def sliding(system: System, gear: MeshRow) -> Expr:
    """The speed at which teeth would slide along their direction, seen from the carrier."""
    index = {link.name: i for i, link in system.tree} | {GROUND: -1}
    carrier = index[gear.carrier]
    X = system.tree.links[carrier].X_MB if carrier >= 0 else Pose()
    at, along = X.point(gear.point), X.R.out(gear.direction)

    def speed(body: str) -> Any:
        jacobian = relative_jacobian(system.tree, system.q, carrier, index[body], at)
        return along @ (jacobian[1] @ system.v)

    return expression(speed(gear.second) - speed(gear.first))


def integrated(system: System, zero: Expr) -> Expr:
    """Σ c_k v_k with constant c_k as Σ c_k (q_k − its initial value); others as they are."""
    if not has_speeds(zero):
        return zero
    spoken = set(free_symbols(zero))
    v = [x for x in system.v if x in spoken]
    partials = jacobian([zero], v)[0]
    constant = all(x.kind == "parameter" for x in free_symbols(partials))
    names = {f"{name}.": name for name in system.coordinates}
    followed = all(x.name in names for x in v)
    if not constant or not followed or substitute(zero, dict.fromkeys(v, ZERO)) != 0:
        return zero
    total = ZERO
    for x, partial in zip(v, partials, strict=True):
        name = names[x.name]
        start = system.mechanism.initial.get(name, ZERO)
        total = total + partial * (symbol(name, "coordinate") - start)
    return total


def joint_coordinates(mechanism: Mechanism) -> System:
    """The coordinates and speeds of all joints, without a tree."""
    q = symbols_of(mechanism.every_coordinate, "coordinate")
    v = symbols_of(mechanism.every_speed, "speed")
    return System(mechanism, Tree((), 0, 0), q, v, np.zeros(0))


# --- as plain arrays ------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class GivenConstraints:
    """J v + b = 0 and J a + γ = 0, row by row; the gap belongs to the rows that hold positions."""

    owners: tuple[str, ...]  # what each row belongs to
    unknowns: Array  # of each row: a component of a reaction, or a multiplier
    positions: tuple[int, ...]  # the rows that hold positions, in the order of the gap
    gap: Array
    J: Array
    rate: Array  # b
    bias: Array  # γ
    coordinate_rates: Array  # q̇ from the speeds
    joint_gaps: int = 0  # how many entries of the gap belong to joints

    def opened(self, outputs: Any) -> Any:
        """The outputs themselves: no closing joint has symbols of its own."""
        return outputs


def relations(zeros: Mapping[str, Expr], q: Array, v: Array) -> GivenConstraints:
    """Conditions f(q, t) = 0 or a(q, t)·v + b(q, t) = 0 on coordinates whose rates are v."""
    for name, zero in zeros.items():
        check_linear(zero, f'constraint "{name}"')
    conditions = Conditions(zeros.values(), v, dict(zip(q, v, strict=True)))
    gap = expressions(conditions.gap)
    return GivenConstraints(
        tuple(zeros),
        row_unknowns(tuple(zeros), {}),
        tuple(conditions.positions),
        gap,
        conditions.J,
        conditions.rate,
        conditions.bias,
        v,
    )
