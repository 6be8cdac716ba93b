"""Moving points and frames: coordinates with their time derivatives, composed by Leibniz's rule.

A pose that moves is its rotation R_AB and its origin p_AB with their derivatives seen from A. Then
x_A = p + R x_B gives, differentiated, every law of the composition of motions:

    x_A′ = (p′ + R′ x_B) + R x_B′                     entrainment, relative
    x_A″ = (p″ + R″ x_B) + 2 R′ x_B′ + R x_B″         entrainment, Coriolis, relative

with R′ = ω̃ R and R″ = (ω̃′ + ω̃ ω̃) R (Bour).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import final

import numpy as np

from torseur.spatial.pose import Pose
from torseur.spatial.vectors import axial_vector

Array = np.ndarray


@final
@dataclass(frozen=True)
class MovingPoint:
    """A point seen from a frame A: its coordinates and their derivatives, in the axes of A."""

    x: Array  # (orders, samples, 3): position, velocity, acceleration

    @property
    def position(self) -> Array:
        """From the origin of A (samples, 3) [m]."""
        return np.asarray(self.x[0])

    @property
    def velocity(self) -> Array:
        """Relative to A (samples, 3) [m/s]."""
        return np.asarray(self.x[1])

    @property
    def acceleration(self) -> Array:
        """Relative to A (samples, 3) [m/s²]."""
        return np.asarray(self.x[2])


@final
@dataclass(frozen=True)
class ObservedFrame:
    """A frame B seen from a frame A. Letters cancel: X_AC = X_AB @ X_BC."""

    R: Array  # (orders, samples, 3, 3): R_AB and its derivatives
    p: Array  # (orders, samples, 3): p_AB and its derivatives, in the axes of A

    def __matmul__(self, other: ObservedFrame) -> ObservedFrame:
        return ObservedFrame(_product(self.R, other.R), self.point(MovingPoint(other.p)).x)

    @property
    def inverse(self) -> ObservedFrame:
        """X_BA."""
        R = np.swapaxes(self.R, -1, -2)
        return ObservedFrame(R, -_applied(R, self.p))

    def point(self, point_motion: MovingPoint) -> MovingPoint:
        """A point seen from B, seen from A."""
        return MovingPoint(self.p + _applied(self.R, point_motion.x))

    def fixed(self, r: Array) -> MovingPoint:
        """The point of B at the coordinates r in B: one for all samples, or one a sample."""
        return MovingPoint(self.p + times(self.R, np.asarray(r, dtype=float)))

    def carried(self, x: Array) -> MovingPoint:
        """The point of B that coincides now with the position x in A (samples, 3).

        Its velocity is the Eulerian field v(x) of B; for a frame, it is the entrainment.
        """
        return self.fixed(times(np.swapaxes(self.R[0], -1, -2), np.asarray(x) - self.p[0]))

    def followed(self, x: Array) -> MovingPoint:
        """Φ(x, t): the point of B that was at x in A at the first sample, and its velocity."""
        return self.fixed(self.R[0, 0].T @ (np.asarray(x, dtype=float) - self.p[0, 0]))

    def traced_back(self, x: Array) -> Array:
        """Ψ(x, t): where the point of B that is at x in A was at the first sample (samples, 3)."""
        local = times(np.swapaxes(self.R[0], -1, -2), np.asarray(x, dtype=float) - self.p[0])
        return np.asarray(self.p[0, 0] + local @ self.R[0, 0].T)

    @property
    def angular_velocity(self) -> Array:
        """Ω of B relative to A, in the axes of A (samples, 3) [rad/s]: Ω̃ = R′ Rᵀ."""
        return axial_vector(self.R[1] @ np.swapaxes(self.R[0], -1, -2))

    @property
    def angular_acceleration(self) -> Array:
        """Its derivative seen from A, which is the same seen from B [rad/s²]."""
        return axial_vector(self.R[2] @ np.swapaxes(self.R[0], -1, -2))


def still(pose: Pose, orders: int, samples: int) -> ObservedFrame:
    """A frame that does not move, in the frame its pose is given in."""
    R, p = np.zeros((orders, samples, 3, 3)), np.zeros((orders, samples, 3))
    R[0], p[0] = np.asarray(pose.R.matrix, dtype=float), np.asarray(pose.p, dtype=float)
    return ObservedFrame(R, p)


def each(function: Callable[..., Array], *vectors: Array) -> Array:
    """A function of vectors applied to every sample: components come last in and out."""
    result = function(*(np.moveaxis(v, -1, 0) for v in vectors))
    return np.moveaxis(result, range(result.ndim - 1), range(1 - result.ndim, 0))


def times(R: Array, x: Array) -> Array:
    """The product of every matrix (…, 3, 3) with its vector (…, 3)."""
    return np.asarray((R @ x[..., None])[..., 0])


def _product(A: Array, B: Array) -> Array:
    """A B and its derivatives."""
    orders = min(len(A), len(B))
    return np.array([_leibniz(A, B, k) for k in range(orders)])


def _applied(A: Array, x: Array) -> Array:
    """A x and its derivatives."""
    return _product(A, x[..., None])[..., 0]


def _leibniz(A: Array, B: Array, k: int) -> Array:
    return np.asarray(sum((comb(k, j) * (A[j] @ B[k - j]) for j in range(1, k + 1)), A[0] @ B[k]))
