"""Limits of joints that rows of a batch pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.simulation.batch.runs import Runs
from torseur.simulation.run.passed_limits import CLOSE, limit_notes
from torseur.words.sentence import say

Array = np.ndarray


def limit_notices(runs: Runs) -> tuple[str, ...]:
    """The limits that the first of the rows that pass any does, with the number of such rows."""
    passing = np.zeros(len(runs), dtype=bool)
    for values, most, least in _limited(runs):
        with np.errstate(invalid="ignore"):  # what a row did not come to is no number
            margin = CLOSE * np.maximum(np.abs(most), np.abs(least))
            passing |= ((values > most + margin) | (values < least - margin)).any(axis=1)
    if not passing.any():
        return ()
    row, count = int(np.argmax(passing)), int(passing.sum())
    many = say("{count} of {rows} rows pass limits of joints; row {row} is one of them.", count,
               len(runs), row)  # fmt: skip
    return (many, *limit_notes(runs.row(row)))


def _limited(runs: Runs) -> Iterator[tuple[Array, Any, Any]]:
    """Coordinates, speeds and commands with their limits, each (rows, samples)."""
    model, parameters = runs.model, runs.parameters

    def column(x: Expr) -> Any:
        value = evaluate(x, {s.name: parameters[s.name] for s in free_symbols(x)})
        return np.asarray(value, dtype=float).reshape(-1, 1)

    commands = dict(zip(model.mechanism.commanded, np.moveaxis(runs.inputs, 2, 0), strict=False))
    for joint in model.mechanism.joints.values():
        for name, low, high, _ in joint.limited if joint.stop is None else ():
            if name in model.coordinates:
                yield runs[name], column(high), column(low)
        for k, speed in enumerate(joint.speeds):
            if k < len(joint.velocity) and speed in model.speeds:
                yield runs[speed], column(joint.velocity[k]), -column(joint.velocity[k])
            if k < len(joint.effort) and speed in commands:
                yield commands[speed], column(joint.effort[k]), -column(joint.effort[k])
