"""Mass matrix by Mampey's backward recursion, with motors and transmissions."""

from typing import Any

import numpy as np

from torseur.model.joints.freedoms import Slide, Turn, only
from torseur.model.joints.protocol import JointType
from torseur.spatial.vectors import cross, settled, skew
from torseur.topology.tree import Tree

Array = np.ndarray


def mass_matrix(tree: Tree, q: Array) -> Array:
    """A (n × n) for revolute and prismatic joints, in the notation of Llibre (2009) §3.2.2.

    2 T_k = M W·W + Ω·JΩ + 2 W·(p × Ω) + 2 Ω·Σ q̇_i h_ki + 2 W·Σ q̇_i r_ki + Σ a_ij q̇_i q̇_j for the
    chain beyond body k, with W the velocity of O_k. Errata E0-20: h = S h + λ × r, and the rotor
    inertia enters every a_kk. On a tree the contributions of the branches add up.
    """
    poses = tree.poses(q)
    A = np.zeros((tree.nv, tree.nv), dtype=object)
    mass, p, J = _bodies(tree)
    held: list[dict[int, tuple[Array, Array]]] = [{} for _ in tree.links]  # i → (h_ki, r_ki)
    for k, link in tree.backwards():
        u, turning = _axis(link.joint)
        own = link.v.start

        # the entries of this joint: with itself, then with every joint beyond it
        A[own, own] = u @ J[k] @ u if turning else mass[k]
        if link.rotor is not None:
            A[own, own] = A[own, own] + link.rotor.ratio**2 * link.rotor.j
        for i, (h, r) in held[k].items():
            A[own, i] = A[i, own] = u @ (h if turning else r)

        # what the carrier sees, in its own axes
        if (carrier := link.parent) < 0:
            continue
        R, lever = poses[k].R, poses[k].p
        held[k][own] = (J[k] @ u, cross(p[k], u)) if turning else (cross(u, p[k]), mass[k] * u)
        for i, (h, r) in held[k].items():
            h, r = R.out(h), R.out(r)
            held[carrier][i] = (h + cross(lever, r), r)
        if link.rotor is not None and link.rotor.axis is not None:
            h, r = held[carrier][own]
            held[carrier][own] = (h + link.rotor.ratio * link.rotor.j * link.rotor.axis, r)
        mass[carrier], p[carrier], J[carrier] = (
            mass[carrier] + mass[k],
            p[carrier] + R.out(p[k]) - mass[k] * lever,
            J[carrier] + _transported(R.tensor_out(J[k]), R.out(p[k]), mass[k], lever),
        )
    return settled(A)


def _bodies(tree: Tree) -> tuple[list[Any], list[Array], list[Array]]:
    """M_k, p_k = −m d and J_k = I − m d̃² of each body alone."""
    bodies = [link.inertia for link in tree.links]
    return [b.m for b in bodies], [-b.h for b in bodies], [b.tensor for b in bodies]


def _axis(joint: JointType) -> tuple[Array, bool]:
    """u_k and whether the joint turns (ρ = 1) or slides (τ = 1)."""
    freedom = only(joint.freedoms)
    assert isinstance(freedom, Slide | Turn), "Mampey's recursion takes elementary joints"
    return np.eye(3)[freedom.axis], isinstance(freedom, Turn)


def _transported(J: Array, p: Array, mass: Any, lever: Array) -> Array:
    """J − M λ̃² + λ̃ p̃ + (λ̃ p̃)ᵀ."""
    L, P = skew(lever), skew(p)
    return np.asarray(J - mass * (L @ L) + L @ P + (L @ P).T)
