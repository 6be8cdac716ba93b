"""Each constraint by its kind: holonomic or not, bilateral or unilateral, scleronomic or rheonomic.

Holonomic: it restrains positions, or speeds in a way that has an integral (Frobenius; see
`holonomy`). Unilateral: it holds one side only and may be left. Rheonomic: time enters it
explicitly, and its reactions may work in the motions that it allows (Llibre 2009, §1.5.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.analyse.at_a_state.pose import Posed, posed
from torseur.analyse.mobility.mobility import without_numbers
from torseur.errors import require_known
from torseur.model.constraints.protocol import (
    Constraint,
    ExpressionRow,
    JointRows,
    MeetingRows,
    MeshRow,
)
from torseur.model.constraints.selection import one_sided, restraints
from torseur.model.description import Mechanism
from torseur.plain import entries
from torseur.result import Result
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import Assembled, assemble
from torseur.words.sentence import say, worded

Array = np.ndarray
Field = Callable[[Array], Array]  # from coordinates and time to their rates
_STEPS = (1e-4, 3e-3)  # of the differences in first and second brackets
_PLACES = 3
_AWAY = (0.5, 0.2, 0.05)  # from the start to them [rad, or part of the size], as far as loops close
_ZERO = 1e-4  # far above their errors, far below a bracket of motions of about 1


@final
class ConstraintKind(Result):
    """Kind of a joint, a condition, a contact, a stop or an imposed motion."""

    name: str
    type: str  # as a description calls it
    holonomic: bool
    bilateral: bool
    scleronomic: bool
    in_speeds: bool = False  # given as a condition on speeds

    @property
    def words(self) -> str:
        """The kind in words."""
        if not self.holonomic:
            condition = say("non-holonomic")
        elif self.in_speeds:
            condition = say("holonomic, though given in speeds")
        else:
            condition = say("holonomic")
        sides = say("bilateral") if self.bilateral else say("unilateral")
        time = say("scleronomic") if self.scleronomic else say("rheonomic")
        return say("{held}, {sides}, {time}", condition, sides, time)


@final
class ConstraintKinds(Result):
    """The kind of every constraint of a mechanism, by its name."""

    constraints: tuple[ConstraintKind, ...]

    def __getitem__(self, name: str) -> ConstraintKind:
        known = {one.name: one for one in self.constraints}
        require_known("constraint kinds", "constraint", name, known)
        return known[name]

    @property
    def holonomic(self) -> bool:
        """Whether the whole system is."""
        return all(one.holonomic for one in self.constraints)

    @property
    def scleronomic(self) -> bool:
        """Whether time enters none of them."""
        return all(one.scleronomic for one in self.constraints)

    def __str__(self) -> str:
        lines: dict[str, list[str]] = {}
        for one in self.constraints:
            lines.setdefault(one.words, []).append(one.name)
        return "\n".join(
            say("{words}: {names}", words, ", ".join(names)) for words, names in lines.items()
        )

    @property
    def document(self) -> list[dict[str, Any]]:
        """Plain data."""
        names = ("name", "type", "holonomic", "bilateral", "scleronomic")
        return [entries(one, *names) for one in self.constraints]


def constraint_kinds(mechanism: Mechanism | Assembled) -> ConstraintKinds:
    """The kind of each joint, condition, contact, stop and imposed motion of a mechanism.

    Whether a condition on speeds has an integral is found at configurations at random; without
    values of the parameters, one that is given in speeds counts as non-holonomic.
    """
    described = mechanism if isinstance(mechanism, Mechanism) else mechanism.model.mechanism
    two_sided = [*_both_sides(described)]
    in_speeds = {one.name for one in two_sided if one.in_speeds}
    loose = in_speeds
    if in_speeds and not without_numbers(described):
        loose = in_speeds & set(holonomy(mechanism).nonholonomic)
    parts = (replace(one, holonomic=one.name not in loose) for one in two_sided)
    return ConstraintKinds((*parts, *_one_side(described)))


def _both_sides(mechanism: Mechanism) -> Iterator[ConstraintKind]:
    """Two-sided constraints, as described."""
    for joint in mechanism.joints.values():
        if joint.kind.nv < 6:
            yield ConstraintKind(joint.name, joint.kind.names[0], True, True, True)
    for one in restraints(mechanism):
        rows = one.rows
        speeds = not isinstance(rows, MeetingRows) and rows.positions < rows.count
        yield ConstraintKind(one.name, one.names[0], True, True, not _timed(one), speeds)


def _one_side(mechanism: Mechanism) -> Iterator[ConstraintKind]:
    """Contacts, and the limits of joints that stop."""
    for one in one_sided(mechanism):
        yield ConstraintKind(one.name, one.names[0], True, False, not _timed(one))
    for joint in mechanism.joints.values():
        for limit in joint.limited if joint.stop is not None else ():
            yield ConstraintKind(limit.name, "stop", True, False, True)


def _timed(one: Constraint) -> bool:
    """Whether time enters the rows of a constraint explicitly."""
    rows = one.rows
    if isinstance(rows, JointRows):
        return rows.moving
    if isinstance(rows, ExpressionRow):
        return TIME in free_symbols(rows.zero)
    if isinstance(rows, MeshRow):
        return TIME in free_symbols(expressions([*rows.point, *rows.direction]))
    return False


# --- integrability of conditions on speeds -------------------------------------------------------
#
# A row of J is holonomic when no sequence of allowed motions, back and forth, can produce the
# displacement it forbids (Frobenius). Allowed motions are the fields X = P v, with P the
# projection on the kernel of J; together they produce their brackets [X, Y] = DY·X − DX·Y, and
# brackets of brackets. A row that vanishes on all of them is holonomic. Time is one more
# coordinate: the form of a row is J dq + b dt.


@final
class Holonomy(Result):
    """Constraints on positions, integrable and nonholonomic conditions on speeds."""

    positions: tuple[str, ...]  # constraints that hold positions as they are given
    integrable: tuple[str, ...]  # given in speeds, holonomic all the same
    nonholonomic: tuple[str, ...]  # they restrain speeds only: every position stays within reach

    def __str__(self) -> str:
        lines = [
            f"{worded(words)}{worded(': ')}{', '.join(names)}"
            for words, names in (
                ("hold positions", self.positions),
                ("given in speeds, but holonomic", self.integrable),
                ("non-holonomic", self.nonholonomic),
            )
            if names
        ]
        return "\n".join(lines) or say("no constraint besides the joints of the tree")


def holonomy(mechanism: Mechanism | Assembled) -> Holonomy:
    """The constraints of a mechanism, sorted by what they hold.

    Judged at configurations at random, loops closed, as the assembled one may be special. A
    constraint with several rows, such as a rolling contact, is non-holonomic as soon as one of its
    rows is.
    """
    state = mechanism if isinstance(mechanism, Assembled) else assemble(mechanism)
    constraints = NumericConstraints(state.model)
    if not constraints:
        return Holonomy((), (), ())
    positions = set(constraints.positions)
    rows = [k for k in range(len(constraints.owners)) if k not in positions]
    loose = _loose(constraints, rows, _generic(posed(state))) if rows else set()
    names = dict.fromkeys(constraints.owners)
    of = {
        name: [k for k, owner in enumerate(constraints.owners) if owner == name] for name in names
    }
    free = tuple(name for name in names if any(k in loose for k in of[name]))
    given = tuple(name for name in names if all(k in positions for k in of[name]))
    return Holonomy(given, tuple(n for n in names if n not in (*free, *given)), free)


def _generic(pose: Posed) -> list[Array]:
    """Configurations at random that the mechanism can reach; where it is, if it cannot move."""
    rng = np.random.default_rng(0)
    result: list[Array] = []
    for length in _AWAY:
        for _ in range(_PLACES - len(result)):
            step = pose.ranks.kernel @ rng.normal(size=pose.ranks.kernel.shape[1])
            size = np.linalg.norm(step / pose.scale)
            there = pose.neighbour(step * length / size) if size else None
            result += [] if there is None else [there.q]
    return result or [pose.q]


def _loose(constraints: NumericConstraints, rows: list[int], places: list[Array]) -> set[int]:
    """The rows that do not vanish on what allowed motions produce, at most of the places."""
    moving, counted = _Allowed(constraints), np.zeros(len(constraints.owners))
    for q in places:
        (J, _), produced_speeds = moving.forms(q, 0.0), moving.produced(q)
        for k in rows:
            produced = np.abs(produced_speeds @ J[k]).max(initial=0.0)
            counted[k] += produced > _ZERO * np.linalg.norm(J[k])
    return {k for k in rows if 2 * counted[k] > len(places)}


@final
class _Allowed:
    """Allowed motions, in coordinates and time over the sizes of the mechanism."""

    def __init__(self, constraints: NumericConstraints) -> None:
        self._held, self._tree, self._sizes = (
            constraints,
            constraints.model.system.tree,
            constraints.sizes,
        )
        self._time = self._sizes.scales.time

    def forms(self, q: Array, t: float) -> tuple[Array, Array]:
        """J and b without dimension: J w + b τ = 0 for speeds w while time passes at the rate τ."""
        J = self._sizes.without_dimension(np.asarray(self._held.J(q, t), dtype=float))
        return J, np.asarray(self._held.rate(q, t)) * self._time / self._sizes.rows

    def produced(self, q: Array) -> Array:
        """Speeds that brackets of allowed motions produce, a row each; time stands still in them.

        Three motions at random reach what all motions reach.
        """
        directions = np.random.default_rng(0).normal(size=(3, len(self._sizes.displacements) + 1))
        fields = [self._field(x[:-1], x[-1]) for x in directions]
        firsts = [_bracket(X, Y, _STEPS[0]) for X, Y in combinations(fields, 2)]
        seconds = [_bracket(X, Y, _STEPS[1]) for X in firsts for Y in fields]
        pose = np.array([*q / self._sizes.coordinates, 0.0])
        return np.array([self._speeds(q, field(pose)) for field in (*firsts, *seconds)])

    def _field(self, direction: Array, passing: float) -> Field:
        """The rates of coordinates and time, the speeds being the nearest to `direction`."""

        def field(x: Array) -> Array:
            q = x[:-1] * self._sizes.coordinates
            J, b = self.forms(q, x[-1] * self._time)
            w = direction - np.linalg.pinv(J, rcond=1e-9) @ (J @ direction + b * passing)
            rates = self._tree.rates(q, w * self._sizes.displacements)
            return np.array([*rates / self._sizes.coordinates, passing])

        return field

    def _speeds(self, q: Array, rates: Array) -> Array:
        changes, v = rates[:-1] * self._sizes.coordinates, np.zeros(self._tree.nv)
        for _, link in self._tree:
            v[link.v] = link.joint.speeds(q[link.q], changes[link.q])
        return np.asarray(v / self._sizes.displacements)


def _bracket(X: Field, Y: Field, step: float) -> Field:
    """[X, Y] = DY·X − DX·Y by central differences of fourth order."""

    def along(field: Field, x: Array, direction: Array) -> Array:
        h = step
        near = field(x + h * direction) - field(x - h * direction)
        far = field(x + 2 * h * direction) - field(x - 2 * h * direction)
        return np.asarray((8 * near - far) / (12 * h))

    return lambda x: along(Y, x, X(x)) - along(X, x, Y(x))
