"""Coordinates after a small displacement given in speeds, or by name; unit quaternions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
    tree: Tree, coordinates: Sequence[str], speeds: Sequence[str], given: Mapping[str, Any]
) -> tuple[Array, Array]:
    """Coordinates and speeds by name; what is not given is neutral, or zero."""
    q, v = named_rows(tree, coordinates, speeds, given, 1)
    return q[0], v[0]


def named_rows(
    tree: Tree,
    coordinates: Sequence[str],
    speeds: Sequence[str],
    given: Mapping[str, Any],
    count: int,
) -> tuple[Array, Array]:
    """Coordinates and speeds of many rows by name, of which each is a number or one for each."""
    q, v = np.tile(tree.neutral, (count, 1)), np.zeros((count, len(speeds)))
    for names, columns in ((coordinates, q.T), (speeds, v.T)):
        for name, column in zip(names, columns, strict=True):
            column[:] = given.get(name, column)
    return _with_unit_quaternions(tree, q), v


def _with_unit_quaternions(tree: Tree, q: Array) -> Array:
    for four in tree.quaternions:
        q[..., four] /= np.sqrt((q[..., four] ** 2).sum(axis=-1, keepdims=True))
    return q
