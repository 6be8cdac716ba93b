"""Distances and contacts of the shapes of a mechanism, at places of its bodies."""

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
_OF_A_SHAPE, _LEAST_ROOM = 4, 64  # contacts that there is room for
_NO_MARGIN = 1e100  # a gap that all pairs are within


@final
class Probe:
    """Shapes of bodies that are placed by the caller."""

    def __init__(self, tables: CollisionTables, bodies: int, capacity: int = 0) -> None:
        self.tables, self.bodies = tables, bodies
        self.capacity = capacity or _LEAST_ROOM + _OF_A_SHAPE * len(tables.shape)
        self._kernel = loop_kernel("torseur.machine.collision.kernels.probing", "probing")
        self._run = self._record(np.zeros((0, 2), dtype=np.int64))

    def _record(self, pairs: Array) -> Record:
        run = Record(slot.PROBE)
        hold_collision(run, self.tables, self.bodies)
        counts = {"shapes": len(self.tables.shape), "bodies": self.bodies, "pairs": len(pairs)}
        run.keep(**room(slot.ROOM, counts | {"capacity": self.capacity}))
        run.hold(pair=np.asarray(pairs, dtype=np.int64))
        run.write(capacity=self.capacity, contact_width=at.CONTACT_WIDTH, pairs=len(pairs))
        return run

    def _call(self, places: Array, task: int, margin: float) -> None:
        self._run.arrays["body_place"][:] = places
        self._run.write(task=task, margin=margin)
        Entry(self._kernel.address, self._run.words, self).value(np.zeros(1), 0.0, 0)

    def contacts(self, places: Array, margin: float) -> Array:
        """The contacts (contacts, CONTACT_WIDTH) with gaps within a margin.

        Places (bodies, 12) have the axes of each body by rows and its centre of mass.
        """
        self._call(places, slot.ALL, margin)
        if self._run["full"]:
            self.capacity *= 2
            self._run = self._record(self._run.arrays["pair"])
            return self.contacts(places, margin)
        rows = self._run.arrays["contact"][: self._run["contacts"]].copy()
        return np.asarray(rows[rows[:, at.GAP] <= margin])

    def list_pairs(self, pairs: Array) -> None:
        """Choose the pairs of shapes whose nearest points are computed."""
        self._run = self._record(pairs)

    def nearest(self, places: Array) -> Array:
        """(pairs, CONTACT_WIDTH): the contact of each listed pair with the least gap."""
        self._call(places, slot.LISTED, _NO_MARGIN)
        return np.array(self._run.arrays["nearest"])
