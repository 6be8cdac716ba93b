"""The points of meshes in a state, step after step: found at its places, kept by their neighbours.

Their numbers are part of the state, after the work.
"""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.model.constraints.mesh_pairs import require_volume
from torseur.model.constraints.protocol import JointRows
from torseur.model.contact.meshes import mesh_rows
from torseur.model.joints.mesh_points import (
    LEVEL,
    NORMAL,
    NUMBERS,
    PLACE,
    POINTS,
    TANGENT,
)
from torseur.simulation.contact.meshes import MeshPair
from torseur.spatial.hulls import hull

Array = np.ndarray
_OPEN = 1e-7  # of the size of a gap: a point that touched and moved on to another place still does
_FAR = 1e3  # sizes of the bodies: the gap of a point that is not there


@final
class MeshPoints:
    """All points of meshes of a mechanism."""

    def __init__(self, contacts: ContactModel) -> None:
        self._contacts = contacts
        rows = mesh_rows(contacts.model.mechanism)
        self._pairs = [_Pair(contacts, own[0]) for own in zip(*[iter(rows)] * POINTS, strict=True)]
        names = [one.name for one in contacts.parts]
        self._elements = [names.index(one.name) for one in rows]

    def placed(self, y: Array) -> Array:
        """The state with the points that its places have; those that moved off are open."""
        if not self._pairs:
            return y
        found, where = y.copy(), self._contacts.in_state
        q = y[: len(self._contacts.model.coordinates)]
        table = found[where["points"]].reshape(len(self._pairs), POINTS, len(NUMBERS))
        gaps = [pair.write(q, own) for pair, own in zip(self._pairs, table, strict=True)]
        modes = found[where["modes"]]
        sizes = self._contacts.gap_sizes[self._elements]
        is_open = np.concatenate(gaps) > _OPEN * sizes
        modes[np.array(self._elements)[is_open]] = at.OPEN
        return found


@final
class _Pair:
    """The points of one contact."""

    def __init__(self, contacts: ContactModel, rows: JointRows) -> None:
        self._pose, self._bodies = contacts.model.pose, (rows.first, rows.second)
        number = contacts.number
        self._p_AF, self._p_BM = (
            np.array([number(x) for x in X.p], dtype=float) for X in (rows.X_AF, rows.X_BM)
        )
        shape = rows.kind.shape
        place = f'contact "{rows.name}"'
        first, second = (
            np.array([[number(x) for x in corner] for corner in corners])
            for corners in (shape.first, shape.second)
        )
        require_volume(first, "surface_points", place)
        require_volume(second, "points", place)
        self._meshes = MeshPair(hull(first), hull(second))

    def write(self, q: Array, into: Array) -> Array:
        """The gaps of all points; into ← their numbers, each where one nearby was."""
        X_WA, X_WB = (np.asarray(self._pose(body, q)) for body in self._bodies)
        R = X_WA[:3, :3].T @ X_WB[:3, :3]
        p_AM = X_WA[:3, :3].T @ (X_WB[:3, 3] - X_WA[:3, 3]) + R @ self._p_BM
        p = p_AM - self._p_AF
        found = self._meshes.at(R, p, into[0, NORMAL])
        places = (found.places - p) @ R
        far = _FAR * self._meshes.size
        gaps = np.full(POINTS, far)
        order = _nearby(into[:, PLACE], places)
        into[:, NORMAL], into[:, TANGENT] = found.normal, _tangent(found.normal)
        into[:, PLACE], into[:, LEVEL] = places[0], found.normal @ found.places[0] - far
        for k, slot in enumerate(order):
            into[slot, PLACE], into[slot, LEVEL] = places[k], found.levels[k]
            gaps[slot] = found.gaps[k]
        return gaps


def _nearby(before: Array, places: Array) -> list[int]:
    """For each place the row of the places before that is nearest to it, each taken once."""
    apart = np.linalg.norm(places[:, np.newaxis] - before, axis=2)
    found = [-1] * len(places)
    for _ in places:
        k, slot = np.unravel_index(int(apart.argmin()), apart.shape)
        found[int(k)] = int(slot)
        apart[k, :] = apart[:, slot] = np.inf
    return found


def _tangent(n: Array) -> Array:
    """A unit vector across a normal: of the axis of F that is nearest to being one."""
    axis = np.eye(3)[int(np.abs(n).argmin())]
    across = axis - (axis @ n) * n
    return np.asarray(across / np.linalg.norm(across))
