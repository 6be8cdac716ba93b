"""Straight lines through points, joined by parabolic blends: the points are passed without a stop.

Kunz and Stilman (2011), Turning paths into trajectories using parabolic blends. Around the instant
at which two lines meet, speeds change at a constant rate for a time; lines are slowed down where
blends would overlap, or would pass a point too far away.
"""

from __future__ import annotations

import numpy as np
import scipy

from torseur.errors import ModelError
from torseur.robotics.joint_paths import Limits, Points, given_limits, given_positions
from torseur.robotics.trajectory import Trajectory, instants
from torseur.words.sentence import say

Array = np.ndarray
_PLACE = "blended"
_ROUNDS, _FITS = 10000, 1e-9  # of slowing down; how much blends may overlap by rounding


def blended(
    positions: Points, speed: Limits, acceleration: Limits, *, deviation: Limits | None = None
) -> Trajectory:
    """Trajectory along straight lines, with blends near the points between both ends.

    Speeds are constant on lines and accelerations constant in blends, within their limits. The
    motion rests at both ends only. `deviation` is the largest
    distance at which a point may be passed. Limits are one number for all coordinates, or one by
    name.
    """
    names, q = given_positions(_PLACE, positions)
    V, A = (given_limits(_PLACE, what, given, names) for what, given in
            (("speed", speed), ("acceleration", acceleration)))  # fmt: skip
    D = given_limits(_PLACE, "deviation", deviation, names)
    ways = np.diff(q, axis=0)
    if not np.abs(ways).max(axis=1).all():
        still = int(np.abs(ways).max(axis=1).argmin())
        raise ModelError(
            _PLACE,
            say("two points that follow each other are the same: {point}.", q[still].tolist()),
            "Leave one of them out.",
        )
    times = _line_times(ways, V, A, D)
    v = np.concatenate([np.zeros((1, len(names))), ways / times[:, np.newaxis],
                        np.zeros((1, len(names)))])  # fmt: skip
    return _trajectory(names, q, v, times, _blend_times(v, A))


def _blend_times(v: Array, A: Array) -> Array:
    """The time of each blend: that of the coordinate whose speed changes most."""
    return np.asarray((np.abs(np.diff(v, axis=0)) / A).max(axis=1))


def _line_times(ways: Array, V: Array, A: Array, D: Array) -> Array:
    """The time from point to point; lines are slowed down until blends fit between them."""
    times = (np.abs(ways) / V).max(axis=1)
    if not times.all():  # no limit of speed: half the time is spent in each blend
        times = np.maximum(times, 2 * np.sqrt(np.abs(ways) / A).max(axis=1))
    for _ in range(_ROUNDS):
        v = np.pad(ways / times[:, np.newaxis], ((1, 1), (0, 0)))
        blends = _blend_times(v, A)
        over = (blends[:-1] + blends[1:]) / 2 / times  # of the line that both end on
        inner = np.abs(np.diff(v, axis=0))[1:-1] * blends[1:-1, np.newaxis] / 8
        away = np.sqrt((inner / D).max(axis=1, initial=0.0))
        slower = np.maximum(over, 1.0) ** 0.5
        slower[:-1] = np.maximum(slower[:-1], away)
        slower[1:] = np.maximum(slower[1:], away)
        if slower.max() <= 1 + _FITS:
            break
        times = times * slower
    return np.asarray(times)


def _trajectory(
    names: tuple[str, ...], q: Array, v: Array, times: Array, blends: Array
) -> Trajectory:
    """Parabolas around the instants of the points, lines between them."""
    at = blends[0] / 2 + np.concatenate([[0.0], np.cumsum(times)])
    breaks, pieces = [0.0], []
    for k, (now, blend) in enumerate(zip(at, blends, strict=True)):
        start = now - blend / 2
        if start > breaks[-1] + 1e-9 * blend:  # the line before
            pieces.append([0 * v[k], v[k], q[k] - (now - breaks[-1]) * v[k]])
            breaks.append(start)
        rate = (v[k + 1] - v[k]) / blend if blend else 0 * v[k]
        if blend:
            pieces.append([rate / 2, v[k], q[k] - blend / 2 * v[k]])
            breaks.append(now + blend / 2)
    course = scipy.interpolate.PPoly(np.array(pieces).transpose(1, 0, 2), np.array(breaks))
    return Trajectory(names, instants(course.x), course)
