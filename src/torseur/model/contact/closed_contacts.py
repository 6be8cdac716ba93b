"""A mechanism in which every element holds: its rows are those of ordinary constraints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, final

from torseur.algebra.core.expr import ZERO
from torseur.model.constraints.protocol import Constraint, Rows
from torseur.model.constraints.selection import restraints
from torseur.model.contact.element import Element
from torseur.model.contact.of_forces import apart_from_elements
from torseur.model.description import Mechanism
from torseur.model.joint_graph import spanning


@final
@dataclass(frozen=True)
class HeldRow(Constraint):
    """A row, or rows, of an element, as a constraint."""

    name: str
    held: Rows
    place: str = ""

    names = ("held row",)
    keys = ()
    words: ClassVar = "{}: a contact that stays closed."

    @property
    def rows(self) -> Rows:
        return self.held

    @property
    def meanings(self) -> tuple[str, ...]:
        return (self.name,) * self.held.count


def closed(mechanism: Mechanism, parts: Iterable[Element]) -> Mechanism:
    """The mechanism with the rows of elements held, and without the laws that they follow.

    Its state is that of the mechanism: rows of a joint do not make that carry a body.
    """
    rows = {row.name: HeldRow(row.name, row, one.place) for one in parts for row in one.rows}
    nothing = (ZERO, ZERO)
    constraints = {x.name: x for x in restraints(mechanism) if x.name in mechanism.constraints}
    return replace(
        mechanism,
        constraints={**constraints, **rows},
        contacts={},
        carried_by=tuple(joint.name for joint, _ in spanning(mechanism).carrying),
        loads=apart_from_elements(mechanism),
        joints={n: replace(j, friction=None, stop=None) for n, j in mechanism.joints.items()},
        motors={
            n: replace(m, dry_motor=nothing, dry_output=nothing)
            for n, m in mechanism.motors.items()
        },
    )
