"""Rows that others hold already: their forces have a choice, and they cannot start to slide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.contact.negligible import RANK

Array = np.ndarray
_PART = 1e-6  # of a unit vector of forces that do nothing: a row that has no part in it


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


def held_by_others(contacts: ContactModel, A: Array, kinds: Array, asked: Iterable[int]) -> Array:
    """Of elements asked for that slide, those which rows that hold in these modes leave no freedom.

    Two legs of a body on one plane slide together, or stick together.
    """
    if not (wanted := list(asked)):
        return np.array([], dtype=int)
    role, movable = contacts.roles.of_modes(kinds)[0], contacts["movable"] == 1.0
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
