"""Uicker: Lagrange's equations from homogeneous 4×4 matrices and their traces (Uicker, Bejczy)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import final

import numpy as np

from torseur import notebook
from torseur.algebra.core.graph import expressions
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.text import text
from torseur.brief import brief
from torseur.equations.actions.applied import applied_forces
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System, system
from torseur.errors import ModelError, require_known
from torseur.model.description import Mechanism
from torseur.notices import text_table
from torseur.spatial.vectors import settled, skew
from torseur.topology.tree import Tree, elementary

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


def derive(system: System) -> Equations:
    """M = A, h = Σ D_ikp v_k v_p, g; joints with several freedoms go through massless bodies."""
    for _, link in system.tree:
        if link.rotor is not None and link.rotor.axis is not None:
            problem = 'the formalism "uicker" has no 4×4 matrix for a rotor with its own axis.'
            advice = 'Use "newton-euler", "lagrange" or "augmented-bodies".'
            raise ModelError(f'motor of joint "{link.joint_name}"', problem, advice)
    tree = elementary(system.tree, "uicker", screws=True)
    terms = coefficients(tree, system.q, system.gravity)
    v = system.v
    h = np.array([v @ (terms.D[i] @ v) for i in range(tree.nv)], dtype=object)
    M, g, Q = terms.A, terms.g, applied_forces(system)
    return Equations(system, "uicker", M, h, g, Q, M @ system.a + h + g, tables={"D": terms.D})


@final
@dataclass(frozen=True, eq=False)
class Homogeneous:
    """P of bodies, D of coordinates, and U, the derivatives of P: all 4×4, as expressions.

    A chain is a product of transforms, each with ∂P_i/∂q_i = P_i D_i, so that ∂P_j/∂q_i is the same
    product with D_i after joint i (Liégeois and Aldon 1980, §2.1 and §2.2; erratum E1-9).
    """

    __repr__ = brief
    _repr_html_ = notebook.preformatted

    system: System
    tree: Tree  # of joints with one freedom each

    @cached_property
    def _bodies(self) -> dict[str, int]:
        """The last of the links that carry a body."""
        return {link.name: j for j, link in self.tree}

    @cached_property
    def _joints(self) -> dict[str, int]:
        """The link that a coordinate moves."""
        return {self.system.coordinates[link.q.start]: j for j, link in self.tree}

    @cached_property
    def _local(self) -> list[Array]:
        return [X.homogeneous for X in self.tree.poses(self.system.q)]

    @property
    def bodies(self) -> tuple[str, ...]:
        """Bodies that move; a body fixed to another one goes with it."""
        return tuple(self._bodies)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """One for each transform."""
        return tuple(self._joints)

    def P(self, body: str) -> Array:
        """A body in the ground: [R, OA; 0, 1]."""
        return self.U(body)

    def D(self, coordinate: str) -> Array:
        """The operator of a coordinate, ∂P/∂q = P D: [ω̃, v; 0, 0] of its unit twist."""
        link = self.tree.links[self._joint(coordinate)]
        subspace = link.joint.motion_subspace(self.system.q[link.q])
        return np.asarray(readable(twist(subspace[:, 0])))

    def U(self, body: str, *coordinates: str) -> Array:
        """∂P/∂q of a body, or ∂²P/∂q∂q'; zero where a coordinate does not move it."""
        require_known("homogeneous", "body", body, self._bodies)
        j, joints = self._bodies[body], [self._joint(name) for name in coordinates]
        if not set(joints) <= set(self.tree.ancestors(j)):
            return expressions(np.zeros((4, 4), dtype=int))
        placed = along_chain(self.tree, self.system.q, self._local, joints, j)
        return np.asarray(readable(placed @ self.tree.links[j].X_MB.homogeneous))

    def _joint(self, coordinate: str) -> int:
        require_known("homogeneous", "coordinate", coordinate, self._joints)
        return self._joints[coordinate]

    def __str__(self) -> str:
        matrices = [(f"P({body})", self.P(body)) for body in self.bodies]
        matrices += [(f"D({name})", self.D(name)) for name in self.coordinates]
        return "\n\n".join("\n".join((f"{name} =", *_lines(matrix))) for name, matrix in matrices)


def homogeneous(mechanism: Mechanism) -> Homogeneous:
    """The 4×4 matrices of a mechanism: `.P(body)`, `.D(coordinate)`, `.U(body, coordinate, …)`.

    Joints with several freedoms go through massless bodies; those that turn as quaternions do are
    refused.
    """
    described = system(mechanism)
    return Homogeneous(described, elementary(described.tree, "uicker", screws=True))


def _lines(matrix: Array) -> list[str]:
    return [f"  [ {row} ]" for row in text_table([[text(x) for x in row] for row in matrix])]
