"""Sliding that forces decide which rigid bodies leave a choice: four legs that rub differently.

Forces of closed contacts may have a part that holds nothing and moves nothing that is held. Where
contacts slide it brings friction with it, and the motion depends on it.
"""

from __future__ import annotations

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.contact.negligible import RANK
from torseur.simulation.contact.modes import Modes

Array = np.ndarray
_NONE = 1e-6  # of what forces would do one by one: what they do together


def undetermined(contacts: ContactModel, A: Array, modes: Modes, z: Array) -> list[str]:
    """The contacts whose forces z have a choice that the motion depends on."""
    kinds, table = np.array(modes.kinds), contacts.table
    rubs = (kinds == at.SLIP) & (table[:, at.LOAD] == at.NORMAL_LOAD) & (table[:, at.KINETIC] > 0)
    closed = np.flatnonzero((kinds != at.OPEN) & contacts.has_gap)
    if not rubs.any() or len(closed) < 2:
        return []
    role = contacts.roles.of_modes(kinds)[0]
    held = np.flatnonzero((role == at.HELD) & (contacts["movable"] == 1.0))
    carried = _with_friction(contacts, modes, held, np.flatnonzero(rubs))
    for choice in _choices(A, held, carried):
        sizes = contacts.held.sizes.rows
        together, alone = np.abs(A @ choice) / sizes, np.abs(A) @ np.abs(choice) / sizes
        own = choice[contacts.normal_rows[closed]]
        has_part = np.abs(own) > RANK * np.abs(own).max(initial=0.0)
        pressed = z[contacts.normal_rows[closed]] > 0
        if together.max() > _NONE * alone.max() and pressed[has_part].all():
            return [contacts.parts[k].name for k in closed[has_part]]
    return []


def _with_friction(contacts: ContactModel, modes: Modes, held: Array, rubs: Array) -> Array:
    """(rows, held): forces of all rows by those of the rows that hold, each with its friction."""
    E = np.zeros((len(contacts["u"]), len(held)))
    E[held, np.arange(len(held))] = 1.0
    for k in rubs:
        rows, column = contacts.rubbing_rows[k], held == contacts.table[k, at.LOAD_FROM]
        friction = contacts.table[k, at.KINETIC] * modes.directions[k, : len(rows)]
        E[np.ix_(rows, column)] -= friction[:, np.newaxis]
    return E


def _choices(A: Array, held: Array, carried: Array) -> Array:
    """(choices, rows): forces that do nothing to what is held."""
    scale = 1 / np.sqrt(A.diagonal()[held])
    does = scale[:, np.newaxis] * (A[held] @ carried) * scale
    _, sizes, ways = np.linalg.svd(does)
    return np.asarray((carried @ (scale * ways[sizes <= RANK * sizes[0]]).T).T)
