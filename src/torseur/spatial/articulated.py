"""The inertia a body shows through the joints of everything it carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.spatial.inertia import Inertia
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import Rotation
from torseur.spatial.vectors import Array, skew


@final
@dataclass(frozen=True)
class ArticulatedInertia:
    """The symmetric 6×6 matrix [A B; Bᵀ C]: moment = A dω + B dv, force = Bᵀ dω + C dv."""

    A: Array
    B: Array
    C: Array

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(self.A + other.A, self.B + other.B, self.C + other.C)

    def momentum(self, twists: Array) -> tuple[Array, Array]:
        """Force and moment for each column (ω; v) of a 6 × n matrix."""
        w, v = twists[:3], twists[3:]
        return self.B.T @ w + self.C @ v, self.A @ w + self.B @ v

    def without(self, linear: Array, angular: Array, D_inverse: Array) -> ArticulatedInertia:
        """What is left when a joint gives way: I − (I S) D⁻¹ (I S)ᵀ."""
        g, f = angular @ D_inverse, linear @ D_inverse
        return ArticulatedInertia(
            _minus_symmetric(self.A, g, angular),
            self.B - g @ linear.T,
            _minus_symmetric(self.C, f, linear),
        )

    def seen_from(self, X: Pose) -> ArticulatedInertia:
        """About A in A, from that about B in B: B' = B + p̃ C, A' = A + p̃ Bᵀ − B' p̃."""
        A, C = X.R.tensor_out(self.A), X.R.tensor_out(self.C)
        B, p = both_sides(X.R, self.B), skew(X.p)
        shifted = B + p @ C
        return ArticulatedInertia(_symmetric(A + p @ B.T - shifted @ p), shifted, C)


def rigid(body: Inertia) -> ArticulatedInertia:
    """The articulated inertia of a single rigid body."""
    return ArticulatedInertia(body.tensor, skew(body.h), body.m * np.eye(3))


def both_sides(R: Rotation, B: Array) -> Array:
    """R B Rᵀ for a matrix without symmetry."""
    return R.out(R.out(B).T).T


def _minus_symmetric(A: Array, g: Array, b: Array) -> Array:
    """A − g bᵀ, the result being known to be symmetric."""
    return _symmetric(A - g @ b.T)


def _symmetric(A: Array) -> Array:
    """The matrix with its lower triangle taken from the upper one, so that it is computed once."""
    return np.array([[A[min(i, j), max(i, j)] for j in range(3)] for i in range(3)])
