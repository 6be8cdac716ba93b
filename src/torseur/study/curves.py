"""Curves of all rows of a batch by name: at once where that is possible, else run by run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import TIME, symbol
from torseur.algebra.core.graph import evaluate
from torseur.equations.actions.reactions import wrench_names
from torseur.errors import ModelError, SolveError
from torseur.language.text.expression import Names, parse_expression
from torseur.simulation.batch.runs import Runs
from torseur.simulation.run.quantities import Curve, quantity
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
_AXES = "xyz"
_ENERGIES = ("kinetic", "potential", "work")
_WRENCH = re.compile(r"(?P<joint>.+)\.(?P<part>force|couple)(?:\.(?P<axis>[xyz]))?")


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
        found: list[Run | None] = []
        for row in range(len(self.runs)):
            try:
                found.append(None if row in self.runs.reasons else self.runs.row(row))
            except SolveError:
                found.append(None)
        return found

    def _by_rows(self, name: str) -> tuple[str, Array]:
        values, unit = np.full((len(self.runs), len(self.runs.t)), np.nan), ""
        for row, run in enumerate(self._rows):
            if run is not None:
                curve = curve_of(run, name)
                count = min(len(curve.values), values.shape[1])
                values[row, :count], unit = curve.values[:count], curve.unit
        return unit, values


def curve_of(run: Run, name: str) -> Curve:
    """A quantity of a run, the length of a vector, or an expression of coordinates and speeds."""
    try:
        found = quantity(run, name)
    except ModelError as error:
        return _expression(run, name, error)
    if len(found) == 1:
        return found[0]
    if [x.name.rpartition(".")[2] for x in found] != list(_AXES):
        names = ", ".join(x.name for x in found)
        raise ModelError("outputs", say('"{name}" is several curves: {names}.', name, names))
    length = np.sqrt(sum(x.values**2 for x in found))
    return Curve(name, found[0].unit, np.asarray(length))


def _expression(run: Run, text: str, otherwise: ModelError) -> Curve:
    """An expression of coordinates, speeds, parameters and t; a name that is none is unknown."""
    plain = text.replace("_", "").replace(".", "")
    if plain.isalnum():
        raise otherwise
    known: dict[str, Any] = {n: run[n] for n in run.names}
    symbols = {n: symbol(n, "input") for n in (*known, *run.model.parameters)}
    value = parse_expression(text, Names(symbols | {TIME.name: TIME}))
    found = evaluate(value, {**run.model.parameters, **known, TIME.name: run.t})
    return Curve(text, "", np.broadcast_to(np.asarray(found, dtype=float), run.t.shape))
