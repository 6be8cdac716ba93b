"""Studies: ten thousand samples in batches, on processes by Dask, beside their motions alone."""

from __future__ import annotations

import time
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import fastest
from torseur.language.load import load
from torseur.machine.compiled import CompiledModel
from torseur.simulation.simulate import simulate
from torseur.study.study import study
from torseur.study.study_result import StudyResult

ROWS, SECONDS, RATE, WORKERS = 10_000, 3.0, 100.0, 2
CLOCK: dict[str, Any] = {
    "name": "pendulum",
    "gravity": [0, -9.81, 0],
    "parameters": {"l": {"value": 1, "unit": "m"}, "m": {"value": 1, "unit": "kg"}},
    "bodies": {"bar": {"mass": "m", "centre": [0, "-l", 0], "inertia": [0, 0, 0]}},
    "joints": {
        "O": {"type": "pivot", "bodies": ["ground", "bar"], "axis": "z", "coordinate": "theta"}
    },
    "events": {"low": "theta"},
}


def run(*, quick: bool) -> Part:
    """The clock of the page of studies: its period, and the force on its pivot."""
    rows = 1000 if quick else ROWS
    asked = _asked(rows)
    study(asked, threads=1)  # machine code is made
    repeats = 1 if quick else 3
    here = fastest(lambda: study(asked, threads=1), repeats) / rows
    alone = _alone(asked, repeats) / rows
    cells: list[tuple[Cell, ...]] = [
        ("in batches, one thread", 1e6 * here, here / alone),
        ("its motions alone", 1e6 * alone, 1.0),
    ]
    bars, notes = [], ["Processor time; that of processes is wall time, their start included."]
    if find_spec("distributed"):
        start = time.perf_counter()
        there = study(asked, workers=WORKERS)
        spent = (time.perf_counter() - start) / rows
        cells.append((f"{WORKERS} processes, by Dask", 1e6 * spent, spent / alone))
        bars.append(Bar("numbers that differ by Dask", _differing(study(asked), there), 0))
    else:
        notes.append("Not installed, not compared: distributed.")
    head = (f"{rows} samples of a pendulum, {SECONDS:g} s", "a sample [µs]", "× its motion")
    return Part("studies", [Table("Studies", head, cells)], bars, notes)


def _asked(rows: int) -> dict[str, Any]:
    return {
        "study": "the clock and its tolerances",
        "model": CLOCK,
        "run": {"duration": SECONDS, "rate": RATE},
        "vary": {
            "l": "1 m ± 10 mm",
            "m": {"uniform": [0.9, 1.1]},
            "theta": {"triangular": [0.07, 0.09, 0.1]},
        },
        "method": "latin",
        "samples": rows,
        "outputs": {"period": "2*(time(low, 2) - time(low))", "force": "max(O.force)"},
    }


def _alone(asked: dict[str, Any], repeats: int) -> float:
    """The same motions, of which nothing is asked [s]."""
    model = CompiledModel(load(CLOCK))
    drawn = study(asked, threads=1)
    varied = {name: np.asarray(drawn[name]) for name in asked["vary"]}
    initial = {"theta": varied.pop("theta")}

    def moved() -> Any:
        return simulate(model, SECONDS, initial=initial, parameters=varied, rate=RATE, threads=1)

    return fastest(moved, repeats)


def _differing(first: StudyResult, second: StudyResult) -> int:
    """How many numbers are not the same."""
    one, other = first.outputs.scalars, second.outputs.scalars
    return int(np.count_nonzero(~np.isclose(one, other, rtol=0, atol=0, equal_nan=True)))
