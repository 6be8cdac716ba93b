"""Forces of contacts found row by row, each projected on what it may be (Gauss and Seidel's way).

What touches without sliding always has such forces, though they come slowly; they serve where modes
go in circles, and where more rows hold than are needed, so that forces are not unique.
"""

from __future__ import annotations

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.at_rest import RANK
from torseur.simulation.contact.situation import Situation

Array = np.ndarray
_PASSES = 3000  # over all rows
_SETTLED = 1e-12  # of the largest force: what the last of them changes
_FAR = 1e12  # times the usual force: what slides may have no forces at all


def projected(seen: Situation, slides: Array) -> Array:
    """(rows,): forces of all that touches; some elements slide."""
    A, c, z = seen.A, seen.c, np.zeros(len(seen.c))
    usual = float(np.abs(c[seen.movable] / A.diagonal()[seen.movable]).max(initial=0.0))
    own = [k for k in seen.contacts.state.own_rows if seen.movable[k]]
    given = seen.contacts.given_rows
    along = seen.contacts.directions(seen.u)
    for _ in range(_PASSES):
        before = z.copy()
        z[given] = seen.contacts.given_forces(z)
        for k in own:
            z[k] -= (A[k] @ z + c[k]) / A[k, k]
        for element in np.flatnonzero(seen.touches):
            _project(seen, int(element), z, along[element] if slides[element] else None)
        size = float(np.abs(z).max(initial=0.0))
        if size > _FAR * usual or np.abs(z - before).max() <= _SETTLED * max(size, 1e-300):
            break
    return z


def _project(seen: Situation, k: int, z: Array, along: Array | None) -> None:
    """z ← with the forces of one element those nearest to what would hold it."""
    A, c, contacts = seen.A, seen.c, seen.contacts
    line, rows = contacts.table[k], contacts.rubbing_rows[k]
    n = int(line[at.NORMAL])
    if n >= 0:
        z[n] = max(0.0, z[n] - (A[n] @ z + c[n]) / A[n, n])
    if not rows:
        return
    load = contacts.load(k, z)
    if along is not None:
        z[rows] = -line[at.KINETIC] * load * along[: len(rows)]
        return
    z[rows] -= (A[rows] @ z + c[rows]) / np.trace(A[np.ix_(rows, rows)])
    size = np.linalg.norm(z[rows])
    if size > line[at.STATIC] * load:
        z[rows] *= line[at.STATIC] * load / size


def redundant_islands(seen: Situation, island: Array) -> set[int]:
    """The islands in which the rows of all that touches leave the forces a choice."""
    state = seen.contacts.state
    rows = [r for k in np.flatnonzero(seen.touches) for r in state.rows[k]]
    given = seen.contacts.given_rows  # which hold nothing
    rows = [r for r in (*rows, *state.own_rows) if seen.movable[r] and r not in given]
    found = set()
    for place in {int(island[r]) for r in rows}:
        own = [r for r in rows if island[r] == place]
        scale = np.sqrt(seen.A.diagonal()[own])
        scaled = seen.A[np.ix_(own, own)] / np.outer(scale, scale)
        if np.linalg.matrix_rank(scaled, tol=RANK, hermitian=True) < len(own):
            found.add(place)
    return found
