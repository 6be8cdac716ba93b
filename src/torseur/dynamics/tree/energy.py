"""Kinetic and potential energy."""

from typing import Any

import numpy as np

from torseur.dynamics.tree.kinematics import ground_poses, velocities
from torseur.spatial.vectors import cross
from torseur.topology.tree import Tree

Array = np.ndarray


def kinetic_energy(tree: Tree, q: Array, v: Array) -> Any:
    """T = Σ ½ m V² + V · (ω × h) + ½ ω · I_O ω, rotors included (Koenig at the frame origin)."""
    moving = velocities(tree, q, v)
    twice = 0.0
    for i, link in tree:
        body, w, V = link.inertia, moving[i].w, moving[i].v
        twice = twice + body.m * (V @ V) + 2 * (V @ cross(w, body.h)) + w @ (body.tensor @ w)
        rotor = link.rotor
        if rotor is not None:
            spin = rotor.ratio * v[link.v][0]
            twice = twice + rotor.j * spin**2
            if rotor.axis is not None and link.parent >= 0:
                twice = twice + 2 * rotor.j * spin * (rotor.axis @ moving[link.parent].w)
    return twice / 2


def potential_energy(tree: Tree, q: Array, gravity: Array) -> Any:
    """V = −Σ gravity · (m r_O + R h), zero for a mass at the ground's origin."""
    total = 0.0
    for here, link in zip(ground_poses(tree, q), tree.links, strict=True):
        body = link.inertia
        total = total - gravity @ (body.m * here.p + here.R.out(body.h))
    return total
