"""Mass matrix by composite bodies."""

import numpy as np

from torseur.spatial.inertia import Inertia
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import cross, settled
from torseur.topology.tree import Tree

Array = np.ndarray


def mass_matrix(tree: Tree, q: Array) -> Array:
    """M (nv × nv), symmetric: the kinetic energy is ½ vᵀ M v.

    A column is the momentum that a unit speed of one joint gives to everything beyond it, carried
    down to the ground. Reference: Featherstone (2008), table 6.2; rotors as in Llibre (2009)
    §3.2.2 with erratum E0-20.
    """
    poses = tree.poses(q)
    S = [link.joint.motion_subspace(q[link.q]) for link in tree.links]

    # inward: a composite body is a body and everything it carries
    composite = composite_bodies(tree, poses)

    # inward from each joint: the momentum of its composite body, seen by every ancestor
    M = np.zeros((tree.nv, tree.nv), dtype=object)
    for i, link in tree:
        for column, twist in enumerate(S[i].T, link.v.start):
            linear, angular = momentum(composite[i], twist)
            M[link.v, column] = projected(S[i], linear, angular)
            spin = None
            if link.rotor is not None:
                M[column, column] = M[column, column] + link.rotor.ratio**2 * link.rotor.j
                if link.rotor.axis is not None:
                    spin = (link.rotor.ratio * link.rotor.j) * link.rotor.axis
            for child in tree.ancestors(i):
                parent, X = tree.links[child].parent, poses[child]
                if parent < 0:
                    break
                linear = X.R.out(linear)
                angular = X.R.out(angular) + cross(X.p, linear)
                if spin is not None:  # the carrier of the joint carries the motor too
                    angular, spin = angular + spin, None
                rows = tree.links[parent].v
                M[rows, column] = M[column, rows] = projected(S[parent], linear, angular)
    return settled(M)


def projected(S: Array, linear: Array, angular: Array) -> Array:
    """Sᵀ (angular; linear); where S is of numbers, its zeros are not multiplied."""
    if S.dtype == object:
        return S[:3].T @ angular + S[3:].T @ linear
    both = (*angular, *linear)
    rows = [sum(s * x for s, x in zip(row, both, strict=True) if s) for row in S.T.tolist()]
    return np.array(rows, dtype=object)


def composite_bodies(tree: Tree, poses: list[Pose]) -> list[Inertia]:
    """The inertia of each body together with everything it carries, in its own frame."""
    composite = [link.inertia for link in tree.links]
    for i, link in tree.backwards():
        if link.parent >= 0:
            composite[link.parent] = composite[link.parent] + composite[i].seen_from(poses[i])
    return composite


def momentum(inertia: Inertia, twists: Array) -> tuple[Array, Array]:
    """Linear and angular momentum at O of a body, for each twist (ω; v) of a 6 × n matrix."""
    w, v, h = twists[:3], twists[3:], inertia.h
    return inertia.m * v + cross(w, h), inertia.tensor @ w + cross(h, v)
