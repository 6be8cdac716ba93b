"""Coordinates after a small displacement given in speeds, or by name; unit quaternions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from torseur.machine.compiled import CompiledModel
from torseur.topology.tree import Tree

Array = np.ndarray


def advanced(model: CompiledModel, q: Array, step: Array) -> Array:
    """Coordinates after a small displacement given in speeds; whole turns are preserved."""
    tree, coordinates = model.system.tree, np.array(q, dtype=float)
    coordinates[: tree.nq] += tree.rates(q, step)
    return _with_unit_quaternions(tree, coordinates)


def named_state(
    tree: Tree, coordinates: Sequence[str], speeds: Sequence[str], given: Mapping[str, float]
) -> tuple[Array, Array]:
    """Coordinates and speeds by name; what is not given is neutral, or zero."""
    q = tree.neutral
    for k, name in enumerate(coordinates):
        q[k] = given.get(name, q[k])
    v = np.array([float(given.get(name, 0.0)) for name in speeds])
    return _with_unit_quaternions(tree, q), v


def _with_unit_quaternions(tree: Tree, q: Array) -> Array:
    for four in tree.quaternions:
        q[four] /= np.linalg.norm(q[four])
    return q
