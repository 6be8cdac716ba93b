"""Curves over time drawn with the lines of schemes, as SVG and TikZ alike."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from torseur.report.documents.parts import Picture
from torseur.report.pages.content import unit as printed
from torseur.report.scene.panels import by_unit
from torseur.report.schemes.lines import COLOURS, Mark, Name, Stroke, svg, tikz
from torseur.simulation.run.quantities import Curve

Array = np.ndarray
_WIDE, _HIGH = 520.0, 190.0  # of the panel [px]
_LEFT, _BELOW, _ROW = 76.0, 40.0, 20.0
_COLUMNS = 400  # of samples that are drawn
_MOST = len(COLOURS) - 1  # curves of a panel


def panels(t: Array, curves: Sequence[Curve], title: str) -> Iterator[Picture]:
    """A picture for each unit, and no more curves in one than there are colours."""
    for unit, own in by_unit(curves).items():
        for start in range(0, len(own), _MOST):
            yield _panel(t, own[start : start + _MOST], printed(unit), title)


def _panel(t: Array, curves: Sequence[Curve], unit: str, title: str) -> Picture:
    times, values = _thinned(np.asarray(t, float), [np.asarray(x.values, float) for x in curves])
    low, high = _range(values)
    x = _Axis(float(t[0]), float(t[-1]) if t[-1] > t[0] else float(t[0]) + 1.0, 0.0, _WIDE)
    y = _Axis(low, high, _HIGH, 0.0)
    marks: list[Mark] = [*_grid(x, y)]
    for k, column in enumerate(values):
        known = np.isfinite(column)
        points = np.column_stack([x.at(times[known]), y.at(column[known])])
        if len(points):
            marks.append(Stroke(points, 1 + k))
    marks += _legend([curve.name for curve in curves], words=unit == "J")
    marks.append(Name((_WIDE / 2, _HIGH + 34), "t [s]", 0, upright=True))
    marks.append(Name((-_LEFT / 2 + 4, -16), f"[{unit}]", 0, upright=True))
    rows = math.ceil(len(curves) / 4)
    box = np.array([[-_LEFT, -28.0], [_WIDE + 16, _HIGH + _BELOW + 6 + _ROW * rows]])
    told = f"{title} [{unit}]"
    return Picture(svg(marks, box, told), tikz(marks, box), told)


class _Axis:
    """Values along a line of the page."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high, self.start, self.end = low, high, start, end

    def at(self, value: Array | float) -> Array:
        return np.asarray(
            self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)
        )

    @property
    def ticks(self) -> list[float]:
        """Round numbers, about six."""
        step = 10.0 ** math.floor(math.log10((self.high - self.low) / 5))
        step *= next(k for k in (1, 2, 5, 10) if (self.high - self.low) / (k * step) <= 7)
        first = math.ceil(self.low / step - 1e-9)
        return [k * step for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _grid(x: _Axis, y: _Axis) -> Iterator[Mark]:
    """The frame, its ticks and their numbers."""
    corners = np.array([[0, 0], [_WIDE, 0], [_WIDE, _HIGH], [0, _HIGH]])
    yield Stroke(corners, 0, closed=True, style="thin")
    for tick in x.ticks:
        at = float(x.at(tick))
        yield Stroke(np.array([[at, _HIGH], [at, _HIGH - 5]]), 0, style="thin")
        yield Name((at, _HIGH + 14), _number(tick), 0, upright=True)
    for tick in y.ticks:
        at = float(y.at(tick))
        yield Stroke(np.array([[0, at], [5, at]]), 0, style="thin")
        text = _number(tick)
        yield Name((-8 - 3.8 * len(text), at), text, 0, upright=True)
    if y.low < 0 < y.high:
        zero = float(y.at(0.0))
        yield Stroke(np.array([[0, zero], [_WIDE, zero]]), 0, style="dashed")


def _legend(names: Sequence[str], words: bool) -> Iterator[Mark]:
    """A stroke and a name for each curve, below the panel."""
    for k, name in enumerate(names):
        column, row = k % 4, k // 4
        x, y = column * _WIDE / 4, _HIGH + _BELOW + 12 + _ROW * row
        yield Stroke(np.array([[x, y], [x + 22, y]]), 1 + k)
        size = len(name) if words else min(len(name), 5)
        yield Name((x + 30 + 3.8 * size, y), name, 1 + k, upright=words)


def _number(x: float) -> str:
    return f"{0.0 if abs(x) < 1e-12 else x:.6g}".replace("-", "−")


def _range(values: Sequence[Array]) -> tuple[float, float]:
    """The span of all curves, with some room; a constant has room about it."""
    known = np.concatenate([x[np.isfinite(x)] for x in values])
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    size = max(abs(low), abs(high))
    if high - low <= 1e-9 * size or size == 0:
        room = 0.5 * size or 1.0
        return low - room, high + room
    room = 0.06 * (high - low)
    return low - room, high + room


def _thinned(t: Array, values: Sequence[Array]) -> tuple[Array, list[Array]]:
    """No more samples than the page shows; of each column the least and the greatest stay."""
    if len(t) <= 2 * _COLUMNS:
        return t, list(values)
    edges = np.linspace(0, len(t), _COLUMNS + 1).astype(int)
    times = np.array([t[(a + b) // 2] for a, b in pairwise(edges) for _ in range(2)])
    kept = []
    for column in values:
        ends = []
        for a, b in pairwise(edges):
            part = column[a:b]
            turned = part.argmin() > part.argmax()
            ends += [part.max(), part.min()] if turned else [part.min(), part.max()]
        kept.append(np.array(ends))
    return times, kept
