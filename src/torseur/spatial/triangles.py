"""Surfaces of triangles, and the corners of what is convex about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import final

import numpy as np

Array = np.ndarray


@final
@dataclass(frozen=True)
class Triangles:
    """Points and faces, each a row of three places among the points."""

    points: Array = field(repr=False)  # (n, 3)
    faces: Array = field(repr=False)  # (m, 3)

    @property
    def is_flat(self) -> bool:
        """Whether all points lie in a plane, to rounding."""
        from scipy.linalg import svdvals

        if len(self.points) < 4:
            return True
        sizes = svdvals(self.points - self.points.mean(axis=0))
        return bool(sizes[2] <= 1e-9 * sizes[0])

    @cached_property
    def hull(self) -> Array:
        """The corners of the smallest convex body around them, (k, 3); not of what is flat."""
        from scipy.spatial import ConvexHull

        corners = np.sort(ConvexHull(self.points).vertices)
        return np.asarray(self.points[corners])
