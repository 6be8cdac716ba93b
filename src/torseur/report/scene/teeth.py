"""Toothed wheels, rings and racks as flat faces, about z or along x, with straight flanks.

Proportions of ISO 53: with the module m, teeth are π m apart, 1 m high above the pitch line and
1.25 m deep below it; their flanks lean by 20°.
"""

from __future__ import annotations

import numpy as np

from torseur.report.scene.scene_solids import MeshPart, strip

Array = np.ndarray
_ABOVE, _BELOW, _LEAN = 1.0, 1.25, np.tan(np.radians(20.0))
_RIM = 2.6  # modules of a ring beyond its pitch circle
_FLUSH = -1e-9  # a lift that is nothing: all faces have one depth, the ends after the sides


def toothed(count: int, radius: float, half: float, phase: float, style: str) -> MeshPart:
    """A wheel of some teeth about z, one of them at the angle `phase` from x."""
    return _prism(_around(count, radius, phase, 1.0), half, style)


def ring(count: int, radius: float, half: float, phase: float, style: str) -> MeshPart:
    """A ring with teeth inside; one of them at the angle `phase` from x."""
    inner = _around(count, radius, phase, -1.0)
    module = 2 * radius / count
    directions = inner / np.linalg.norm(inner, axis=1)[:, None]
    outer = (radius + _RIM * module) * directions
    vertices = np.concatenate([_thick(inner, half), _thick(outer, half)])
    low_in, high_in, low_out, high_out = np.arange(len(vertices)).reshape(4, -1).tolist()
    sides = (low_out, high_out), (high_in, low_in), (low_in, low_out), (high_out, high_in)
    return MeshPart(vertices, tuple(face for pair in sides for face in strip(*pair)), style)


def rack(module: float, low: float, high: float, half: float, phase: float) -> MeshPart:
    """A bar along x from `low` to `high`, its pitch line y = 0, with teeth towards y.

    One of them is at `phase`.
    """
    pitch = np.pi * module
    first, last = np.floor((low - phase) / pitch), np.ceil((high - phase) / pitch)
    xs = [
        (phase + k * pitch + shift * module, height * module)
        for k in np.arange(first, last + 1)
        for shift, height in _profile()
    ]
    outline = np.array([*xs[::-1], (xs[0][0], -3 * module), (xs[-1][0], -3 * module)])
    return _prism(outline, half, "own")


def _prism(outline: Array, half: float, style: str) -> MeshPart:
    """Prism of a counter-clockwise outline, from below its plane to above it."""
    n = len(outline)
    below, above = tuple(range(n)), tuple(range(n, 2 * n))
    faces = (*strip(below, above), below[::-1], above)
    return MeshPart(_thick(outline, half), faces, style, _FLUSH, edges=True)


def _profile() -> list[tuple[float, float]]:
    """The corners of a tooth in modules: along the pitch line from its middle, and its height."""
    at_pitch = np.pi / 4
    tip, root = at_pitch - _ABOVE * _LEAN, at_pitch + _BELOW * _LEAN
    return [(-root, -_BELOW), (-tip, _ABOVE), (tip, _ABOVE), (root, -_BELOW)]


def _around(count: int, radius: float, phase: float, side: float) -> Array:
    """The outline of teeth on a circle, outwards (1) or inwards (−1), counter-clockwise."""
    module = 2 * radius / count
    corners = [
        (phase + 2 * np.pi * k / count + along * module / radius, radius + side * height * module)
        for k in range(count)
        for along, height in _profile()
    ]
    return np.array([(r * np.cos(angle), r * np.sin(angle)) for angle, r in corners])


def _thick(outline: Array, half: float) -> Array:
    """An outline below and above its plane (2 n, 3)."""
    flat = np.ones(len(outline))
    return np.concatenate([np.column_stack([outline, z * flat]) for z in (-half, half)])
