"""What cannot move: parts at rest that what holds leaves no freedom."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.equations.functions.contact import ContactState
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.contact.code import Islands
from torseur.machine.contact.negligible import RESTING

Array = np.ndarray
RANK = 1e-8  # a column beside the largest that counts as nothing


class Held(Protocol):
    """The contacts of a model, of which only this is asked."""

    @property
    def held(self) -> CompiledModel: ...
    @property
    def state(self) -> ContactState: ...
    @property
    def pace(self) -> float: ...
    @property
    def islands(self) -> Islands: ...
    def __getitem__(self, name: str) -> Array: ...


def still_speeds(contacts: Held, v: Array) -> Array:
    """(speeds,): 1 for those of parts at rest that the rows which hold leave no freedom.

    Speeds belong to one part where inertia or a row that acts joins them, at whatever place the
    mechanism is. What time moves is not at rest. Parts that sticking holds stay exactly.
    """
    sizes, found, islands = contacts.held.sizes, np.zeros(len(v)), contacts.islands
    fast = np.abs(v) > RESTING * contacts.pace * sizes.displacements
    moving = np.bincount(islands.of_speeds, weights=fast)
    for place in np.flatnonzero(moving == 0):
        part, joining = islands.parts[place]
        rows = [k for k in joining if contacts["role"][k] == at.HELD]
        enough = len(rows) >= len(part)
        if enough and all(contacts.state.held.rate[k] is ZERO for k in rows):
            J = contacts["J"][rows][:, part]
            own = J / sizes.rows[rows, np.newaxis] * sizes.displacements[part]
            found[part] = np.linalg.matrix_rank(own, tol=RANK) == len(part)
    return found
