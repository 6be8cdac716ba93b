"""Centre of mass and momentum of a whole tree.

Reference: Orin, Goswami and Lee (2013), Centroidal dynamics of a humanoid robot. What a rotor turns
faster than the body that carries it adds to the angular momentum, where its axis is known.
"""

from typing import Any

import numpy as np

from torseur.dynamics.recursions.rows import rotor_scalars
from torseur.dynamics.tree.kinematics import multiplied, velocities
from torseur.spatial.inertia import Inertia
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import cross, settled
from torseur.topology.tree import GROUND_INDEX, Tree

Array = np.ndarray


def centre_of_mass(tree: Tree, q: Array) -> Array:
    """G (3) of all bodies, in the ground; those that are fixed to the ground count too."""
    return _centre(_composites(tree, tree.poses(q))[GROUND_INDEX])


def centroidal_matrix(tree: Tree, q: Array) -> Array:
    """A_G (6 × nv), in ground axes: angular momentum at G, then linear momentum, for unit speeds.

    A column is the momentum that a joint gives to everything beyond it.
    """
    poses = tree.poses(q)
    composite, placed = _composites(tree, poses), {GROUND_INDEX: Pose()}
    G = _centre(composite[GROUND_INDEX])
    A = np.zeros((6, tree.nv), dtype=object)
    for i, link in tree:
        placed[i] = X = multiplied(placed[link.parent] @ poses[i])
        S = link.joint.motion_subspace(q[link.q])
        linear, angular = composite[i].momentum(S[:3], S[3:])
        linear, angular = X.R.out(linear), X.R.out(angular)
        lever = np.asarray(X.p - G)[:, np.newaxis]
        A[:3, link.v], A[3:, link.v] = angular + cross(lever, linear), linear
        if link.rotor is not None:
            spin = np.array(rotor_scalars(link.rotor)[1])
            A[:3, link.v.start] += placed[link.parent].R.out(spin)
    return settled(A)


def centroidal_momentum(tree: Tree, q: Array, v: Array) -> Array:
    """A_G v (6), by one sweep outwards and one inwards."""
    moving = velocities(tree, q, v)
    G = _centre(_composites(tree, [body.X for body in moving])[GROUND_INDEX])
    linear: dict[int, Any] = {GROUND_INDEX: np.zeros(3)}
    angular: dict[int, Any] = {GROUND_INDEX: np.zeros(3)}
    for i, link in tree:
        linear[i], angular[i] = link.inertia.momentum(moving[i].w, moving[i].v)
    for i, link in tree.backwards():
        X, p = moving[i].X, link.parent
        linear_part = X.R.out(linear[i])
        linear[p] = linear[p] + linear_part
        angular[p] = angular[p] + X.R.out(angular[i]) + cross(X.p, linear_part)
        if link.rotor is not None:
            spin = np.array(rotor_scalars(link.rotor)[1])
            angular[p] = angular[p] + spin * v[link.v.start]
    P = linear[GROUND_INDEX]
    return settled(np.concatenate([angular[GROUND_INDEX] - cross(G, P), P]))


def _composites(tree: Tree, poses: list[Pose]) -> dict[int, Inertia]:
    """The inertia of every body with all that it carries, that of the whole tree in the ground."""
    composites = {i: link.inertia for i, link in tree} | {GROUND_INDEX: Inertia()}
    for i, link in tree.backwards():
        composites[link.parent] = composites[link.parent] + composites[i].seen_from(poses[i])
    return composites


def _centre(whole: Inertia) -> Array:
    return settled(np.asarray(whole.h) / whole.m)
