"""Spatial inertia of a body: mass, first moment and second moment about a point of the body.

The three are linear in the mass distribution, which makes the dynamics linear in them:
m = ∫ dm, h = ∫ r dm = m c, K = ∫ r rᵀ dm, all about the origin of the body's computing frame.
The usual inertia tensor there is I_O = tr(K) 1 − K.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.spatial.pose import Pose
from torseur.spatial.vectors import Array, cross


@final
@dataclass(frozen=True)
class Inertia:
    """m [kg], h [kg m], K [kg m²], about the origin and in the axes of one frame."""

    m: Any = 0.0
    h: Array = field(default_factory=lambda: np.zeros(3))
    K: Array = field(default_factory=lambda: np.zeros((3, 3)))

    def __add__(self, other: Inertia) -> Inertia:
        K = [self.K[i, j] + other.K[i, j] for i, j in _UPPER]
        return Inertia(self.m + other.m, self.h + other.h, _symmetric(*K))

    def __sub__(self, other: Inertia) -> Inertia:
        K = [self.K[i, j] - other.K[i, j] for i, j in _UPPER]
        return Inertia(self.m - other.m, self.h - other.h, _symmetric(*K))

    @property
    def tensor(self) -> Array:
        """I_O = tr(K) 1 − K, the inertia tensor about the origin."""
        K = self.K
        xx, yy, zz = K[1, 1] + K[2, 2], K[2, 2] + K[0, 0], K[0, 0] + K[1, 1]
        return np.array(
            [[xx, -K[0, 1], -K[0, 2]], [-K[0, 1], yy, -K[1, 2]], [-K[0, 2], -K[1, 2], zz]]
        )

    def momentum(self, w: Array, v: Array) -> tuple[Array, Array]:
        """m v + ω × h and I_O ω + h × v: linear and angular momentum at O, of one twist or many."""
        return self.m * v + cross(w, self.h), self.tensor @ w + cross(self.h, v)

    def seen_from(self, X: Pose) -> Inertia:
        """The inertia about A in A, from that about B in B, for X = X_AB (Huygens).

        m' = m, h' = R h + m p, K' = R K Rᵀ + (R h) pᵀ + p (R h)ᵀ + m p pᵀ.
        """
        if not X.R.factors and X.p.dtype != object and not X.p.any():
            return self
        p, h, K = X.p, X.R.out(self.h), X.R.tensor_out(self.K)
        shifted = h + self.m * p
        upper = [K[i, j] + h[i] * p[j] + p[i] * shifted[j] for i, j in _UPPER]
        return Inertia(self.m, shifted, _symmetric(*upper))

    @property
    def pseudo(self) -> Array:
        """The 4×4 matrix [K h; hᵀ m] of the homogeneous formulation (S1, (2-6))."""
        K, h = self.K, self.h
        return np.array([[*K[i], h[i]] for i in range(3)] + [[*h, self.m]])


def inertia(mass: Any, centre: Array, tensor: Array) -> Inertia:
    """From the mass, the centre of mass and the inertia tensor at the centre of mass."""
    half_trace = (tensor[0, 0] + tensor[1, 1] + tensor[2, 2]) / 2
    h = mass * centre
    upper = [half_trace * int(i == j) - tensor[i, j] + h[i] * centre[j] for i, j in _UPPER]
    return Inertia(mass, h, _symmetric(*upper))


def tensor_of(six: Iterable[Any]) -> Array:
    """The symmetric tensor of its components xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = six
    return _symmetric(xx, xy, xz, yy, yz, zz)


def components_of(tensor: Array) -> tuple[Any, ...]:
    """xx, yy, zz, xy, xz, yz of a symmetric tensor."""
    return (*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2])


_UPPER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


def _symmetric(xx: Any, xy: Any, xz: Any, yy: Any, yz: Any, zz: Any) -> Array:
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
