"""What closing joints hold because the teeth of gears push their wheels apart."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from torseur.model.constraints.selection import meshes
from torseur.simulation.constraints.numeric_constraints import NumericConstraints

Array = np.ndarray
_RANK = 1e-10


def with_teeth(held: NumericConstraints, q: Array, t: Array, multipliers: Array) -> Array:
    """The multipliers (samples, rows) when teeth push apart by |multiplier of the gear| × apart.

    That force works in no motion, so that accelerations and gears do not feel it; it is found from
    Jᵀ Δλ = −Q on the rows of all else.
    """
    gears = {gear.name: gear.pushes_apart for gear in meshes(held.model.mechanism)}
    pushing = any(gears.values())
    rows = [k for k, owner in enumerate(held.owners) if owner not in gears] if pushing else []
    if not rows:
        return multipliers
    found, pushed = multipliers.copy(), held.model.timed("pushed_apart")
    for own, place, now in zip(found, q, t, strict=True):
        J = held.J(place, now)[rows]
        own[rows] -= linalg.lstsq(J.T, pushed(place, own, now), cond=_RANK)[0]
    return found
