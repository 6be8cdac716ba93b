"""Lagrange's coefficients from homogeneous 4×4 matrices and traces (Uicker, Bejczy)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import final

import numpy as np

from torseur.spatial.vectors import settled, skew
from torseur.topology.tree import Tree

Array = np.ndarray


@final
@dataclass(frozen=True)
class Coefficients:
    """Σ_k A_ik q̈_k + Σ_kp D_ikp q̇_k q̇_p + g_i = Q_i."""

    A: Array  # (n, n)
    D: Array  # (n, n, n), symmetric in its last two indices
    g: Array  # (n)


def coefficients(tree: Tree, q: Array, gravity: Array) -> Coefficients:
    """A_ik = Σ_j tr(U_jk J_j U_jiᵀ), D_ikp = Σ_j tr(U_jkp J_j U_jiᵀ), g_i = −Σ_j m_j Gᵀ U_ji d_j.

    Liégeois and Aldon (1980) §2.3, for joints with one constant axis. Errata: the derivative of a
    transform is P·D (E1-9); summed over all k and p, D_ikp needs no factor 2 (E1-7).
    """
    n = tree.nv
    A, g = np.zeros((n, n), dtype=object), np.zeros(n, dtype=object)
    D = np.zeros((n, n, n), dtype=object)
    G = np.array([*gravity, 0.0])
    placed = [X.homogeneous for X in tree.poses(q)]  # P_PM of each body
    for j, link in tree:
        J, path = link.inertia.pseudo, list(reversed(tree.ancestors(j)))
        first = {i: along_chain(tree, q, placed, [i], j) for i in path}
        pairs = combinations_with_replacement(path, 2)
        second = {pair: along_chain(tree, q, placed, pair, j) for pair in pairs}
        second |= {(p, k): both for (k, p), both in second.items()}
        for i in path:
            row = tree.links[i].v.start
            weighted = J @ first[i].T
            g[row] = g[row] - G @ first[i] @ J[:, 3]
            for k in path:
                column = tree.links[k].v.start
                A[row, column] = A[row, column] + np.trace(first[k] @ weighted)
                for p in path:
                    third = tree.links[p].v.start
                    share = np.trace(second[k, p] @ weighted)
                    D[row, column, third] = D[row, column, third] + share
    for _, link in tree:
        if link.rotor is not None:
            row = link.v.start
            assert link.rotor.axis is None, "an oblique rotor has no 4×4 matrix of its own"
            A[row, row] = A[row, row] + link.rotor.ratio**2 * link.rotor.j
    return Coefficients(settled(A), settled(D), settled(g))


def along_chain(tree: Tree, q: Array, local: list[Array], joints: Sequence[int], j: int) -> Array:
    """P_j, ∂P_j/∂q_i, ∂²P_j/∂q_k∂q_p: the chain's product with a twist after each named joint."""
    P = np.eye(4)
    for i in reversed(tree.ancestors(j)):
        P = P @ local[i]
        link = tree.links[i]
        for _ in range(joints.count(i)):
            P = P @ twist(link.joint.motion_subspace(q[link.q])[:, 0])
    return P


def twist(s: Array) -> Array:
    """The 4×4 matrix [ω̃ v; 0 0] of a twist (ω; v)."""
    w, v = skew(s[:3]), s[3:]
    return np.array([[*w[i], v[i]] for i in range(3)] + [[0.0] * 4])
