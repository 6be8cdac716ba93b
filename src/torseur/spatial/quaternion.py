"""Unit quaternions (w, x, y, z): attitudes without a singular position."""

from typing import Any

import numpy as np

from torseur.spatial.vectors import Array


def product(a: Array, b: Array) -> Array:
    """a ∘ b: the attitude of C in A from those of B in A and of C in B."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return np.array(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ]
    )


def conjugate(a: Array) -> Array:
    """The inverse of a unit quaternion."""
    return np.array([a[0], -a[1], -a[2], -a[3]])


def matrix(a: Array) -> Array:
    """The rotation matrix R_AB of the attitude of B in A."""
    w, x, y, z = a
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def from_matrix(R: Array) -> Array:
    """The attitude of a rotation matrix (floats), with w ≥ 0; accurate for every angle.

    The largest of w², x², y², z² is found first, so that nothing small is divided by
    (Shepperd, 1978). Many matrices (3, 3, N) have as many attitudes (4, N).
    """
    t = np.trace(R)
    squares = np.array([t, R[0, 0], R[1, 1], R[2, 2]])
    by_w = [1 + t, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
    ways = np.array([by_w, *(_by_component(R, i) for i in range(3))])
    largest = np.argmax(squares, axis=0)[np.newaxis, np.newaxis]
    q = np.take_along_axis(ways, largest, axis=0)[0]
    q = q / np.sqrt((q * q).sum(axis=0))
    return np.asarray(np.where(q[0] < 0, -q, q))


def _by_component(R: Array, i: int) -> list[Any]:
    """A multiple of the attitude in which x, y or z is not small."""
    j, k = (i + 1) % 3, (i + 2) % 3
    q: list[Any] = [R[k, j] - R[j, k], 0, 0, 0]
    q[1 + i] = 1 + R[i, i] - R[j, j] - R[k, k]
    q[1 + j] = R[i, j] + R[j, i]
    q[1 + k] = R[i, k] + R[k, i]
    return q


def rate(a: Array, w: Array) -> Array:
    """ȧ = ½ a ∘ (0, ω), ω being in body axes (erratum E0-26: v̇ = ½ (s ω + ṽ ω))."""
    return product(a, np.array([0.0, *w])) / 2


def angular_velocity(a: Array, a_dot: Array) -> Array:
    """ω in body axes, from an attitude and its rate: the vector part of 2 ā ∘ ȧ."""
    return 2 * product(conjugate(a), a_dot)[1:]


def from_axis(axis: Array, angle: Any) -> Array:
    """The attitude after a rotation by `angle` about a unit vector."""
    half = angle / 2
    s = np.sin(half)
    return np.array([np.cos(half), s * axis[0], s * axis[1], s * axis[2]])
