"""The plane of a mechanism: all turns are about its normal, and nothing moves along it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.report.scene.camera import level
from torseur.report.scene.movement import Movement

Array = np.ndarray
_SMALL = 1e-6
_DEEP = 0.4  # of its width: what is seen in a plane reaches no farther along the normal


def plane_normal(pose: Movement, points: Array) -> Array | None:
    """The normal of the plane of all relative motions of a pose, if there is one.

    `points` (n, 3) are those that are to be seen: what is long along the normal, as a rotor is, is
    no plane figure.
    """
    turns, moves = _motions(pose)
    normal = turns[0] if len(turns) else _beside(moves, points, pose.geometry.up)
    if normal is None or np.abs(moves @ normal).max(initial=0.0) > _SMALL:
        return None
    if np.linalg.norm(np.cross(turns, normal), axis=-1).max(initial=0.0) > _SMALL:
        return None
    heights = points @ normal
    across = points - np.outer(heights, normal)
    deep = np.ptp(heights) > _DEEP * float(np.ptp(across, axis=0).max())
    return None if deep else np.asarray(normal)


def usual_normal(pose: Movement, points: Array) -> Array:
    """That of the plane, or the axis about which most joints turn; z where none does."""
    normal = plane_normal(pose, points)
    turns, _ = _motions(pose)
    if normal is not None or not len(turns):
        return np.array([0.0, 0.0, 1.0]) if normal is None else normal
    shared = (np.abs(turns @ turns.T) > 1 - _SMALL).sum(axis=1)
    return np.asarray(turns[int(np.argmax(shared))])


def _motions(pose: Movement) -> tuple[Array, Array]:
    """The directions about which joints let turn, and along which they let their points move."""
    turns: list[Array] = []
    moves: list[Array] = []
    for R, S in _subspaces(pose):
        for motion in np.asarray(S, dtype=float).T:
            for part, directions in ((motion[:3], turns), (motion[3:], moves)):
                size = float(np.linalg.norm(part))
                directions += [R @ part / size] if size > _SMALL else []
    return np.array(turns).reshape(-1, 3), np.array(moves).reshape(-1, 3)


def _subspaces(pose: Movement) -> Iterator[tuple[Array, Array]]:
    """The axes of M in the ground and the free motions in them, of every joint but rods."""
    geometry, poses, q = pose.geometry, pose.poses(0), pose.q[0]
    for link in geometry.structure.tree.links:
        frame = poses[link.name] @ link.X_MB.inverse
        yield frame.R.matrix, link.joint.motion_subspace(q[link.q])
    for cut in geometry.structure.cuts:
        joint = geometry.numeric.joints[cut.name]
        if joint.kind.freedoms is not None:
            F, M = poses[joint.first] @ joint.X_AF, poses[joint.second] @ joint.X_BM
            X = F.inverse @ M
            yield M.R.matrix, joint.kind.motions_at(X.R.matrix, X.p)


def _beside(moves: Array, points: Array, up: Array) -> Array | None:
    """Normal of the directions of sliding; for one direction, a level normal.

    It is the one along which points reach least.
    """
    if not len(moves):
        return None
    sizes, directions = np.linalg.svd(moves)[1:]
    if len(sizes) > 1 and sizes[1] > _SMALL:
        return None if len(sizes) > 2 and sizes[2] > _SMALL else np.asarray(directions[2])
    level_one = np.cross(moves[0], up)
    if np.linalg.norm(level_one) > _SMALL:
        return np.asarray(level_one / np.linalg.norm(level_one))
    first, second = level(up)
    return min((second, first), key=lambda e: round(float(np.ptp(points @ e)), 9))
