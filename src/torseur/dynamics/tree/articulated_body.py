"""Forward dynamics by articulated bodies, without forming the mass matrix."""

from typing import Any

import numpy as np

from torseur.dynamics.recursions.articulated_body import find_accelerations
from torseur.dynamics.recursions.rows import scalars, tree_rows
from torseur.spatial.vectors import settled
from torseur.topology.tree import Tree

Array = np.ndarray


def forward_dynamics(tree: Tree, q: Array, v: Array, Q: Array, gravity: Array) -> Array:
    """The accelerations that the generalised forces Q produce; O(n)."""
    made, still = tree_rows(tree, scalars(-gravity)), [0.0] * tree.nv
    a: list[Any] = [0.0] * tree.nv
    find_accelerations(made.model, made.work, made.columns, q, scalars(v), scalars(Q), still, a)
    return settled(np.array(a, dtype=object))
