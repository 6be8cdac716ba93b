"""Branches that run away: an equilibrium goes to infinity as the parameter comes to a value.

A slider on a turning arm does so when m ω² comes to k. Far out the parameter is a power series in
1/s, s being the distance; from points at s, 2 s, 4 s, … its value at 1/s = 0 is extrapolated.
"""

from __future__ import annotations

import numpy as np
from scipy.interpolate import krogh_interpolate

from torseur.analyse.bifurcations.continuation import BranchPoint, next_point

Array = np.ndarray
_FAR = 5.0  # sizes of the mechanism, from which a branch is asked whether it runs away
_STEEP = 0.3  # part of a step that the parameter may still take
_DOUBLINGS = 14
_ORDER = 6
_CLOSE = 1e-9  # of the span, between two orders of the extrapolation


def is_far(here: BranchPoint) -> bool:
    """Whether a length has grown beyond all others while the parameter hardly changes."""
    return _remote(here) > _FAR and abs(here.way[-1]) < _STEEP


def _lengths(here: BranchPoint) -> Array:
    """The unknown lengths in units of the mechanism."""
    state, sought = here.here, here.curve.sought
    places = [state.chart.shifts[k] for k in sought.shifts(state.chart)]
    model = state.tangent
    named = [model.speeds[i].removesuffix(".") for i in places if model.metres[i]]
    lengths = [state.q[model.coordinates.index(x)] for x in named if x in model.coordinates]
    return np.array(lengths) / here.curve.size


def _remote(here: BranchPoint) -> float:
    return float(np.abs(_lengths(here)).max(initial=0.0))


def escape_value(start: BranchPoint) -> float | None:
    """The value of the parameter at which the branch is infinitely far; None if it is none."""
    here, inverse, values = start, [], []
    for _ in range(_DOUBLINGS):
        there = next_point(here, _remote(here))
        if there is None or _remote(there) < 1.5 * _remote(here):
            return None
        here = there
        inverse.append(1 / _remote(here))
        values.append(here.value)
    # the polynomial through the last points, at 0
    lower, higher = (
        float(krogh_interpolate(inverse[-k:], values[-k:], 0.0)) for k in (_ORDER, _ORDER + 2)
    )
    span = abs(np.subtract(*start.curve.span))
    return higher if abs(higher - lower) < _CLOSE * span else None
