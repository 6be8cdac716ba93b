"""Mass matrix by Mampey's backward recursion, with motors and transmissions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.model.joints.freedoms import Slide, Turn, only
from torseur.model.joints.protocol import JointType
from torseur.spatial.vectors import cross, settled, skew
from torseur.topology.tree import Link, Tree

Array = np.ndarray


@final
@dataclass(frozen=True)
class Stage:
    """The chain beyond joint k, seen in the axes of the body that it carries.

    2 T_k = M W·W + Ω·JΩ + 2 W·(p × Ω) + 2 Ω·Σ q̇_i h_ki + 2 W·Σ q̇_i r_ki + Σ a_ij q̇_i q̇_j, with W
    the velocity of O_k.
    """

    link: Link
    axis: Array  # u_k
    turning: bool  # ρ = 1, or sliding: τ = 1
    mass: Any  # M_k
    p: Array
    J: Array
    carried: Mapping[int, tuple[Array, Array]]  # i → (h_ki, r_ki)

    @property
    def speed(self) -> int:
        """The row of A of this joint."""
        return int(self.link.v.start)

    @property
    def diagonal_term(self) -> Any:
        """a_kk = α² j + τ M + ρ u·Ju."""
        entry = self.axis @ self.J @ self.axis if self.turning else self.mass
        rotor = self.link.rotor
        return entry if rotor is None else entry + rotor.ratio**2 * rotor.j

    @property
    def terms_beyond(self) -> dict[int, Any]:
        """a_ki = (ρ h_ki + τ r_ki)·u of every joint beyond."""
        return {i: self.axis @ (h if self.turning else r) for i, (h, r) in self.carried.items()}


def mass_matrix(tree: Tree, q: Array) -> Array:
    """A (n × n) for revolute and prismatic joints, in the notation of Llibre (2009) §3.2.2."""
    A = np.zeros((tree.nv, tree.nv), dtype=object)
    for stage in stages(tree, q):
        A[stage.speed, stage.speed] = stage.diagonal_term
        for i, entry in stage.terms_beyond.items():
            A[stage.speed, i] = A[i, stage.speed] = entry
    return settled(A)


def stages(tree: Tree, q: Array) -> list[Stage]:
    """The backward recursion, from the last joint to the first.

    Errata E0-20: h = S h + λ × r, and the rotor inertia enters every a_kk. On a tree the
    contributions of the branches add up.
    """
    poses = tree.poses(q)
    # of each body alone: M_k, p_k = −m d and J_k = I − m d̃²
    bodies = [link.inertia for link in tree.links]
    mass, p, J = [b.m for b in bodies], [-b.h for b in bodies], [b.tensor for b in bodies]
    barycentres: list[dict[int, tuple[Array, Array]]] = [{} for _ in tree.links]  # i → (h_ki, r_ki)
    result: list[Stage] = []
    for k, link in tree.backwards():
        u, turning = _axis(link.joint)
        result.append(Stage(link, u, turning, mass[k], p[k], J[k], dict(barycentres[k])))

        # what the carrier sees, in its own axes
        if (carrier := link.parent) < 0:
            continue
        speed = link.v.start
        R, lever = poses[k].R, poses[k].p
        barycentres[k][speed] = (
            (J[k] @ u, cross(p[k], u)) if turning else (cross(u, p[k]), mass[k] * u)
        )
        for i, (h, r) in barycentres[k].items():
            h, r = R.out(h), R.out(r)
            barycentres[carrier][i] = (h + cross(lever, r), r)
        if link.rotor is not None and link.rotor.axis is not None:
            h, r = barycentres[carrier][speed]
            barycentres[carrier][speed] = (h + link.rotor.ratio * link.rotor.j * link.rotor.axis, r)
        mass[carrier], p[carrier], J[carrier] = (
            mass[carrier] + mass[k],
            p[carrier] + R.out(p[k]) - mass[k] * lever,
            J[carrier] + _transported(R.tensor_out(J[k]), R.out(p[k]), mass[k], lever),
        )
    return result


def _axis(joint: JointType) -> tuple[Array, bool]:
    """u_k and whether the joint turns (ρ = 1) or slides (τ = 1)."""
    freedom = only(joint.freedoms)
    assert isinstance(freedom, Slide | Turn), "Mampey's recursion takes elementary joints"
    return np.eye(3)[freedom.axis], isinstance(freedom, Turn)


def _transported(J: Array, p: Array, mass: Any, lever: Array) -> Array:
    """J − M λ̃² + λ̃ p̃ + (λ̃ p̃)ᵀ."""
    L, P = skew(lever), skew(p)
    return np.asarray(J - mass * (L @ L) + L @ P + (L @ P).T)
