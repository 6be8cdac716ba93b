"""Kinetic and potential energy."""

from typing import Any

import numpy as np

from torseur.dynamics.recursions.energy import find_kinetic_energy, find_potential_energy
from torseur.dynamics.recursions.rows import scalars, tree_rows
from torseur.topology.tree import Tree

Array = np.ndarray


def kinetic_energy(tree: Tree, q: Array, v: Array) -> Any:
    """T = Σ ½ m V² + V · (ω × h) + ½ ω · I_O ω, rotors included (Koenig at the frame origin)."""
    made = tree_rows(tree)
    return find_kinetic_energy(made.model, made.work, made.columns, q, scalars(v))


def potential_energy(tree: Tree, q: Array, gravity: Array) -> Any:
    """V = −Σ gravity · (m r_O + R h), zero for a mass at the ground's origin."""
    made = tree_rows(tree)
    return find_potential_energy(made.model, made.work, made.columns, q, scalars(gravity))
