"""Geometric paths of coordinates: smooth sections, as functions of their length, between corners.

The length counts coordinates in their characteristic displacements, so that angles and distances
add up. At a corner the tangent jumps: a motion along the path rests there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
import scipy

from torseur.errors import ModelError
from torseur.robotics.joint_paths import given_positions
from torseur.robotics.trajectory import Trajectory
from torseur.words.sentence import say

Array = np.ndarray
_NODES = 400  # of a path that a trajectory follows
_CORNER = 1e-6  # rad between tangents
_STILL = 1e-9  # of the greatest speed: the path does not advance
_GAUSS = np.polynomial.legendre.leggauss(4)


@final
@dataclass(frozen=True, eq=False)
class GeometricPath:
    """Some coordinates along a path."""

    names: tuple[str, ...]
    sections: tuple[
        scipy.interpolate.PPoly, ...
    ]  # positions over the length, from corner to corner


def geometric_path(
    place: str,
    path: Trajectory | Mapping[str, Sequence[float | str]],
    displacements: Mapping[str, float],
) -> GeometricPath:
    """The path of a trajectory, or the cubic spline through points.

    `displacements` are the characteristic displacements of the coordinates.
    """
    if isinstance(path, Trajectory):
        c = np.array([displacements.get(name, 1.0) for name in path.names])
        return GeometricPath(path.names, tuple(_sections(place, path.course, c)))
    names, q = given_positions(place, path)
    c = np.array([displacements.get(name, 1.0) for name in names])
    steps = np.linalg.norm(np.diff(q, axis=0) / c, axis=1)
    if not steps.all():
        raise ModelError(
            place,
            say("two points that follow each other are the same: {point}.",
                q[int(steps.argmin())].tolist()),
            "Leave one of them out.",
        )  # fmt: skip
    length = np.concatenate([[0.0], np.cumsum(steps)])
    if len(q) == 2:
        return GeometricPath(names, (_hermite(length, q, np.diff(q, axis=0)[[0, 0]] / steps),))
    spline = scipy.interpolate.CubicSpline(length, q, bc_type="natural")
    return GeometricPath(names, (scipy.interpolate.PPoly(spline.c, spline.x),))


def _sections(
    place: str, course: scipy.interpolate.PPoly, c: Array
) -> list[scipy.interpolate.PPoly]:
    """Smooth sections of the path of a course, cubic between nodes with its tangents."""
    t = _nodes(course)
    length = _lengths(course, t, c)
    total = float(length.sum())
    if not total > 0:
        raise ModelError(place, "the path has no length: no coordinate moves along it.")
    ahead, behind = (_tangents(course, t, c, side) for side in (0, 1))
    runs, start = [], 0
    for k in range(len(length)):
        advances = length[k] > 1e-12 * total
        if not advances or (k > start and _angle(behind[k - 1], ahead[k], c) > _CORNER):
            runs.append((start, k))
            start = k if advances else k + 1
    runs.append((start, len(length)))
    result = []
    for first, last in runs:
        if last > first:
            x = np.concatenate([[0.0], np.cumsum(length[first:last])])
            pieces = [ahead[first:last], behind[first:last]]
            result.append(_hermite(x, course(t[first : last + 1]), *pieces))
    return result


def _nodes(course: scipy.interpolate.PPoly) -> Array:
    """Parameters between which the path is a cubic; one piece stays one on a straight line."""
    share = max(-(-_NODES // (len(course.x) - 1)), 2)
    parts = []
    for low, high in zip(course.x[:-1], course.x[1:], strict=True):
        at = np.linspace(low, np.nextafter(high, low), 5)
        speeds = course(at, 1)
        most = np.abs(speeds).max(axis=0)
        lead = speeds[:, int(most.argmax())]
        straight = np.allclose(
            speeds * lead[2], np.outer(lead, speeds[2]), atol=1e-12 * most.max() ** 2
        )
        one_way = bool((lead >= 0).all() or (lead <= 0).all())
        parts.append(np.linspace(low, high, 1 if straight and one_way else share, endpoint=False))
    return np.array([*np.concatenate(parts), course.x[-1]])


def _lengths(course: scipy.interpolate.PPoly, t: Array, c: Array) -> Array:
    """The length between nodes, by Gauss's rule."""
    half = np.diff(t)[:, np.newaxis] / 2
    at = (t[:-1, np.newaxis] + half) + half * _GAUSS[0]
    speeds = np.linalg.norm(course(at, 1) / c, axis=2)
    return np.asarray((half * _GAUSS[1] * speeds).sum(axis=1))


def _tangents(course: scipy.interpolate.PPoly, t: Array, c: Array, side: int) -> Array:
    """dq/dσ at the start (0) or the end (1) of every interval; where it rests, the limit of it."""
    low, high = t[:-1], np.nextafter(t[1:], -np.inf)
    at, towards = (low, 1.0) if side == 0 else (high, -1.0)
    found = course(at, 1)
    fastest = np.abs(course((low + high) / 2, 1) / c).max()
    for order in (2, 3, 4):
        rests = np.abs(found / c).max(axis=1) <= _STILL * fastest
        found[rests] = course(at[rests], order) * towards ** (order - 1)
    sizes = np.linalg.norm(found / c, axis=1, keepdims=True)
    return np.asarray(found / np.where(sizes > 0, sizes, 1.0))


def _angle(first: Array, second: Array, c: Array) -> float:
    return float(np.linalg.norm((first - second) / c))


def _hermite(
    x: Array, q: Array, tangents: Array, ends: Array | None = None
) -> scipy.interpolate.PPoly:
    """Cubics between nodes with tangents at the start and at the end of each."""
    starts = tangents[:-1] if ends is None else tangents
    ends = tangents[1:] if ends is None else ends
    h = np.diff(x)[:, np.newaxis]
    slope = np.diff(q, axis=0) / h
    square = (3 * slope - 2 * starts - ends) / h
    cube = (starts + ends - 2 * slope) / h**2
    return scipy.interpolate.PPoly(np.stack([cube, square, starts, q[:-1]]), x)
