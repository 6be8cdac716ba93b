"""Unknown of each row of constraints, and its meaning: part of a reaction, or a multiplier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO, Expr, symbol
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.closure import Closure
from torseur.model.constraints.contact import gap_meaning
from torseur.model.constraints.protocol import (
    MULTIPLIER,
    ExpressionRow,
    JointRows,
    Rows,
    Unknown,
    has_speeds,
    of_pair,
)
from torseur.model.constraints.selection import restraints
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.model.joints.library import Distance, PointContact
from torseur.model.joints.rolling import ContactType
from torseur.model.values.scales import chosen_units, coordinate_units
from torseur.topology.structure import Cut
from torseur.words.sentence import say

Array = np.ndarray
COUPLES, FORCES = "LMN", "XYZ"
_ALONE: dict[type, str] = {PointContact: "N", Distance: "F"}  # joints that carry one force


def row_unknowns(
    owners: Sequence[str], letters: Mapping[str, str], closures: Iterable[Closure] = ()
) -> Array:
    """The unknown of each row: the components of closing joints, and multipliers of the rest.

    Those of an owner with several rows are numbered: no two rows have the same.
    """
    named = {c.cut.name: iter(closing_names(c.cut, expressions(c.T))) for c in closures}
    rows, numbered = Counter(owners), Counter[str]()
    unknowns: list[Expr] = []
    for owner in owners:
        numbered[owner] += 1
        if owner in named:
            unknowns.append(symbol(next(named[owner]), "input"))
        else:
            number = numbered[owner] if rows[owner] > 1 else None
            unknowns.append(unknown_of(owner, letters, number))
    return np.array(unknowns, dtype=object)


def unknown_of(name: str, letters: Mapping[str, str], number: int | None = None) -> Expr:
    """The multiplier of a relation, an imposed motion or a gear; of one of its rows."""
    return symbol(f"{letters.get(name, MULTIPLIER)}{number or ''}_{_plain(name)}", "input")


def multipliers(mechanism: Mechanism) -> dict[str, Unknown]:
    """Multipliers of constraints and imposed motions, by name."""
    units = coordinate_units(mechanism) | chosen_units(mechanism)
    return {one.name: one.unknown(units) for one in restraints(mechanism)}


def multiplier_letters(mechanism: Mechanism) -> dict[str, str]:
    """Letters of the multipliers, which stand before their names.

    One whose name would be that of a parameter or of a coordinate is called λ.
    """
    used_names = {*mechanism.parameter_table, *mechanism.every_coordinate, *mechanism.chosen}
    return {
        name: MULTIPLIER if f"{one.letter}_{_plain(name)}" in used_names else one.letter
        for name, one in multipliers(mechanism).items()
    }


def _plain(name: str) -> str:
    return name.replace(" ", "_")


def closing_names(cut: Cut, T: Array) -> list[str]:
    """The components of a closing joint: N and T of a contact, N on a plane, F along a rod."""
    if type(cut.joint) in _ALONE:
        return [f"{_ALONE[type(cut.joint)]}_{cut.name}"]
    names = component_names(cut.name, T)
    if not isinstance(cut.joint, ContactType):
        return names
    forces = [k for k, words in enumerate(cut.joint.meanings) if words.startswith("force")]
    for count, k in enumerate(forces):
        letter = "N" if not count else "T" if len(forces) == 2 else f"T{count}"
        names[k] = f"{letter}_{cut.name}"
    return names


def component_names(name: str, T: Array) -> list[str]:
    """X_A … N_A where a column is a component along an axis, R1_A, R2_A … where it is not.

    The force along a screw is such a component, although a couple goes with it.
    """
    letters = COUPLES + FORCES
    names: list[str] = []
    for k, column in enumerate(T.T):
        used = [i for i, x in enumerate(column) if x is not ZERO]
        if len(used) == 2 and used[1] - used[0] == 3:  # about and along one axis
            used = used[1:]
        plain = len(used) == 1 and column[used[0]] is ONE
        single = f"{letters[used[0]]}_{name}" if plain else ""
        names.append(single if plain and single not in names else f"R{k + 1}_{name}")
    return names


def closing_meanings(closures: Iterable[Closure]) -> dict[str, tuple[str, ...]]:
    """Efforts carried by each closing joint, row by row."""
    return {closure.cut.name: tuple(_carried_efforts(closure)) for closure in closures}


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


def _carried_efforts(closure: Closure) -> Iterator[str]:
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
