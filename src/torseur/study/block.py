"""The outputs of some samples of a study: all of them at once, what is missing with reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.analyse.vibrations.linearise import linearise
from torseur.brief import brief
from torseur.errors import ModelError, SolveError
from torseur.simulation.batch.runs import Runs
from torseur.simulation.simulate import simulate
from torseur.study.curves import RowCurves
from torseur.study.description import Study, factor_units
from torseur.study.measures import CURVE, EVENT, LINEAR, LINEAR_UNITS, REDUCED, Measure
from torseur.words.sentence import say

Array = np.ndarray
_RATE = 100.0  # samples a second of a run, where none is asked for


@final
@dataclass(frozen=True)
class Block:
    """The outputs of samples in a row."""

    __repr__ = brief

    scalars: Array  # (rows, outputs that are numbers); not a number where there is none
    curves: Array  # (rows, outputs that are curves, times)
    t: Array  # (times) [s]
    reasons: Mapping[int, str]  # why a row lacks numbers
    units: Mapping[str, str]  # of outputs

    def part(self, start: int, stop: int) -> Block:
        """Some of the rows."""
        kept = {k - start: x for k, x in self.reasons.items() if start <= k < stop}
        rows = slice(start, stop)
        return Block(self.scalars[rows], self.curves[rows], self.t, kept, self.units)


def computed(study: Study, rows: Array, reference: Array, threads: int | None = None) -> Block:
    """The outputs of rows (rows, factors).

    The reference moves with every block, as its first row: assemblies are chosen and sizes taken
    by it, so that the numbers of a row do not depend on the block that it is in.
    """
    rows = np.vstack([reference, rows])
    reasons: dict[int, str] = {}
    known: dict[Measure, Array] = {}
    units: dict[Measure, str] = {}
    curves: dict[Measure, Array] = {}
    t = np.zeros(0)
    if study.moves:
        runs = _moved(study, rows, threads)
        t = runs.t
        reasons |= {int(k): str(x) for k, x in runs.reasons.items()}
        _read(study, runs, known, curves, units)
    _linear(study, rows, known, units, reasons)
    scalars, named = _evaluated(study, rows, known, units, reasons)
    drawn = [curves[next(iter(x.measures.values()))] for x in study.curves]
    stacked = np.stack(drawn, axis=1) if drawn else np.zeros((len(rows), 0, len(t)))
    for output in study.curves:
        named[output.name] = output.unit or units[next(iter(output.measures.values()))]
    return Block(scalars, stacked, t, reasons, named).part(1, len(rows))


def values_of(study: Study, rows: Array) -> tuple[dict[str, Any], dict[str, Any]]:
    """Initial values and parameters: numbers, and arrays of what varies."""
    table = study.mechanism.parameter_table
    wide = {x.name: rows[:, k].copy() for k, x in enumerate(study.factors)}
    initial = {**study.initial, **{n: x for n, x in wide.items() if n not in table}}
    return initial, {**study.parameters, **{n: x for n, x in wide.items() if n in table}}


def _moved(study: Study, rows: Array, threads: int | None) -> Runs:
    initial, parameters = values_of(study, rows)
    options = {"rate": _RATE, **study.run, "threads": threads}
    duration = options.pop("duration")
    chosen: Any = {"initial": initial, "parameters": parameters, **options}
    found = simulate(study.model, duration, **chosen)
    assert isinstance(found, Runs), "something varies"
    return found


def _read(
    study: Study,
    runs: Runs,
    known: dict[Measure, Array],
    curves: dict[Measure, Array],
    units: dict[Measure, str],
) -> None:
    """What is measured of motions."""
    read, lost = RowCurves(runs), list(runs.reasons)
    for measure in study.measures:
        if measure.kind == EVENT:
            which = int(measure.arguments[1]) - 1 if len(measure.arguments) > 1 else 0
            known[measure], units[measure] = runs.event_times(measure.arguments[0], which), "s"
        elif measure.kind == CURVE or measure.kind in REDUCED:
            values = np.array(read[measure.arguments[0]], dtype=float)
            values[lost] = np.nan
            units[measure] = read.units[measure.arguments[0]]
            if measure.kind == CURVE:
                curves[measure] = values
            else:
                known[measure] = REDUCED[measure.kind](runs.t, values)
        if measure in known:
            known[measure][lost] = np.nan


def _linear(
    study: Study,
    rows: Array,
    known: dict[Measure, Array],
    units: dict[Measure, str],
    reasons: dict[int, str],
) -> None:
    """What is measured of small motions and of rest, one sample after the other."""
    asked = [x for x in study.measures if x.kind in LINEAR]
    states = factor_units(study.mechanism)
    for measure in asked:
        known[measure] = np.full(len(rows), np.nan)
        own = states.get(measure.arguments[0], "") if measure.kind == "equilibrium" else ""
        units[measure] = own or LINEAR_UNITS.get(measure.kind, "")
    for k in range(len(rows) if asked else 0):
        if k in reasons:
            continue
        _, parameters = values_of(study, rows[k : k + 1])
        numbers = {n: float(np.ravel(x)[0]) for n, x in parameters.items()}
        try:
            found = linearise(study.model, parameters=numbers)
            for measure in asked:
                known[measure][k] = _small(found, measure)
        except (SolveError, ModelError) as error:
            reasons[k] = str(error)


def _small(linear: Any, measure: Measure) -> float:
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


def _evaluated(
    study: Study,
    rows: Array,
    known: dict[Measure, Array],
    units: dict[Measure, str],
    reasons: dict[int, str],
) -> tuple[Array, dict[str, str]]:
    """The outputs that are numbers, (rows, outputs), and the units of those that have one."""
    found, named = dict[str, Any](), dict[str, str]()
    parameters, own = parameters_of(study, rows), factor_units(study.mechanism)
    for output in study.scalars:
        table = {n: known[m] for n, m in output.measures.items()}
        names = [x.name for x in free_symbols(output.value)]
        with np.errstate(all="ignore"):
            value = evaluate(output.value, {**parameters, **found, **table})
        found[output.name] = np.broadcast_to(np.asarray(value, dtype=float), (len(rows),))
        alone = output.value.op == "symbol"
        plain = {n: units[m] for n, m in output.measures.items()} | named | own
        named[output.name] = output.unit or (plain.get(names[0], "") if alone else "")
    columns = list(found.values())
    scalars = np.column_stack(columns) if columns else np.zeros((len(rows), 0))
    for k, output in zip(*np.nonzero(~np.isfinite(scalars)), strict=True):
        lacking = study.scalars[int(output)]
        said = say('"{name}" has no value: {text}.', lacking.name, lacking.text)
        reasons.setdefault(int(k), str(said))
    return scalars, named


def parameters_of(study: Study, rows: Array) -> dict[str, Any]:
    """Every parameter: a number, or one for each row; what follows follows."""
    _, given = values_of(study, rows)
    wide = {n: x for n, x in given.items() if np.ndim(x)}
    model = study.model
    return model.setting.swept(wide) if wide else dict(model.parameters)


def computed_or_told(
    study: Study, rows: Array, reference: Array, template: Block, threads: int | None = None
) -> Block:
    """The same; where a block fails as a whole, its rows are computed one by one.

    `template` has the shape of what is missing.
    """
    try:
        return computed(study, rows, reference, threads)
    except (SolveError, ModelError) as error:
        if len(rows) == 1:
            return lost(template, str(error))
    parts = [
        computed_or_told(study, rows[k : k + 1], reference, template, threads)
        for k in range(len(rows))
    ]
    return joined(parts)


def lost(template: Block, reason: str) -> Block:
    """One row without numbers."""
    scalars = np.full((1, template.scalars.shape[1]), np.nan)
    curves = np.full((1, *template.curves.shape[1:]), np.nan)
    return Block(scalars, curves, template.t, {0: reason}, template.units)


def joined(parts: Sequence[Block]) -> Block:
    """Blocks that follow each other, as one."""
    starts = np.cumsum([0, *(len(x.scalars) for x in parts)])
    reasons = {
        int(first) + k: said
        for first, x in zip(starts, parts, strict=False)
        for k, said in x.reasons.items()
    }
    scalars, curves = (
        np.concatenate([getattr(x, n) for x in parts]) for n in ("scalars", "curves")
    )
    return Block(scalars, curves, parts[0].t, reasons, parts[0].units)
