"""Each constraint by its kind: holonomic or not, bilateral or unilateral, scleronomic or rheonomic.

Holonomic: it restrains positions, or speeds in a way that has an integral (Frobenius; see
`holonomy`). Unilateral: it holds one side only and may be left. Rheonomic: time enters it
explicitly, and its reactions may work in the motions that it allows (Llibre 2009, §1.5.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, final

from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.analyse.mobility.holonomy import holonomy
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
from torseur.simulation.start.assemble import Assembled
from torseur.words.sentence import say


@final
class ConstraintKind(Result):
    """What kind of constraint a joint, a condition, a contact, a stop or an imposed motion is."""

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
            held = say("non-holonomic")
        elif self.in_speeds:
            held = say("holonomic, though given in speeds")
        else:
            held = say("holonomic")
        sides = say("bilateral") if self.bilateral else say("unilateral")
        time = say("scleronomic") if self.scleronomic else say("rheonomic")
        return say("{held}, {sides}, {time}", held, sides, time)


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
        """The same as plain data."""
        names = ("name", "type", "holonomic", "bilateral", "scleronomic")
        return [entries(one, *names) for one in self.constraints]


def constraint_kinds(mechanism: Mechanism | Assembled) -> ConstraintKinds:
    """The kind of each joint, condition, contact, stop and imposed motion of a mechanism.

    Whether a condition on speeds has an integral is found at configurations at random; without
    values of the parameters, one that is given in speeds counts as non-holonomic.
    """
    own = mechanism if isinstance(mechanism, Mechanism) else mechanism.model.mechanism
    held = [*_both_sides(own)]
    in_speeds = {one.name for one in held if one.in_speeds}
    loose = in_speeds
    if in_speeds and not without_numbers(own):
        loose = in_speeds & set(holonomy(mechanism).nonholonomic)
    told = (replace(one, holonomic=one.name not in loose) for one in held)
    return ConstraintKinds((*told, *_one_side(own)))


def _both_sides(mechanism: Mechanism) -> Iterator[ConstraintKind]:
    """What holds both sides, as it is given."""
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
