"""Axes of a contact: two directions normal to its normal."""

from torseur.machine.collision.kernels.access import length
from torseur.machine.runtime.vectors import cross, inlined, times


@inlined
def tangents(n):
    """Two directions normal to n and to each other."""
    x = (0.0, 0.0, 1.0) if abs(n[0]) > 0.6 else (1.0, 0.0, 0.0)
    t = cross(n, x)
    t = times(1.0 / length(t), t)
    return t, cross(n, t)
