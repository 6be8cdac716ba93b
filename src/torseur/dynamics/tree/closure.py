"""Closed loops: what a joint that closes a loop demands of positions, speeds and accelerations.

The joint links F, on body A, to M, on body B. The relative motion t = (ω; v), in the axes of M at
its origin, must be free of the components that the joint's reactions T would work on:
Tᵀ t = 0 is J v + b = 0, and its rate is J a + γ = 0. b is not zero only if F is moved by a guide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import directional
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, expressions, substitute
from torseur.dynamics.tree.kinematics import (
    Motion,
    accelerations,
    ground_poses,
    jacobian_at,
    velocities,
)
from torseur.model.joints.freedoms import Slide
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import cross, is_symbolic, settled, skew
from torseur.topology.structure import Cut
from torseur.topology.tree import Tree

Array = np.ndarray
Moving = tuple[Array, Array, Array, Array]  # ω, velocity, ω̇ and acceleration, ground axes


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
        return np.asarray(self.cut.joint.read(self.R, self.p))

    @property
    def distances(self) -> Array:
        """Coordinates by which the joint slides; they come first."""
        slides = (x.axis for x in self.cut.joint.freedoms if isinstance(x, Slide))
        return np.array([self.p[axis] for axis in slides])

    @property
    def readable(self) -> Array:
        """Coordinates that are expressions of the pose; a quaternion is none."""
        return self.distances if self.cut.joint.turning else self.coordinates

    @property
    def gap(self) -> Array:
        """Distance of the pose from one that the joint allows, in the order of the first rows."""
        return np.asarray(self.cut.joint.gap(self.R, self.p))

    def speeds(self, t: Array) -> Array:
        """The joint's own speeds in a relative motion t that it allows."""
        S = self.cut.joint.motions_at(self.R, self.p)
        return np.array([S[:, k] @ t / (S[:, k] @ S[:, k]) for k in range(self.cut.joint.nv)])

    def along(self, k: int) -> Array:
        """The wrench (6) that works on one speed of the joint only, at a power of that speed."""
        S = self.cut.joint.motions_at(self.R, self.p)[:, k]
        return np.asarray(S / (S @ S))


def closures(tree: Tree, cuts: tuple[Cut, ...], q: Array) -> list[Closure]:
    """The closing joints at the coordinates q."""
    placed = ground_poses(tree, q)
    listed = []
    for cut in cuts:
        X_WF = _pose_of(placed, cut.A) @ cut.X_AF
        X_WM = _pose_of(placed, cut.B) @ cut.X_BM
        X_FM = X_WF.inverse @ X_WM
        R = X_FM.R.matrix
        listed.append(Closure(cut, X_WM, R, X_FM.p, cut.joint.reactions_at(R, X_FM.p)))
    return listed


def _pose_of(placed: list[Pose], i: int) -> Pose:
    return placed[i] if i >= 0 else Pose()


def constraint_jacobian(tree: Tree, loops: list[Closure], q: Array) -> Array:
    """J (rows × nv): the speeds the loops forbid."""
    placed = ground_poses(tree, q)
    blocks = [np.zeros((0, tree.nv))]
    for closure in loops:
        w, v = relative_jacobian(tree, placed, q, closure)
        blocks.append(closure.T[:3].T @ w + closure.T[3:].T @ v)
    return settled(np.concatenate(blocks))


def relative_jacobian(
    tree: Tree, placed: list[Pose], q: Array, closure: Closure
) -> tuple[Array, Array]:
    """(3 × nv) each: rotation and speed of B relative to A at the origin of M, in its axes."""
    X, cut = closure.X_WM, closure.cut
    w_B, v_B = jacobian_at(tree, placed, q, cut.B, X.p)
    w_A, v_A = jacobian_at(tree, placed, q, cut.A, X.p)
    return X.R.into(w_B - w_A), X.R.into(v_B - v_A)


def constraint_rate(loops: list[Closure]) -> Array:
    """b (rows): the forbidden speeds that guides alone would cause; J v + b = 0."""
    rates: list[Any] = []
    for closure in loops:
        w, v, _, _ = _guide_motion(closure.cut, closure.X_WM.p)
        into = closure.X_WM.R.into
        rates.extend(-(closure.T.T @ np.concatenate([into(w), into(v)])))
    return settled(np.array(rates, dtype=object))


def constraint_bias(tree: Tree, loops: list[Closure], q: Array, v: Array) -> Array:
    """γ (rows): the constraint accelerations without joint accelerations; J a + γ = 0."""
    biases: list[Any] = []
    for closure, (A, B) in zip(loops, _ends(tree, loops, q, v), strict=True):
        t, rate = _relative(closure, A, B)
        turned = held_rate(closure, t)
        biases.extend(closure.T.T @ rate + turned.T @ t)
    return settled(np.array(biases, dtype=object))


def level_rows(
    tree: Tree, loops: list[Closure], q: Array, v: Array, gravity: Array
) -> list[tuple[Array, Array] | None]:
    """J and γ of the three forces of each closing joint in ground axes; None where it has others.

    They say the same as those in the axes of M, which cost a rotation for each speed.
    """
    placed, still = ground_poses(tree, q), np.zeros(tree.nv)
    motions = accelerations(tree, q, v, still, gravity)
    ends = _ends(tree, loops, q, v, motions, -gravity)
    levelled: list[tuple[Array, Array] | None] = []
    for closure, (A, B) in zip(loops, ends, strict=True):
        cut, target = closure.cut, closure.X_WM.p
        if cut.guide is not None or not _holds_a_point(closure):
            levelled.append(None)
            continue
        _, v_B = jacobian_at(tree, placed, q, cut.B, target)
        _, v_A = jacobian_at(tree, placed, q, cut.A, target)
        drift = B[3] - A[3] - cross(A[0] + B[0], B[1] - A[1])
        levelled.append((settled(v_B - v_A), settled(drift)))
    return levelled


def _holds_a_point(closure: Closure) -> bool:
    """Whether its last three wrenches are forces along the axes of M at its origin."""
    T = closure.T[:, -3:]
    return T.shape == (6, 3) and np.array_equal(T, np.vstack([np.zeros((3, 3)), np.eye(3)]))


def relative_motions(tree: Tree, loops: list[Closure], q: Array, v: Array) -> list[Array]:
    """t of every closing joint."""
    ends = _ends(tree, loops, q, v)
    return [_relative(closure, A, B)[0] for closure, (A, B) in zip(loops, ends, strict=True)]


def _ends(
    tree: Tree,
    loops: list[Closure],
    q: Array,
    v: Array,
    motions: list[Motion] | None = None,
    upward: Array | None = None,
) -> list[tuple[Moving, Moving]]:
    """For both bodies of each joint: ω, velocity, ω̇ and acceleration where M is, ground axes.

    The ground has the acceleration `upward`, if it has one in the `motions`.
    """
    placed, speeds = ground_poses(tree, q), velocities(tree, q, v)
    motions = motions or accelerations(tree, q, v, np.zeros(tree.nv), np.zeros(3))

    def at(i: int, cut: Cut, target: Array) -> Moving:
        if i < 0:
            w, v, dw, acc = _guide_motion(cut, target)
            return w, v, dw, acc if upward is None else acc + upward
        out = placed[i].R.out
        w, v, dw, acc = map(out, (speeds[i].w, speeds[i].v, motions[i].dw, motions[i].acc))
        return _motion_at(w, v, dw, acc, target - placed[i].p)

    return [(at(c.cut.A, c.cut, c.X_WM.p), at(c.cut.B, c.cut, c.X_WM.p)) for c in loops]


def _guide_motion(cut: Cut, target: Array) -> Moving:
    """The motion of the point of frame F that is at `target`: none without a guide."""
    guide = cut.guide
    if guide is None:
        return np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    return _motion_at(guide.w, guide.v, guide.dw, guide.acc, target - cut.X_AF.p)


def _motion_at(w: Array, v: Array, dw: Array, acc: Array, r: Array) -> Moving:
    """The motion at r from a point that moves at v and acc, of a body that turns at w and dw."""
    return w, v + cross(w, r), dw, acc + cross(dw, r) + cross(w, cross(w, r))


def _relative(closure: Closure, A: tuple[Array, ...], B: tuple[Array, ...]) -> tuple[Array, Array]:
    """t of M relative to F in the axes of M, and its rate in those axes."""
    into = closure.X_WM.R.into
    (w_A, v_A, dw_A, a_A), (w_B, v_B, dw_B, a_B) = A, B
    w, v = w_B - w_A, v_B - v_A
    dw = into(dw_B - dw_A - cross(w_B, w))
    dv = into(a_B - a_A - cross(w_A + w_B, v))
    return np.concatenate([into(w), into(v)]), np.concatenate([dw, dv])


# --- the rate of T, for joints whose reactions turn with the relative pose -----------------------


def held_rate(closure: Closure, t: Array) -> Array:
    """Ṫ when M moves relative to F by t: Ṙ = R ω̃, ṗ = R v."""
    rate = _symbolic_rate(closure.cut.joint)
    if rate is None:
        return np.zeros_like(closure.T)
    values = [*closure.R.ravel(), *closure.p, *t]
    if is_symbolic(np.array(values, dtype=object)):
        return np.asarray(substitute(rate, dict(zip(_VARIABLES, values, strict=True))))
    known = {x.name: value for x, value in zip(_VARIABLES, values, strict=True)}
    return np.asarray(evaluate(rate, known), dtype=float)


_R = np.array([[symbol(f"R[{i},{j}]", "input") for j in range(3)] for i in range(3)], dtype=object)
_P = np.array([symbol(f"p[{i}]", "input") for i in range(3)], dtype=object)
_T = np.array([symbol(f"t[{i}]", "input") for i in range(6)], dtype=object)
_VARIABLES = (*_R.ravel(), *_P, *_T)


@lru_cache(maxsize=256)
def _symbolic_rate(joint: Any) -> Array | None:
    """Ṫ as expressions of R, p and t; None when T is constant."""
    T = expressions(joint.reactions_at(_R, _P))
    along = dict(zip(_R.ravel(), (_R @ skew(_T[:3])).ravel(), strict=True))
    along |= dict(zip(_P, _R @ _T[3:], strict=True))
    rate = directional(T, along)
    return rate if any(x != 0 for x in rate.ravel()) else None


# --- self-stresses: wrenches of over-constrained loops, joint by joint ----------------------------
# Multipliers with Jᵀ λ = 0 change no motion. What they put into the joints is found by statics,
# from the closing joints inward through the tree; a joint in which all of them vanish has one
# reaction.


@final
@dataclass(frozen=True)
class SelfStressWrench:
    """Wrench of a joint, a contact or a tooth between two bodies, for each self-stress."""

    name: str
    A: int  # indices in the tree, −1 for the ground
    B: int
    wrench: Array  # (6, h) of A on B: force, then couple at the origin of the ground, ground axes


def transmitted(loops: list[Closure], multipliers: Array) -> list[SelfStressWrench]:
    """The wrenches of closing joints from their multipliers (rows, h), in their order."""
    wrenches, start = [], 0
    for closure in loops:
        cut, X = closure.cut, closure.X_WM
        wrench = np.asarray(closure.T, dtype=float) @ multipliers[start : start + cut.rows]
        start += cut.rows
        force, couple = X.R.out(wrench[3:]), X.R.out(wrench[:3])
        moment = couple + np.cross(np.asarray(X.p, dtype=float), force, axis=0)
        components = np.concatenate([force, moment]).astype(float)
        wrenches.append(SelfStressWrench(cut.name, cut.A, cut.B, components))
    return wrenches


def carried(tree: Tree, acting: Sequence[SelfStressWrench], h: int) -> dict[str, Array]:
    """The wrenches (6, h) in the joints of the tree, from what acts besides them."""
    loads = np.zeros((len(tree), 6, h))
    for part in acting:
        for i, sign in ((part.A, -1.0), (part.B, 1.0)):
            if i >= 0:
                loads[i] += sign * part.wrench

    # inward: each joint carries what acts on its body and on everything beyond
    wrenches = {}
    for i, link in tree.backwards():
        wrenches[link.joint_name] = -loads[i]
        if link.parent >= 0:
            loads[link.parent] += loads[i]
    return wrenches
