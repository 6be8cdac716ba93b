"""Surfaces of triangles, and convex bodies of plane faces.

How far corners are from faces, and a face cut by another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np

Array = np.ndarray
_FLAT = 1e-9  # of unit normals: triangles that differ less are one face
_STRAIGHT = 1e-12  # of the square of a size: less of a turn is none


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
    """The corners of the smallest convex outline of points of a plane, in order.

    Reference: Andrew (1979), Another efficient algorithm for convex hulls in two dimensions.
    """
    sorted_points = np.unique(np.asarray(points, dtype=float), axis=0)
    if len(sorted_points) < 3:
        return points
    below, above = _chain(sorted_points), _chain(sorted_points[::-1])
    corners = np.array([*below[:-1], *above[:-1]])
    return corners if len(corners) > 2 else points  # on one line


def _chain(points: Array) -> list[Array]:
    """The corners from the first point to the last, turning to the left."""
    size = float(np.ptp(points, axis=0).max())
    corners = list[Array]()
    for point in points:
        while len(corners) > 1:
            before, along = corners[-1] - corners[-2], point - corners[-1]
            if before[0] * along[1] - before[1] * along[0] > _STRAIGHT * size**2:
                break
            corners.pop()
        corners.append(point)
    return corners


def is_flat(points: Array) -> bool:
    """Whether points (n, 3) lie in a plane, to rounding."""
    if len(points) < 4:
        return True
    sizes = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return bool(sizes[2] <= 1e-9 * sizes[0])


def hull(points: Array) -> Hull:
    """The smallest convex body around points that do not lie in a plane."""
    from scipy.spatial import ConvexHull

    convex = ConvexHull(points)
    members = _faces_of(convex)
    normals = convex.equations[[triangles[0] for triangles in members], :3]
    indices = [np.unique(convex.simplices[triangles]) for triangles in members]
    faces: list[Array] = [points[:0]] * len(members)
    sides, levels = list(faces), np.zeros(len(members))
    sizes = np.array([len(x) for x in indices])
    for size in np.unique(sizes):  # faces with as many corners at once
        alike = np.flatnonzero(sizes == size)
        n = normals[alike]
        corners = _around(n, points[np.array([indices[k] for k in alike])])
        edges = np.roll(corners, -1, axis=1) - corners
        levels[alike] = np.einsum("fci,fi->fc", corners, n).max(axis=1)
        outward = np.cross(edges, n[:, None])
        for k, face, side in zip(alike, corners, outward, strict=True):
            faces[k], sides[k] = face, side
    corners = points[np.sort(convex.vertices)]
    return Hull(corners, normals, levels, tuple(faces), tuple(sides))


def _faces_of(convex: Any) -> list[Array]:
    """The triangles of each face: neighbours in one plane; faces in the order of their first."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    normals, count = convex.equations[:, :3], len(convex.simplices)
    apart = np.abs(normals[convex.neighbors] - normals[:, None]).max(axis=2)
    triangle, side = np.nonzero(apart < _FLAT)
    pairs = triangle, convex.neighbors[triangle, side]
    together = coo_array((np.ones(len(triangle)), pairs), shape=(count, count))
    _, label = connected_components(together, directed=False)
    _, first = np.unique(label, return_index=True)
    order = np.argsort(label, kind="stable")
    groups = np.split(order, np.cumsum(np.bincount(label))[:-1])
    return [groups[k] for k in np.argsort(first)]


def _around(n: Array, corners: Array) -> Array:
    """The corners (faces, k, 3) of faces, in order about their normals (faces, 3)."""
    arms = corners - corners.mean(axis=1, keepdims=True)
    first = arms[:, 0]
    second = np.cross(n, first)
    across, along = (np.einsum("fci,fi->fc", arms, x) for x in (second, first))
    order = np.argsort(np.arctan2(across, along), axis=1, kind="stable")
    return np.take_along_axis(corners, order[..., None], axis=1)


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
