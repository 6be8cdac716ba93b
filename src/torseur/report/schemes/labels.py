"""Where names stand on a sheet: beside what they name, where nothing else is."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from torseur.report.schemes.lines import Name

Array = np.ndarray
_AROUND = [np.array([np.cos(a), np.sin(a)]) for a in np.radians(range(0, 360, 30))]
_FAR = (20.0, 30.0, 42.0, 58.0)  # [px]


def placed(at: Array, text: str, colour: int, taken: list[Array], upright: bool) -> Name:
    """The freest place around a point; what it takes is added to what is `taken`."""
    half = np.array([4.6 * len(text) + 2, 9.0])
    known = np.array(taken)
    choices = []
    for distance in _FAR:
        for way in _AROUND:
            place = at + (distance + half[0] * abs(way[0])) * way
            hit = np.all(np.abs(known - place) < half + 3, axis=1).sum()
            choices.append((3.0 * hit + 0.06 * distance, float(place[0]), float(place[1])))
    _, x, y = min(choices)
    columns = (-1, -0.5, 0, 0.5, 1)
    taken += [np.array([x + s * half[0], y + t]) for s in columns for t in (-6, 6)]
    return Name((x, y), text, colour, upright)


def dense(points: Array) -> list[Array]:
    """Points along a broken line, close enough to hide no name."""
    found = []
    for a, b in pairwise(points):
        steps = max(int(np.hypot(*(b - a)) // 8), 1)
        found += [a + (b - a) * k / steps for k in range(steps)]
    return [*found, points[-1]]
