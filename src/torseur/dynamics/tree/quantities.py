"""Mass matrix, accelerations and energies of a tree: each its recursion on the rows of the tree."""

from typing import Any

import numpy as np

from torseur.dynamics.recursions.articulated_body import find_accelerations
from torseur.dynamics.recursions.composite_body import fill_mass_matrix
from torseur.dynamics.recursions.energy import find_kinetic_energy, find_potential_energy
from torseur.dynamics.recursions.rows import scalars, tree_rows
from torseur.spatial.vectors import settled
from torseur.topology.tree import Tree

Array = np.ndarray


def mass_matrix(tree: Tree, q: Array) -> Array:
    """M (nv × nv), symmetric, by composite bodies: the kinetic energy is ½ vᵀ M v."""
    arrays, M = tree_rows(tree), np.zeros(tree.nv**2, dtype=object)
    fill_mass_matrix(arrays.model, arrays.work, arrays.columns, q, M, tree.nv)
    return settled(M.reshape(tree.nv, tree.nv))


def forward_dynamics(tree: Tree, q: Array, v: Array, Q: Array, gravity: Array) -> Array:
    """The accelerations that the generalised forces Q produce, by articulated bodies; O(n)."""
    arrays, still = tree_rows(tree, scalars(-gravity)), [0.0] * tree.nv
    a: list[Any] = [0.0] * tree.nv
    find_accelerations(
        arrays.model, arrays.work, arrays.columns, q, scalars(v), scalars(Q), still, a
    )
    return settled(np.array(a, dtype=object))


def kinetic_energy(tree: Tree, q: Array, v: Array) -> Any:
    """T = Σ ½ m V² + V · (ω × h) + ½ ω · I_O ω, rotors included (Koenig at the frame origin)."""
    arrays = tree_rows(tree)
    return find_kinetic_energy(arrays.model, arrays.work, arrays.columns, q, scalars(v))


def potential_energy(tree: Tree, q: Array, gravity: Array) -> Any:
    """V = −Σ gravity · (m r_O + R h), zero for a mass at the ground's origin."""
    arrays = tree_rows(tree)
    return find_potential_energy(arrays.model, arrays.work, arrays.columns, q, scalars(gravity))
