"""Plane movements: the plane in which everything moves, and the view along its normal."""

from collections.abc import Iterable, Mapping

import numpy as np

from torseur.report.scene.camera import Camera, level
from torseur.report.scene.movement import Frames

Array = np.ndarray
_FLAT = 0.02  # of its width: what a plane mechanism may reach along the normal
_SMALL = 1e-6  # of a turn, or of the size of the mechanism
_USUAL = np.array([1.0, 0.5, 0.25])  # x goes to the right rather than y, y rather than z


def plane_normal(
    frames: Mapping[str, Frames], places: Array, axes: Iterable[Array] = ()
) -> Array | None:
    """The axis about which everything turns and along which nothing moves; none in space.

    `places` (n, 3) are those of joints, points and centres at one time: those of a rotor lie along
    its axis, which is no plane to look at. `axes` are those about which something could turn.
    """
    moves = np.concatenate([p - p[0] for _, p in frames.values()])
    extent = max(float(np.ptp(x, axis=0).max()) for x in (moves, places))
    normal = _only(np.concatenate([_turns(R) for R, _ in frames.values()]))
    if normal is None or np.abs(moves @ normal).max() > _SMALL * extent:
        return None
    if any(np.linalg.norm(np.cross(axis, normal)) > _SMALL for axis in axes):
        return None
    heights = places @ normal
    across = places - np.outer(heights, normal)
    width = float(np.ptp(across, axis=0).max())
    return normal if np.ptp(heights) <= _FLAT * width else None


def _turns(R: Array) -> Array:
    """The axis of the rotation since the first sample, times the sine of its angle."""
    A = R @ R[0].T
    parts = ((2, 1), (0, 2), (1, 0))
    return np.stack([(A[:, i, j] - A[:, j, i]) / 2 for i, j in parts], axis=1)


def _only(vectors: Array) -> Array | None:
    """The direction of all vectors, if they have one."""
    sizes, directions = np.linalg.svd(vectors, full_matrices=False)[1:]
    if sizes[0] < _SMALL or sizes[1] > _SMALL * sizes[0]:
        return None
    direction: Array = directions[0]
    return direction


def facing(reader: Array, up: Array) -> Camera:
    """The camera that looks from `reader`, the vertical upwards unless one looks along it."""
    reader = reader / np.linalg.norm(reader)
    top = up - (up @ reader) * reader
    if np.linalg.norm(top) < 0.1:
        top = np.array([0.0, 1.0, 0.0]) if abs(up[1]) < 0.5 else level(up)[1]
        top = top - (top @ reader) * reader
    top = top / np.linalg.norm(top)
    return Camera(np.cross(top, reader), top, reader)


def from_front(normal: Array, up: Array) -> Camera:
    """The camera along the normal of a plane, from the side where drawings usually have it."""
    views = [facing(sign * normal, up) for sign in (1, -1)]
    return max(views, key=lambda view: float(view.right @ _USUAL))


def angles_on_page(R: Array, view: Camera) -> Array:
    """How far a body has turned on the page since the first sample [rad], clockwise."""
    turned = R @ R[0].T @ view.right
    angles: Array = np.unwrap(np.arctan2(-(turned @ view.top), turned @ view.right))
    return angles
