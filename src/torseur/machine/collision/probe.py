"""Nearest points of the shapes of a mechanism, at places of its bodies."""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.machine.collision import places as at
from torseur.machine.collision import probe_layout as slot
from torseur.machine.collision.memory import hold_collision
from torseur.machine.collision.tables import CollisionTables
from torseur.machine.integrators.problem import Entry
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import Record, room

Array = np.ndarray
_CAPACITY = 64  # contacts of a pair that there is room for
_ANYWHERE = 1e100  # a margin that all pairs are within


@final
class Probe:
    """Pairs of shapes (pairs, 2) of bodies that are placed by the caller.

    −1 − p instead of the second shape is plane p.
    """

    def __init__(self, tables: CollisionTables, bodies: int, pairs: Array) -> None:
        self._kernel = loop_kernel("torseur.machine.collision.kernels.probing", "probing")
        self._run = run = Record(slot.PROBE)
        hold_collision(run, tables, bodies)
        counts = {"shapes + 1": len(tables.shape) + 1, "capacity": _CAPACITY}
        run.keep(**room(slot.ROOM, counts))
        run.hold(pair=np.asarray(pairs, dtype=np.int64))
        run.write(capacity=_CAPACITY, contact_width=at.CONTACT_WIDTH)
        run.write(pairs=len(pairs), bodies=bodies)
        self._pairs = len(pairs)

    def nearest(self, places: Array, margin: float = np.inf) -> Array:
        """(rows, pairs, NEAREST_WIDTH): nearest points of each pair that is within a margin.

        Places (rows, bodies, 12) have the axes of each body by rows and its centre of mass.
        """
        result = np.zeros((len(places), self._pairs, slot.NEAREST_WIDTH))
        self._run.keep(body_place=np.ascontiguousarray(places, dtype=float), nearest=result)
        self._run.write(rows=len(places), margin=min(margin, _ANYWHERE))
        Entry(self._kernel.address, self._run.words, self).value(np.zeros(1), 0.0, 0)
        return result
