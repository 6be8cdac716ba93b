"""Unit quaternions (w, x, y, z) as they are called from outside: numbers are checked."""

from typing import Any

from torseur.spatial import quaternion
from torseur.spatial.given_attitudes import (
    angle_of,
    components,
    rotation_matrix,
    unit_quaternion,
    unit_vector,
)
from torseur.spatial.vectors import Array


def product(a: Array, b: Array) -> Array:
    """a ∘ b: the attitude of C in A from those of B in A and of C in B."""
    return quaternion.product(_four(a, "product"), _four(b, "product"))


def conjugate(a: Array) -> Array:
    """The inverse of a unit quaternion."""
    return quaternion.conjugate(_four(a, "conjugate"))


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
    turning = components(w, 3, "quaternion.rate")
    return quaternion.rate(_four(a, "rate"), turning)


def angular_velocity(a: Array, a_dot: Array) -> Array:
    """ω in body axes, from an attitude and its rate: the vector part of 2 ā ∘ ȧ."""
    both = (_four(x, "angular_velocity") for x in (a, a_dot))
    return quaternion.angular_velocity(*both)


def from_axis(axis: Array, angle: Any) -> Array:
    """The attitude after a rotation by `angle` about an axis, whose length does not count."""
    place = "quaternion.from_axis"
    return quaternion.from_axis(unit_vector(axis, place), angle_of(angle, place))


def _four(a: Array, function: str) -> Array:
    return components(a, 4, f"quaternion.{function}")
