"""Outputs of a block of samples, computed together, with the reasons of missing values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.analyse.vibrations.linearise import linearise
from torseur.equations.actions.reactions import wrench_names
from torseur.errors import ModelError, SolveError
from torseur.result import Result
from torseur.simulation.batch.runs import Runs
from torseur.simulation.run.named_curves import curve_of
from torseur.simulation.run.reductions import REDUCED
from torseur.simulation.run.run import Run
from torseur.simulation.simulate import simulate
from torseur.study.sample_measures import EVENT, LINEAR, SampleMeasure
from torseur.study.study_description import Study, factor_units
from torseur.words.sentence import say

Array = np.ndarray
_RATE = 100.0  # samples a second of a run, where none is asked for
_AXES = "xyz"
_ENERGIES = ("kinetic", "potential", "work")
_WRENCH = re.compile(r"(?P<joint>.+)\.(?P<part>force|couple)(?:\.(?P<axis>[xyz]))?")


@final
class SampleBlock(Result):
    """The outputs of samples in a row."""

    scalars: Array  # (rows, outputs that are numbers); not a number where there is none
    curves: Array  # (rows, outputs that are curves, times)
    t: Array  # (times) [s]
    reasons: Mapping[int, str]  # why a row lacks numbers
    units: Mapping[str, str]  # of outputs

    def part(self, start: int, stop: int) -> SampleBlock:
        """Some of the rows."""
        reasons = {k - start: x for k, x in self.reasons.items() if start <= k < stop}
        rows = slice(start, stop)
        return SampleBlock(self.scalars[rows], self.curves[rows], self.t, reasons, self.units)


def computed(
    study: Study, rows: Array, reference: Array, threads: int | None = None
) -> SampleBlock:
    """The outputs of rows (rows, factors).

    The reference moves with every block, as its first row: assemblies are chosen and sizes taken
    by it, so that the numbers of a row do not depend on the block that it is in.
    """
    samples = _Samples(study, np.vstack([reference, rows]))
    t = samples.move(threads) if study.moves else np.zeros(0)
    samples.linearise()
    scalars, units = samples.evaluated()
    drawn, count = [], len(rows) + 1
    for output in study.curves:
        (measure,) = output.measures.values()
        drawn.append(samples.known[measure])
        units[output.name] = output.unit or samples.units[measure]
    stacked = np.stack(drawn, axis=1) if drawn else np.zeros((count, 0, len(t)))
    return SampleBlock(scalars, stacked, t, samples.reasons, units).part(1, count)


def values_of(study: Study, rows: Array) -> tuple[dict[str, Any], dict[str, Any]]:
    """Initial values and parameters: numbers, and arrays of what varies."""
    table = study.mechanism.parameter_table
    wide = {x.name: rows[:, k].copy() for k, x in enumerate(study.factors)}
    initial = {**study.initial, **{n: x for n, x in wide.items() if n not in table}}
    return initial, {**study.parameters, **{n: x for n, x in wide.items() if n in table}}


@final
@dataclass(frozen=True)
class _Samples:
    """Samples of a study, and what was measured of them so far."""

    study: Study
    rows: Array  # (rows, factors)
    known: dict[SampleMeasure, Array] = field(
        default_factory=dict
    )  # (rows), of curves (rows, times)
    units: dict[SampleMeasure, str] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)  # why a row lacks numbers

    def move(self, threads: int | None) -> Array:
        """Measure motions; return the times of their samples."""
        initial, parameters = values_of(self.study, self.rows)
        options: dict[str, Any] = {"rate": _RATE, **self.study.run, "threads": threads}
        options |= {"initial": initial, "parameters": parameters}
        runs = simulate(self.study.model, options.pop("duration"), **options)
        assert isinstance(runs, Runs), "something varies"
        self.reasons.update((int(k), str(x)) for k, x in runs.reasons.items())
        read, lost = RowCurves(runs), list(runs.reasons)
        for measure in self.study.measures:
            if not measure.moves:
                continue
            name = measure.arguments[0]
            if measure.kind == EVENT:
                values, unit = runs.event_times(name, measure.which), "s"
            else:
                values, unit = np.array(read[name], dtype=float), read.units[name]
            if measure.kind in REDUCED:
                values = REDUCED[measure.kind](runs.t, values)
            values[lost] = np.nan
            self.known[measure], self.units[measure] = values, unit
        return runs.t

    def linearise(self) -> None:
        """Measure small motions and equilibria, one sample after the other."""
        linear = [x for x in self.study.measures if x.kind in LINEAR]
        states = factor_units(self.study.mechanism)
        for measure in linear:
            self.known[measure] = np.full(len(self.rows), np.nan)
            unit = states.get(measure.arguments[0], "") if measure.kind == "equilibrium" else ""
            self.units[measure] = unit or LINEAR[measure.kind]
        for k in range(len(self.rows) if linear else 0):
            if k in self.reasons:
                continue
            _, parameters = values_of(self.study, self.rows[k : k + 1])
            numbers = {n: float(np.ravel(x)[0]) for n, x in parameters.items()}
            try:
                result = linearise(self.study.model, parameters=numbers)
                for measure in linear:
                    self.known[measure][k] = _small(result, measure)
            except (SolveError, ModelError) as error:
                self.reasons[k] = str(error)

    def evaluated(self) -> tuple[Array, dict[str, str]]:
        """The outputs that are numbers, (rows, outputs), and the units of those that have one."""
        study, count = self.study, len(self.rows)
        result, named = dict[str, Any](), dict[str, str]()
        parameters, parameter_units = parameters_of(study, self.rows), factor_units(study.mechanism)
        for output in study.scalars:
            table = {n: self.known[m] for n, m in output.measures.items()}
            with np.errstate(all="ignore"):
                value = evaluate(output.value, {**parameters, **result, **table})
            result[output.name] = np.broadcast_to(np.asarray(value, dtype=float), (count,))
            alone = output.value.name if output.value.op == "symbol" else ""
            plain = {n: self.units[m] for n, m in output.measures.items()} | named | parameter_units
            named[output.name] = output.unit or plain.get(alone, "")
        columns = list(result.values())
        scalars = np.column_stack(columns) if columns else np.zeros((count, 0))
        for k, place in zip(*np.nonzero(~np.isfinite(scalars)), strict=True):
            lacking = study.scalars[int(place)]
            reason = say('"{name}" has no value: {text}.', lacking.name, lacking.text)
            self.reasons.setdefault(int(k), str(reason))
        return scalars, named


def _small(linear: Any, measure: SampleMeasure) -> float:
    """A number of small motions."""
    if measure.kind == "equilibrium":
        return float(linear.steady.coordinates[measure.arguments[0]])
    if measure.kind == "growth":
        return float(np.max(np.real(linear.eigenvalues)))
    values = {
        "frequency": linear.frequencies,
        "hertz": linear.hertz,
        "damping": linear.damping,
    }[measure.kind]
    place = int(measure.arguments[0]) - 1
    if place >= len(values):
        raise SolveError(str(measure), say("only {count} mode(s) oscillate.", len(values)))
    return float(values[place])


def parameters_of(study: Study, rows: Array) -> dict[str, Any]:
    """Every parameter: a number, or one for each row; what follows follows."""
    _, given = values_of(study, rows)
    wide = {n: x for n, x in given.items() if np.ndim(x)}
    model = study.model
    return model.setting.swept(wide) if wide else dict(model.parameters)


def joined(parts: Sequence[SampleBlock]) -> SampleBlock:
    """Blocks that follow each other, as one."""
    starts = np.cumsum([0, *(len(x.scalars) for x in parts)])
    reasons = {
        int(first) + k: reason
        for first, x in zip(starts, parts, strict=False)
        for k, reason in x.reasons.items()
    }
    scalars, curves = (
        np.concatenate([getattr(x, n) for x in parts]) for n in ("scalars", "curves")
    )
    return SampleBlock(scalars, curves, parts[0].t, reasons, parts[0].units)


# --- curves of all rows --------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class RowCurves:
    """The curves of a batch, each (rows, samples); samples that a row has not are not numbers."""

    runs: Runs
    units: dict[str, str] = field(default_factory=dict)  # of the curves that were asked for

    def __getitem__(self, name: str) -> Array:
        self.units[name], values = self._quick(name) or self._by_rows(name)
        return values

    def _quick(self, name: str) -> tuple[str, Array] | None:
        """Coordinates, speeds, points, energies: no row is looked at by itself."""
        runs = self.runs
        if name in runs.names:
            return runs.names[name], runs[name]
        if runs.results.runs:  # moved one by one: their samples are known otherwise
            return None
        if name.endswith("..") and name[:-1] in runs.model.speeds:
            return f"{runs.names[name[:-1]]}²", runs[name]
        head, _, rest = name.rpartition(".")
        if head in runs.model.mechanism.points and rest in _AXES and rest:
            return "m", runs.point(head)[:, :, _AXES.index(rest)]
        if head == "energy" and rest in _ENERGIES:
            return "J", runs.energy[rest]
        return self._wrench(name)

    def _wrench(self, name: str) -> tuple[str, Array] | None:
        """A force or a couple in a joint: a component, or its length."""
        named = _WRENCH.fullmatch(name)
        if named is None or named["joint"] not in wrench_names(self.runs.model.system):
            return None
        reaction = self.runs.reaction(named["joint"])
        vectors = reaction[:, :, :3] if named["part"] == "force" else reaction[:, :, 3:]
        unit = "N" if named["part"] == "force" else "N·m"
        if named["axis"]:
            return unit, vectors[:, :, _AXES.index(named["axis"])]
        return unit, np.sqrt((vectors**2).sum(axis=2))

    @cached_property
    def _rows(self) -> list[Run | None]:
        """The runs of rows; None where a row did not move."""
        result: list[Run | None] = []
        for row in range(len(self.runs)):
            try:
                result.append(None if row in self.runs.reasons else self.runs.row(row))
            except SolveError:
                result.append(None)
        return result

    def _by_rows(self, name: str) -> tuple[str, Array]:
        values, unit = np.full((len(self.runs), len(self.runs.t)), np.nan), ""
        for row, run in enumerate(self._rows):
            if run is not None:
                curve = curve_of(run, name)
                count = min(len(curve.values), values.shape[1])
                values[row, :count], unit = curve.values[:count], curve.unit
        return unit, values
