"""Trajectories: coordinates as functions of time, their speeds and accelerations; CSV files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np
import scipy

from torseur.algebra.core.expr import TIME, Expr
from torseur.algebra.core.tabulated import Tabulated, table
from torseur.brief import numbered
from torseur.errors import ModelError, require_known
from torseur.language.text.files import needed_column, read_columns
from torseur.output import write_table
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
SAMPLES = 200  # intervals, at which a trajectory is looked at if nothing else is said
_PLACE = "trajectory"
_REST = 1e-12  # of the largest speed


@final
class Trajectory(Result):
    """Some coordinates as piecewise polynomials of time; before and after, they rest.

    `q(t)`, `v(t)` and `a(t)` have a column for each of `names`; without times they are those at
    the instants `t`.
    """

    names: tuple[str, ...]
    t: Array  # instants that stand for it [s]
    course: scipy.interpolate.PPoly  # (pieces, names)
    units: Mapping[str, str] = field(default_factory=dict)  # "rad" or "m", where known

    def __repr__(self) -> str:
        lasts = f"{self.t[0]:g} to {self.t[-1]:g} s, {numbered(len(self.t), 'instant')}"
        return f"<Trajectory of {', '.join(self.names)}: {lasts}>"

    @property
    def duration(self) -> float:
        """Duration [s]."""
        return float(self.course.x[-1] - self.course.x[0])

    def q(self, t: Any = None) -> Array:
        """Positions (instants, names)."""
        return self._at(t, 0)

    def v(self, t: Any = None) -> Array:
        """Speeds (instants, names); at rest they are zero, not what rounding leaves."""
        values = self._at(t, 1)
        values[np.abs(values) <= _REST * self._fastest] = 0.0
        return values

    @cached_property
    def _fastest(self) -> Array:
        return self.extreme(1)

    def a(self, t: Any = None) -> Array:
        """Accelerations (instants, names); where they jump, those after."""
        return self._at(t, 2)

    def _at(self, t: Any, order: int) -> Array:
        times = self.t if t is None else np.asarray(t, dtype=float)
        first, last = self.course.x[0], self.course.x[-1]
        values = self.course(np.clip(times, first, last), order)
        if order:
            values[(times < first) | (times > last)] = 0.0
        return np.asarray(values)

    def column(self, name: str) -> int:
        """The place of a coordinate."""
        require_known(_PLACE, "coordinate", name, self.names)
        return self.names.index(name)

    def extreme(self, order: int) -> Array:
        """The largest size of each position (0), speed (1) or acceleration (2), exactly."""
        result = []
        for k in range(len(self.names)):
            curve = scipy.interpolate.PPoly(self.course.c[:, :, k], self.course.x).derivative(order)
            within = curve.derivative().roots(discontinuity=False, extrapolate=False)
            ends = np.nextafter(curve.x[1:], -np.inf)  # jumps have two sides
            at = np.concatenate([curve.x, ends, within[np.isfinite(within)]])
            result.append(np.abs(curve(np.clip(at, curve.x[0], curve.x[-1]))).max())
        return np.array(result)

    def only(self, names: Sequence[str]) -> Trajectory:
        """Some of the coordinates, in another order perhaps."""
        columns = [self.column(name) for name in names]
        course = scipy.interpolate.PPoly(self.course.c[:, :, columns], self.course.x)
        units = {name: unit for name, unit in self.units.items() if name in names}
        return replace(self, names=tuple(names), course=course, units=units)

    def slowed(self, factor: float) -> Trajectory:
        """Path in `factor` times the time: speeds are divided by it."""
        if not factor > 0 or not np.isfinite(factor):
            raise ModelError(_PLACE, say("the factor must be positive, got {factor}.", factor))
        x, first = self.course.x, self.course.x[0]
        powers = np.arange(len(self.course.c))[::-1, np.newaxis, np.newaxis]
        course = scipy.interpolate.PPoly(
            self.course.c / factor**powers, first + (x - first) * factor
        )
        return replace(self, t=first + (self.t - first) * factor, course=course)

    def sampled(self, rate: float) -> Trajectory:
        """Trajectory with `rate` instants a second, both ends included."""
        if not rate > 0 or not rate * self.duration < 1e7:
            raise ModelError(_PLACE, say("the rate must be positive, got {rate}.", rate))
        x = self.course.x
        number = max(round(rate * self.duration), 1)
        return replace(self, t=np.linspace(x[0], x[-1], number + 1))

    def expressions(self) -> dict[str, Expr]:
        """The positions as expressions of t: cubic splines through the instants, slopes kept."""
        q, v = self.q(), self.v()
        result = {}
        for k, name in enumerate(self.names):
            label = "".join(c if c.isalnum() else "_" for c in f"motion_{name}")
            slopes = (float(v[0, k]), float(v[-1, k]))
            spline = table(label, list(self.t), list(q[:, k]), slopes, "hold")
            result[name] = Tabulated(spline)(TIME)
        return result

    def save(self, path: str | Path) -> Path:
        """Positions, speeds and accelerations at the instants as CSV, for `read_trajectory`."""
        heads = ["t [s]"]
        for dots, rate in (("", ""), (".", "/s"), ("..", "/s^2")):
            units = (f" [{self.units[n]}{rate}]" if n in self.units else "" for n in self.names)
            heads += [f"{n}{dots}{unit}" for n, unit in zip(self.names, units, strict=True)]
        return write_table(path, heads, np.column_stack([self.t, self.q(), self.v(), self.a()]))


def read_trajectory(path: str | Path) -> Trajectory:
    """A motion from a CSV file: heads `t [s],q1 [deg],q2 [rad]`, then a row an instant.

    Where speeds (`q1. [rad/s]`) stand beside every position, they are kept, and so are
    accelerations (`q1..`); else a cubic spline goes through the positions. The file of a run is
    such a file.
    """
    read = read_columns(path)
    t = needed_column("t", read, path).si
    columns = {name: column.si for name, column in read.items() if name != "t"}
    names = tuple(name for name in columns if not name.endswith("."))
    strange = [name for name in columns if name.rstrip(".") not in names]
    if not names or strange:
        problem = say(
            'the position "{name}" is missing.', strange[0].rstrip(".") if strange else "q1"
        )
        raise ModelError(str(path), problem, say("Columns: {columns}.", ", ".join(columns)))
    if len(t) < 2 or not (np.diff(t) > 0).all():
        problem = say("{number} instants that are not all in increasing order.", len(t))
        alone = "it has one instant, which is not a motion."
        raise ModelError(str(path), alone if len(t) < 2 else problem, "Give two or more, in order.")
    orders = [
        np.column_stack([columns[f"{name}{dots}"] for name in names])
        for dots in ("", ".", "..")
        if all(f"{name}{dots}" in columns for name in names)
    ]
    return Trajectory(names, t, _through(t, orders))


def _through(t: Array, orders: list[Array]) -> scipy.interpolate.PPoly:
    """The course through positions, with speeds and accelerations where they are known."""
    if len(orders) == 1:
        spline = scipy.interpolate.CubicSpline(t, orders[0])
        return scipy.interpolate.PPoly(spline.c, spline.x)
    if len(orders) == 2:
        orders = [*orders, scipy.interpolate.CubicSpline(t, orders[1])(t, 1)]
    return hermite(t, *orders)


def hermite(t: Array, q: Array, v: Array, a: Array) -> scipy.interpolate.PPoly:
    """Polynomials of degree five between instants with given positions, speeds, accelerations."""
    known = np.stack([q, v, a], axis=1)
    return scipy.interpolate.PPoly.from_bernstein_basis(
        scipy.interpolate.BPoly.from_derivatives(t, known)
    )


def instants(breaks: Array, samples: int = SAMPLES) -> Array:
    """Instants that stand for a course: its breaks, and others evenly between them."""
    total = breaks[-1] - breaks[0]
    counts = [max(int(np.ceil(samples * step / total - 1e-9)), 1) for step in np.diff(breaks)]
    parts = [
        np.linspace(low, high, count, endpoint=False)
        for low, high, count in zip(breaks[:-1], breaks[1:], counts, strict=True)
    ]
    return np.array([*np.concatenate(parts), breaks[-1]])


def arranged(names: Sequence[str], coordinates: Sequence[str], place: str) -> list[int]:
    """Where each of some coordinates is among the names of a trajectory; a ModelError if not."""
    missing = [name for name in coordinates if name not in names]
    if missing:
        raise ModelError(
            place,
            say("the motion of {missing} is missing.", ", ".join(missing)),
            say("It has columns for {names}.", ", ".join(names)),
        )
    return [list(names).index(name) for name in coordinates]
