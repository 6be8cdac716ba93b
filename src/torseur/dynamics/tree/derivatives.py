"""Derivatives of inverse and forward dynamics by small motions, speeds and forces."""

from typing import Any

import numpy as np

from torseur.dynamics.recursions import places as at
from torseur.dynamics.recursions.branches import (
    STRIP,
    factorise,
    fill_branches,
    lay_beyond,
    solve_against,
    solve_one,
)
from torseur.dynamics.recursions.derivatives import add_derivatives
from torseur.dynamics.recursions.ground_motion import (
    move_in_ground,
    place_in_ground,
    project_in_ground,
)
from torseur.dynamics.recursions.rows import Row, TreeRows, scalars, tree_rows
from torseur.spatial.rotation import IDENTITY
from torseur.spatial.vectors import settled
from torseur.topology.tree import Tree

Array = np.ndarray
_NOTHING = (0.0, 0.0, 0.0)


def is_covered(tree: Tree) -> bool:
    """Whether every joint of a tree is made of elementary freedoms."""
    return all(link.joint.forward.freedoms is not None for link in tree.links)


def inverse_dynamics_derivatives(tree: Tree, q: Array, v: Array, a: Array, gravity: Array) -> Array:
    """∂Q by small motions and ∂Q/∂v side by side (nv × 2 nv)."""
    arrays, motions = _placed(tree, q, gravity)
    move_in_ground(arrays.model, arrays.work, motions, scalars(v), scalars(a))
    D = np.zeros(2 * tree.nv**2, dtype=object)
    add_derivatives(arrays.model, arrays.work, motions, D, tree.nv, 2 * tree.nv)
    return settled(D.reshape(tree.nv, 2 * tree.nv))


def forward_dynamics_derivatives(tree: Tree, q: Array, v: Array, Q: Array, gravity: Array) -> Array:
    """∂a by small motions, ∂a/∂v and ∂a/∂Q = M⁻¹ side by side (nv × 3 nv)."""
    nv, speeds = tree.nv, scalars(v)
    arrays, motions = _placed(tree, q, gravity)
    rows = arrays.model, arrays.work, motions
    still, a = (0.0,) * nv, np.zeros(nv, dtype=object)
    move_in_ground(*rows, speeds, still)
    project_in_ground(*rows, speeds, still, a)
    M, paths = np.zeros((2, nv**2), dtype=object)
    fill_branches(*rows, M, paths, nv)
    factorise(*rows, M, paths, nv)
    lay_beyond(*rows, M, paths, nv)
    a -= Q
    solve_one(*rows, M, paths, nv, a)
    move_in_ground(*rows, speeds, scalars(a))
    D = np.zeros((nv, 3 * nv), dtype=object)
    D[:, 2 * nv :] = -np.eye(nv)
    add_derivatives(*rows, D.reshape(-1), nv, 3 * nv)
    strip = np.zeros(nv * STRIP, dtype=object)
    solve_against(*rows, M, paths, nv, D.reshape(-1), 3 * nv, strip)
    return settled(D)


def _placed(tree: Tree, q: Array, gravity: Array) -> tuple[TreeRows, list[Row]]:
    """The rows of a tree whose bodies are in the ground, and its columns of S there."""
    arrays = tree_rows(tree)
    motions: list[Any] = [{} for _ in range(tree.nv)]
    arrays.work[0] |= {at.R: IDENTITY, at.P: _NOTHING, at.STREAM: _NOTHING}
    arrays.work[0] |= {at.SLIDING: scalars(-gravity), at.OUTERMOST: -1, at.LEVEL: 0}
    place_in_ground(arrays.model, arrays.work, arrays.columns, motions, q)
    return arrays, motions
