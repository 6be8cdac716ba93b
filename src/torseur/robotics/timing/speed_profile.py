"""The greatest speed along a path within limits, by reachability.

Pham and Pham (2018), A new approach to time-optimal path parameterization based on reachability
analysis. With x = ṡ² and u = s̈, limits are linear in both, and x′ = x + 2 Δ u on an interval of
constant u. Backwards, the speeds from which the end can be reached are an interval at each grid
point; forwards, the greatest acceleration that stays inside is taken. The linear programs have two
unknowns and are solved exactly: u is eliminated (Fourier and Motzkin).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

Array = np.ndarray
_EMPTY = 1e-9  # of the greatest x: an interval that is empty by rounding only


@final
@dataclass(frozen=True, eq=False)
class IntervalLimits:
    """Limits |a u + b x + c| ≤ 1 at both ends of every interval, and 0 ≤ x ≤ most at grid points.

    `a`, `b`, `c` have the shape (2, intervals, limits): at the start, and at the end, where x is
    x + 2 Δ u.
    """

    steps: Array  # (intervals): Δ
    a: Array
    b: Array
    c: Array
    most: Array  # (grid points)


@final
@dataclass(frozen=True, eq=False)
class SpeedProfile:
    """x at grid points, u on intervals, and the interval of x from which the end can be reached."""

    x: Array
    u: Array
    low: Array
    high: Array


@final
class Unreachable(Exception):
    """At a grid point no speed leads to the end."""

    def __init__(self, point: int) -> None:
        super().__init__(point)
        self.point = point


def fastest_profile(limits: IntervalLimits) -> SpeedProfile:
    """The greatest x at every grid point, from rest to rest."""
    A, B, C = _rows(limits)
    low, high = _controllable(limits, A, B, C)
    return _forward(limits, A, B, C, low, high)


def _rows(limits: IntervalLimits) -> tuple[Array, Array, Array]:
    """The limits of each interval as |A u + B x + C| ≤ 1 with A ≥ 0: (intervals, 2 limits)."""
    twice = 2 * limits.steps[:, np.newaxis]
    A = np.concatenate([limits.a[0], limits.a[1] + twice * limits.b[1]], axis=1)
    B, C = (np.concatenate([x[0], x[1]], axis=1) for x in (limits.b, limits.c))
    sign = np.where(A < 0, -1.0, 1.0)
    return A * sign, B * sign, C * sign


def _range(g: Array, h: Array) -> tuple[Array, Array]:
    """The ends of the interval of x with g x ≤ h in every row; the last axis is that of rows."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = h / g
    high = np.where(g > 0, ends, np.inf).min(axis=-1)
    low = np.where(g < 0, ends, -np.inf).max(axis=-1)
    broken = ((g == 0) & (h < 0)).any(axis=-1)
    return low, np.where(broken, -np.inf, high)


def _own_ranges(limits: IntervalLimits, A: Array, B: Array, C: Array) -> tuple[Array, Array]:
    """The interval of x at the start of each interval for which an u exists at all."""
    k, l = (slice(None), slice(None), np.newaxis), (slice(None), np.newaxis, slice(None))
    g = (A[l] * B[k] - A[k] * B[l]).reshape(len(A), -1)
    h = (A[l] * (1 - C[k]) + A[k] * (1 + C[l])).reshape(len(A), -1)
    alone = np.where(A == 0, 1.0, 0.0)  # limits that u does not enter
    g = np.concatenate([g, alone * B, -alone * B], axis=1)
    h = np.concatenate([h, alone * (1 - C), alone * (1 + C)], axis=1)
    low, high = _range(g, h)
    return np.maximum(low, 0.0), np.minimum(high, limits.most[:-1])


def _controllable(limits: IntervalLimits, A: Array, B: Array, C: Array) -> tuple[Array, Array]:
    """The interval of x at each grid point from which rest at the end can be reached."""
    lowest, highest = _own_ranges(limits, A, B, C)
    twice = 2 * limits.steps[:, np.newaxis]
    pull = np.concatenate([A - twice * B, twice * B - A], axis=1)
    rest = np.concatenate([twice * (1 + C), twice * (1 - C)], axis=1)
    count = len(limits.steps)
    low, high = np.zeros(count + 1), np.zeros(count + 1)
    for i in range(count - 1, -1, -1):
        ends = np.concatenate([A[i] * high[i + 1], -A[i] * low[i + 1]])
        below, above = _range(pull[i], rest[i] + ends)
        low[i], high[i] = max(below, lowest[i]), min(above, highest[i])
        if low[i] > high[i]:
            if low[i] - high[i] > _EMPTY * max(abs(low[i]), high.max()) or not np.isfinite(high[i]):
                raise Unreachable(i)
            low[i] = high[i] = max((low[i] + high[i]) / 2, 0.0)
    return low, high


def _forward(
    limits: IntervalLimits, A: Array, B: Array, C: Array, low: Array, high: Array
) -> SpeedProfile:
    """The greatest u on each interval that stays controllable."""
    if low[0] > _EMPTY * high.max():
        raise Unreachable(0)
    count = len(limits.steps)
    x, u = np.zeros(count + 1), np.zeros(count)
    for i in range(count):
        step = 2 * limits.steps[i]
        moved = A[i] > 0
        tops = (1 - C[i] - B[i] * x[i])[moved] / A[i][moved]
        top = float(tops.min(initial=np.inf))
        x[i + 1] = min(max(x[i] + step * top, low[i + 1]), high[i + 1])
        u[i] = (x[i + 1] - x[i]) / step
        if x[i] + x[i + 1] <= 0.0:
            raise Unreachable(i)
    return SpeedProfile(x, u, low, high)
