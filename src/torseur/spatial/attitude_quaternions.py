"""Unit quaternions (w, x, y, z) as they are called from outside: numbers are checked."""

from typing import Any

import numpy as np

from torseur.spatial import quaternion
from torseur.spatial.given_attitudes import rotation_matrix, unit_quaternion, unit_vector
from torseur.spatial.vectors import Array


def product(a: Array, b: Array) -> Array:
    """a ∘ b: the attitude of C in A from those of B in A and of C in B."""
    return quaternion.product(np.asarray(a), np.asarray(b))


def conjugate(a: Array) -> Array:
    """The inverse of a unit quaternion."""
    return quaternion.conjugate(np.asarray(a))


def matrix(a: Array) -> Array:
    """The rotation matrix R_AB of the attitude of B in A; its length does not count."""
    return quaternion.matrix(unit_quaternion(a, "quaternion.matrix"))


def from_matrix(R: Array) -> Array:
    """The attitude of a rotation matrix (floats), with w ≥ 0; accurate for every angle.

    Many matrices (3, 3, N) have as many attitudes (4, N) (Shepperd, 1978).
    """
    return quaternion.from_matrix(rotation_matrix(R, "quaternion.from_matrix"))


def rate(a: Array, w: Array) -> Array:
    """ȧ = ½ a ∘ (0, ω), ω being in body axes (erratum E0-26: v̇ = ½ (s ω + ṽ ω))."""
    return quaternion.rate(np.asarray(a), np.asarray(w))


def angular_velocity(a: Array, a_dot: Array) -> Array:
    """ω in body axes, from an attitude and its rate: the vector part of 2 ā ∘ ȧ."""
    return quaternion.angular_velocity(np.asarray(a), np.asarray(a_dot))


def from_axis(axis: Array, angle: Any) -> Array:
    """The attitude after a rotation by `angle` about an axis, whose length does not count."""
    return quaternion.from_axis(unit_vector(axis, "quaternion.from_axis"), angle)
