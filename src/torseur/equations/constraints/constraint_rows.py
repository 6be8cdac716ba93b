"""All the constraints of a system, row after row: closing joints, then conditions.

Each row is J v + b = 0 for speeds and J a + γ = 0 for accelerations; the rows that hold positions
have a gap too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.dynamics.tree.closure import (
    Closure,
    closures,
    constraint_bias,
    constraint_jacobian,
    constraint_rate,
    level_rows,
    relative_motions,
)
from torseur.equations.constraints.conditions import Conditions, GivenConstraints, stated
from torseur.equations.constraints.unknowns import multiplier_letters, row_unknowns
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.model.constraints.protocol import has_speeds
from torseur.model.freed import followed, follower
from torseur.once import once
from torseur.spatial.rotation import rodrigues
from torseur.topology.structure import Cut
from torseur.words.sentence import say

Array = np.ndarray
# R and p of a pose of no particular kind, at which a joint is asked what it has anywhere.
ANYWHERE = rodrigues(np.array([0.48, 0.6, 0.64]), 0.7), np.array([0.3, 0.5, 0.7])


@final
class Constraints:
    """Constraints of a system as expressions; each part is built on first use."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._stated = stated(system)

    @cached_property
    def closures(self) -> list[Closure]:
        """The closing joints, contacts and imposed motions of bodies."""
        return closures(self._system.tree, self._system.cuts, self._system.q)

    @property
    def owners(self) -> tuple[str, ...]:
        """The joint, contact, motion or relation that each row belongs to."""
        joints = (cut.name for cut in self._system.cuts for _ in range(cut.rows))
        return (*joints, *(name for name, _ in self._stated))

    @cached_property
    def unknowns(self) -> Array:
        """The unknown of each row: a component of a reaction, or a multiplier."""
        letters = multiplier_letters(self._system.mechanism)
        return row_unknowns(self.owners, letters, self.closures)

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """The rows that hold positions, in the order of the gap."""
        listed: list[int] = []
        start = 0
        for cut in self._system.cuts:
            listed += range(start, start + len(cut.joint.gap(*ANYWHERE)))
            start += cut.rows
        return (*listed, *(start + k for k in self._conditions.positions))

    @cached_property
    def gap(self) -> Array:
        """Gaps: distances of positions from what the constraints require."""
        return expressions([*(x for c in self.closures for x in c.gap), *self._conditions.gap])

    @cached_property
    def J(self) -> Array:
        """The speeds that the constraints forbid."""
        joints = constraint_jacobian(self._system.tree, self.closures, self._system.q)
        return expressions(np.concatenate([joints, self._conditions.J]))

    @cached_property
    def rate(self) -> Array:
        """b: what time alone would change."""
        return expressions([*constraint_rate(self.closures), *self._conditions.rate])

    @cached_property
    def bias(self) -> Array:
        """γ."""
        tree, q, v = self._system.tree, self._system.q, self._system.v
        joints = constraint_bias(tree, self.closures, q, v)
        return expressions([*joints, *self._conditions.bias])

    def level(self, selected: Sequence[int]) -> tuple[Array, Array]:
        """J and γ, in ground axes where joints that close loops hold points.

        The selected rows say the same so, if they are all three of a joint, or the two of a plane
        in which the joint turns. Multipliers are those of other rows.
        """
        system, J, bias = self._system, self.J.copy(), self.bias.copy()
        rows = level_rows(system.tree, self.closures, system.q, system.v, system.gravity)
        end = 0
        for closure, levelled in zip(self.closures, rows, strict=True):
            end += closure.cut.rows
            among = {k - end + 3 for k in selected if end - 3 <= k < end}
            if levelled is not None and _keeps_span(closure, among):
                J[end - 3 : end], bias[end - 3 : end] = levelled
        return expressions(J), expressions(bias)

    def on_closing(self, cut: Cut) -> Iterator[tuple[int, int, Expr]]:
        """Relations and laws on closing joints: row, speed of the joint, its factor."""
        first = sum(cut.rows for cut in self._system.cuts)
        names = cut.coordinates if len(cut.coordinates) == cut.joint.nv else ()
        for row, (_, zero) in enumerate(self._stated, first):
            kind, listed = "coordinate", names
            if has_speeds(zero):
                kind, listed = "speed", cut.speeds
            for k, name in enumerate(listed):
                factor = expression(jacobian([zero], [symbol(name, kind)])[0, 0])
                if factor is not ZERO:
                    yield row, k, factor

    @cached_property
    def on_carrying(self) -> Array:
        """Coefficients of the tree's speeds in relations and laws (relations, nv).

        Their rates with the coordinates of closing joints held: J v is this and `on_closing`.
        """
        return expressions(self._rows(zero for _, zero in self._stated).J)

    @property
    def joint_gaps(self) -> int:
        """Number of entries of the gap that belong to joints and contacts; relations follow."""
        return sum(len(closure.gap) for closure in self.closures)

    @cached_property
    def coordinate_rates(self) -> Array:
        """q̇ from the speeds."""
        return expressions(coordinate_rates(self._system))

    @cached_property
    def _conditions(self) -> Conditions:
        return self._rows(self.opened(zero) for _, zero in self._stated)

    def _rows(self, zeros: Iterable[Expr]) -> Conditions:
        rates = dict(zip(self._system.q, self.coordinate_rates, strict=True))
        return Conditions(zeros, self._system.v, rates)

    def opened(self, outputs: Any) -> Any:
        """Expressions with the coordinates and speeds of closing joints in terms of the tree's."""
        named = {x.name for x in free_symbols(outputs)}
        cuts = self._system.cuts
        used = {c.name for c in cuts if named & {*c.coordinates, *c.speeds}}
        if not used:
            return outputs
        tree, q, v = self._system.tree, self._system.q, self._system.v
        used_closures = [closure for closure in self.closures if closure.cut.name in used]
        known: dict[Expr, Any] = {}
        for closure, t in zip(
            used_closures, relative_motions(tree, used_closures, q, v), strict=True
        ):
            cut = closure.cut
            spoken = [name for name in cut.coordinates if name in named]
            read = (
                self._follow_turn(name, x) for name, x in _readable_coordinates(closure, spoken)
            )
            known |= _symbols(spoken, "coordinate", read)
            known |= _symbols(cut.speeds, "speed", closure.speeds(t))
        return substitute(outputs, known)

    def _follow_turn(self, name: str, angle: Any) -> Any:
        """An angle of a pose, to the turn of what follows it, if anything does."""
        follows = symbol(follower(name), "coordinate")
        if follows not in self._following:
            return angle
        off = expression(angle) - follows
        return follows + off.sin().arctan2(off.cos())

    @cached_property
    def _following(self) -> set[Expr]:
        """The coordinates that follow angles."""
        return set(self._system.q[self._system.tree.nq :])


def _keeps_span(closure: Closure, among: set[int]) -> bool:
    """Whether components of a vector in the axes of M say the same as those in ground axes."""
    turned = {getattr(factor, "axis", None) for factor in closure.X_WM.R.factors}
    if len(turned) == 1 and None not in turned:  # the component along that axis is the same
        return len(among - turned) in (0, 2)
    return len(among) in (0, 3) or not turned


@once
def constraints_of(system: System) -> Constraints:
    """The constraints of a system; all who read them share their parts."""
    return Constraints(system)


Held = Constraints | GivenConstraints  # both answer the same


def _readable_coordinates(closure: Closure, names: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Coordinates of a closing joint; those of a quaternion are no expressions of a pose."""
    cut = closure.cut
    values = dict(zip(cut.coordinates, closure.readable, strict=False))
    for name in names:
        if name not in values:
            problem = say('it closes a loop: "{name}" of its quaternion cannot be spoken of.', name)
            advice = "Speak of its speeds, of points or of other coordinates."
            raise ModelError(f'joint "{cut.name}"', problem, advice)
        yield name, values[name]


def _symbols(names: Sequence[str], kind: str, values: Iterable[Any]) -> dict[Expr, Any]:
    return {symbol(name, kind): x for name, x in zip(names, values, strict=True)}


def coordinate_rates(system: System) -> Array:
    """q̇ from the speeds."""
    tree, q, v = system.tree, system.q, system.v
    tree_rates, following = tree.rates(q, v), followed(system.mechanism)
    if not following or len(q) == len(tree_rates):
        return tree_rates
    loops = closures(tree, system.cuts, q)
    speeds = {
        closure.cut.name: closure.speeds(t)
        for closure, t in zip(loops, relative_motions(tree, loops, q, v), strict=True)
        if closure.cut.coordinates
    }
    return np.array(
        [*tree_rates, *(speeds[joint][k] for joint, k in following.values())], dtype=object
    )
