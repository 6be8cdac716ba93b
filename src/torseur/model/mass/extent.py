"""How far solids reach along a direction, in numbers: the support function of their convex hull."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import final

import numpy as np

Array = np.ndarray
DIRECTIONS = np.array(
    [np.array(u) / np.linalg.norm(u) for u in product((-1, 0, 1), repeat=3) if any(u)]
)


@final
@dataclass(frozen=True)
class Extent:
    """The convex hull of circles about z, or of a box, rounded by a radius [m]."""

    circles: tuple[tuple[float, float], ...] = ()  # radius and height of each
    half: bool = False  # of the circles only what is at y ≥ 0
    box: tuple[float, float, float] = (0.0, 0.0, 0.0)  # full lengths
    rounded: float = 0.0

    def reach(self, u: Array) -> float:
        """The largest u·x of its points, u being a unit vector."""
        across = abs(u[0]) if self.half and u[1] < 0 else float(np.hypot(u[0], u[1]))
        boxed = float(np.abs(u) @ self.box) / 2
        found = (radius * across + height * u[2] for radius, height in self.circles)
        return float(max(found, default=boxed) + self.rounded)


@final
@dataclass(frozen=True)
class PlacedExtent:
    """An extent in a body: the point x of it is at p + R x."""

    extent: Extent
    R: Array
    p: Array

    def reach(self, u: Array) -> float:
        """The largest u·x of its points, in the axes of the body."""
        return float(u @ self.p) + self.extent.reach(self.R.T @ u)


def beyond(removed: PlacedExtent, kept: Iterable[PlacedExtent]) -> float:
    """How far what is removed reaches beyond all that is kept, at least; not positive: nowhere.

    Seen along 26 directions, so that it may reach farther along another one.
    """
    others = tuple(kept)
    return max(removed.reach(u) - max(x.reach(u) for x in others) for u in DIRECTIONS)
