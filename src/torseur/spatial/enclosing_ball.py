"""The smallest ball about points."""

from __future__ import annotations

from itertools import combinations

import numpy as np

Array = np.ndarray
Ball = tuple[Array, float]  # centre, radius
_ROUNDING = 1e-10  # of the radius
_MOST = 4  # points that hold a ball


def enclosing_ball(points: Array) -> Ball:
    """The smallest ball about points (n, 3).

    It is held by two to four of them. Each round takes in the farthest point outside, and its ball
    is the smallest about that point and those that held the ball before, so that it grows.
    """
    holding = points[:1]
    centre, radius = points[0], 0.0
    while True:
        away = np.linalg.norm(points - centre, axis=1)
        farthest = int(away.argmax())
        if away[farthest] <= radius * (1 + _ROUNDING):
            return centre, radius
        holding, centre, larger = _supported([*holding, points[farthest]])
        if larger <= radius:  # by rounding alone
            return centre, float(away[farthest])
        radius = larger


def _supported(points: list[Array]) -> tuple[Array, Array, float]:
    """The points that hold the smallest ball about a few, its centre and its radius."""
    best: tuple[Array, Array, float] | None = None
    for count in range(1, min(_MOST, len(points)) + 1):
        for chosen in combinations(points, count):
            corners = np.array(chosen)
            centre, radius = _through(corners)
            reach = float(np.linalg.norm(np.array(points) - centre, axis=1).max())
            if reach <= radius * (1 + _ROUNDING) and (best is None or radius < best[2]):
                best = corners, centre, radius
    assert best is not None, "a few points have a ball about them"
    return best


def _through(points: Array) -> Ball:
    """The smallest ball that passes through points, of which no three are in line."""
    edges = points[1:] - points[0]
    if not len(edges):
        return points[0], 0.0
    shares = np.linalg.lstsq(edges @ edges.T, (edges**2).sum(axis=1) / 2, rcond=None)[0]
    centre = points[0] + shares @ edges
    return centre, float(np.linalg.norm(centre - points[0]))
