"""What the joints with a free rotation share: distances along axes of F, then a unit quaternion.

The speeds are the rates of the distances, then the angular velocity in the axes of M.
"""

import numpy as np

from torseur.model.joints.protocol import NOTHING, Array, columns, unit
from torseur.spatial import quaternion
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import Fixed, Rotation
from torseur.spatial.vectors import cross

Axes = tuple[int, ...]


def transform(axes: Axes, q: Array) -> Pose:
    """X_FM."""
    return Pose(_along(axes, q), Rotation((Fixed(quaternion.matrix(q[-4:])),)))


def motion_subspace(axes: Axes, q: Array) -> Array:
    """S: the axes of F seen from M, then the three rotations."""
    R = quaternion.matrix(q[-4:])
    slides = ((NOTHING, R[k]) for k in axes)
    return columns(*slides, *((unit(k), NOTHING) for k in range(3)))


def bias(axes: Axes, q: Array, v: Array) -> Array:
    """Ṡ v: the axes of F turn backwards when they are seen from M."""
    moving = quaternion.matrix(q[-4:]).T @ _along(axes, v)
    return np.array([*NOTHING, *cross(moving, v[-3:])])


def rates(q: Array, v: Array) -> Array:
    """q̇."""
    return np.array([*v[:-3], *quaternion.rate(q[-4:], v[-3:])])


def speeds(q: Array, rates: Array) -> Array:
    """v."""
    return np.array([*rates[:-4], *quaternion.angular_velocity(q[-4:], rates[-4:])])


def read(axes: Axes, R: Array, p: Array) -> Array:
    """q from a pose."""
    return np.array([*(p[k] for k in axes), *quaternion.from_matrix(np.asarray(R, dtype=float))])


def neutral(axes: Axes) -> Array:
    """No distance, no rotation."""
    return np.array([*(0.0 for _ in axes), 1.0, 0.0, 0.0, 0.0])


def _along(axes: Axes, distances: Array) -> Array:
    """The vector of F with these components along the axes."""
    found = dict(zip(axes, distances, strict=False))
    return np.array([found.get(k, 0.0) for k in range(3)])
