"""Poses: where a frame is, and how it is turned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.spatial.rotation import IDENTITY, Rotation
from torseur.spatial.vectors import Array, numeric


@final
@dataclass(frozen=True)
class Pose:
    """X_AB: the origin of B, in A, and the rotation R_AB. Letters cancel: X_AC = X_AB @ X_BC."""

    p: Array = field(default_factory=lambda: np.zeros(3))  # p_AB, in A [m]
    R: Rotation = IDENTITY

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.p + self.R.out(other.p), self.R @ other.R)

    def numeric(self, number: Callable[[Any], float]) -> Pose:
        """Pose with numbers."""
        return Pose(numeric(self.p, number), self.R.numeric(number))

    @property
    def inverse(self) -> Pose:
        """X_BA."""
        return Pose(-self.R.into(self.p), self.R.inverse)

    def point(self, p: Array) -> Array:
        """A point given in B, in A."""
        return np.asarray(self.p + self.R.out(p))

    @property
    def homogeneous(self) -> Array:
        """The 4×4 matrix [R p; 0 1]."""
        R, p = self.R.matrix, self.p
        return np.array([[*R[i], p[i]] for i in range(3)] + [[0.0, 0.0, 0.0, 1.0]])
