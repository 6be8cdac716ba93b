"""Long runs: the drift of the energy by symplectic steps and by DOP853, and what they cost."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import torseur
from benchmarks.outcome import Bar, Cell, Part, Table
from torseur.language.load import load
from torseur.machine.compiled import CompiledModel, compile
from torseur.simulation.run.run import Run
from torseur.simulation.simulate import simulate

_EXAMPLES = Path(torseur.__file__).parent / "examples"
_RUNS = {  # initial values of a regular motion, and the step [s]
    "double_pendulum": ({"theta1": 0.3, "theta2": 0.2}, 0.01),
    "spherical_pendulum": ({}, 0.01),
    "dumbbell_satellite": ({}, 0.05),
    "free_body": ({}, 0.01),
    "four_bar": ({"alpha.": 0.0}, 0.005),
}
_SAMPLES = 1000


def run(*, quick: bool) -> Part:
    """The same motions by three methods."""
    steps = 10_000 if quick else 100_000
    rows: list[tuple[Cell, ...]] = []
    ratios, gaps = [], []
    for name, (initial, step) in _RUNS.items():
        model, duration = compile(load(_EXAMPLES / f"{name}.yaml")), steps * step
        slopes = {}
        for method in ("symplectic", "symplectic6", "dop853"):
            simulate(model, step, rate=1 / step, initial=initial, method=method, step=step)
            began = time.process_time()
            made = _run(model, duration, method, initial, step)
            taken = time.process_time() - began
            slopes[method], error = _drift(made)
            gaps.append(made.closure_error)
            rows.append((f"{name}, {method}", error, slopes[method], gaps[-1], 1e3 * taken))
        ratios.append(abs(slopes["dop853"]) / max(abs(slopes["symplectic"]), 1e-16))
    head = ("run", "largest error", "slope × duration", "gap [m]", "time [ms]")
    return Part(
        "long_runs",
        [Table(f"Energy over {steps} steps, relative to the largest kinetic one", head, rows)],
        [
            Bar("drift of DOP853 over that of order 4, least", min(ratios), 5, "×", at_least=True),
            Bar("gap of a loop, largest", max(gaps), 1e-12, "m"),
        ],
        [
            "Symplectic: fixed steps of 0.01 s (satellite: 0.05, four-bar: 0.005). DOP853: rtol "
            "1e-9. The slope is that of a line fitted to 1000 samples.",
        ],
    )


def _run(
    model: CompiledModel, duration: float, method: str, initial: dict[str, float], step: float
) -> Run:
    rate = _SAMPLES / duration
    return simulate(model, duration, rate=rate, initial=initial, method=method, step=step)


def _drift(made: Run) -> tuple[float, float]:
    """The growth of the energy by a fitted line, and its largest error."""
    total = made.energy["kinetic"] + made.energy["potential"]
    error = (total - total[0]) / made.energy["kinetic"].max()
    return float(np.polyfit(made.t / made.t[-1], error, 1)[0]), float(np.abs(error).max())
