"""Rays: the distance from a point along a direction to the nearest shape of a body or plane.

A shape is an intersection of parts that a line crosses once, or a union of such ones: along a ray
each part is an interval, and the shape is where all of them overlap (Kay and Kajiya 1986).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from torseur.machine.collision import places as at
from torseur.machine.collision.field_rays import to_field
from torseur.machine.collision.tables import can_touch, collision_tables, piles_of
from torseur.model.constraints.pile import Pile
from torseur.model.description import GROUND, Mechanism
from torseur.model.values.numeric import numeric_mechanism

Array = np.ndarray
_NONE = -1  # no body is hit
_STILL = 1e-28  # square of a direction that is none


@final
class RayScene:
    """All shapes of a mechanism at given parameters, and the planes of its ground."""

    def __init__(self, mechanism: Mechanism, values: Mapping[str, Any]) -> None:
        numbers = numeric_mechanism(mechanism, values)
        self.names = (GROUND, *numbers.bodies)
        self.shaped = tuple(name for name, body in numbers.bodies.items() if can_touch(body))
        planes = [pile for pile in piles_of(numbers) if pile.normal is not None]
        all_shapes = [Pile("all", self.shaped)] if self.shaped else []
        self._tables = collision_tables(numbers, [*all_shapes, *planes], values)

    def hits(
        self, places: Array, origin: Array, direction: Array, without: Sequence[str] = ()
    ) -> tuple[Array, Array]:
        """Distance along each ray (rays,), infinite where nothing is hit, and the body's number.

        Places (rays, bodies, 12) are those of all bodies for each ray; directions have the length
        1. A ray that starts inside a shape has the distance 0. The ground has the number 0; where
        nothing is hit, it is −1.
        """
        left_out = {self.names.index(name) for name in without}
        distance, body = np.full(len(origin), np.inf), np.full(len(origin), _NONE)
        for row in self._tables.shape:
            owner = int(row[at.OWNER])
            if owner in left_out:
                continue
            place = places[:, owner - 1]
            R = place[:, : at.BODY_CENTRE].reshape(-1, 3, 3)
            centre = place[:, at.BODY_CENTRE :] + R @ row[at.OFFSET : at.OFFSET + 3]
            R = R @ row[at.TURNED : at.TURNED + 9].reshape(3, 3)
            o = np.einsum("rji,rj->ri", R, origin - centre)
            d = np.einsum("rji,rj->ri", R, direction)
            _nearer(distance, body, self._to_shape(row, o, d), owner)
        for plane in () if 0 in left_out else self._tables.plane:
            n, height = plane[at.NORMAL : at.NORMAL + 3], plane[at.HEIGHT]
            _nearer(distance, body, _first(_below(n, height, origin, direction)), 0)
        return distance, body

    def _to_shape(self, row: Array, o: Array, d: Array) -> Array:
        """Distance along rays in the axes of a shape."""
        kind, size = int(row[at.KIND]), row[at.SIZE : at.SIZE + 3]
        if kind == at.SPHERE:
            return _first(_in_ball(np.zeros(3), size[0], o, d))
        if kind == at.BOX:
            return _first(_in_box(size, o, d))
        if kind == at.HEIGHT_FIELD:
            return to_field(self._tables.height, row, o, d)
        if kind == at.HULL:
            first, count = int(row[at.FACETS]), int(row[at.FACETS + 1])
            facets = self._tables.facet[first : first + count]
            corners = self._tables.facet_corner[facets[:, at.FACET_FIRST].astype(int)]
            sides = [
                _below(f[:3], float(f[:3] @ c), o, d) for f, c in zip(facets, corners, strict=True)
            ]
            return _first(_both(*sides))
        axis = np.eye(3)[int(size[2])]
        tube = _both(_in_tube(axis, size[0], o, d), _within(axis, size[1], o, d))
        if kind == at.CYLINDER:
            return _first(tube)
        ends = [_first(_in_ball(side * size[1] * axis, size[0], o, d)) for side in (-1, 1)]
        return np.asarray(np.minimum(_first(tube), np.minimum(*ends)))


def _nearer(distance: Array, body: Array, other: Array, owner: int) -> None:
    nearer = other < distance
    distance[nearer], body[nearer] = other[nearer], owner


# --- intervals of rays: where they enter and leave ------------------------------------------------


def _first(interval: tuple[Array, Array]) -> Array:
    """Where a ray enters, 0 if it starts inside; infinite where it does not."""
    enters, leaves = interval
    is_hit = (enters <= leaves) & (leaves >= 0)
    return np.where(is_hit, np.maximum(enters, 0.0), np.inf)


def _both(*intervals: tuple[Array, Array]) -> tuple[Array, Array]:
    """Where all parts overlap."""
    enters = np.max([x[0] for x in intervals], axis=0)
    leaves = np.min([x[1] for x in intervals], axis=0)
    return enters, leaves


def _below(n: Array, height: float, o: Array, d: Array) -> tuple[Array, Array]:
    """The side of a plane against its normal."""
    above, along = o @ n - height, d @ n
    with np.errstate(divide="ignore", invalid="ignore"):
        t = -above / along
    beside = np.where(above > 0, np.inf, -np.inf)  # of rays along the plane
    enters = np.where(along < 0, t, np.where(along > 0, -np.inf, beside))
    leaves = np.where(along > 0, t, np.inf)
    return enters, leaves


def _within(axis: Array, half: float, o: Array, d: Array) -> tuple[Array, Array]:
    """Between two planes across an axis."""
    return _both(_below(axis, half, o, d), _below(-axis, half, o, d))


def _in_box(size: Array, o: Array, d: Array) -> tuple[Array, Array]:
    return _both(*(_within(axis, half, o, d) for axis, half in zip(np.eye(3), size, strict=True)))


def _in_ball(centre: Array, radius: float, o: Array, d: Array) -> tuple[Array, Array]:
    return _of_square(d, o - centre, radius)


def _in_tube(axis: Array, radius: float, o: Array, d: Array) -> tuple[Array, Array]:
    """Inside an endless cylinder."""
    across = np.eye(3) - np.outer(axis, axis)
    return _of_square(d @ across, o @ across, radius)


def _of_square(d: Array, o: Array, radius: float) -> tuple[Array, Array]:
    """Where |o + t d| ≤ radius; a ray that goes nowhere is inside or outside for good."""
    a, b = np.einsum("ri,ri->r", d, d), np.einsum("ri,ri->r", o, d)
    moves = a > _STILL
    middle = -b / np.where(moves, a, 1.0)
    nearest = o + middle[:, np.newaxis] * d  # more exact than the discriminant
    left = radius**2 - np.einsum("ri,ri->r", nearest, nearest)
    half = np.sqrt(np.maximum(left, 0.0) / np.where(moves, a, 1.0))
    enters = np.where(moves, middle - half, -np.inf)
    leaves = np.where(moves, middle + half, np.inf)
    is_inside = np.where(moves, left, radius**2 - np.einsum("ri,ri->r", o, o)) >= 0
    return np.where(is_inside, enters, np.inf), np.where(is_inside, leaves, -np.inf)
