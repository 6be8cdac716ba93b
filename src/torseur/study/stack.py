"""Stacks of tolerances to first order: what each tolerance adds to the spread of an output."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.analyse.at_a_state.tangent import parameter_direction
from torseur.analyse.sensitivity.sensitivity import Sensitivity, sensitivity
from torseur.errors import ModelError, SolveError
from torseur.plain import entries
from torseur.result import Result
from torseur.simulation.run.named_curves import curve_of
from torseur.simulation.run.quantities import quantity
from torseur.simulation.simulate import simulate
from torseur.study.block import computed, parameters_of, values_of
from torseur.study.design import nominal
from torseur.study.sample_measures import EVENT, LINEAR, SampleMeasure
from torseur.study.study_description import Study, StudyOutput
from torseur.words.sentence import say, worded

Array = np.ndarray
_STEP = 1e-2  # of a difference, in deviations
_RTOL = 1e-10


@final
class Stack(Result):
    """Stack of one output: y = y₀ + Σ (∂y/∂x_i) δx_i, with independent δx_i."""

    output: str
    unit: str
    nominal: float
    names: tuple[str, ...]  # of what varies
    slopes: Array  # ∂y/∂x_i, SI
    deviations: Array  # of the factors
    below: Array  # how far each may go below its nominal value, and above it
    above: Array
    exact: bool  # derivatives of the motion; otherwise differences

    @property
    def parts(self) -> Array:
        """|∂y/∂x_i| σ_i: the deviation that each alone makes."""
        return np.asarray(np.abs(self.slopes) * self.deviations)

    @property
    def deviation(self) -> float:
        """Standard deviation of the output, by the sum of squares."""
        return float(np.sqrt((self.parts**2).sum()))

    @property
    def shares(self) -> Array:
        """Shares of the variance."""
        total = self.deviation**2
        return self.parts**2 / total if total else np.zeros(len(self.names))

    @property
    def swings(self) -> Array:
        """(factors, 2): how far each alone moves the output, down and up."""
        ends = np.stack([-self.slopes * self.below, self.slopes * self.above], axis=1)
        return np.sort(ends, axis=1)

    @property
    def worst(self) -> tuple[float, float]:
        """The output when all that varies is at its worst, down and up."""
        down, up = self.swings.sum(axis=0)
        return self.nominal + float(down), self.nominal + float(up)

    def __str__(self) -> str:
        low, high = self.worst
        unit = f" {self.unit}" if self.unit else ""
        how = say("derivatives") if self.exact else say("differences")
        lines = [
            self.say(
                "{output} to first order (by {how}): {nominal:.6g} ± {deviation:.3g}{unit} (one "
                "deviation), worst {low:.6g} to {high:.6g}{unit}",
                how=how,
                unit=unit,
                low=low,
                high=high,
            )
        ]
        for k in np.argsort(-self.shares, kind="stable"):
            slope, share = self.slopes[k], self.shares[k]
            lines.append(f"  {self.names[k]:<14}{share:>7.1%}  {worded('slope')} {slope:.6g}")
        return "\n".join(lines)

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        by_name = {
            "slopes": dict(zip(self.names, map(float, self.slopes), strict=True)),
            "shares": dict(zip(self.names, map(float, self.shares), strict=True)),
        }
        return entries(self, "nominal", "deviation", "worst", "exact") | by_name


def stacks(study: Study, units: dict[str, str]) -> dict[str, Stack]:
    """The stack of every output that is a number, by its name."""
    place = nominal(study)
    result = derivatives(study, place)
    deviations = np.array([x.distribution.deviation for x in study.factors])
    ends = np.array([x.distribution.ends for x in study.factors])
    return {
        name: Stack(
            name,
            units.get(name, ""),
            result.values[name],
            study.names,
            result.slopes[name],
            deviations,
            place - ends[:, 0],
            ends[:, 1] - place,
            name in result.exact,
        )
        for name in result.values
    }


# --- derivatives of outputs ----------------------------------------------------------------------
#
# At the nominal values. Those of motions are exact: the variational equations are integrated with
# the motion. A largest value changes as the curve does at its place; the instant of an event where
# g(t, p) = 0 by dt/dp = −(∂g/∂p)/(dg/dt). Frequencies and places of rest are differentiated by
# differences of two steps, extrapolated (Richardson).


@final
@dataclass(frozen=True)
class Derivatives:
    """At one sample; `exact` says of which outputs they are no differences."""

    values: dict[str, float]
    slopes: dict[str, Array]  # (factors)
    exact: frozenset[str]


@final
@dataclass(frozen=True)
class _At:
    """A study at one sample."""

    study: Study
    place: Array  # (factors)

    @property
    def _chosen(self) -> dict[str, Any]:
        both = values_of(self.study, self.place[np.newaxis])
        initial, parameters = (
            {n: float(np.ravel(x)[0]) for n, x in table.items()} for table in both
        )
        return {"initial": initial, "parameters": parameters}

    @cached_property
    def motion(self) -> Sensitivity:
        """The run and its derivatives."""
        options = self.study.run
        rate = options.get("rate", 100.0)
        return self._followed(float(options["duration"]), float(rate))

    def _followed(self, duration: float, rate: float) -> Sensitivity:
        chosen: Any = {**self._chosen, "rtol": min(_RTOL, self.study.run.get("rtol", _RTOL))}
        return sensitivity(self.study.model, duration, self.study.names, rate=rate, **chosen)

    def curve(self, name: str) -> tuple[Array, Array]:
        """A curve (samples) and its derivatives (samples, factors)."""
        result, run = self.motion, self.motion.run
        value = curve_of(run, name).values
        try:
            parts = quantity(run, name)
        except ModelError:
            return value, result[name]
        if len(parts) == 1:
            return value, result[name]
        slopes = [part.values[:, np.newaxis] * result[part.name] for part in parts]
        size = np.maximum(value, np.finfo(float).tiny)[:, np.newaxis]
        return value, np.asarray(sum(slopes) / size)

    def slope(self, measure: SampleMeasure) -> tuple[float, Array]:
        """A measure of a motion, and its derivatives (factors)."""
        if measure.kind == EVENT:
            return self._event(measure)
        x, dx = self.curve(measure.arguments[0])
        return _reduced(measure.kind, self.motion.run.t, x, dx)

    def _event(self, measure: SampleMeasure) -> tuple[float, Array]:
        name = measure.arguments[0]
        which = measure.which
        run = simulate(self.study.model, self.study.run["duration"], rtol=_RTOL, **self._chosen)
        times = [x.t for x in run.events if x.name == name]
        if which >= len(times):
            return np.nan, np.full(len(self.place), np.nan)
        t = float(times[which])
        followed = self._followed(t, 1 / t)
        zero = self.study.mechanism.events[name].zero
        known: dict[str, Any] = {**followed.run.model.parameters, TIME.name: t}
        known |= {n: followed.run[n][-1] for n in followed.run.names}
        speeds = followed.run.model.speeds  # a rate is called after its coordinate or its speed
        rated = [n for n in followed.run.names if n in speeds or f"{n}." in speeds]
        rates = {n: followed.run[f"{n}."][-1] for n in rated}
        symbols = [x for x in free_symbols(zero) if x.name in rates]
        moving = sum(float(evaluate(derivative(zero, x), known)) * rates[x.name] for x in symbols)
        if TIME in free_symbols(zero):
            moving += float(evaluate(derivative(zero, TIME), known))
        slope = np.asarray(followed[str(zero)])[-1]
        return t, -slope / moving


def _reduced(kind: str, t: Array, x: Array, dx: Array) -> tuple[float, Array]:
    """A number of a curve and its derivatives, which are those of the curve."""
    high, low = int(np.argmax(x)), int(np.argmin(x))
    big = int(np.argmax(np.abs(x)))
    if kind in ("mean", "rms"):
        mean = np.trapezoid(x, t) / np.ptp(t)
        if kind == "mean":
            return float(mean), np.asarray(np.trapezoid(dx, t, axis=0) / np.ptp(t))
        size = float(np.sqrt(np.trapezoid(x**2, t) / np.ptp(t)))
        slope = np.trapezoid(x[:, np.newaxis] * dx, t, axis=0) / np.ptp(t)
        return size, np.asarray(slope / max(size, np.finfo(float).tiny))
    result = {
        "max": (x[high], dx[high]),
        "min": (x[low], dx[low]),
        "peak": (abs(x[big]), np.sign(x[big]) * dx[big]),
        "range": (x[high] - x[low], dx[high] - dx[low]),
        "first": (x[0], dx[0]),
        "final": (x[-1], dx[-1]),
    }[kind]
    return float(result[0]), np.asarray(result[1])


def derivatives(study: Study, place: Array) -> Derivatives:
    """Values and derivatives of the outputs that are numbers."""
    at, values, slopes, exact = _At(study, place), dict[str, float](), dict[str, Array](), set()
    known = parameters_of(study, place[np.newaxis])
    numbers = {n: float(np.ravel(x)[0]) for n, x in known.items() if x is not None}
    parameter_slopes = _parameter_slopes(study, numbers)
    for output in study.scalars:
        try:
            values[output.name], slopes[output.name] = _chained(
                at, output, {**numbers, **values}, {**parameter_slopes, **slopes}
            )
            exact.add(output.name)
        except (ModelError, SolveError, _NotExactError):
            values[output.name], slopes[output.name] = _differences(study, place, output)
    return Derivatives(values, slopes, frozenset(exact))


class _NotExactError(Exception):
    """An output is made of something whose derivative is not followed."""


def _chained(
    at: _At, output: StudyOutput, numbers: dict[str, float], slopes: dict[str, Array]
) -> tuple[float, Array]:
    """By the chain rule, from what the output is made of."""
    if any(x.kind in LINEAR for x in output.measures.values()):
        raise _NotExactError
    numbers, slopes = dict(numbers), dict(slopes)
    for name, measure in output.measures.items():
        numbers[name], slopes[name] = at.slope(measure)
    total = np.zeros(len(at.place))
    for x in free_symbols(output.value):
        total = total + float(evaluate(derivative(output.value, x), numbers)) * slopes[x.name]
    return float(evaluate(output.value, numbers)), total


def _parameter_slopes(study: Study, numbers: dict[str, float]) -> dict[str, Array]:
    """Derivatives of parameters by varied quantities, through their definitions."""
    result = {name: np.zeros(len(study.factors)) for name in numbers}
    varied = study.model.tried(**{name: numbers[name] for name in study.names if name in numbers})
    for k, name in enumerate(study.names):
        way = parameter_direction(varied, name) if name in numbers else {}
        for x, rate in way.items():
            if x.name in numbers:
                result[x.name][k] = float(evaluate(rate, numbers))
    return result


def _differences(study: Study, place: Array, output: StudyOutput) -> tuple[float, Array]:
    """Central differences of two steps, extrapolated: the error is of fourth order."""
    steps = [_STEP * x.distribution.deviation for x in study.factors]
    rows = [place]
    for k, step in enumerate(steps):
        for share in (1.0, -1.0, 2.0, -2.0):
            rows.append(place + share * step * (np.arange(len(place)) == k))
    result = computed(study, np.array(rows), place).scalars
    column = result[:, study.scalars.index(output)]
    y = column[1:].reshape(len(steps), 4).T
    near, far = (y[0] - y[1]) / 2, (y[2] - y[3]) / 4
    return float(column[0]), (4 * near - far) / 3 / np.array(steps)
