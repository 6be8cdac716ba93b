"""Closed loops: what a joint that closes a loop demands of positions, speeds and accelerations.

The joint links F, on body A, to M, on body B. The relative motion (ω; v), in the axes of M at its
origin, must be free of the components that the joint's reactions T would work on:
Tᵀ (ω; v) = 0 is J v = 0, and its rate is J a + γ = 0.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.dynamics.kinematics import ground_poses, jacobian_at, velocities
from torseur.dynamics.motion import accelerations
from torseur.joints.spherical import Spherical
from torseur.joints.universal import Universal
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import axial, cross, settled
from torseur.topology.structure import Cut
from torseur.topology.tree import Tree

Array = np.ndarray


@final
@dataclass(frozen=True)
class Closure:
    """One closing joint at a configuration."""

    cut: Cut
    X_WM: Pose  # frame M in the ground
    R: Array  # of M in F
    p: Array  # of M in F, in the axes of F [m]
    T: Array  # (6, rows): the wrenches (couple; force) it carries, in the axes of M

    @property
    def coordinates(self) -> Array:
        """The joint's own coordinates."""
        return self.cut.joint.read(self.R, self.p)

    @property
    def gap(self) -> Array:
        """Tᵀ (rotation; translation) between where M is and where the joint would have it."""
        if isinstance(self.cut.joint, Spherical):  # any rotation is allowed
            return self.R.T @ self.p
        X = self.cut.joint.transform(self.coordinates)
        allowed = X.R.matrix
        turned = axial(allowed.T @ self.R) / 2
        moved = self.R.T @ (self.p - X.p)
        return self.T.T @ np.concatenate([turned, moved])


def closures(tree: Tree, cuts: tuple[Cut, ...], q: Array) -> list[Closure]:
    """The closing joints at the coordinates q."""
    placed = ground_poses(tree, q)
    found = []
    for cut in cuts:
        X_WF = _placed(placed, cut.A) @ cut.X_AF
        X_WM = _placed(placed, cut.B) @ cut.X_BM
        X_FM = X_WF.inverse @ X_WM
        R = X_FM.R.matrix
        T = cut.joint.reaction_subspace(_for_reactions(cut, R, X_FM.p))
        found.append(Closure(cut, X_WM, R, X_FM.p, T))
    return found


def _placed(placed: list[Pose], i: int) -> Pose:
    return placed[i] if i >= 0 else Pose()


def _for_reactions(cut: Cut, R: Array, p: Array) -> Array:
    """Coordinates good enough for T, which depends on them for a universal joint only."""
    return cut.joint.read(R, p) if isinstance(cut.joint, Universal) else cut.joint.neutral()


def constraint_jacobian(tree: Tree, found: list[Closure], q: Array) -> Array:
    """J (rows × nv): the speeds the loops forbid."""
    placed = ground_poses(tree, q)
    blocks = [np.zeros((0, tree.nv))]
    for closure in found:
        X, cut = closure.X_WM, closure.cut
        w_B, v_B = jacobian_at(tree, placed, q, cut.B, X.p)
        w_A, v_A = jacobian_at(tree, placed, q, cut.A, X.p)
        w, v = X.R.into(w_B - w_A), X.R.into(v_B - v_A)
        blocks.append(closure.T[:3].T @ w + closure.T[3:].T @ v)
    return settled(np.concatenate(blocks))


def constraint_bias(tree: Tree, found: list[Closure], q: Array, v: Array) -> Array:
    """γ (rows): the constraint accelerations without joint accelerations; J a + γ = 0."""
    placed, speeds = ground_poses(tree, q), velocities(tree, q, v)
    motions = accelerations(tree, q, v, np.zeros(tree.nv), np.zeros(3))

    def at(i: int, target: Array) -> tuple[Array, Array, Array, Array]:
        """ω, v, dω and acceleration of body i at a point of the ground, in ground axes."""
        if i < 0:
            return np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
        R, r = placed[i].R, target - placed[i].p
        w, dw = R.out(speeds[i].w), R.out(motions[i].dw)
        velocity = R.out(speeds[i].v) + cross(w, r)
        return w, velocity, dw, R.out(motions[i].acc) + cross(dw, r) + cross(w, cross(w, r))

    biases: list[Any] = []
    for closure in found:
        A, B = at(closure.cut.A, closure.X_WM.p), at(closure.cut.B, closure.X_WM.p)
        biases.extend(closure.T.T @ _relative_rate(closure, A, B))
    return settled(np.array(biases, dtype=object))


def _relative_rate(closure: Closure, A: tuple[Array, ...], B: tuple[Array, ...]) -> Array:
    """d/dt of (ω; v) of M relative to F in the axes of M, less the rate the joint allows."""
    cut, into = closure.cut, closure.X_WM.R.into
    (w_A, v_A, dw_A, a_A), (w_B, v_B, dw_B, a_B) = A, B
    w, v = w_B - w_A, v_B - v_A
    dw = into(dw_B - dw_A - cross(w_B, w))
    dv = into(a_B - a_A - cross(w_A + w_B, v))
    q_c = _for_reactions(cut, closure.R, closure.p)
    S = cut.joint.motion_subspace(q_c)
    t = np.concatenate([into(w), into(v)])
    own = np.array([S[:, k] @ t / (S[:, k] @ S[:, k]) for k in range(cut.joint.nv)])
    return np.concatenate([dw, dv]) - cut.joint.bias(q_c, own)
