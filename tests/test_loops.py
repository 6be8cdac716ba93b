"""Loops over arrays of bodies give what the float recursions give, for any tree."""

from dataclasses import replace

import numpy as np
import pytest
from random_trees import (
    EVERY_JOINT,
    SLIDING_AND_TURNING,
    joint_behind,
    random_coordinates,
    random_tree,
)

from torseur.backends.loops.arrays import tree_arrays
from torseur.backends.loops.evaluator import KERNELS, Loops, Source
from torseur.backends.native import compiled_function
from torseur.dynamics.articulated_body import forward_dynamics
from torseur.dynamics.composite_body import mass_matrix
from torseur.dynamics.energy import kinetic_energy, potential_energy
from torseur.dynamics.newton_euler import inverse_dynamics
from torseur.joints.reversed import Reversed

WEIGHTLESS = np.zeros(3)


def loops_of(tree, gravity):
    """The kernels of a tree of numbers, as functions of arrays."""
    q, v = (tuple(f"{letter}{k}" for k in range(n)) for letter, n in (("q", tree.nq), ("v", tree.nv)))
    loops = Loops(Source(len(tree), q, v, (), lambda values: tree_arrays(tree, gravity)), None)
    return lambda name: compiled_function(loops.evaluator(name), np.zeros(0))


def crossed_backwards(rng, tree):
    """The tree with about half of its joints crossed from their second body to their first."""
    links = (
        replace(link, joint=Reversed(link.joint)) if rng.random() < 0.5 else link
        for link in tree.links
    )
    return replace(tree, links=tuple(links))


def reference(name, tree, gravity, state):
    """What the float recursion gives, and the size of the terms it is made of."""
    q, v, a = state
    still = np.zeros(tree.nv)
    Q = inverse_dynamics(tree, q, v, a, gravity).Q
    found = {
        "inverse_dynamics": lambda: Q,
        "bias": lambda: inverse_dynamics(tree, q, v, still, WEIGHTLESS).Q,
        "gravity": lambda: inverse_dynamics(tree, q, still, still, gravity).Q,
        "mass_matrix": lambda: mass_matrix(tree, q),
        "kinetic_energy": lambda: kinetic_energy(tree, q, v),
        "potential_energy": lambda: potential_energy(tree, q, gravity),
    }
    return found[name]()
