"""Closed loops: what a joint that closes a loop demands of positions, speeds and accelerations.

The joint links F, on body A, to M, on body B. The relative motion (ω; v), in the axes of M at its
origin, must be free of the components that the joint's reactions T would work on:
Tᵀ (ω; v) = 0 is J v = 0, and its rate is J a + γ = 0.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.dynamics.kinematics import Velocity, ground_poses, jacobian, velocities
from torseur.dynamics.motion import Motion, accelerations
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
    blocks = [np.zeros((0, tree.nv))]
    for closure in found:
        X, cut = closure.X_WM, closure.cut
        w_B, v_B = _motion_of(tree, q, cut.B, X.p)
        w_A, v_A = _motion_of(tree, q, cut.A, X.p)
        w, v = X.R.into(w_B - w_A), X.R.into(v_B - v_A)
        blocks.append(closure.T[:3].T @ w + closure.T[3:].T @ v)
    return settled(np.concatenate(blocks))


def _motion_of(tree: Tree, q: Array, body: int, point: Array) -> tuple[Array, Array]:
    """J_ω and J_v of a body at a point of the ground."""
    if body < 0:
        return np.zeros((3, tree.nv)), np.zeros((3, tree.nv))
    X = ground_poses(tree, q)[body]
    return jacobian(tree, q, body, X.R.into(point - X.p))


def constraint_bias(tree: Tree, found: list[Closure], q: Array, v: Array) -> Array:
    """γ (rows): the constraint accelerations without joint accelerations; J a + γ = 0."""
    motions = accelerations(tree, q, v, np.zeros(tree.nv), np.zeros(3))
    placed = ground_poses(tree, q)
    speeds = velocities(tree, q, v)
    biases: list[Any] = []
    for closure in found:
        biases.extend(closure.T.T @ _relative_rate(closure, motions, placed, speeds))
    return settled(np.array(biases, dtype=object))


def _relative_rate(
    closure: Closure,
    motions: list[Motion],
    placed: list[Pose],
    speeds: list[Velocity],
) -> Array:
    """d/dt of (ω; v) of M relative to F, less the rate the joint allows, at zero accelerations."""
    cut, X = closure.cut, closure.X_WM

    def at_M(i: int) -> tuple[Array, Array, Array, Array]:
        """ω, v, dω and acceleration of body i at the origin of M, in the axes of M."""
        if i < 0:
            return (np.zeros(3),) * 4
        r = placed[i].R.into(X.p - placed[i].p)
        w, v, motion = speeds[i].w, speeds[i].v, motions[i]
        local = (w, v + cross(w, r), motion.dw, motion.acc + motion.U @ r)
        return tuple(X.R.into(placed[i].R.out(x)) for x in local)  # type: ignore[return-value]

    w_A, v_A, dw_A, a_A = at_M(cut.A)
    w_B, v_B, dw_B, a_B = at_M(cut.B)
    w, v = w_B - w_A, v_B - v_A
    dw = dw_B - dw_A - cross(w_B, w)
    dv = a_B - a_A - cross(w_A, v) - cross(w_B, v)
    q_c = _for_reactions(cut, closure.R, closure.p)
    S = cut.joint.motion_subspace(q_c)
    t = np.concatenate([w, v])
    own = np.array([S[:, k] @ t / (S[:, k] @ S[:, k]) for k in range(cut.joint.nv)])
    return np.concatenate([dw, dv]) - cut.joint.bias(q_c, own)
