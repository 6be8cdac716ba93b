"""Forces that have a choice: rows that others hold already, and sliding that such forces decide.

What others hold cannot start to slide. Forces of closed contacts may have a part that holds nothing
and moves nothing that is held. Where contacts slide it brings friction with it, and the motion
depends on it: four legs that rub differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.contact.negligible import RANK
from torseur.simulation.contact.situation import Modes
from torseur.words.sentence import say

Array = np.ndarray
_PART = 1e-6  # of a unit vector of forces that do nothing: a row that has no part in it
_NONE = 1e-6  # of what forces would do one by one: what they do together


def is_redundant(A: Array, rows: Sequence[int]) -> bool:
    """Whether some forces of rows do nothing to them, so that forces are not unique."""
    return _rank(A, rows) < len(rows)


def with_a_choice(A: Array, rows: Sequence[int]) -> Array:
    """(rows of A,): whether the force of each is not told, beside those of the rows given."""
    found = np.zeros(len(A), dtype=bool)
    if rows:
        scale = np.sqrt(A.diagonal()[rows])
        sizes, ways = np.linalg.eigh(A[np.ix_(rows, rows)] / np.outer(scale, scale))
        nothing = ways[:, sizes <= RANK]
        found[list(rows)] = (np.abs(nothing) > _PART).any(axis=1)
    return found


def held_by_others(contacts: ContactModel, A: Array, modes: Modes, asked: Iterable[int]) -> Array:
    """Of elements asked for that slide, those which rows that hold in these modes leave no freedom.

    Two legs of a body on one plane slide together, or stick together.
    """
    if not (wanted := list(asked)):
        return np.array([], dtype=int)
    contacts.set_modes(modes.kinds, modes.directions)
    role, movable = contacts["role"], contacts["movable"] == 1.0
    held = [int(row) for row in np.flatnonzero((role == at.HELD) & movable)]
    rank, found = _rank(A, held), []
    for k in wanted:
        rows = [row for row in contacts.rubbing_rows[k] if movable[row]]
        if rank and _rank(A, [*held, *rows]) == rank:
            found.append(k)
    return np.array(found, dtype=int)


def _rank(A: Array, rows: Sequence[int]) -> int:
    """How many of rows say something new."""
    if not rows:
        return 0
    scale = np.sqrt(A.diagonal()[rows])
    scaled = A[np.ix_(rows, rows)] / np.outer(scale, scale)
    return int(np.linalg.matrix_rank(scaled, tol=RANK, hermitian=True))


def shared_joints(contacts: ContactModel) -> list[str]:
    """What to say of joints that repeat each other, where the motion depends on how they share.

    Nothing where the description accepts it.
    """
    names = [load.joint for load in contacts.state.carried]
    if not names or contacts.model.mechanism.reactions == "least_norm":
        return []
    return [
        say(
            "Rigid bodies do not decide how the joints {names} share their load, and the motion "
            "depends on it, by friction or by forces that name reactions: couples in these joints "
            "are taken as small as can be, then forces. `reactions: least_norm` accepts this.",
            ", ".join(names),
        )
    ]


def undetermined(
    contacts: ContactModel, A: Array, kinds: Array, directions: Array, z: Array
) -> list[str]:
    """The contacts whose forces z have a choice that the motion depends on, in given modes.

    Or the frictions in joints, of which the loads have one.
    """
    table = contacts.table
    if loops := _felt_in_joints(contacts, A, kinds):
        return loops
    rubs = (kinds == at.SLIP) & (table[:, at.LOAD] == at.NORMAL_LOAD) & (table[:, at.KINETIC] > 0)
    closed = np.flatnonzero((kinds != at.OPEN) & contacts.has_gap)
    if not rubs.any() or len(closed) < 2:
        return []
    held = np.flatnonzero((contacts["role"] == at.HELD) & (contacts["movable"] == 1.0))
    carried = _with_friction(contacts, directions, held, np.flatnonzero(rubs))
    for choice in _choices(A, held, carried):
        sizes = contacts.held.sizes.rows
        together, alone = np.abs(A @ choice) / sizes, np.abs(A) @ np.abs(choice) / sizes
        own = choice[contacts.normal_rows[closed]]
        has_part = np.abs(own) > RANK * np.abs(own).max(initial=0.0)
        pressed = z[contacts.normal_rows[closed]] > 0
        if together.max() > _NONE * alone.max() and pressed[has_part].all():
            return [contacts.parts[k].name for k in closed[has_part]]
    return []


def _felt_in_joints(contacts: ContactModel, A: Array, kinds: Array) -> list[str]:
    """The frictions in joints that slide by loads which loops with more rows than needed leave."""
    table, own = contacts.table, contacts["own"] == 1.0
    rubs = (kinds == at.SLIP) & (table[:, at.LOAD] == at.JOINT_LOAD) & (table[:, at.KINETIC] > 0)
    held = np.flatnonzero(own & (contacts["role"] == at.HELD) & (contacts["movable"] == 1.0))
    if not rubs.any() or not len(held):
        return []
    choices, by, found = _choices(A, held, np.eye(len(A))[:, held]), contacts["load_by"], []
    for k in np.flatnonzero(rubs):
        first = int(table[k, at.LOAD_FROM])
        rows = by[first : first + int(table[k, at.LOAD_COUNT])]
        together, alone = np.abs(choices @ rows.T), np.abs(choices) @ np.abs(rows).T
        if together.max(initial=0.0) > _NONE * alone.max(initial=0.0):
            found.append(contacts.parts[k].name)
    return found


def _with_friction(contacts: ContactModel, directions: Array, held: Array, rubs: Array) -> Array:
    """(rows, held): forces of all rows by those of the rows that hold, each with its friction."""
    E = np.zeros((len(contacts["u"]), len(held)))
    E[held, np.arange(len(held))] = 1.0
    for k in rubs:
        rows, column = contacts.rubbing_rows[k], held == contacts.table[k, at.LOAD_FROM]
        friction = contacts.table[k, at.KINETIC] * directions[k, : len(rows)]
        E[np.ix_(rows, column)] -= friction[:, np.newaxis]
    return E


def _choices(A: Array, held: Array, carried: Array) -> Array:
    """(choices, rows): forces that do nothing to what is held."""
    scale = 1 / np.sqrt(A.diagonal()[held])
    does = scale[:, np.newaxis] * (A[held] @ carried) * scale
    _, sizes, ways = np.linalg.svd(does)
    return np.asarray((carried @ (scale * ways[sizes <= RANK * sizes[0]]).T).T)
