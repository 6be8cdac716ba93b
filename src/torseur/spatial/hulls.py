"""Surfaces of triangles, and convex bodies of plane faces.

How far corners are from faces, and a face cut by another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import final

import numpy as np

Array = np.ndarray
_FLAT = 1e-9  # of unit normals: triangles that differ less are one face


@final
@dataclass(frozen=True)
class Hull:
    """Corners, and the faces n · x ≤ c with their corners in order about n."""

    corners: Array = field(repr=False)  # (k, 3)
    normals: Array = field(repr=False)  # (m, 3)
    levels: Array = field(repr=False)  # (m,)
    faces: tuple[Array, ...] = field(repr=False)  # each (corners of it, 3)
    sides: tuple[Array, ...] = field(repr=False)  # across the edge from each corner, outward

    @property
    def size(self) -> float:
        """The largest of its extents."""
        return float(np.ptp(self.corners, axis=0).max())

    def separations(self, corners: Array) -> Array:
        """(faces,): how far corners of another are above each face, at least."""
        return np.asarray((self.normals @ corners.T).min(axis=1) - self.levels)

    def cut(self, face: int, polygon: Array) -> Array:
        """Part of a polygon (points, 3) above or below a face, clipped by the planes of its sides.

        Reference: Sutherland and Hodgman (1974), Reentrant polygon clipping.
        """
        for corner, outward in zip(self.faces[face], self.sides[face], strict=True):
            if not len(polygon):
                break
            polygon = _clipped(polygon, (polygon - corner) @ outward)
        return polygon


def outline(points: Array) -> Array:
    """The corners of the smallest convex outline of points of a plane, in order."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return np.asarray(points[ConvexHull(points).vertices])
    except QhullError:  # on one line
        return points


def is_flat(points: Array) -> bool:
    """Whether points (n, 3) lie in a plane, to rounding."""
    from scipy.linalg import svdvals

    if len(points) < 4:
        return True
    sizes = svdvals(points - points.mean(axis=0))
    return bool(sizes[2] <= 1e-9 * sizes[0])


def hull(points: Array) -> Hull:
    """The smallest convex body around points that do not lie in a plane."""
    from scipy.spatial import ConvexHull

    convex = ConvexHull(points)
    normals: list[Array] = []
    members: list[set[int]] = []
    for triangle, equation in zip(convex.simplices, convex.equations, strict=True):
        same_face = [k for k, n in enumerate(normals) if np.abs(n - equation[:3]).max() < _FLAT]
        if same_face:
            members[same_face[0]].update(map(int, triangle))
        else:
            normals.append(equation[:3])
            members.append(set(map(int, triangle)))
    faces = tuple(
        _around(n, points[sorted(same_face)]) for n, same_face in zip(normals, members, strict=True)
    )
    levels = [float((face @ n).max()) for n, face in zip(normals, faces, strict=True)]
    corners = points[np.sort(convex.vertices)]
    sides = tuple(
        np.cross(np.roll(face, -1, axis=0) - face, n)
        for n, face in zip(normals, faces, strict=True)
    )
    return Hull(corners, np.array(normals), np.array(levels), faces, sides)


def _around(n: Array, corners: Array) -> Array:
    """The corners of a face, in order about its normal."""
    middle = corners.mean(axis=0)
    first = corners[0] - middle
    second = np.cross(n, first)
    angles = np.arctan2((corners - middle) @ second, (corners - middle) @ first)
    return np.asarray(corners[np.argsort(angles, kind="stable")])


def _clipped(polygon: Array, outside: Array) -> Array:
    """The part of a polygon on the inner side of a plane, by how far outside its points are."""
    if not (outside > 0).any():
        return polygon
    corners: list[Array] = []
    for k, point in enumerate(polygon):
        before, x = outside[k - 1], outside[k]
        if (before > 0) != (x > 0):
            corners.append(polygon[k - 1] + before / (before - x) * (point - polygon[k - 1]))
        if x <= 0:
            corners.append(point)
    return np.array(corners).reshape(-1, 3)


@final
@dataclass(frozen=True)
class Triangles:
    """Points and faces, each a row of three places among the points."""

    points: Array = field(repr=False)  # (n, 3)
    faces: Array = field(repr=False)  # (m, 3)

    @property
    def joined(self) -> Triangles:
        """Surface whose points at one place are one point."""
        points, which = np.unique(self.points, axis=0, return_inverse=True)
        return Triangles(points, which.ravel()[self.faces])

    @property
    def parts(self) -> list[Triangles]:
        """The parts that no face connects."""
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        whole = self.joined
        count, (one, two, three) = len(whole.points), whole.faces.T
        ends = np.concatenate([one, two]), np.concatenate([two, three])
        graph = coo_matrix((np.ones(len(ends[0])), ends), shape=(count, count))
        part = connected_components(graph, directed=False)[1][one]
        return [Triangles(whole.points, whole.faces[part == k]).trimmed for k in np.unique(part)]

    @property
    def trimmed(self) -> Triangles:
        """Surface without points that no face has."""
        used, faces = np.unique(self.faces, return_inverse=True)
        return Triangles(self.points[used], faces.reshape(-1, 3))

    @property
    def volume(self) -> float | None:
        """The volume inside; None where the surface is not closed."""
        faces = self.joined.faces
        edges = np.concatenate([faces[:, [k, (k + 1) % 3]] for k in range(3)])
        if (np.unique(np.sort(edges), axis=0, return_counts=True)[1] != 2).any():
            return None
        a, b, c = (self.points[self.faces[:, k]] for k in range(3))
        return abs(float(np.einsum("ki,ki->", a, np.cross(b, c)))) / 6

    @cached_property
    def hull(self) -> Array:
        """The corners of the smallest convex body around them, (k, 3); not of what is flat."""
        from scipy.spatial import ConvexHull

        corners = np.sort(ConvexHull(self.points).vertices)
        return np.asarray(self.points[corners])
