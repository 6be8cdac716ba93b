"""Angles of the driver at which a curve is nearest to points, in their order if required."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def matched(angles: Array, curve: Array, points: Array, whole: bool, in_order: bool) -> Array:
    """For each point an angle of the curve, of which samples are given.

    In order, angles rise or fall, by at most a turn where the curve is closed; the sum of squared
    distances is least, by dynamic programming over the samples.
    """
    squares = ((points[:, None, :] - curve[None, :, :]) ** 2).sum(axis=2)  # (points, samples)
    if not in_order:
        return np.asarray(angles[squares.argmin(axis=1)])
    best, result = np.inf, angles[squares.argmin(axis=1)]
    turns = range(len(angles)) if whole else range(1)
    for way in (1, -1):
        for first in turns:
            order = np.roll(np.arange(len(angles))[::way], -first)
            cost, chosen = _rising(squares[:, order])
            if cost < best:
                unrolled = angles[order]
                unrolled = unrolled[0] + np.concatenate([[0], np.cumsum(_steps(unrolled, way))])
                best, result = cost, unrolled[chosen]
    return np.asarray(result)


def _steps(angles: Array, way: int) -> Array:
    """From one sample to the next, across the end of the turn too."""
    steps = np.diff(angles)
    return np.where(steps * way < 0, steps + way * 2 * np.pi, steps)


def _rising(squares: Array) -> tuple[float, list[int]]:
    """The least sum of one sample for each point, each after the one before."""
    count, samples = squares.shape
    total = squares[0].copy()
    came = np.zeros((count, samples), dtype=int)
    for k in range(1, count):
        least = np.minimum.accumulate(total)
        where = np.maximum.accumulate(np.where(total == least, np.arange(samples), 0))
        before = np.concatenate([[np.inf], least[:-1]])
        came[k] = np.concatenate([[0], where[:-1]])
        total = squares[k] + before
    last = int(total.argmin())
    chosen = [last]
    for k in range(count - 1, 0, -1):
        chosen.append(int(came[k, chosen[-1]]))
    return float(total.min()), chosen[::-1]
