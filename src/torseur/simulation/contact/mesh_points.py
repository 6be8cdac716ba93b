"""Where convex meshes touch, and these points in a state: found at its places, step after step.

Points of a face touch a face, or one point those of two edges. The faces that part two bodies best
are found exactly; coal tells whether anything else is nearer. The numbers of points are part of the
state, after the work; each is kept by its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.model.constraints.contact_surfaces import require_volume
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
from torseur.packages import package
from torseur.spatial.hulls import Hull, hull
from torseur.words.sentence import say

Array = np.ndarray
_OPEN = 1e-7  # of the size of a gap: a point that touched and moved on to another place still does
_FAR = 1e3  # sizes of the bodies: the gap of a point that is not there
_NEARER = 1e-6  # of the sizes: by which what parts two bodies better than faces does is nearer
_TIE = 1e-9  # of the sizes: faces of the second body part them better than those of the first
_NEAR = 1e-7  # of the sizes: a distance at which rounding turns its direction
_FINE = 1e-10  # what coal is asked for


@final
class MeshPoints:
    """All points of meshes of a mechanism."""

    def __init__(self, contacts: ContactModel) -> None:
        self._contacts = contacts
        rows = mesh_rows(contacts.model.mechanism)
        self._pairs = [
            _Pair(contacts, group[0]) for group in zip(*[iter(rows)] * POINTS, strict=True)
        ]
        names = [one.name for one in contacts.parts]
        self._elements = [names.index(one.name) for one in rows]

    @property
    def attend(self) -> Callable[[float, Array], Array] | None:
        """Function that places points before every step; None without points."""
        return (lambda _, y: self.placed(y)) if self._pairs else None

    def placed(self, y: Array) -> Array:
        """The state with the points that its places have; those that moved off are open."""
        if not self._pairs:
            return y
        result, where = y.copy(), self._contacts.in_state
        q = y[: len(self._contacts.model.coordinates)]
        table = result[where["points"]].reshape(len(self._pairs), POINTS, len(NUMBERS))
        gaps = [pair.write(q, numbers) for pair, numbers in zip(self._pairs, table, strict=True)]
        modes = result[where["modes"]]
        sizes = self._contacts.gap_sizes[self._elements]
        is_open = np.concatenate(gaps) > _OPEN * sizes
        modes[np.array(self._elements)[is_open]] = at.OPEN
        return result


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
        points = self._meshes.at(R, p, into[0, NORMAL])
        places = (points.places - p) @ R
        far = _FAR * self._meshes.size
        gaps = np.full(POINTS, far)
        order = _nearby(into[:, PLACE], places)
        into[:, NORMAL], into[:, TANGENT] = points.normal, _tangent(points.normal)
        into[:, PLACE], into[:, LEVEL] = places[0], points.normal @ points.places[0] - far
        for k, slot in enumerate(order):
            into[slot, PLACE], into[slot, LEVEL] = places[k], points.levels[k]
            gaps[slot] = points.gaps[k]
        return gaps


def _nearby(before: Array, places: Array) -> list[int]:
    """For each place the row of the places before that is nearest to it, each taken once."""
    apart = np.linalg.norm(places[:, np.newaxis] - before, axis=2)
    slots = [-1] * len(places)
    for _ in places:
        k, slot = np.unravel_index(int(apart.argmin()), apart.shape)
        slots[int(k)] = int(slot)
        apart[k, :] = apart[:, slot] = np.inf
    return slots


def _tangent(n: Array) -> Array:
    """A unit vector across a normal: of the axis of F that is nearest to being one."""
    axis = np.eye(3)[int(np.abs(n).argmin())]
    across = axis - (axis @ n) * n
    return np.asarray(across / np.linalg.norm(across))


# --- one pair of meshes ---------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Points:
    """Where two bodies are nearest, all in the axes of F."""

    normal: Array  # (3,) from the first to the second
    levels: Array  # (points,) of the first along it
    places: Array  # (points, 3) of the second
    gaps: Array  # (points,)


@final
class MeshPair:
    """Two convex bodies, ready to be put at poses."""

    def __init__(self, first: Hull, second: Hull) -> None:
        self.first, self.second = first, second
        self.size = min(first.size, second.size)
        self._nearest = _Nearest(first, second)

    def at(self, R: Array, p: Array, before: Array) -> Points:
        """The points where they touch or would, the second turned by R and then moved by p.

        `before` is the normal a little earlier, or zero.
        """
        corners, back = self.second.corners @ R.T + p, (self.first.corners - p) @ R
        of_first, of_second = self.first.separations(corners), self.second.separations(back)
        i, j = int(of_first.argmax()), int(of_second.argmax())
        parted = max(of_first[i], of_second[j])
        distance, n, ends = self._nearest(R, p)
        if distance <= parted + _NEARER * self.size:
            swapped = of_second[j] > of_first[i] + _TIE * self.size
            points = self._on_second(j, R, p) if swapped else self._on_first(i, R, p)
            if len(points.gaps):
                return points
        if abs(distance) < _NEAR * self.size and before.any():
            n = before
        n = _across(_edge(self.first.corners, n), _edge(corners, -n), n)
        level, place = float(n @ ends[0]), ends[1]
        return Points(n, np.array([level]), place[np.newaxis], np.array([n @ place - level]))

    def _on_first(self, face: int, R: Array, p: Array) -> Points:
        """A face of the first, and of the second the face that looks against it most."""
        n, level = self.first.normals[face], self.first.levels[face]
        other = int((self.second.normals @ (R.T @ n)).argmin())
        places = spread(self.first.cut(face, self.second.faces[other] @ R.T + p), n)
        return Points(n, np.full(len(places), level), places, places @ n - level)

    def _on_second(self, face: int, R: Array, p: Array) -> Points:
        """A face of the second, and of the first the face that looks against it most.

        Places are below the points of the first.
        """
        m, level = self.second.normals[face], self.second.levels[face]
        other = int((self.first.normals @ (R @ m)).argmin())
        points = spread(self.second.cut(face, (self.first.faces[other] - p) @ R), m)
        gaps, n = points @ m - level, -(R @ m)
        below = (points - gaps[:, np.newaxis] * m) @ R.T + p
        return Points(n, below @ n - gaps, below, gaps)


def spread(points: Array, n: Array) -> Array:
    """At most as many points as two meshes have: the lowest along n, then those farthest off."""
    if len(points) <= POINTS:
        return points
    chosen = [int((points @ n).argmin())]
    while len(chosen) < POINTS:
        apart = np.linalg.norm(points[:, np.newaxis] - points[chosen], axis=2).min(axis=1)
        chosen.append(int(apart.argmax()))
    return np.asarray(points[sorted(chosen)])


def _edge(corners: Array, n: Array) -> Array:
    """The corners that are farthest along a direction, to rounding."""
    along = corners @ n
    return np.asarray(corners[along > along.max() - _NEARER * np.ptp(along)])


def _across(first: Array, second: Array, n: Array) -> Array:
    """The direction across two edges, on the side of n; n where these are not edges."""
    if len(first) != 2 or len(second) != 2:
        return n
    across = np.cross(first[1] - first[0], second[1] - second[0])
    size = float(np.linalg.norm(across))
    long = float(np.linalg.norm(first[1] - first[0]) * np.linalg.norm(second[1] - second[0]))
    if size <= _NEARER * long:
        return n
    return np.asarray(across / size if across @ n > 0 else -across / size)


@final
class _Nearest:
    """The signed distance of two convex bodies and where it is, by coal (Gilbert, Johnson, Keerthi
    1988; expanding polytopes where they overlap)."""

    def __init__(self, first: Hull, second: Hull) -> None:
        self._coal = coal = _library()
        self._bodies = [self._convex(one) for one in (first, second)]
        self._still, self._result = coal.Transform3s(), coal.DistanceResult()
        self._request = coal.DistanceRequest()
        self._request.gjk_tolerance = self._request.epa_tolerance = _FINE

    def _convex(self, one: Hull) -> Any:
        corners = self._coal.StdVec_Vec3s()
        corners.extend(list(one.corners))
        return self._coal.ConvexBase.convexHull(corners, False, "Qt")

    def __call__(self, R: Array, p: Array) -> tuple[float, Array, tuple[Array, Array]]:
        result, (first, second) = self._result, self._bodies
        result.clear()
        place = self._coal.Transform3s(np.asarray(R), np.asarray(p))
        distance = self._coal.distance(first, self._still, second, place, self._request, result)
        ends = result.getNearestPoint1(), result.getNearestPoint2()
        return float(distance), np.asarray(result.normal), ends


def _library() -> Any:
    return package(
        "coal",
        "mesh",
        "simulate",
        say("contacts between meshes need coal, which is not installed."),
        say("Without a wheel: conda install -c conda-forge coal."),
        say("Without it, let corners touch planes: shape: mesh, on: plane."),
    )
