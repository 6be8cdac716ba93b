"""Meanings of the multipliers of constraint rows, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from torseur.algebra.core.expr import ONE, ZERO
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.closure import Closure
from torseur.model.constraints.contact import gap_meaning
from torseur.model.constraints.protocol import (
    ExpressionRow,
    JointRows,
    Rows,
    has_speeds,
    of_pair,
)
from torseur.model.constraints.selection import restraints
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.model.joints.distance import Distance
from torseur.words.sentence import say


def closing_meanings(closures: Iterable[Closure]) -> dict[str, tuple[str, ...]]:
    """Efforts carried by each closing joint, row by row."""
    return {closure.cut.name: tuple(_carried(closure)) for closure in closures}


def row_meanings(
    mechanism: Mechanism, owners: Sequence[str], carried: Mapping[str, Iterable[str]]
) -> tuple[str, ...]:
    """The force or couple of each row, of the first body of its owner on the second.

    What joints carry is given by their names; constraints say it themselves, and so does what
    touches, stops or rubs.
    """
    texts = {row.name: _touching(row) for one in elements(mechanism) for row in one.rows}
    texts |= {one.name: tuple(one.meanings) for one in restraints(mechanism)}
    for name, columns in carried.items():
        if (joint := mechanism.joints.get(name)) is not None:
            texts[name] = tuple(of_pair(text, joint.first, joint.second) for text in columns)
    rows = Counter(owners)
    each = {name: iter(listed) for name, listed in texts.items() if len(listed) == rows[name]}
    return tuple(
        say('"{owner}": {effort}', x, next(each[x])) if x in each else say('"{owner}"', x)
        for x in owners
    )


def _touching(row: Rows) -> tuple[str, ...]:
    """Meaning of a row of a contact, a stop or friction; a push is positive."""
    if isinstance(row, JointRows):
        return tuple(of_pair(text, row.first, row.second) for text in row.kind.meanings)
    assert isinstance(row, ExpressionRow), "contacts are between bodies or of coordinates"
    if not has_speeds(row.zero):
        return (gap_meaning(),)
    if row.zero.op == "symbol":
        return (say('friction along the speed "{name}"', row.zero.name),)
    return (say("friction: the partial derivatives of the sliding speed times this"),)


def _carried(closure: Closure) -> Iterator[str]:
    """Efforts carried by a closing joint, column by column of T."""
    for k, column in enumerate(expressions(closure.T).T):
        used = [i for i, x in enumerate(column) if x is not ZERO]
        if isinstance(closure.cut.joint, Distance):
            yield say(
                "force along the line from the origin of F to that of M, which pushes them apart"
            )
        elif len(used) == 1 and column[used[0]] is ONE:
            yield _component(used[0])
        else:
            yield say("R{number}: force and couple in a fixed proportion", k + 1)


def _component(k: int) -> str:
    """One of the six: couples first."""
    if k < 3:
        return say("couple about {axis} of M", "xyz"[k])
    return say("force along {axis} of M, at its origin", "xyz"[k - 3])
