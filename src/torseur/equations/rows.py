"""All the constraints of a system, row after row: closing joints, then relations.

Each row is J v + b = 0 for speeds and J a + γ = 0 for accelerations; the rows that hold positions
have a gap too. A relation f(q, t) = 0 is differentiated on the graph: u = ḟ is linear in v, so that
J = ∂u/∂v, b = u(v = 0) and γ = u̇ at a = 0. A relation given in speeds is u itself; if its
coefficients are constant it is integrated at once, and then holds positions too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.dynamics.tree.closure import (
    Closure,
    closures,
    constraint_bias,
    constraint_jacobian,
    constraint_rate,
    relative_motions,
)
from torseur.dynamics.tree.kinematics import relative_jacobian
from torseur.equations.system import System
from torseur.errors import ModelError
from torseur.model.description import GROUND, Gear, Motion, Relation
from torseur.spatial.pose import Pose
from torseur.topology.structure import TIME, Cut

Array = np.ndarray


@final
class Constraints:
    """The constraints of a system as expressions, each part made when it is asked for."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._relations = _relations(system)

    @cached_property
    def closures(self) -> list[Closure]:
        """The closing joints, contacts and imposed motions of bodies."""
        return closures(self._system.tree, self._system.cuts, self._system.q)

    @property
    def owners(self) -> tuple[str, ...]:
        """The joint, contact, motion or relation that each row belongs to."""
        joints = (cut.name for cut in self._system.cuts for _ in range(cut.rows))
        return (*joints, *(relation.name for relation in self._relations))

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """The rows that hold positions, in the order of the gap."""
        found: list[int] = []
        start = 0
        for closure in self.closures:
            found += range(start, start + len(closure.gap))
            start += closure.cut.rows
        return (*found, *(start + k for k, x in enumerate(self._zeros) if not _speeds(x)))

    @cached_property
    def gap(self) -> Array:
        """How far positions are from what the constraints ask."""
        relations = [x for x in self._zeros if not _speeds(x)]
        return expressions([*(x for c in self.closures for x in c.gap), *relations])

    @cached_property
    def J(self) -> Array:
        """The speeds that the constraints forbid."""
        tree, q, v = self._system.tree, self._system.q, self._system.v
        joints = constraint_jacobian(tree, self.closures, q)
        own = jacobian(self._rates, v).reshape(len(self._relations), len(v))
        return expressions(np.concatenate([joints, own]))

    @cached_property
    def rate(self) -> Array:
        """b: what time alone would change."""
        still = dict.fromkeys(self._system.v, ZERO)
        return expressions([*constraint_rate(self.closures), *substitute(self._rates, still)])

    @cached_property
    def bias(self) -> Array:
        """γ."""
        tree, q, v = self._system.tree, self._system.q, self._system.v
        joints = constraint_bias(tree, self.closures, q, v)
        return expressions([*joints, *time_derivative(self._rates, self._q_rates, TIME)])

    def on_closing(self, cut: Cut) -> Iterator[tuple[int, int, Expr]]:
        """What relations and laws ask of a closing joint: row, speed of the joint, factor of it."""
        first = sum(cut.rows for cut in self._system.cuts)
        names = cut.coordinates if len(cut.coordinates) == cut.joint.nv else ()
        for row, relation in enumerate(self._relations, first):
            speaks = _speeds(relation.zero)
            kind, listed = ("speed", _rate_names(cut)) if speaks else ("coordinate", names)
            for k, name in enumerate(listed):
                factor = expression(jacobian([relation.zero], [symbol(name, kind)])[0, 0])
                if factor is not ZERO:
                    yield row, k, factor

    @cached_property
    def on_carrying(self) -> Array:
        """What relations and laws ask of the speeds of the tree (relations, nv).

        Their rates with the coordinates of closing joints held: J v is this and `on_closing`.
        """
        zeros = [relation.zero for relation in self._relations]
        rates = [x if _speeds(x) else time_derivative(x, self._q_rates, TIME) for x in zeros]
        v = self._system.v
        return expressions(jacobian(expressions(rates), v).reshape(len(rates), len(v)))

    @property
    def joint_gaps(self) -> int:
        """How many entries of the gap belong to joints and contacts; those of relations follow."""
        return sum(len(closure.gap) for closure in self.closures)

    @cached_property
    def coordinate_rates(self) -> Array:
        """q̇ from the speeds."""
        return expressions(coordinate_rates(self._system))

    @cached_property
    def _q_rates(self) -> dict[Expr, Any]:
        return dict(zip(self._system.q, self.coordinate_rates, strict=True))

    @cached_property
    def _zeros(self) -> list[Expr]:
        return [self.opened(relation.zero) for relation in self._relations]

    @cached_property
    def _rates(self) -> Array:
        """u of every relation."""
        made = [x if _speeds(x) else time_derivative(x, self._q_rates, TIME) for x in self._zeros]
        return expressions(made)

    def opened(self, outputs: Any) -> Any:
        """Expressions with the coordinates and speeds of closing joints in terms of the tree's."""
        named = {x.name for x in free_symbols(outputs)}
        cuts = self._system.cuts
        used = {c.name for c in cuts if named & {*c.coordinates, *_rate_names(c)}}
        if not used:
            return outputs
        tree, q, v = self._system.tree, self._system.q, self._system.v
        found = [closure for closure in self.closures if closure.cut.name in used]
        known: dict[Expr, Any] = {}
        for closure, t in zip(found, relative_motions(tree, found, q, v), strict=True):
            names, rates = closure.cut.coordinates, _rate_names(closure.cut)
            known |= _symbols(names, "coordinate", closure.coordinates)
            known |= _symbols(rates, "speed", closure.speeds(t))
        return substitute(outputs, known)


def _symbols(names: tuple[str, ...], kind: str, values: Array) -> dict[Expr, Any]:
    return {symbol(name, kind): x for name, x in zip(names, values, strict=True)}


def _rate_names(cut: Any) -> tuple[str, ...]:
    return tuple(f"{name}." for name in cut.coordinates)


def _speeds(zero: Expr) -> bool:
    """Whether an expression speaks of speeds."""
    return any(x.kind == "speed" for x in free_symbols(zero))


def _relations(system: System) -> list[Relation]:
    """Relations, gears and laws of coordinates, each as an expression that stays zero."""
    mechanism = system.mechanism
    found = []
    for constraint in mechanism.constraints.values():
        if isinstance(constraint, Relation):
            check_linear(constraint)
            found.append(replace(constraint, zero=integrated(system, constraint.zero)))
        elif isinstance(constraint, Gear):
            zero = integrated(system, sliding(system, constraint))
            found.append(Relation(constraint.name, zero, constraint.place))
    for motion in mechanism.motions.values():
        if isinstance(motion, Motion):
            zero = symbol(motion.coordinate, "coordinate") - motion.law
            found.append(Relation(motion.name, zero, motion.place))
    return found


def sliding(system: System, gear: Gear) -> Expr:
    """The speed at which teeth would slide along their direction, seen from the carrier."""
    index = {link.name: i for i, link in system.tree} | {GROUND: -1}
    carrier = index[gear.carrier]
    X = system.tree.links[carrier].X_MB if carrier >= 0 else Pose()
    at, along = X.point(gear.point), X.R.out(gear.direction)

    def speed(body: str) -> Any:
        seen = relative_jacobian(system.tree, system.q, carrier, index[body], at)
        return along @ (seen[1] @ system.v)

    return expression(speed(gear.second) - speed(gear.first))


def carrier_pose(system: System, placed: list[Pose], body: str) -> Pose:
    """The frame of a body in the ground."""
    found = {link.name: placed[i] @ link.X_MB for i, link in system.tree}
    return Pose() if body == GROUND else found[body]


def integrated(system: System, zero: Expr) -> Expr:
    """Σ c_k v_k with constant c_k as Σ c_k (q_k − its initial value); others as they are."""
    partials = jacobian([zero], system.v)[0]
    used = [k for k, c in enumerate(partials) if c != 0]
    constant = all(x.kind == "parameter" for x in free_symbols(partials))
    rest = substitute(zero, dict.fromkeys(system.v, ZERO))
    names = {f"{name}.": name for name in system.coordinates}
    followed = all(system.v[k].name in names for k in used)
    if not used or not constant or not followed or rest != 0:
        return zero
    total = ZERO
    for k in used:
        name = names[system.v[k].name]
        start = system.mechanism.initial.get(name, ZERO)
        total = total + partials[k] * (symbol(name, "coordinate") - start)
    return total


def check_linear(relation: Relation) -> None:
    """Speeds must come in linearly: only then is the relation kept by a force that is known."""
    speeds = [x for x in free_symbols(relation.zero) if x.kind == "speed"]
    partials = jacobian([relation.zero], speeds)
    left = [x.name for x in free_symbols(partials) if x.kind == "speed"]
    if left:
        raise ModelError(
            relation.place or f'constraint "{relation.name}"',
            f'it is not linear in the speed "{left[0]}".',
            "A condition on speeds reads a(q, t)·v + b(q, t) = 0.",
        )


def coordinate_rates(system: System) -> Array:
    """q̇ from the speeds."""
    rates = np.zeros(system.tree.nq, dtype=object)
    for _, link in system.tree:
        rates[link.q] = link.joint.rates(system.q[link.q], system.v[link.v])
    return rates
