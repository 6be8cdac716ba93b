"""Forward dynamics by articulated bodies, without forming the mass matrix."""

import numpy as np

from torseur.dynamics.tree.motion import accelerations
from torseur.dynamics.tree.newton_euler import Wrench, rate_of_momentum
from torseur.errors import SolveError
from torseur.spatial.articulated import ArticulatedInertia, rigid
from torseur.spatial.vectors import cross, is_symbolic, settled
from torseur.topology.tree import Tree

Array = np.ndarray


def forward_dynamics(tree: Tree, q: Array, v: Array, Q: Array, gravity: Array) -> Array:
    """The accelerations that the generalised forces Q produce; O(n).

    The bias wrench of each body is that of zero joint accelerations, so that the sweeps below deal
    with the accelerations alone. Reference: Featherstone (2008), table 7.1. A rotor with an oblique
    axis couples its joint to the carrier and belongs to the composite-body route.
    """
    motions = accelerations(tree, q, v, np.zeros(tree.nv), gravity)
    S = [link.joint.motion_subspace(q[link.q]) for link in tree.links]

    # inward: the inertia and the wrench that a body shows to the joint that carries it
    body: list[ArticulatedInertia] = [rigid(link.inertia) for link in tree.links]
    wrench: list[Wrench] = [rate_of_momentum(link.inertia, motions[i]) for i, link in tree]
    solved = {}
    for i, link in tree.backwards():
        force, couple = wrench[i]
        linear, angular = body[i].momentum(S[i])
        D = S[i][:3].T @ angular + S[i][3:].T @ linear
        if link.rotor is not None:
            assert link.rotor.axis is None, "oblique rotors go through the mass matrix"
            D = D + link.rotor.ratio**2 * link.rotor.j
        D_inverse = inverse(D, link.joint_name or link.name)
        u = Q[link.v] - S[i][:3].T @ couple - S[i][3:].T @ force
        solved[i] = (linear, angular, D_inverse, u)
        if link.parent >= 0:
            X, gain = motions[i].X, D_inverse @ u
            force, couple = X.R.out(force + linear @ gain), X.R.out(couple + angular @ gain)
            carried_force, carried_couple = wrench[link.parent]
            wrench[link.parent] = (
                carried_force + force,
                carried_couple + couple + cross(X.p, force),
            )
            left = body[i].without(linear, angular, D_inverse)
            body[link.parent] = body[link.parent] + left.seen_from(X)

    # outward: each joint takes what its articulated body leaves to it
    a = np.zeros(tree.nv, dtype=object)
    extra: list[tuple[Array, Array]] = []
    for i, link in tree:
        linear, angular, D_inverse, u = solved[i]
        X = motions[i].X
        dw, acc = extra[link.parent] if link.parent >= 0 else (np.zeros(3), np.zeros(3))
        acc = X.R.into(acc + cross(dw, X.p))
        dw = X.R.into(dw)
        a[link.v] = D_inverse @ (u - angular.T @ dw - linear.T @ acc)
        extra.append((dw + S[i][:3] @ a[link.v], acc + S[i][3:] @ a[link.v]))
    return settled(a)


def inverse(D: Array, name: str) -> Array:
    """D⁻¹ for a symmetric positive matrix of at most six rows; a singular one is named."""
    n = len(D)
    if not is_symbolic(D):
        if n and np.linalg.cond(D.astype(float)) > 1e14:
            raise SolveError(
                f'joint "{name}"',
                f"no inertia resists its motion (D = {D.astype(float).tolist()}).",
                "Give an inertia to the body it carries, or a rotor inertia to its motor.",
            )
        return np.linalg.inv(D.astype(float)) if n else D
    rows = [[*D[i], *(int(i == j) for j in range(n))] for i in range(n)]
    for i in range(n):
        pivot = 1 / rows[i][i]
        rows[i] = [entry * pivot for entry in rows[i]]
        for k in range(n):
            if k != i:
                factor = rows[k][i]
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i], strict=True)]
    return np.array([row[n:] for row in rows], dtype=object)
