"""The constraints of a mechanism, selected by the kind of their rows and how they hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from torseur.model.constraints.protocol import (
    Constraint,
    ExpressionRow,
    JointRows,
    MeetingRows,
    MeshRow,
    RopeRow,
    Rows,
    Unilateral,
    check_linear,
)


class Constrained(Protocol):
    """Part of a mechanism that the selection of constraints reads."""

    @property
    def constraints(self) -> Mapping[str, Constraint]: ...

    @property
    def motions(self) -> Mapping[str, Constraint]: ...

    @property
    def contacts(self) -> Mapping[str, Constraint]: ...


def restraints(mechanism: Constrained) -> tuple[Constraint, ...]:
    """The constraints that hold both sides, then the imposed motions."""
    both_sides = (
        x for x in mechanism.constraints.values() if not isinstance(x.holding, Unilateral)
    )
    return (*both_sides, *mechanism.motions.values())


def one_sided(mechanism: Constrained) -> tuple[Constraint, ...]:
    """The contacts, and the constraints that hold one side only."""
    constraints = (x for x in mechanism.constraints.values() if isinstance(x.holding, Unilateral))
    return (*mechanism.contacts.values(), *constraints)


def rows_of(mechanism: Constrained) -> list[Rows]:
    """The rows of all of them, for those who solve: linear in speeds."""
    for one in restraints(mechanism):
        place, rows = one.place or f'constraint "{one.name}"', one.rows
        if isinstance(rows, ExpressionRow):
            check_linear(rows.zero, place)
    return [one.rows for one in restraints(mechanism) if not isinstance(one.rows, MeetingRows)]


def between_frames(constraints: Iterable[Constraint]) -> list[JointRows]:
    """Rows of joints and contacts between frames."""
    rows = (one.rows for one in constraints)
    return [one for one in rows if isinstance(one, JointRows)]


def meshes(mechanism: Constrained) -> list[MeshRow]:
    """The teeth of gears."""
    return [x.rows for x in restraints(mechanism) if isinstance(x.rows, MeshRow)]


def ropes(mechanism: Constrained) -> list[RopeRow]:
    """The ropes that do not stretch."""
    return [x.rows for x in restraints(mechanism) if isinstance(x.rows, RopeRow)]


def imposed_coordinates(mechanism: Constrained) -> dict[str, ExpressionRow]:
    """The coordinates that follow laws of time, by the name of the motion."""
    rows = (one.rows for one in restraints(mechanism))
    return {x.name: x for x in rows if isinstance(x, ExpressionRow) and x.coordinate}
