"""Tables of collision in a record."""

from __future__ import annotations

import numpy as np

from torseur.machine.collision.tables import CollisionTables
from torseur.machine.runtime.memory import Record


def hold_collision(run: Record, given: CollisionTables, bodies: int) -> None:
    """The tables of a search in the record of those who search."""
    piece = np.zeros((1, given.shape.shape[1]))  # written while contacts are searched for
    run.hold(shape=np.concatenate([given.shape, piece]), height=given.height)
    run.hold(plane=given.plane, law=given.law, vertex=given.vertex)
    run.hold(facet=given.facet, facet_corner=given.facet_corner)
    run.hold(neighbour_first=given.neighbour_first, neighbour=given.neighbour)
    run.hold(order=given.movable.astype(np.int64), head=np.full(bodies + 1, -1, dtype=np.int64))
    run.write(shapes=len(given.shape), planes=len(given.plane), sorted=len(given.movable))
