"""Rays and height fields: where rays meet triangles of a surface (Möller and Trumbore 1997)."""

from __future__ import annotations

import numpy as np

from torseur.machine.collision import places as at

Array = np.ndarray
_ROUND = 1e-12  # parts of a triangle: rays through its sides do not pass between two of them


def to_field(heights: Array, row: Array, origin: Array, direction: Array) -> Array:
    """Distance along each ray (rays,) in the axes of a field, infinite where it passes it.

    `heights` are those of all fields, `row` that of the field in the table of shapes. A ray that
    starts in the solid has the distance 0. The sides and the bottom let rays pass.
    """
    columns, rows = int(row[at.COLUMNS]), int(row[at.ROWS])
    first, steps = int(row[at.FIRST_HEIGHT]), row[at.STEPS : at.STEPS + 2]
    grid = heights[first : first + rows * columns].reshape(rows, columns)
    x = (np.arange(columns) - (columns - 1) / 2) * steps[0]
    y = (np.arange(rows) - (rows - 1) / 2) * steps[1]
    points = np.stack([*np.broadcast_arrays(x, y[:, None]), grid], axis=2)
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    corner = np.concatenate([a.reshape(-1, 3)] * 2)
    one = np.concatenate([(b - a).reshape(-1, 3), (c - a).reshape(-1, 3)])
    other = np.concatenate([(c - a).reshape(-1, 3), (d - a).reshape(-1, 3)])
    result = np.full(len(origin), np.inf)
    normal = np.cross(one, other)
    for k, (o, e) in enumerate(zip(origin, direction, strict=True)):
        result[k] = _first(o - corner, e, one, other, normal)
        if _is_inside(o, (x, y), grid, -float(row[at.HALF_HEIGHT])):
            result[k] = 0.0
    return result


def _first(from_corner: Array, e: Array, one: Array, other: Array, normal: Array) -> float:
    """The least distance along e to triangles, from places relative to their first corners."""
    across = -(normal @ e)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.einsum("ti,ti->t", from_corner, normal) / across
        turned = np.cross(from_corner, e)
        u = np.einsum("ti,ti->t", other, turned) / across
        v = -np.einsum("ti,ti->t", one, turned) / across
    hit = (across != 0) & (u >= -_ROUND) & (v >= -_ROUND) & (u + v <= 1 + _ROUND) & (t >= 0)
    return float(t[hit].min()) if hit.any() else np.inf


def _is_inside(o: Array, axes: tuple[Array, Array], grid: Array, bottom: float) -> bool:
    """Whether a point is between the bottom of a field and its surface."""
    x, y = axes
    if not (x[0] <= o[0] <= x[-1] and y[0] <= o[1] <= y[-1] and o[2] >= bottom):
        return False
    u, v = (o[0] - x[0]) / (x[1] - x[0]), (o[1] - y[0]) / (y[1] - y[0])
    i, j = min(int(u), len(x) - 2), min(int(v), len(y) - 2)
    u, v = u - i, v - j
    low, high = grid[j, i], grid[j + 1, i + 1]
    if u >= v:
        level = low + u * (grid[j, i + 1] - low) + v * (high - grid[j, i + 1])
    else:
        level = low + v * (grid[j + 1, i] - low) + u * (high - grid[j + 1, i])
    return bool(o[2] < level)
