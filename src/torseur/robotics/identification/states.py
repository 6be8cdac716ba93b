"""Random states of a model, in its own units of length and time, and its regressor there."""

from __future__ import annotations

import numpy as np

from torseur.machine.compiled import CompiledModel
from torseur.robotics.states import States
from torseur.simulation.constraints.displacement import advanced

Array = np.ndarray


def random_states(model: CompiledModel, count: int, seed: int = 0) -> States:
    """Turns anywhere, slides up to the length of the mechanism, speeds of its own time."""
    rng, sizes, time = np.random.default_rng(seed), model.sizes, model.sizes.scales.time
    unit = sizes.displacements
    start = model.system.tree.neutral
    moves = rng.uniform(-np.pi, np.pi, (count, len(unit))) * unit
    turned = len(start) > len(unit)  # by quaternions, row by row
    q = np.array([advanced(model, start, x) for x in moves]) if turned else start + moves
    v, a = (rng.uniform(-2, 2, (count, len(unit))) * unit / time**k for k in (1, 2))
    return States(q, v, a)


def regressor(model: CompiledModel, states: States, t: Array | None = None) -> Array:
    """The regressor at each state (states, nv, columns)."""
    times = np.zeros(len(states.q)) if t is None else t
    return np.asarray(model.timed("regressor")(states.q, states.v, states.a, times), dtype=float)
