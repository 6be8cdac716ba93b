"""Trajectories of coordinates: trapezoids of speed, quintics, splines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy

from torseur.errors import ModelError, require_known
from torseur.language.text.given import given_number
from torseur.robotics.trajectory import Trajectory, hermite, instants
from torseur.words.sentence import say, worded

Array = np.ndarray
Points = Mapping[str, Sequence[float | str]]
Limits = float | Mapping[str, float]


def trapezoidal(positions: Points, speed: Limits, acceleration: Limits) -> Trajectory:
    """Trajectory in straight lines, at rest at each point, as fast as the limits allow.

    All coordinates start and stop together; the speed is a trapezoid, or a triangle where the way
    is too short to reach the limit. `positions` has the same number of positions for each name;
    limits are one number for all, or one by name.
    """
    names, q = given_positions("trapezoidal", positions)
    V, A = (given_limits("trapezoidal", what, given, names) for what, given in
            (("speed", speed), ("acceleration", acceleration)))  # fmt: skip
    breaks, pieces = [0.0], []
    for start, way in zip(q[:-1], np.diff(q, axis=0), strict=True):
        moving = np.abs(way) > 0
        if not moving.any():
            raise ModelError(
                "trapezoidal",
                say("two points that follow each other are the same: {point}.", list(start)),
                "Leave one of them out.",
            )
        fastest = float((V[moving] / np.abs(way[moving])).min())  # of s, which goes from 0 to 1
        ramp = float((A[moving] / np.abs(way[moving])).min())
        for length, *s in _trapezoid(fastest, ramp):
            pieces.append([s[2] * way, s[1] * way, start + s[0] * way])
            breaks.append(breaks[-1] + length)
    course = scipy.interpolate.PPoly(np.array(pieces).transpose(1, 0, 2), np.array(breaks))
    return Trajectory(names, instants(course.x), course)


def _trapezoid(fastest: float, ramp: float) -> list[tuple[float, float, float, float]]:
    """The pieces of s from 0 to 1 at rest: length, position, speed, half the acceleration."""
    fastest = min(fastest, np.sqrt(ramp))
    rise = fastest / ramp
    level = 1 / fastest - rise  # the area under the trapezoid is 1
    up, half = ramp * rise**2 / 2, ramp / 2
    flat = [(level, up, fastest, 0.0)] if level > 1e-12 * rise else []
    return [(rise, 0.0, 0.0, half), *flat, (rise, 1 - up, fastest, -half)]


def quintic(
    positions: Points,
    times: Sequence[float],
    *,
    speeds: Points | None = None,
    accelerations: Points | None = None,
) -> Trajectory:
    """Polynomials of degree five between points at given times, with the speeds and accelerations
    there, which are zero unless they are given."""
    names, q = given_positions("quintic", positions)
    t = _times("quintic", times, len(q))
    v, a = (_rates(what, given, names, q.shape) for what, given in
            (("speeds", speeds), ("accelerations", accelerations)))  # fmt: skip
    return Trajectory(names, instants(t), hermite(t, q, v, a))


def spline(positions: Points, times: Sequence[float], *, at_rest: bool = True) -> Trajectory:
    """A cubic spline through points at given times: no jump of speed or of acceleration between.

    It starts and ends at rest, or, with `at_rest` False, with no acceleration.
    """
    names, q = given_positions("spline", positions)
    t = _times("spline", times, len(q))
    result = scipy.interpolate.CubicSpline(t, q, bc_type="clamped" if at_rest else "natural")
    return Trajectory(names, instants(t), scipy.interpolate.PPoly(result.c, result.x))


# --- arguments ----------------------------------------------------------------------------------


def given_positions(place: str, points: Points) -> tuple[tuple[str, ...], Array]:
    """Names, and a row of positions for each point."""
    names = tuple(map(str, points))
    counts = {len(column) for column in points.values()}
    if not names or len(counts) != 1 or min(counts) < 2:
        lengths = ", ".join(f"{name}: {len(column)}" for name, column in points.items())
        raise ModelError(
            place,
            say("two positions or more of each coordinate are needed, as many of all; got {x}.",
                lengths or say("none")),
            'For instance: {"q1": [0, 1.2], "q2": ["30 deg", 0]}.',
        )  # fmt: skip
    columns = [[_number(place, name, x) for x in points[name]] for name in points]
    return names, np.array(columns).T


def _number(place: str, name: str, value: Any) -> float:
    if not isinstance(value, str | int | float | np.number):
        raise ModelError(
            f'{place} "{name}"', say("a number is expected, got {value}.", repr(value))
        )
    return given_number(value, f'{place} "{name}"')


def _times(place: str, times: Sequence[float], number: int) -> Array:
    t = np.asarray(times, dtype=float)
    if t.shape != (number,) or not np.isfinite(t).all() or not (np.diff(t) > 0).all():
        raise ModelError(
            place,
            say("the times are {times}: {number} are needed, in order.", list(times), number),
        )
    return t


def _rates(what: str, given: Points | None, names: tuple[str, ...], shape: Any) -> Array:
    rates = np.zeros(shape)
    require_known("quintic", "coordinate", given or (), names)
    for name, column in (given or {}).items():
        values = [_number(what, name, x) for x in column]
        if len(values) != shape[0]:
            problem = say("{number} values for {points} points.", len(values), shape[0])
            raise ModelError(f'quintic, {what} of "{name}"', problem)
        rates[:, names.index(name)] = values
    return rates


def given_limits(
    place: str,
    what: str,
    given: Limits | None,
    names: Sequence[str],
    otherwise: Array | float = np.inf,
) -> Array:
    """A positive number for each name; where none is given, that of `otherwise`."""
    result = np.array(np.broadcast_to(otherwise, len(names)), dtype=float)
    if given is None:
        return result
    values = given if isinstance(given, Mapping) else dict.fromkeys(names, given)
    require_known(place, "coordinate", values, names)
    for k, name in enumerate(names):
        if name in values:
            value = values[name]
            result[k] = np.inf if value in (np.inf, None) else _number(place, name, value)
    if not (result > 0).all() or not np.isfinite(result).any():
        problem = say("the limit of {what} must be positive, got {given}.", worded(what), given)
        raise ModelError(place, problem)
    return result
