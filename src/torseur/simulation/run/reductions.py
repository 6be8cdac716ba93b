"""Numbers of curves: largest, smallest, mean, root mean square, peak, range, first and final."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

Array = np.ndarray


def _mean(t: Array, x: Array) -> Array:
    """Over the time that there is."""
    good = np.isfinite(x)
    steps = np.diff(t) * (good[:, 1:] & good[:, :-1])
    halves = np.nan_to_num((x[:, 1:] + x[:, :-1]) / 2)
    with np.errstate(all="ignore"):
        return np.asarray((steps * halves).sum(axis=1) / steps.sum(axis=1))


def _last(t: Array, x: Array) -> Array:
    good = np.isfinite(x)
    last = x.shape[1] - 1 - np.argmax(good[:, ::-1], axis=1)
    return np.asarray(np.where(good.any(axis=1), x[np.arange(len(x)), last], np.nan))


def _most(function: Callable[..., Array]) -> Callable[[Array, Array], Array]:
    """A largest or a smallest value; rows without any have none."""

    def extreme(t: Array, x: Array) -> Array:
        some = np.isfinite(x).any(axis=1)
        return np.asarray(np.where(some, function(np.where(some[:, None], x, 0.0), axis=1), np.nan))

    return extreme


_largest, _smallest = _most(np.nanmax), _most(np.nanmin)

# of times (samples) and curves (rows, samples); samples after the end of a row are not numbers
REDUCED: Mapping[str, Callable[[Array, Array], Array]] = MappingProxyType({
    "max": _largest,
    "min": _smallest,
    "mean": _mean,
    "rms": lambda t, x: np.sqrt(_mean(t, x**2)),
    "peak": lambda t, x: _largest(t, np.abs(x)),
    "range": lambda t, x: _largest(t, x) - _smallest(t, x),
    "first": lambda t, x: x[:, 0],
    "final": _last,
})  # fmt: skip
