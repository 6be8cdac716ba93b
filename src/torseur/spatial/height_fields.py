"""Height fields: heights over an even grid, and the triangles between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np

from torseur.spatial.hulls import Triangles

Array = np.ndarray


@final
@dataclass(frozen=True, eq=False)
class HeightField:
    """The solid below triangles over a grid about z; each cell has the diagonal (0, 0) to (1, 1).

    The first row of heights is at the lowest y, the first column at the lowest x.
    """

    size: tuple[float, float]  # along x and y [m]
    heights: Array = field(repr=False)  # (rows, columns) [m]
    depth: float  # how far the solid reaches below its lowest corner [m]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HeightField):
            return NotImplemented
        same = self.size == other.size and self.depth == other.depth
        return same and np.array_equal(self.heights, other.heights)

    def __hash__(self) -> int:
        return hash((self.size, self.depth, self.heights.tobytes()))

    @property
    def steps(self) -> tuple[float, float]:
        """Lengths of a cell."""
        rows, columns = self.heights.shape
        return self.size[0] / (columns - 1), self.size[1] / (rows - 1)

    @property
    def levels(self) -> tuple[float, float]:
        """The bottom of the solid, and its highest corner."""
        return float(self.heights.min()) - self.depth, float(self.heights.max())

    @property
    def least_cosine(self) -> float:
        """Cosine of the steepest slope."""
        along, across = (np.diff(self.heights, axis=k) / self.steps[1 - k] for k in (0, 1))
        lower = np.hypot(across[:-1], along[:, 1:])
        upper = np.hypot(across[1:], along[:, :-1])
        return float(1 / np.sqrt(1 + max(lower.max(), upper.max()) ** 2))

    def coarse(self, most: int) -> HeightField:
        """A field of at most so many cells along each side, with heights between those there."""
        rows, columns = self.heights.shape
        if max(rows, columns) <= most + 1:
            return self
        v, u = (np.linspace(0, n - 1, min(n, most + 1)) for n in (rows, columns))
        across = np.array([np.interp(u, np.arange(columns), row) for row in self.heights])
        grid = np.array([np.interp(v, np.arange(rows), column) for column in across.T]).T
        return HeightField(self.size, grid, self.depth)

    @property
    def surface(self) -> Triangles:
        """The triangles that shapes meet."""
        rows, columns = self.heights.shape
        (a, b), (x, y) = self.size, np.meshgrid(np.arange(columns), np.arange(rows))
        dx, dy = self.steps
        points = np.column_stack(
            [x.ravel() * dx - a / 2, y.ravel() * dy - b / 2, self.heights.ravel()]
        )
        first = (y[:-1, :-1] * columns + x[:-1, :-1]).ravel()
        lower = np.column_stack([first, first + 1, first + columns + 1])
        upper = np.column_stack([first, first + columns + 1, first + columns])
        return Triangles(points, np.stack([lower, upper], axis=1).reshape(-1, 3))
