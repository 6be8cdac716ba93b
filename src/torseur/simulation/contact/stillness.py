"""What cannot move at all: parts of a mechanism that sticking holds, which then stay exactly."""

from __future__ import annotations

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.simulation.contact.situation import RESTING

Array = np.ndarray
_RANK = 1e-9


def still_speeds(contacts: ContactModel, v: Array) -> Array:
    """(speeds,): 1 for those of parts at rest that the rows which hold leave no freedom.

    Speeds belong to one part where inertia or a row that acts joins them, at whatever place the
    mechanism is. What time moves is not at rest.
    """
    held = contacts.state.held
    acting = np.flatnonzero(contacts["role"] != at.OFF)
    holding = [k for k in acting if contacts["role"][k] == at.HELD]
    sizes, J = contacts.held.sizes, contacts["J"]
    found = np.zeros(len(v))
    for part in _parts(contacts, acting):
        rows = [k for k in holding if any(held.J[k, i] is not ZERO for i in part)]
        at_rest = np.all(np.abs(v[part]) <= RESTING * sizes.displacements[part] * _pace(contacts))
        if not rows or not at_rest or any(held.rate[k] is not ZERO for k in rows):
            continue
        own = J[rows][:, part] / sizes.rows[rows, np.newaxis] * sizes.displacements[part]
        if np.linalg.matrix_rank(own, tol=_RANK * max(np.abs(own).max(), 1e-300)) == len(part):
            found[part] = 1.0
    return found


def _pace(contacts: ContactModel) -> float:
    """How many lengths of the mechanism it usually goes in a second."""
    return contacts.usual_speed / contacts.length


def _parts(contacts: ContactModel, acting: Array) -> list[list[int]]:
    """The speeds of each part."""
    M, J = contacts.state.inertia, contacts.state.held.J
    n = len(M)
    group = list(range(n))

    def join(speeds: list[int]) -> None:
        merged = {group[i] for i in speeds}
        for i in range(n):
            if group[i] in merged:
                group[i] = min(merged)

    for i in range(n):
        join([j for j in range(n) if j == i or M[i, j] is not ZERO])
    for k in acting:
        speeds = [i for i in range(n) if J[k, i] is not ZERO]
        if speeds:
            join(speeds)
    return [[i for i in range(n) if group[i] == own] for own in dict.fromkeys(group)]
