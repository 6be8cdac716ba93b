"""Mass matrix by composite bodies."""

import numpy as np

from torseur.dynamics.recursions.composite_body import fill_mass_matrix
from torseur.dynamics.recursions.rows import tree_rows
from torseur.spatial.vectors import settled
from torseur.topology.tree import Tree

Array = np.ndarray


def mass_matrix(tree: Tree, q: Array) -> Array:
    """M (nv × nv), symmetric: the kinetic energy is ½ vᵀ M v."""
    made, M = tree_rows(tree), np.zeros(tree.nv**2, dtype=object)
    fill_mass_matrix(made.model, made.work, made.columns, q, M, tree.nv)
    return settled(M.reshape(tree.nv, tree.nv))
