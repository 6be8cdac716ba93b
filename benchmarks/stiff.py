"""A stiff mechanism: implicit and explicit steps at equal accuracy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import fastest
from torseur.language.load import load
from torseur.machine.compiled import CompiledModel, compile
from torseur.machine.integrators.drive import integrate
from torseur.machine.integrators.methods import Dop853, Method, Radau
from torseur.machine.integrators.problem import Problem
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.formulations.joint import JointFormulation
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.start.assemble import assemble

Array = np.ndarray
SECONDS, ANGLE, STIFFNESS = 20.0, 0.5, 1e9
TOLERANCES = tuple(10.0**-k for k in range(3, 10))
ERRORS = (1e-3, 1e-5, 1e-7)  # of the angle [rad] and of the piston [m], at any sample
FINE = 1e-10  # the tolerance of the reference; rounding forbids a stricter one
BAR = 1e-5  # the error at which the ratio is held to the limit
LIMIT = 50.0


@final
@dataclass(frozen=True, eq=False)
class Tried:
    """A run at one tolerance."""

    method: Method
    rtol: float
    error: float
    steps: int
    evaluations: int


def run(*, quick: bool) -> Part:
    """A slider-crank whose rod is a spring, turned about half a turn a second."""
    model = compile(load(_slider_crank()))
    moving = JointFormulation(JointStart(NumericConstraints(model)))
    derivative = moving.derivative
    problem, y = Problem(moving.entries["rate"]), _start(model)
    times = np.linspace(0.0, SECONDS, 101)
    fine = integrate(problem, y, times, Dop853(FINE)).states[:, :2]

    def tried(make: Callable[[float], Method]) -> list[Tried]:
        found = []
        for rtol in TOLERANCES:
            made = integrate(problem, y, times, make(rtol))
            error = float(np.abs(made.states[:, :2] - fine).max())
            found.append(Tried(make(rtol), rtol, error, made.steps, made.evaluations))
        return found

    explicit = tried(lambda rtol: Dop853(rtol, rtol))
    stiff = tried(lambda rtol: Radau(rtol, rtol, derivative=derivative))
    best = {error: [_cheapest(found, error) for found in (explicit, stiff)] for error in ERRORS}
    spent = {
        x: fastest(lambda method=x.method: integrate(problem, y, times, method), 9 if quick else 27)
        for x in dict.fromkeys(x for both in best.values() for x in both)
    }
    rows: list[tuple[Cell, ...]] = [
        (f"{error:g}", name, f"{x.rtol:g}", x.error, x.steps, 1e3 * spent[x])
        for error, both in best.items()
        for name, x in zip(("DOP853", "Radau"), both, strict=True)
    ]
    slow, quickly = (spent[x] for x in best[BAR])
    what = f"elastic slider-crank, error {BAR:g}: DOP853's time over Radau's"
    head = ("error allowed", "method", "rtol", "error", "steps", "time [ms]")
    return Part(
        "stiff",
        [Table(f"{SECONDS:g} s of a slider-crank with a rod of {STIFFNESS:g} N/m", head, rows)],
        [Bar(what, slow / quickly, LIMIT, "×", at_least=True)],
        [
            "Each method at the tolerance that costs least among those whose error, measured "
            f"against DOP853 at {FINE:g}, is allowed. The rod does not vibrate at the start: "
            "explicit steps are short for stability alone.",
        ],
    )


def _cheapest(found: list[Tried], error: float) -> Tried:
    return min((x for x in found if x.error <= error), key=lambda x: x.evaluations)


def _slider_crank() -> dict[str, object]:
    return {
        "name": "elastic slider-crank",
        "gravity": [0, 0, 0],
        "parameters": {"l1": 0.1, "l2": 0.3, "I1": 0.02, "m3": 0.5, "Cm": 1.5, "b": 0.5, "Fr": 10.0,
                       "k": STIFFNESS},
        "bodies": {"crank": {"mass": 0, "inertia": [0, 0, "I1"]}, "piston": {"mass": "m3"}},
        "joints": {
            "O": {"type": "revolute", "bodies": ["ground", "crank"], "axis": "z",
                  "coordinate": "alpha"},
            "P": {"type": "prismatic", "bodies": ["ground", "piston"], "axis": "x",
                  "coordinate": "x"},
        },
        "forces": {
            "motor": {"type": "joint", "joint": "O", "value": "Cm - b*alpha."},
            "load": {"type": "joint", "joint": "P", "value": "-Fr"},
            "rod": {"type": "spring", "stiffness": "k", "length": "l2",
                    "between": [["crank", ["l1", 0, 0]], ["piston", [0, 0, 0]]]},
        },
    }  # fmt: skip


def _start(model: CompiledModel) -> Array:
    """At rest on the slow motion: the rod is as long as its force asks."""
    p = {name: float(value) for name, value in model.parameters.items() if value is not None}
    across = p["l1"] * np.sin(ANGLE)
    x = p["l1"] * np.cos(ANGLE) + np.sqrt(p["l2"] ** 2 - across**2)
    turning, sliding = x * across / p["l2"], (x - p["l1"] * np.cos(ANGLE)) / p["l2"]
    driven = turning * p["Cm"] / p["I1"] - sliding * p["Fr"] / p["m3"]
    tension = driven / (turning**2 / p["I1"] + sliding**2 / p["m3"])
    found = assemble(model, {"alpha": ANGLE, "x": x + tension / p["k"] / sliding})
    return np.concatenate([found.q, found.v, [0.0]])
