"""Summary of curves of a run: mean, root mean square, extremes with their times, peak, range."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from typing import final

import numpy as np

from torseur.analyse.efforts.impulse import span_of
from torseur.errors import unknown
from torseur.output import write_text
from torseur.result import Result
from torseur.simulation.run.named_curves import curves_of
from torseur.simulation.run.quantities import Curve
from torseur.simulation.run.reductions import REDUCED
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
_ROUNDING = 1e-12  # of the root mean square: a mean that is none
_ALIKE = 1e-6  # of the range: extremes that are one and the same, a cycle later


@final
class CurveSummary(Result):
    """The numbers by which a curve is judged, in its unit."""

    name: str
    unit: str
    mean: float  # over time
    rms: float  # root mean square over time
    least: float
    least_at: float  # [s]
    most: float
    most_at: float  # [s]

    @property
    def peak(self) -> float:
        """The largest magnitude."""
        return max(abs(self.least), abs(self.most))

    @property
    def range(self) -> float:
        """The maximum less the minimum."""
        return self.most - self.least

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers in the order of the columns of a table."""
        extremes = (self.least, self.least_at, self.most, self.most_at)
        return (self.mean, self.rms, *extremes, self.peak, self.range)


@final
class Summary(Result):
    """Summaries of curves, one row each."""

    rows: tuple[CurveSummary, ...]
    span: tuple[float, float]  # [s]

    def __getitem__(self, name: str) -> CurveSummary:
        """The row of a curve by its name."""
        for row in self.rows:
            if row.name == name:
                return row
        raise unknown("summary", "curve", name, [row.name for row in self.rows])

    def __str__(self) -> str:
        labels = [f"{row.name} [{row.unit}]" if row.unit else row.name for row in self.rows]
        width = max(map(len, labels))
        heads = "".join(f"{head:>12}" for head in _heads())
        lines = [self.say("{start:g} to {stop:g} s", start=self.span[0], stop=self.span[1])]
        lines.append(f"{'':<{width}}{heads}")
        for label, row in zip(labels, self.rows, strict=True):
            lines.append(f"{label:<{width}}" + "".join(f"{x:>12.5g}" for x in row.numbers))
        return "\n".join(lines)

    def to_csv(self, path: str | Path) -> None:
        """The table as a file, a row for each curve, with its name and unit."""
        table = StringIO()
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(["curve", "unit", *_heads()])
        writer.writerows([row.name, row.unit, *row.numbers] for row in self.rows)
        write_text(path, table.getvalue())


def summary(
    run: Run, *names: str, start: float | None = None, stop: float | None = None
) -> Summary:
    """Mean, root mean square and extremes of curves of a run, with the times of the extremes.

    Names are coordinates, points ("P3.x"), reactions ("A.force", with its length "|A.force|"),
    drives, energies, "reactions" for all of them, or expressions of coordinates and speeds; without
    names, all coordinates and speeds. `start` and `stop` limit the interval [s].
    """
    listed = names or tuple(run.names)
    chosen = within(run, start, stop, "summary")
    curves = {curve.name: curve for name in listed for curve in curves_of(chosen, name)}
    t = np.asarray(chosen.t)
    rows = tuple(_summary(t, curve) for curve in curves.values())
    return Summary(rows, (float(t[0]), float(t[-1])))


def within(run: Run, start: float | None, stop: float | None, place: str) -> Run:
    """The run between two instants, or the whole run."""
    if start is None and stop is None:
        return run
    low, high = span_of(run, start, stop, place)
    inside = run.t[(run.t > low) & (run.t < high)]
    return run.at(np.concatenate([[low], inside, [high]]))


def _heads() -> list[str]:
    """Heads of the columns of a table."""
    at = say("at [s]")
    return [say("mean"), say("rms"), "min", at, "max", at, say("peak"), say("range")]


def _summary(t: Array, curve: Curve) -> CurveSummary:
    """The numbers of one curve."""
    x = np.asarray(curve.values, dtype=float)
    mean, rms = (float(REDUCED[kind](t, x[np.newaxis])[0]) for kind in ("mean", "rms"))
    mean = 0.0 if abs(mean) <= _ROUNDING * rms else mean
    low, high = _lowest(x), _lowest(-x)
    extremes = (float(x[low]), float(t[low]), float(x[high]), float(t[high]))
    return CurveSummary(curve.name, curve.unit, mean, rms, *extremes)


def _lowest(x: Array) -> int:
    """The first of the lowest values; those of one cycle and of the next differ by rounding."""
    near = x <= x.min() + _ALIKE * np.ptp(x)
    first = int(np.argmax(near))
    further = np.flatnonzero(~near[first:])
    last = first + (int(further[0]) if len(further) else len(x) - first)
    return first + int(np.argmin(x[first:last]))
