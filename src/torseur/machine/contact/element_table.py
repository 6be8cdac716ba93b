"""The table of elements: their rows, what their friction is proportional to, their coefficients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.equations.functions.contact import ContactState
from torseur.errors import ModelError
from torseur.machine.contact import layout as at
from torseur.model.contact.element import (
    Constant,
    Element,
    ExpressionLoad,
    JointWrenchLoad,
    NormalOf,
    OwnNormal,
    PushOf,
)
from torseur.words.sentence import say

Array = np.ndarray
Number = Callable[[Any], float]


def element_table(state: ContactState, number: Number) -> Array:
    """(elements, WIDTH), everything open; see the columns of the layout."""
    table, loads = np.zeros((len(state.parts), at.WIDTH)), 0
    for line, one, rows in zip(table, state.parts, state.rows, strict=True):
        line[at.NORMAL], line[at.DIRECTION] = (rows[0] if one.has_gap else -1), 1.0
        line[at.SPRING] = -1 if one.spring is None else rows[0]
        if one.pushes and rows[0] in state.idle:
            raise ModelError(
                one.place or f'contact "{one.name}"',
                say('"{name}" cannot open: the joints hold its gap, and its load.', one.name),
                "Give the body the freedom to leave, or give the joint that carries it friction: "
                "friction: 0.3.",
            )
        if one.friction is not None:
            rubbing = [k for k in (rows[1:] if one.pushes else rows) if k not in state.idle]
            _write_law(line, one, rubbing, number)
            if one.patch is not None and rows[-1] in rubbing:  # what cannot pivot only slides
                line[at.PATCH] = at.HERTZ if one.patch.hertz else at.UNIFORM
                line[at.SPIN] = rubbing.index(rows[-1])
            loads += _write_load(line, one, state, number, loads)
    return table


def pressed_by(table: Array) -> Array:
    """(elements,): the one whose normal force the friction of each is proportional to.

    It is −1 for an element that has a normal force itself, or another load.
    """
    owners = {row: k for k, row in enumerate(table[:, at.NORMAL]) if row >= 0}
    others = (table[:, at.NORMAL] < 0) & (table[:, at.LOAD] == at.NORMAL_LOAD)
    return np.array(
        [owners[line[at.LOAD_FROM]] if x else -1 for line, x in zip(table, others, strict=True)]
    )


def _write_law(line: Array, one: Element, rows: list[int], number: Number) -> None:
    law = one.friction
    assert law is not None, "it rubs"
    line[at.COUNT], line[at.FIRST : at.FIRST + len(rows)] = len(rows), rows
    line[at.STATIC], line[at.KINETIC] = map(number, law.limits)
    line[at.WRAPPED] = law.wrap is not ZERO
    line[at.VISCOUS], line[at.STRIBECK] = number(law.viscous), number(law.stribeck)


def _write_load(line: Array, one: Element, state: ContactState, number: Number, loads: int) -> int:
    """Write the load that friction is proportional to; return the number of its components."""
    first = {x.name: rows[0] for x, rows in zip(state.parts, state.rows, strict=True)}
    match one.load:
        case OwnNormal():
            line[at.LOAD], line[at.LOAD_FROM] = at.NORMAL_LOAD, first[one.name]
        case NormalOf(name):
            line[at.LOAD], line[at.LOAD_FROM] = at.NORMAL_LOAD, first[name]
        case Constant(forward, backward):
            line[at.LOAD] = at.CONSTANT_LOAD
            line[at.FORWARD], line[at.BACKWARD] = number(forward), number(backward)
        case ExpressionLoad() | PushOf():
            line[at.LOAD], line[at.LOAD_FROM] = at.GIVEN_LOAD, state.given_loads[one.name]
        case JointWrenchLoad(_, components, arm, _):
            line[at.LOAD], line[at.LOAD_FROM] = at.JOINT_LOAD, loads
            line[at.LOAD_COUNT], line[at.ARM] = len(components), number(arm)
            return len(components)
    return 0
