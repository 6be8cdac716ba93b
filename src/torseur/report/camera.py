"""A parallel projection of space on the page, and the direction that shows a mechanism best."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

Array = np.ndarray

_AZIMUTHS = np.radians([20, 35, 50, 65, 115, 130, 145, 160, 200, 215, 230, 245, 295, 310, 325, 340])
_ELEVATIONS = np.radians([18, 26, 34])


@final
@dataclass(frozen=True)
class Camera:
    """Where the page's right, its top and its reader are, as unit vectors; pixels a metre."""

    right: Array
    top: Array
    reader: Array
    scale: float = 1.0

    def at(self, point: Array) -> Array:
        """A point on the page: x to the right, y downwards."""
        return self.scale * np.array([point @ self.right, -(point @ self.top)])

    def depth(self, point: Array) -> float:
        """How near the reader a point is."""
        return float(point @ self.reader)


def camera(up: Array, azimuth: float, elevation: float) -> Camera:
    """The camera that looks down by `elevation`, the vertical upwards on the page."""
    side = np.roll(np.eye(3)[np.argmax(np.abs(up))], 1)
    first = side - (side @ up) * up
    first = first / np.linalg.norm(first)
    second = np.cross(up, first)
    level = np.cos(azimuth) * first + np.sin(azimuth) * second
    reader = np.cos(elevation) * level + np.sin(elevation) * up
    right = np.cross(up, reader)
    right = right / np.linalg.norm(right)
    return Camera(right, np.cross(reader, right), reader)


def best_camera(
    up: Array, levers: Sequence[Array], axes: Sequence[Array], places: Sequence[Array]
) -> Camera:
    """The camera that foreshortens levers and axes least and keeps distinct places apart."""
    cameras = (camera(up, azimuth, elevation) for elevation in _ELEVATIONS for azimuth in _AZIMUTHS)
    return max(cameras, key=lambda view: _merit(view, levers, axes, places))


def _merit(
    view: Camera, levers: Iterable[Array], axes: Iterable[Array], places: Sequence[Array]
) -> float:
    merit = 0.0
    for vector in levers:
        merit += np.log(min(_seen(view, vector), 0.85) + 0.05)
    for vector in axes:
        merit += 0.7 * np.log(min(_seen(view, vector), 0.7) + 0.05)
    for i, a in enumerate(places):
        for b in places[i + 1 :]:
            merit += 0.5 * np.log(min(_seen(view, b - a), 0.5) + 0.05)
    return merit


def _seen(view: Camera, vector: Array) -> float:
    """The share of a vector's length that is seen."""
    size = float(np.linalg.norm(vector))
    return float(np.hypot(*view.at(vector))) / size if size > 0 else 1.0
