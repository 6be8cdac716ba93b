"""Where convex meshes touch: points of a face against a face, or one point of two edges.

The faces that part two bodies best are found exactly; coal tells whether anything else is nearer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.model.joints.mesh_points import POINTS
from torseur.packages import package
from torseur.spatial.hulls import Hull
from torseur.words.sentence import say

Array = np.ndarray
_NEARER = 1e-6  # of the sizes: by which what parts two bodies better than faces does is nearer
_TIE = 1e-9  # of the sizes: faces of the second body part them better than those of the first
_NEAR = 1e-7  # of the sizes: a distance at which rounding turns its direction
_FINE = 1e-10  # what coal is asked for


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
        moved, back = self.second.corners @ R.T + p, (self.first.corners - p) @ R
        of_first, of_second = self.first.separations(moved), self.second.separations(back)
        i, j = int(of_first.argmax()), int(of_second.argmax())
        parted = max(of_first[i], of_second[j])
        distance, n, ends = self._nearest(R, p)
        if distance <= parted + _NEARER * self.size:
            swapped = of_second[j] > of_first[i] + _TIE * self.size
            found = self._on_second(j, R, p) if swapped else self._on_first(i, R, p)
            if len(found.gaps):
                return found
        if abs(distance) < _NEAR * self.size and before.any():
            n = before
        n = _across(_edge(self.first.corners, n), _edge(moved, -n), n)
        level, place = float(n @ ends[0]), ends[1]
        return Points(n, np.array([level]), place[np.newaxis], np.array([n @ place - level]))

    def _on_first(self, face: int, R: Array, p: Array) -> Points:
        """A face of the first, and of the second the face that looks against it most."""
        n, level = self.first.normals[face], self.first.levels[face]
        other = int((self.second.normals @ (R.T @ n)).argmin())
        places = spread(self.first.cut(face, self.second.faces[other] @ R.T + p), n)
        return Points(n, np.full(len(places), level), places, places @ n - level)

    def _on_second(self, face: int, R: Array, p: Array) -> Points:
        """The same with a face of the second; places are below the points of the first."""
        m, level = self.second.normals[face], self.second.levels[face]
        other = int((self.first.normals @ (R @ m)).argmin())
        own = spread(self.second.cut(face, (self.first.faces[other] - p) @ R), m)
        gaps, n = own @ m - level, -(R @ m)
        below = (own - gaps[:, np.newaxis] * m) @ R.T + p
        return Points(n, below @ n - gaps, below, gaps)


def spread(points: Array, n: Array) -> Array:
    """At most as many points as two meshes have: the lowest along n, then those farthest off."""
    if len(points) <= POINTS:
        return points
    taken = [int((points @ n).argmin())]
    while len(taken) < POINTS:
        apart = np.linalg.norm(points[:, np.newaxis] - points[taken], axis=2).min(axis=1)
        taken.append(int(apart.argmax()))
    return np.asarray(points[sorted(taken)])


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
        found, (first, second) = self._result, self._bodies
        found.clear()
        place = self._coal.Transform3s(np.asarray(R), np.asarray(p))
        distance = self._coal.distance(first, self._still, second, place, self._request, found)
        ends = found.getNearestPoint1(), found.getNearestPoint2()
        return float(distance), np.asarray(found.normal), ends


def _library() -> Any:
    return package(
        "coal",
        "mesh",
        "simulate",
        say("contacts between meshes need coal, which is not installed."),
        say("Without a wheel: conda install -c conda-forge coal."),
        say("Without it, let corners touch planes: shape: mesh, on: plane."),
    )
