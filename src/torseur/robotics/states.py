"""States in rows: those of a task, of a workspace or at random; the regressor at each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import numpy as np

from torseur.algebra.core.graph import expressions
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.robotics.joint_limits import joint_limits
from torseur.robotics.trajectory import Trajectory, arranged
from torseur.simulation.constraints.displacement import advanced
from torseur.words.sentence import say

Array = np.ndarray
_OTHERS = 10_000  # states at random at which what was found for some is tried


@final
class States(Result):
    """Rows of q, v and a in the order of a model."""

    q: Array  # (states, nq)
    v: Array  # (states, nv)
    a: Array  # (states, nv)
    names: tuple[str, ...] = ()  # of the coordinates
    within: Array | None = None  # (3, 2, n): bounds of q, v and a between which they are at random

    def __len__(self) -> int:
        return len(self.q)

    def values(self, system: System) -> dict[str, Array]:
        """The values of the symbols of a system, a column each."""
        known: dict[str, Array] = {}
        for symbols, rows in ((system.q, self.q), (system.v, self.v), (system.a, self.a)):
            known |= {x.name: rows[:, k] for k, x in enumerate(expressions(symbols))}
        return known

    def with_others(self) -> States:
        """States with many others within the same bounds; unchanged if they are not random.

        Half of the others have speeds and accelerations at their bounds, where forces are largest.
        """
        if self.within is None:
            return self
        chance, shape = np.random.default_rng(1), (_OTHERS, self.q.shape[1])
        rows = [chance.uniform(low, high, shape) for low, high in self.within]
        for row, (low, high) in zip(rows[1:], self.within[1:], strict=True):
            row[::2] = np.where(chance.random(row[::2].shape) < 0.5, low, high)
        whole = [np.concatenate(x) for x in zip((self.q, self.v, self.a), rows, strict=True)]
        return States(whole[0], whole[1], whole[2], self.names)


def states_of(model: CompiledModel, task: Trajectory | States, place: str) -> States:
    """The states of a task, in the order of a model whose coordinates all have their speeds."""
    _require_open(model, place)
    order = arranged(task.names, model.coordinates, place)
    if isinstance(task, States):
        within = None if task.within is None else task.within[:, :, order]
        q, v, a = (x[:, order] for x in (task.q, task.v, task.a))
        return States(q, v, a, model.coordinates, within)
    q, v, a = (x[:, order] for x in (task.q(), task.v(), task.a()))
    return States(q, v, a, model.coordinates)


def _require_open(model: CompiledModel, place: str) -> None:
    plain = all(f"{name}." in model.speeds for name in model.coordinates)
    if model.system.constrained or not plain or model.takes_time("inverse_dynamics"):
        raise ModelError(
            place,
            say('"{name}" has loops, balls or laws of time: it must be an open chain of turns and '
                "slides.", model.mechanism.name),
        )  # fmt: skip


def anywhere(
    mechanism: Mechanism | CompiledModel,
    speed: float | Mapping[str, float],
    acceleration: float | Mapping[str, float],
    *,
    samples: int = 500,
    parameters: Mapping[str, float] | None = None,
) -> States:
    """Random states of the workspace, within limits of coordinates, speeds, accelerations.

    `term_sizes` and `reduced` take them instead of a task; results then hold for any task.
    """
    model = compiled_at(mechanism, parameters)
    _require_open(model, "anywhere")
    if not 1 <= samples <= 1_000_000:
        raise ModelError("anywhere", say("samples is {samples}: 1 or more are needed.", samples))
    names = model.coordinates
    limits = joint_limits(model, names)
    low = np.where(np.isfinite(limits.low), limits.low, -np.pi)
    high = np.where(np.isfinite(limits.high), limits.high, np.pi)
    chance = np.random.default_rng(0)
    bounds = [(low, high)]
    for given in (speed, acceleration):
        most = [
            given.get(name, 0.0) if isinstance(given, Mapping) else float(given) for name in names
        ]
        size = np.abs(np.array(most, dtype=float))
        bounds.append((-size, size))
    q, v, a = (chance.uniform(*ends, (samples, len(names))) for ends in bounds)
    return States(q, v, a, names, np.array(bounds))


def random_states(model: CompiledModel, count: int, seed: int = 0) -> States:
    """Turns anywhere, slides up to the length of the mechanism, speeds of its own time.

    States are at random, in the units of length and time of the model.
    """
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
