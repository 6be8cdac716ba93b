"""Mass matrix, accelerations, energies, momentum and derivatives of a tree.

Each is a recursion on the rows of the tree. Centroidal momentum: Orin, Goswami and Lee (2013). What
a rotor turns faster than its carrier adds to the angular momentum, where its axis is known.
"""

from typing import Any

import numpy as np

from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.recursions.articulated_body import find_accelerations
from torseur.dynamics.recursions.body_rows import Row, TreeRows, rotor_scalars, scalars, tree_rows
from torseur.dynamics.recursions.branches import (
    STRIP,
    factorise,
    fill_branches,
    lay_beyond,
    solve_against,
    solve_one,
)
from torseur.dynamics.recursions.composite_body import fill_mass_matrix
from torseur.dynamics.recursions.derivatives import add_derivatives
from torseur.dynamics.recursions.energy import find_kinetic_energy, find_potential_energy
from torseur.dynamics.recursions.ground_motion import (
    move_in_ground,
    place_in_ground,
    project_in_ground,
)
from torseur.dynamics.tree.kinematics import multiplied, velocities
from torseur.spatial.inertia import Inertia
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY
from torseur.spatial.vectors import cross, settled
from torseur.topology.tree import GROUND_INDEX, Tree

Array = np.ndarray
_NOTHING = (0.0, 0.0, 0.0)


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


def is_covered(tree: Tree) -> bool:
    """Whether every joint of a tree is made of elementary freedoms."""
    return all(link.joint.forward.freedoms is not None for link in tree.links)


def inverse_dynamics_derivatives(tree: Tree, q: Array, v: Array, a: Array, gravity: Array) -> Array:
    """∂Q by small motions and ∂Q/∂v side by side (nv × 2 nv)."""
    arrays, motions = _rows_in_ground(tree, q, gravity)
    move_in_ground(arrays.model, arrays.work, motions, scalars(v), scalars(a))
    D = np.zeros(2 * tree.nv**2, dtype=object)
    add_derivatives(arrays.model, arrays.work, motions, D, tree.nv, 2 * tree.nv)
    return settled(D.reshape(tree.nv, 2 * tree.nv))


def forward_dynamics_derivatives(tree: Tree, q: Array, v: Array, Q: Array, gravity: Array) -> Array:
    """∂a by small motions, ∂a/∂v and ∂a/∂Q = M⁻¹ side by side (nv × 3 nv)."""
    nv, speeds = tree.nv, scalars(v)
    arrays, motions = _rows_in_ground(tree, q, gravity)
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


def _rows_in_ground(tree: Tree, q: Array, gravity: Array) -> tuple[TreeRows, list[Row]]:
    """The rows of a tree whose bodies are in the ground, and its columns of S there."""
    arrays = tree_rows(tree)
    motions: list[Any] = [{} for _ in range(tree.nv)]
    arrays.work[0] |= {at.R: IDENTITY, at.P: _NOTHING, at.STREAM: _NOTHING}
    arrays.work[0] |= {at.SLIDING: scalars(-gravity), at.OUTERMOST: -1, at.LEVEL: 0}
    place_in_ground(arrays.model, arrays.work, arrays.columns, motions, q)
    return arrays, motions
