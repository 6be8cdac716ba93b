"""A quadruped that touches with the shapes of its file, under PD at 1 kHz by steps of 1 ms."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.outcome import Bar
from benchmarks.quadruped import BY_STEPS, DAMPED, STIFF
from benchmarks.timing import fastest
from torseur.language.load import load
from torseur.machine.compiled import compile
from torseur.simulation.simulate import simulate

Array = np.ndarray
FILE = Path(__file__).parents[1] / "tests" / "models" / "quadruped.xml"
JOINTS = [f"{leg}{k}" for leg in ("fl", "fr", "hl", "hr") for k in range(3)]
GOAL, BASE = np.tile([0.0, 0.7, -1.4], 4), 6


def figures(*, quick: bool) -> list[Bar]:
    """Processor time of a second in which it stands."""
    model = compile(load(FILE, collisions=True, actuators=False))
    q_of = [model.coordinates.index(name) for name in JOINTS]
    v_of = [model.speeds.index(f"{name}.") for name in JOINTS]

    def law(t: float, q: Array, v: Array) -> Array:
        return np.concatenate([np.zeros(BASE), STIFF * (GOAL - q[q_of]) - DAMPED * v[v_of]])

    start = dict(zip(JOINTS, GOAL, strict=True))

    def stand() -> None:
        simulate(model, 1.0, control=law, initial=start, **BY_STEPS)

    stand()
    cost = 1e3 * fastest(stand, 3 if quick else 9)
    return [Bar("quadruped with the shapes of its file stands 1 s", cost, 100.0, "ms")]
