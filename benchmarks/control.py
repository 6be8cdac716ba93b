"""Control in the loop: a Puma under PD and gravity compensation, beside real time."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from typing import Any

import numpy as np

from benchmarks import stepper
from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import fastest
from torseur.algebra.core.expr import ZERO
from torseur.controllers.joint_laws import gravity_compensation, joint_gains, pd
from torseur.language.load import load
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.simulation.control.loop import Loop
from torseur.simulation.simulate import simulate

SECONDS, SAMPLE, DELAY, FREQUENCY = 2.0, 1e-3, 1e-3, 15.0
GOAL = {"q1": 0.5, "q2": -0.6, "q3": 0.4, "q4": 0.3, "q5": -0.4, "q6": 0.6}
LIMITS = {"q1": 60.0, "q2": 120.0, "q3": 60.0, "q4": 15.0, "q5": 15.0, "q6": 15.0}
COMPILED, PYTHON, ROUGH, BEYOND = 100.0, 20.0, 20.0, 5.0  # three × real time, µs


def run(*, quick: bool) -> Part:
    """The same law as machine code and in Python; dry friction, whose sticking costs, apart."""
    repeats = 3 if quick else 9
    smooth, rough = CompiledModel(_smooth()), CompiledModel(_puma())
    law, function = _law(smooth.mechanism), _function(smooth)

    def seconds(model: CompiledModel, law: Any, times: int) -> float:
        loop = Loop(law, SAMPLE, DELAY, saturation=LIMITS)
        return fastest(lambda: simulate(model, SECONDS, control=loop, rate=1 / SAMPLE), times)

    compiled, python = (seconds(smooth, x, repeats) for x in (law, function))
    sticking = seconds(rough, law, repeats)
    samples, own = SECONDS / SAMPLE, _own(function)
    beyond = (python - compiled) / samples - own
    rows: list[tuple[Cell, ...]] = [
        (name, SECONDS / spent, 1e6 * spent / samples)
        for name, spent in (
            ("machine code", compiled),
            ("Python", python),
            ("machine code, dry friction of the motors", sticking),
        )
    ]
    title = f"Puma 560, PD and gravity, {1 / SAMPLE:g} Hz, delay {1e3 * DELAY:g} ms, limits"
    return Part(
        "control",
        [Table(title, ("law", "× real time", "a sample [µs]"), rows)],
        [
            Bar("law as machine code, × real time", SECONDS / compiled, COMPILED, at_least=True),
            Bar("law in Python, × real time", SECONDS / python, PYTHON, at_least=True),
            Bar("dry friction, × real time", SECONDS / sticking, ROUGH, at_least=True),
            Bar("a sample beyond the function of the user", 1e6 * beyond, BEYOND, "µs"),
            *stepper.bars(repeats),
        ],
        [f"rtol 1e-9; the function of the user takes {1e6 * own:.1f} µs of a sample."],
    )


def _puma() -> Mechanism:
    return load(str(files("torseur.examples") / "puma560.yaml"))


def _smooth() -> Mechanism:
    """Without dry friction, which sticks and slides."""
    made = _puma()
    motors = {name: replace(motor, dry_motor=(ZERO, ZERO)) for name, motor in made.motors.items()}
    return replace(made, motors=motors)


def _law(mechanism: Mechanism) -> Any:
    kp, kd = joint_gains(mechanism, FREQUENCY)
    return pd(mechanism, GOAL, kp, kd) + gravity_compensation(mechanism)


def _function(model: CompiledModel) -> Any:
    """The same law by NumPy and the compiled model."""
    kp, kd = (np.array(list(x.values())) for x in joint_gains(model.mechanism, FREQUENCY))
    goal, gravity = np.array(list(GOAL.values())), model.gravity

    def law(t: float, q: np.ndarray, v: np.ndarray) -> Any:
        return kp * (goal - q) - kd * v + gravity(q)

    return law


def _own(function: Any) -> float:
    """What a call of the function takes [s]."""
    q, v, calls = np.zeros(6), np.zeros(6), 2000

    def many() -> None:
        for _ in range(calls):
            function(0.0, q, v)

    return fastest(many, 5) / calls
