"""A parallel projection of space on the page, and the direction that shows a mechanism best.

A plane movement is seen along the normal of the plane in which everything moves.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

Array = np.ndarray
Frames = tuple[Array, Array]  # R (samples, 3, 3) and p (samples, 3) in the ground
_AZIMUTHS = np.radians([t + turn for turn in (0, 90, 180, 270) for t in range(20, 75, 15)])
_ELEVATIONS = np.radians([16, 24, 32])
_USUAL = 0.5  # how much the axes of the ground should come towards the reader
_FLAT = 0.02  # of its width: what a plane mechanism may reach along the normal
_SMALL = 1e-6  # of a turn, or of the size of the mechanism
_RIGHT = np.array([1.0, 0.5, 0.25])  # x goes to the right rather than y, y rather than z


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
        """Depth of a point, larger if nearer to the reader."""
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
    away = np.cross(view.right, up)
    azimuth = np.arctan2(away @ second, away @ first)
    return first, float(azimuth), float(np.arcsin(np.clip(view.reader @ up, -1.0, 1.0)))


def cameras(up: Array) -> list[Camera]:
    """The directions to choose from."""
    return [camera(up, azimuth, elevation) for elevation in _ELEVATIONS for azimuth in _AZIMUTHS]


def merit(view: Camera, segments: Array, axes: Array, unit: float) -> float:
    """Quality of a view of segments (n, 2, 3) and axes (m, 3); `unit` is a usual length.

    Nothing should be foreshortened, no end of a segment should hide on another segment, and the
    axes of the ground should come towards the reader, as drawings usually have them.
    """
    page = np.array([view.right, view.top]).T
    total = _USUAL * float(np.sign(view.reader).sum())
    lengths = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    a, b = segments[:, 0] @ page, segments[:, 1] @ page
    visible = np.linalg.norm(b - a, axis=1) / np.maximum(lengths, 1e-12)
    total += float(np.log(np.minimum(visible, 0.85) + 0.05).sum())
    visible_axes = np.linalg.norm(axes @ page, axis=1)
    total += 0.7 * float(np.log(np.minimum(visible_axes, 0.7) + 0.05).sum())
    gaps = _gaps(np.concatenate([a, b]), a, b) / unit
    ends = np.concatenate([segments[:, 0], segments[:, 1]])[:, None]
    away = np.stack([np.linalg.norm(ends - segments[:, k], axis=-1) for k in (0, 1)])
    meet = away.min(axis=0) < 1e-6 * unit
    clear = np.log(np.minimum(gaps, 0.45) + 0.03) - np.log(0.48)
    return total + 0.35 * float(np.where(meet, 0.0, clear).sum())


def _gaps(points: Array, a: Array, b: Array) -> Array:
    """The distance of each point to each segment a b."""
    along, away = b - a, points[:, None] - a
    share = (away * along).sum(-1) / np.maximum((along * along).sum(-1), 1e-12)
    nearest = a + np.clip(share, 0.0, 1.0)[..., None] * along
    return np.asarray(np.linalg.norm(points[:, None] - nearest, axis=-1))


# --- plane movements ----------------------------------------------------------------------------


def plane_normal(
    frames: Mapping[str, Frames],
    places: Array,
    axes: Iterable[Array] = (),
    lines: Iterable[Array] = (),
) -> Array | None:
    """The axis about which everything turns and along which nothing moves; none in space.

    `places` (n, 3) are those of joints, points and centres at one time: those of a rotor lie along
    its axis, which is no plane to look at. `axes` are those about which something could turn,
    `lines` those along which something could slide or fall: where nothing turns
    they span the plane, one with an axis of the ground if all are parallel.
    """
    moves = np.concatenate([p - p[0] for _, p in frames.values()])
    extent = max(float(np.ptp(x, axis=0).max()) for x in (moves, places))
    turns = np.concatenate([_turns(R) for R, _ in frames.values()])
    axes = list(axes)
    if np.abs(turns).max() > _SMALL or axes:
        only = _only(turns if np.abs(turns).max() > _SMALL else np.array(axes))
        normals = [] if only is None else [only]
    else:
        normals = _across(moves, list(lines))
    for normal in normals:
        still = np.abs(moves @ normal).max() <= _SMALL * extent
        parallel = all(np.linalg.norm(np.cross(axis, normal)) <= _SMALL for axis in axes)
        if still and parallel and _is_flat(places, normal):
            return normal
    return None


def _is_flat(places: Array, normal: Array) -> bool:
    """Whether places lie in a plane, as nearly as a mechanism in layers does."""
    heights = places @ normal
    across = places - np.outer(heights, normal)
    return bool(np.ptp(heights) <= _FLAT * float(np.ptp(across, axis=0).max()))


def _across(moves: Array, lines: list[Array]) -> list[Array]:
    """Direction normal to all moves and lines; axes of the ground if these are parallel."""
    largest = float(np.abs(moves).max(initial=0.0))
    firm = np.array([*lines, *(moves / largest if largest else ())])
    if not len(firm):
        return []
    sizes, directions = np.linalg.eigh(firm.T @ firm)  # the least first
    if sizes[1] > _SMALL**2 * sizes[2]:
        return [directions[:, 0]] if sizes[0] <= _SMALL**2 * sizes[2] else []
    return [axis for axis in np.eye(3)[::-1] if abs(axis @ directions[:, 2]) < _SMALL]


def _turns(R: Array) -> Array:
    """The axis of the rotation since the first sample, times the sine of its angle."""
    A = R @ R[0].T
    parts = ((2, 1), (0, 2), (1, 0))
    return np.stack([(A[:, i, j] - A[:, j, i]) / 2 for i, j in parts], axis=1)


def _only(vectors: Array) -> Array | None:
    """The direction of all vectors, if they have one."""
    sizes, directions = np.linalg.svd(vectors, full_matrices=False)[1:]
    if sizes[0] < _SMALL or sizes[1] > _SMALL * sizes[0]:
        return None
    return np.asarray(directions[0])


def facing(reader: Array, up: Array) -> Camera:
    """The camera that looks from `reader`, the vertical upwards unless one looks along it."""
    reader = reader / np.linalg.norm(reader)
    top = up - (up @ reader) * reader
    if np.linalg.norm(top) < 0.1:
        top = np.array([0.0, 1.0, 0.0]) if abs(up[1]) < 0.5 else level(up)[1]
        top = top - (top @ reader) * reader
    top = top / np.linalg.norm(top)
    return Camera(np.cross(top, reader), top, reader)


def from_front(normal: Array, up: Array) -> Camera:
    """The camera along the normal of a plane, from the side where drawings usually have it."""
    views = [facing(sign * normal, up) for sign in (1, -1)]
    return max(views, key=lambda view: float(view.right @ _RIGHT))


def angles_on_page(R: Array, view: Camera) -> Array:
    """Angle of a body on the page since the first sample [rad], clockwise."""
    turned = R @ R[0].T @ view.right
    return np.asarray(np.unwrap(np.arctan2(-(turned @ view.top), turned @ view.right)))
