"""Mass matrix by composite bodies."""

import numpy as np

from torseur.dynamics.recursions.composite_body import fill_mass_matrix
from torseur.dynamics.recursions.rows import tree_rows
from torseur.spatial.inertia import Inertia
from torseur.spatial.vectors import cross, settled
from torseur.topology.tree import Tree

Array = np.ndarray


def mass_matrix(tree: Tree, q: Array) -> Array:
    """M (nv × nv), symmetric: the kinetic energy is ½ vᵀ M v."""
    made, M = tree_rows(tree), np.zeros(tree.nv**2, dtype=object)
    fill_mass_matrix(made.model, made.work, made.columns, q, M, tree.nv)
    return settled(M.reshape(tree.nv, tree.nv))


def momentum(inertia: Inertia, twists: Array) -> tuple[Array, Array]:
    """Linear and angular momentum at O of a body, for each twist (ω; v) of a 6 × n matrix."""
    w, v, h = twists[:3], twists[3:], inertia.h
    return inertia.m * v + cross(w, h), inertia.tensor @ w + cross(h, v)
