"""A parallel projection of space on the page, and the direction that shows a mechanism best."""

from dataclasses import dataclass
from typing import final

import numpy as np

Array = np.ndarray

_AZIMUTHS = np.radians([t + turn for turn in (0, 90, 180, 270) for t in range(20, 75, 15)])
_ELEVATIONS = np.radians([16, 24, 32])
_USUAL = 0.5  # how much the axes of the ground should come towards the reader


@final
@dataclass(frozen=True)
class Camera:
    """Where the page's right, its top and its reader are, as unit vectors; pixels a metre."""

    right: Array
    top: Array
    reader: Array
    scale: float = 1.0

    def at(self, point: Array) -> Array:
        """A point, or each of several (n, 3), on the page: x to the right, y downwards."""
        return self.scale * np.stack([point @ self.right, -(point @ self.top)], axis=-1)

    def depth(self, point: Array) -> float:
        """How near the reader a point is."""
        return float(point @ self.reader)


def camera(up: Array, azimuth: float, elevation: float) -> Camera:
    """The camera that looks down by `elevation`, the vertical upwards on the page."""
    first, second = level(up)
    away = np.cos(azimuth) * first + np.sin(azimuth) * second
    reader = np.cos(elevation) * away + np.sin(elevation) * up
    right = np.cross(up, reader)
    right = right / np.linalg.norm(right)
    return Camera(right, np.cross(reader, right), reader)


def level(up: Array) -> tuple[Array, Array]:
    """Two horizontal directions, at right angles."""
    side = np.roll(np.eye(3)[np.argmax(np.abs(up))], 1)
    first = side - (side @ up) * up
    first = first / np.linalg.norm(first)
    return first, np.cross(up, first)


def angles(view: Camera, up: Array) -> tuple[Array, float, float]:
    """The horizontal direction that azimuths start from, the azimuth and the elevation."""
    first, second = level(up)
    azimuth = np.arctan2(view.reader @ second, view.reader @ first)
    return first, float(azimuth), float(np.arcsin(view.reader @ up))


def cameras(up: Array) -> list[Camera]:
    """The directions to choose from."""
    return [camera(up, azimuth, elevation) for elevation in _ELEVATIONS for azimuth in _AZIMUTHS]


def merit(view: Camera, segments: Array, axes: Array, unit: float) -> float:
    """How well a view shows segments (n, 2, 3) and axes (m, 3); `unit` is a usual length.

    Nothing should be foreshortened, no end of a segment should hide on another segment, and the
    axes of the ground should come towards the reader, as drawings usually have them.
    """
    page = np.array([view.right, view.top]).T
    total = _USUAL * float(np.sign(view.reader).sum())
    lengths = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    a, b = segments[:, 0] @ page, segments[:, 1] @ page
    seen = np.linalg.norm(b - a, axis=1) / np.maximum(lengths, 1e-12)
    total += float(np.log(np.minimum(seen, 0.85) + 0.05).sum())
    shown = np.linalg.norm(axes @ page, axis=1)
    total += 0.7 * float(np.log(np.minimum(shown, 0.7) + 0.05).sum())
    gaps = _gaps(np.concatenate([a, b]), a, b) / unit
    ends = np.concatenate([segments[:, 0], segments[:, 1]])
    meet = _gaps(ends, segments[:, 0], segments[:, 1]) < 1e-6 * unit
    clear = np.log(np.minimum(gaps, 0.45) + 0.03) - np.log(0.48)
    return total + 0.35 * float(np.where(meet, 0.0, clear).sum())


def _gaps(points: Array, a: Array, b: Array) -> Array:
    """The distance of each point to each segment a b."""
    along, away = b - a, points[:, None] - a
    share = (away * along).sum(-1) / np.maximum((along * along).sum(-1), 1e-12)
    nearest = a + np.clip(share, 0.0, 1.0)[..., None] * along
    return np.linalg.norm(points[:, None] - nearest, axis=-1)
