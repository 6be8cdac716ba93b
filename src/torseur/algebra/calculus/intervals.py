"""Expressions on boxes: bounds of their values that hold whatever rounding does.

An interval is a pair of arrays (low, high); a box gives one to each symbol, many boxes at once.
Bounds go outwards by a few units in the last place after every operation, so that what is excluded
is excluded for sure. A symbol that appears twice counts twice: bounds are the wider, the larger the
box, and close in on the values as boxes shrink.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import flat, reachable

Array = np.ndarray
Interval = tuple[Array, Array]
_ULPS = 4 * np.finfo(float).eps  # what the functions of NumPy may be wrong by, and more
_TINY = 1e-300
_WHOLE = (np.array(-np.inf), np.array(np.inf))


class NotBounded(Exception):
    """An expression holds an operation without bounds; its name is the argument."""


def bounds(outputs: Any, box: Mapping[str, Interval], count: int) -> tuple[Array, Array]:
    """The lowest and the highest values of expressions on `count` boxes, as (…, boxes) arrays."""
    leaves = flat(outputs)
    intervals: dict[int, Interval] = {}
    with np.errstate(all="ignore"):
        for x in reachable(leaves):
            intervals[x.key] = _without_nan(_bounded(x, [intervals[a.key] for a in x.args], box))
    shape = (*np.shape(outputs), count)
    low, high = (
        np.array([np.broadcast_to(intervals[x.key][side], count) for x in leaves]).reshape(shape)
        for side in (0, 1)
    )
    return low, high


def _bounded(x: Expr, args: list[Interval], box: Mapping[str, Interval]) -> Interval:
    if x.op == "symbol":
        return box[x.name]
    if x.op in ("number", "constant"):
        value = np.array(np.pi if x.op == "constant" else float(x.value[1]))
        exact = x.op == "number" and x.value[0] == "int"
        return (value, value) if exact else _outwards(value, value)
    if x.op == "add":
        (a, b), (c, d) = args
        return _outwards(a + c, b + d)
    if x.op == "mul":
        return product(*args)
    if x.op == "pow":
        return _power(args[0], x.value)
    if x.op not in _FUNCTIONS:
        raise NotBounded(x.value.name if x.op == "call" else x.op)
    return _FUNCTIONS[x.op](*args)


def _without_nan(interval: Interval) -> Interval:
    """Replace an interval with NaN bounds by the whole line."""
    low, high = interval
    lost = np.isnan(low) | np.isnan(high)
    if not lost.any():
        return interval
    return np.where(lost, -np.inf, low), np.where(lost, np.inf, high)


def _outwards(low: Array, high: Array) -> Interval:
    return low - _ULPS * np.abs(low) - _TINY, high + _ULPS * np.abs(high) + _TINY


def product(x: Interval, y: Interval) -> Interval:
    """All the products of a number of one interval and a number of the other."""
    (a, b), (c, d) = x, y
    if x is y:
        return _power(x, 2)
    # of what is known exactly both ends are one
    corners = [p * q for p in ((a,) if a is b else (a, b)) for q in ((c,) if c is d else (c, d))]
    low = reduce(np.minimum, corners)
    if np.isnan(low).any():  # 0 · ∞ is 0 here: an end that is infinite is not a value
        corners = [np.where(np.isnan(p), 0.0, p) for p in corners]
        low = reduce(np.minimum, corners)
    return _outwards(low, reduce(np.maximum, corners))


def _power(x: Interval, exponent: Any) -> Interval:
    low, high = x
    n = float(exponent)
    if n < 0:
        return _inverse(_power(x, -exponent))
    if n.is_integer():
        a, b = np.power(low, n), np.power(high, n)
        if int(n) % 2:
            return _outwards(a, b)
        least = np.where((low <= 0) & (high >= 0), 0.0, np.minimum(a, b))
        return _kept_positive(_outwards(least, np.maximum(a, b)))
    # a root of what may be negative is taken of what is not: elsewhere there is no value
    return _kept_positive(_outwards(np.power(np.maximum(low, 0.0), n), np.power(high, n)))


def _kept_positive(x: Interval) -> Interval:
    return np.maximum(x[0], 0.0), x[1]


def _inverse(x: Interval) -> Interval:
    low, high = x
    crossing = (low <= 0) & (high >= 0)
    a, b = _outwards(1 / np.where(crossing, 1.0, high), 1 / np.where(crossing, 1.0, low))
    a, b = np.where(crossing, -np.inf, a), np.where(crossing, np.inf, b)
    # what is positive but for its end, such as a square that may vanish, stays positive
    return np.where(crossing & (low >= 0), 0.0, a), b


def _wave(shift: float) -> Callable[[Interval], Interval]:
    """cos(x + shift): 1 where a whole turn lies between the ends, −1 where half a turn does."""

    def bounded(x: Interval) -> Interval:
        low, high = x[0] + shift, x[1] + shift
        ends = np.cos(low), np.cos(high)
        least, most = _outwards(np.minimum(*ends) - _ULPS, np.maximum(*ends) + _ULPS)
        most = np.where(_passes(low, high, 0.0), 1.0, most)
        least = np.where(_passes(low, high, np.pi), -1.0, least)
        return np.maximum(least, -1.0), np.minimum(most, 1.0)

    return bounded


def _passes(low: Array, high: Array, angle: float) -> Array:
    """Mask of intervals that hold an angle, up to whole turns and rounding."""
    turn, slack = 2 * np.pi, 1e-9
    first = np.ceil((low - angle) / turn - slack)
    passes = first <= (high - angle) / turn + slack
    return np.asarray(passes | ~np.isfinite(low) | ~np.isfinite(high))


def _rising(f: Callable[[Array], Array]) -> Callable[[Interval], Interval]:
    def bounded(x: Interval) -> Interval:
        return _outwards(f(x[0]), f(x[1]))

    return bounded


def _abs(x: Interval) -> Interval:
    low, high = x
    inside = (low <= 0) & (high >= 0)
    return np.where(inside, 0.0, np.minimum(abs(low), abs(high))), np.maximum(abs(low), abs(high))


def _choice(c: Interval, a: Interval, b: Interval) -> Interval:
    """One of the two, or what holds both where the condition may be positive or not."""
    yes, no = c[0] > 0, c[1] <= 0
    low, high = np.minimum(a[0], b[0]), np.maximum(a[1], b[1])
    return (
        np.where(yes, a[0], np.where(no, b[0], low)),
        np.where(yes, a[1], np.where(no, b[1], high)),
    )


def _tan(x: Interval) -> Interval:
    whole = _passes(x[0], x[1], np.pi / 2) | _passes(x[0], x[1], -np.pi / 2)
    low, high = _rising(np.tan)(x)
    return np.where(whole, _WHOLE[0], low), np.where(whole, _WHOLE[1], high)


_FUNCTIONS: dict[str, Callable[..., Interval]] = {
    "cos": _wave(0.0),
    "sin": _wave(-np.pi / 2),
    "tan": _tan,
    "sign": lambda x: (np.sign(x[0]), np.sign(x[1])),
    "abs": _abs,
    "if": _choice,
    "cosh": lambda x: _rising(np.cosh)(_abs(x)),
    "acos": lambda x: _outwards(np.arccos(x[1]), np.arccos(x[0])),
    "atan2": lambda y, x: (np.array(-np.pi - _ULPS * 4), np.array(np.pi + _ULPS * 4)),
    "exp": _rising(np.exp),
    "log": _rising(np.log),
    "sinh": _rising(np.sinh),
    "tanh": _rising(np.tanh),
    "asin": _rising(np.arcsin),
    "atan": _rising(np.arctan),
}
