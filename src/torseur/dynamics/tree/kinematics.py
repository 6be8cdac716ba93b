"""Positions, velocities and accelerations of bodies and points, and their Jacobians."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.recursions.body_motion import move, tensor
from torseur.dynamics.recursions.body_rows import Row, place, rows, scalars, tree_rows
from torseur.dynamics.recursions.energy import carry_velocity
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import from_matrix
from torseur.spatial.vectors import cross, settled, vector
from torseur.topology.tree import GROUND_INDEX, Tree

Array = np.ndarray


@final
@dataclass(frozen=True)
class Velocity:
    """Velocity of one body, in its computing frame, of which O is the origin."""

    X: Pose  # in the frame of the parent
    w: Array  # angular velocity
    v: Array  # velocity of O


def velocities(tree: Tree, q: Array, v: Array) -> list[Velocity]:
    """The twist of every body, in its own axes."""
    arrays, speeds = tree_rows(tree), scalars(v)
    arrays.work[0][at.VELOCITY] = (0.0, 0.0, 0.0)
    for i in range(1, len(arrays.model)):
        body, current, carrier = rows(arrays.model, arrays.work, i, at.COMPOSITE_WIDTH)
        place(body, current, arrays.columns, q)
        carry_velocity(body, current, carrier, arrays.columns, speeds)
    return [_velocity(current) for current in arrays.work[1:]]


def _velocity(row: Row) -> Velocity:
    X = Pose(vector(*row[at.P]), row[at.R])
    return Velocity(X, vector(*row[at.W]), vector(*row[at.VELOCITY]))


@final
@dataclass(frozen=True)
class Motion:
    """Motion of one body, in its computing frame, of which O is the origin."""

    X: Pose  # in the frame of the parent
    w: Array  # angular velocity [rad/s]
    dw: Array  # angular acceleration [rad/s²]
    acc: Array  # acceleration of O, gravity included as an upward acceleration of the ground
    U: Array  # dw̃ + w̃ w̃: a point at r from O accelerates by acc + U r


def accelerations(tree: Tree, q: Array, v: Array, a: Array, gravity: Array) -> list[Motion]:
    """The motion of every body when the accelerations are `a`; gravity is in ground axes."""
    arrays, speeds, rates = tree_rows(tree, scalars(-gravity)), scalars(v), scalars(a)
    for i in range(1, len(arrays.model)):
        body, current, carrier = rows(arrays.model, arrays.work, i, at.INVERSE_WIDTH)
        place(body, current, arrays.columns, q)
        move(body, current, carrier, arrays.columns, q, speeds, rates)
    return [motion(current) for current in arrays.work[1:]]


def motion(row: Row) -> Motion:
    """Motion of a body read from the workspace of a recursion."""
    X = Pose(np.array(row[at.P]), row[at.R])
    w, dw = np.array(row[at.W]), np.array(row[at.DW])
    return Motion(X, w, dw, np.array(row[at.ACC]), acceleration_tensor(w, dw))


def acceleration_tensor(w: Any, dw: Any) -> Array:
    """U = dw̃ + w̃ w̃; components may be columns of numbers."""
    nine = np.array(tensor(w, dw))
    return nine.reshape(3, 3, *nine.shape[1:])


def ground_poses(tree: Tree, q: Array) -> list[Pose]:
    """X_WM: every computing frame in the ground."""
    placed: list[Pose] = []
    for X, link in zip(tree.poses(q), tree.links, strict=True):
        placed.append(placed[link.parent] @ X if link.parent >= 0 else X)
    return placed


def branch_poses(tree: Tree, q: Array, body: int) -> dict[int, Pose]:
    """X_WM of a body and of those that carry it, each rotation multiplied out to one matrix."""
    placed = {GROUND_INDEX: Pose()}
    for i in reversed(tree.ancestors(body)):
        link = tree.links[i]
        placed[i] = multiplied(placed[link.parent] @ link.X_PF @ link.joint.transform(q[link.q]))
    return placed


def multiplied(X: Pose) -> Pose:
    """Pose with its rotation as one matrix, so that frequent reads are computed once."""
    return Pose(X.p, from_matrix(settled(X.R.matrix)))


def jacobian(tree: Tree, q: Array, body: int, point: Array) -> tuple[Array, Array]:
    """J_ω and J_v (3 × nv) in ground axes: ω = J_ω v, velocity of the point = J_v v.

    `point` is given in the computing frame of the body. A joint off the branch contributes zero
    (Llibre 2009, §2.2.10).
    """
    placed = ground_poses(tree, q)
    return jacobian_at(tree, placed, q, body, placed[body].point(point))


def jacobian_at(
    tree: Tree, placed: Sequence[Pose] | Mapping[int, Pose], q: Array, body: int, target: Array
) -> tuple[Array, Array]:
    """J_ω and J_v of the point of a body that is at `target` in the ground; zero for the ground."""
    return _jacobian(tree, q, [(i, placed[i], 1) for i in tree.ancestors(body)], target)


def _jacobian(
    tree: Tree, q: Array, moving: Iterable[tuple[int, Pose, int]], target: Array
) -> tuple[Array, Array]:
    """J_ω and J_v at a point, from the joints that move it: their poses and signs."""
    angular = np.zeros((3, tree.nv), dtype=object)
    linear = np.zeros((3, tree.nv), dtype=object)
    for i, X, sign in moving:
        link = tree.links[i]
        S = link.joint.motion_subspace(q[link.q])
        w, V = X.R.out(S[:3]), X.R.out(S[3:])
        angular[:, link.v] = sign * w
        linear[:, link.v] = sign * (V + cross(w, target - X.p))
    return settled(angular), settled(linear)


def own_jacobian(tree: Tree, q: Array, body: int, X_MP: Pose) -> tuple[Array, Array]:
    """J_ω and J_v of the origin of a frame P of a body, in the axes of P."""
    X = multiplied(X_MP.inverse)
    moving = []
    for i in tree.ancestors(body):
        moving.append((i, X, 1))
        link = tree.links[i]
        step = link.X_PF @ link.joint.transform(q[link.q])
        R = multiplied(Pose(X.p, X.R @ step.R.inverse)).R
        X = Pose(X.p - R.out(step.p), R)
    return _jacobian(tree, q, moving, np.zeros(3))


def relative_jacobian(tree: Tree, q: Array, A: int, B: int, target: Array) -> tuple[Array, Array]:
    """J_ω and J_v (3 × nv) of body B relative to body A, in the axes of A, at a point given in A.

    Only the joints between the two bodies are crossed, so that what two wheels of one carrier do
    does not depend on where the carrier is.
    """
    steps = tree.poses(q)
    up, down = tree.ancestors(A), tree.ancestors(B)
    common = next((i for i in up if i in down), -1)
    moving, X = [], Pose()
    for i in up[: up.index(common)] if common in up else up:
        moving.append((i, X, -1))
        X = X @ steps[i].inverse
    for i in reversed(down[: down.index(common)] if common in down else down):
        X = X @ steps[i]
        moving.append((i, X, 1))
    return _jacobian(tree, q, moving, target)
