"""Lagrange's coefficients by augmented bodies, as in the 1980 report.

Body k is augmented by the masses it carries, each concentrated at the joint that carries it. Its
first moment V_k (the lumped mass), its inertia J_k at O_k and its lever l_k are constant for
revolute joints; gravity torques and inertia coefficients are short sums of their products.
Vectors are written in the axes of the first body of a group of parallel axes, so that the angles
of the group appear as sums, and terms that parallel axes share are the same expressions.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

import numpy as np

from torseur.model.joints.freedoms import Slide, Turn, only
from torseur.spatial import rotation
from torseur.spatial.rotation import IDENTITY, Rotation
from torseur.spatial.vectors import cross, settled
from torseur.topology.tree import Tree

Array = np.ndarray


@final
@dataclass(frozen=True)
class AugmentedBody:
    """Body k with the masses it carries."""

    M: Any  # mass of the body and everything beyond it (3-2)
    V: Array  # lumped first moment M_k b_k, in the axes of body k (3-3)
    W: Array  # what the lumped masses and the centre add to the inertia: J = I + W
    J: Array  # inertia of the augmented body at O_k (3-4)


@final
@dataclass(frozen=True)
class LagrangeCoefficients:
    """A_ij and the gravity forces Q_i of the right-hand side (erratum E1-3)."""

    bodies: list[AugmentedBody]
    A: Array
    Q: Array


def augmented(tree: Tree, q: Array) -> list[AugmentedBody]:
    """Every body augmented by what it carries, from the tips to the ground."""
    poses = tree.poses(q)
    M = [link.inertia.m for link in tree.links]
    V = [link.inertia.h for link in tree.links]
    W = [_second_moment_of_mass(link.inertia.m, link.inertia.h) for link in tree.links]
    for k, link in tree.backwards():
        if (p := link.parent) >= 0:
            lever = poses[k].p
            M[p], V[p] = M[p] + M[k], V[p] + M[k] * lever
            W[p] = W[p] + M[k] * _square(lever)
    centred = [link.inertia.tensor - _second_moment_of_mass(link.inertia.m, link.inertia.h)
               for link in tree.links]  # fmt: skip
    return [AugmentedBody(M[k], V[k], W[k], centred[k] + W[k]) for k in range(len(tree))]


def _square(l: Array) -> Array:
    """l·l 1 − l lᵀ."""
    x, y, z = l
    return np.array(
        [
            [y * y + z * z, -(x * y), -(x * z)],
            [-(x * y), z * z + x * x, -(y * z)],
            [-(x * z), -(y * z), x * x + y * y],
        ]
    )


def _second_moment_of_mass(m: Any, h: Array) -> Array:
    """m (d·d 1 − d dᵀ) from m and h = m d; nothing for a body without mass."""
    return m * _square(h / m) if m else np.zeros((3, 3))


def coefficients(tree: Tree, q: Array, gravity: Array) -> LagrangeCoefficients:
    """A_ij (3-12 … 3-17) and Q_i (3-9, 3-10), errata E1-5, E1-6 and E1-11 corrected."""
    bodies, chain = augmented(tree, q), _Chain(tree, q)
    A, Q = np.zeros((tree.nv, tree.nv), dtype=object), np.zeros(tree.nv, dtype=object)
    for i, link in tree:
        row = link.v.start
        Q[row] = _gravity_force(chain, bodies, i, gravity)
        for j in chain.beyond(i):
            column = tree.links[j].v.start
            A[row, column] = A[column, row] = _inertia_coefficient(chain, bodies, i, j)
        _add_rotor(chain, A, i)
    return LagrangeCoefficients(bodies, settled(A), settled(Q))


def _gravity_force(chain: "_Chain", bodies: list[AugmentedBody], i: int, gravity: Array) -> Any:
    """Q_i by decreasing recursion: the terms of parallel axes are shared."""
    G, g = chain.to_group(i).into(gravity), chain.axis(i)
    if chain.slides(i):
        return bodies[i].M * (g @ G)
    total: Any = 0.0
    for k in reversed(chain.beyond(i)):
        total = cross(g, chain.out(i, k, bodies[k].V)) @ G + total
    return total


def _inertia_coefficient(chain: "_Chain", bodies: list[AugmentedBody], i: int, j: int) -> Any:
    """A_ij for j beyond i or equal to it."""
    g_i, g_j = chain.axis(i), chain.out(i, j, chain.axis(j))
    if chain.slides(i) and chain.slides(j):
        return bodies[j].M * (g_i @ g_j)
    beyond = reversed(chain.beyond(j))
    if chain.slides(j):
        first = sum((chain.out(i, k, bodies[k].V) for k in beyond), np.zeros(3))
        return cross(g_i, bodies[j].M * chain.between(i, j) + first) @ g_j
    if chain.slides(i):
        return g_i @ sum((chain.displaced(i, j, k, bodies[k].V) for k in beyond), np.zeros(3))
    total: Any = 0.0
    for k in beyond:
        total = _revolute_term(chain, bodies, i, j, k) + total
    return total


def _revolute_term(chain: "_Chain", bodies: list[AugmentedBody], i: int, j: int, k: int) -> Any:
    """The share of body k in A_ij: its inertia, the levers before it, the bodies beyond it."""
    g_i, moved_vector = chain.axis(i), chain.displaced(i, j, k, bodies[k].V)
    term = chain.into(i, k, g_i) @ (bodies[k].J @ chain.into(j, k, chain.axis(j)))
    for p, following in chain.steps(i, k):
        term = term + cross(g_i, chain.out(i, p, chain.lever(following))) @ moved_vector
    for p in chain.beyond(k)[1:]:
        lever = chain.displaced(i, j, k, chain.lever(chain.step(k, p)))
        term = term + cross(g_i, chain.out(i, p, bodies[p].V)) @ lever
    return term


def _add_rotor(chain: "_Chain", A: Array, i: int) -> None:
    """The reflected inertia on the diagonal, and the spin of an oblique rotor on its carriers."""
    link = chain.tree.links[i]
    rotor, column = link.rotor, link.v.start
    if rotor is None:
        return
    A[column, column] = A[column, column] + rotor.ratio**2 * rotor.j
    if rotor.axis is None or link.parent < 0:
        return
    for k in chain.tree.ancestors(link.parent):
        if not chain.slides(k):
            row = chain.tree.links[k].v.start
            coupling = (
                rotor.ratio * rotor.j * (chain.axis(k) @ chain.out(k, link.parent, rotor.axis))
            )
            A[row, column] = A[column, row] = A[row, column] + coupling


@final
class _Chain:
    """Axes, levers and rotations between the groups of parallel axes and the bodies."""

    def __init__(self, tree: Tree, q: Array) -> None:
        self.tree = tree
        self._poses = tree.poses(q)
        self._turns = [link.joint.transform(q[link.q]).R for link in tree.links]
        self._groups = [self._first_of_group(i) for i in range(len(tree))]
        self._rotations: dict[tuple[int, int], Rotation] = {}
        self._beyond = [[k for k in range(len(tree)) if i in tree.ancestors(k)]
                        for i in range(len(tree))]  # fmt: skip

    def _first_of_group(self, i: int) -> int:
        """The first of the parallel revolute axes that end with axis i."""
        links = self.tree.links
        while True:
            link, parent = links[i], links[i].parent
            freedom = only(link.joint.freedoms)
            parallel = (
                parent >= 0
                and isinstance(freedom, Turn)
                and link.joint == links[parent].joint
                and all(isinstance(f, rotation.AxisTurn) and f.axis == freedom.axis
                        for f in link.X_PF.R.factors)
            )  # fmt: skip
            if not parallel:
                return i
            i = parent

    def slides(self, i: int) -> bool:
        return isinstance(only(self.tree.links[i].joint.freedoms), Slide)

    def axis(self, i: int) -> Array:
        """g_i, the same in the axes of its group and of its body."""
        freedom = only(self.tree.links[i].joint.freedoms)
        assert isinstance(freedom, Slide | Turn), "augmented bodies take elementary joints"
        return np.asarray(np.eye(3)[freedom.axis])

    def beyond(self, i: int) -> list[int]:
        """Body i and everything it carries."""
        return self._beyond[i]

    def lever(self, k: int) -> Array:
        """From the origin of the carrier of k to that of k, in the axes of the carrier."""
        return self._poses[k].p

    def step(self, k: int, p: int) -> int:
        """The body after k on the way to p."""
        path = self.tree.ancestors(p)
        return path[path.index(k) - 1]

    def steps(self, i: int, k: int) -> list[tuple[int, int]]:
        """The pairs (body, following body) from i to k."""
        path = list(reversed(self.tree.ancestors(k)))
        path = path[path.index(i) :]
        return list(pairwise(path))

    def between(self, i: int, j: int) -> Array:
        """O_i O_j in the axes of the group of i."""
        levers = (self.out(i, p, self.lever(following)) for p, following in self.steps(i, j))
        return sum(levers, np.zeros(3))

    def rotation(self, i: int, k: int) -> Rotation:
        """From the axes of the group of i to those of body k."""
        if (i, k) not in self._rotations:
            path = self.tree.ancestors(k)
            self._rotations[i, k] = self._rotation_along(path[: path.index(self._groups[i])])
        return self._rotations[i, k]

    def _rotation_along(self, path: list[int]) -> Rotation:
        """From the axes before the last body of a path to those of its first."""
        R = IDENTITY
        for p in reversed(path):
            R = R @ self.tree.links[p].X_PF.R @ self._turns[p]
        return R

    def out(self, i: int, k: int, vector: Array) -> Array:
        """A vector of body k in the axes of the group of i."""
        return self.rotation(i, k).out(vector)

    def into(self, i: int, k: int, vector: Array) -> Array:
        """A vector of the group of i in the axes of body k."""
        return self.rotation(i, k).into(vector)

    def displaced(self, i: int, j: int, k: int, vector: Array) -> Array:
        """∂(vector of body k)/∂q_j = g_j × vector, in the axes of the group of i."""
        turning = cross(self.axis(j), self.out(j, k, vector))
        return self.out(i, self._groups[j], turning)

    def to_group(self, i: int) -> Rotation:
        """From the ground to the axes of the group of i."""
        return self._rotation_along(self.tree.ancestors(self._groups[i]))
