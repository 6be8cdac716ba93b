"""Curves over time drawn with the lines of schemes, as SVG and TikZ alike."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from torseur.algebra.printing.breaking import letter, width
from torseur.algebra.printing.latex import name as name_latex
from torseur.algebra.printing.notation import read
from torseur.algebra.printing.unicode import RAISED
from torseur.report.documents.page_parts import Inline, Paragraph, Part, Picture
from torseur.report.pages import cells
from torseur.report.pages.content import unit as printed
from torseur.report.scene.panels import by_unit
from torseur.report.schemes.lines import COLOURS, Mark, SchemeName, SchemeStroke, svg, tikz
from torseur.simulation.run.quantities import Curve

Array = np.ndarray
_WIDE, _HIGH = 520.0, 190.0  # of the panel [px]
_LEFT, _BELOW, _ROW = 76.0, 40.0, 20.0
_COLUMNS = 400  # of samples that are drawn
_MOST = len(COLOURS) - 1  # curves of a panel
_SAME = 0.5  # between curves that lie on each other [px]
_DASH, _LETTER = 28.0, 16.0  # of a legend: where names begin, and how large they are [px]


def panels(t: Array, curves: Sequence[Curve], title: str, still: str) -> Iterator[Part]:
    """A picture for each unit, and no more curves in one than there are colours.

    Curves that stay 0 are named only, by the sentence `still`.
    """
    for unit, alike in by_unit(curves).items():
        label = f"{title} [{printed(unit)}]"
        moving = [x for x in alike if np.any(x.values)]
        for start in range(0, len(moving), _MOST):
            yield _panel(t, moving[start : start + _MOST], unit, label)
        if resting := [x for x in alike if not np.any(x.values)]:
            yield Paragraph((*_named(still.format(label, "\0"), resting),))


def _named(sentence: str, curves: Sequence[Curve]) -> Iterator[Inline]:
    """The names of curves in a sentence: words of energies, or names of quantities."""
    before, after = sentence.split("\0")
    if _in_words(curves[0]):
        yield f"{before}{', '.join(x.name for x in curves)}{after}"
    else:
        yield from (before, *cells.joined(cells.name(x.name) for x in curves), after)


def _in_words(curve: Curve) -> bool:
    """Energies have words; all else has names."""
    return curve.unit == "J"


def zeroed_curve(curve: Curve, small: float) -> Curve:
    """The curve, or zeros where nothing of it is larger than rounding."""
    size = float(np.nanmax(np.abs(curve.values), initial=0.0))
    return curve if size > small else replace(curve, values=np.zeros_like(curve.values))


def _panel(t: Array, curves: Sequence[Curve], unit: str, label: str) -> Picture:
    times, values = _thinned(np.asarray(t, float), [np.asarray(x.values, float) for x in curves])
    low, high = _range(values)
    x = _Axis(float(t[0]), float(t[-1]) if t[-1] > t[0] else float(t[0]) + 1.0, 0.0, _WIDE)
    y = _Axis(low, high, _HIGH, 0.0)
    marks: list[Mark] = [*_grid(x, y)]
    lines = [(times[known], column[known]) for column in values for known in [np.isfinite(column)]]
    points = [np.column_stack([x.at(when), y.at(what)]) for when, what in lines]
    for k, (line, turn) in enumerate(zip(points, _turns(points), strict=True), 1):
        if len(line):
            marks.append(SchemeStroke(line, k, turn=turn))
    names = [_legend_name(curve, k) for k, curve in enumerate(curves, 1)]
    columns = _columns(names)
    marks += _legend(names, columns)
    marks.append(SchemeName((_WIDE / 2, _HIGH + 34), "t [s]", 0, upright=True))
    marks.append(SchemeName((-_LEFT / 2 + 4, -16), f"[{printed(unit)}]", 0, upright=True))
    rows = math.ceil(len(curves) / columns)
    box = np.array([[-_LEFT, -28.0], [_WIDE + 16, _HIGH + _BELOW + 6 + _ROW * rows]])
    return Picture(svg(marks, box, label), tikz(marks, box), label)


def _turns(lines: Sequence[Array]) -> list[tuple[int, int]]:
    """Rank of each line among those that coincide, and their number."""
    alike = [[k for k, other in enumerate(lines) if _same(line, other)] for line in lines]
    return [(group.index(k), len(group)) for k, group in enumerate(alike)]


def _same(one: Array, other: Array) -> bool:
    return one.shape == other.shape and float(np.abs(one - other).max(initial=0.0)) <= _SAME


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
    yield SchemeStroke(corners, 0, closed=True, style="thin")
    for tick in x.ticks:
        at = float(x.at(tick))
        yield SchemeStroke(np.array([[at, _HIGH], [at, _HIGH - 5]]), 0, style="thin")
        yield SchemeName((at, _HIGH + 14), _number(tick), 0, upright=True)
    for tick in y.ticks:
        at = float(y.at(tick))
        yield SchemeStroke(np.array([[0, at], [5, at]]), 0, style="thin")
        text = _number(tick)
        yield SchemeName((-8 - 3.8 * len(text), at), text, 0, upright=True)
    if y.low < 0 < y.high:
        zero = float(y.at(0.0))
        yield SchemeStroke(np.array([[0, zero], [_WIDE, zero]]), 0, style="dashed")


def _legend_name(curve: Curve, colour: int) -> SchemeName:
    return SchemeName((0.0, 0.0), curve.name, colour, upright=_in_words(curve), begins=True)


def _columns(names: Sequence[SchemeName]) -> int:
    """Number of columns that fits all names, at most four."""
    widest = max(_DASH + _LETTER * _width(x) for x in names)
    return max(1, min(4, int((_WIDE + _LETTER) / (widest + _LETTER))))


def _width(name: SchemeName) -> float:
    return sum(map(letter, name.text)) if name.upright else width(read(name_latex(name.text)))


def _legend(names: Sequence[SchemeName], columns: int) -> Iterator[Mark]:
    """A stroke and a name for each curve, below the panel."""
    for k, name in enumerate(names):
        x, y = k % columns * _WIDE / columns, _HIGH + _BELOW + 12 + _ROW * (k // columns)
        yield SchemeStroke(np.array([[x, y], [x + 22, y]]), name.colour)
        yield replace(name, at=(x + _DASH, y))


def _number(x: float) -> str:
    mantissa, _, power = f"{x:.6g}".partition("e")
    mantissa = mantissa.replace("-", "−")
    return f"{mantissa}·10{str(int(power)).translate(RAISED)}" if power else mantissa


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
    points = []
    for column in values:
        ends = []
        for a, b in pairwise(edges):
            part = column[a:b]
            turned = part.argmin() > part.argmax()
            ends += [part.max(), part.min()] if turned else [part.min(), part.max()]
        points.append(np.array(ends))
    return times, points
