"""Coordinates after a small displacement given in speeds, quaternions of unit norm."""

from __future__ import annotations

import numpy as np

from torseur.machine.compiled import CompiledModel

Array = np.ndarray


def advanced(model: CompiledModel, q: Array, step: Array) -> Array:
    """The coordinates after a small displacement given in speeds."""
    moved = q.copy()
    for _, link in model.system.tree:
        moved[link.q] = q[link.q] + link.joint.rates(q[link.q], step[link.v])
    return with_unit_quaternions(model, moved)


def with_unit_quaternions(model: CompiledModel, q: Array) -> Array:
    """The coordinates with quaternions of unit norm."""
    for _, link in model.system.tree:
        if link.joint.turning:
            own = q[link.q]
            own[-4:] /= np.linalg.norm(own[-4:])
    return q
