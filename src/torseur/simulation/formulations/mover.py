"""A model in motion: the rate of its state, and the return of a state onto its constraints.

The state y is (q, v, work of the forces without potential). A mechanism of ordinary size moves by
straight-line kernels; a large one by its separate functions and numerical linear algebra.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol, final

import numpy as np

from torseur.equations.functions.held_rows import Rows
from torseur.errors import SolveError
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.drive import Attend
from torseur.machine.integrators.problem import Entry, Problem, entry_of
from torseur.machine.native import python_function
from torseur.machine.tree.evaluator import LARGE
from torseur.machine.tree.tree_rate import only_falls, tree_rate
from torseur.simulation.formulations.mixture import Mixture
from torseur.simulation.formulations.multipliers import accelerations
from torseur.simulation.start.numeric_constraints import Held
from torseur.simulation.start.return_to_constraints import projected

Array = np.ndarray
MOST_ROWS = 60  # a dense factorisation in straight-line code stays below what LLVM digests


class Mover(Protocol):
    """What moves a state."""

    def rate(self, t: float, y: Array) -> Array:
        """ẏ."""

    def kept(self, t: float, y: Array) -> Array:
        """The state with its constraints held and its quaternions of unit norm."""


def mover(held: Held, rows: Rows) -> Mover:
    """Straight-line kernels where they suit, loops over bodies where nothing else is needed."""
    if only_falls(held.model.mechanism):
        return Falling(held.model)
    small = len(held.model.speeds) <= LARGE and len(rows.kept) <= MOST_ROWS
    return Straight(held, rows) if small else Numeric(held)


@final
class Straight:
    """By the kernels an integrator calls."""

    def __init__(self, held: Held, rows: Rows) -> None:
        self._held, self._rows = held, rows
        self._mixture = Mixture(held, rows)
        calls = {name: self._mixture.calls(x) for name, x in held.model.motion(rows).items()}
        self.entries = {name: entry_of(own) for name, own in calls.items()}
        self._call = {name: python_function(own) for name, own in calls.items()}

    @cached_property
    def derivative(self) -> Entry | None:
        """∂ẏ/∂y; None where it is better taken by differences."""
        code = self._held.model.rate_derivative(self._rows)
        return None if code is None else entry_of(self._mixture.calls(code))

    @property
    def attend(self) -> Attend | None:
        """What an integrator must call before every step, if anything."""
        return self._follow if self._rows.repeating else None

    def _follow(self, t: float, y: Array) -> None:
        self._mixture.follow(y[: len(self._held.model.coordinates)], t)

    def rate(self, t: float, y: Array) -> Array:
        self._follow(t, y)
        return self._call["rate"](y, np.array([t]))

    def kept(self, t: float, y: Array) -> Array:
        self._follow(t, y)
        if "closing" in self._call:
            y = self._closed(t, y)
        return self._call["calming"](y, np.array([t])) if "calming" in self._call else y

    def _within(self, y: Array, factor: float = 1.0) -> float:
        return self._held.closed_within(y[: len(self._held.model.coordinates)], factor)

    def _closed(self, t: float, y: Array) -> Array:
        size, now = np.inf, np.array([t])
        for _ in range(12):
            moved = self._call["closing"](y, now)
            before, size = size, moved[-1]
            if not size < before:
                break
            y = moved[:-1]
            if size < self._within(y) ** 2:
                return y
        if size < self._within(y, 1e3) ** 2:
            return y
        name, gap = self._held.worst(self._held.gap(y[: len(self._held.model.coordinates)], t))
        raise SolveError(
            f"t = {t:.6g} s",
            f'"{name}" cannot be held: it stays off by {gap:.3g} (m or rad).',
            "Is the imposed motion possible?",
        )


@final
class Falling:
    """By a loop over the bodies of a large tree that only its weight moves."""

    def __init__(self, model: CompiledModel) -> None:
        self.problem = Problem(tree_rate(model))

    def rate(self, t: float, y: Array) -> Array:
        return self.problem.rate.value(y, t, len(y))

    def kept(self, t: float, y: Array) -> Array:
        return y


@final
class Numeric:
    """By the separate functions of the model."""

    def __init__(self, held: Held) -> None:
        self._held = held

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        return len(self._held.model.coordinates), len(self._held.model.speeds)

    def rate(self, t: float, y: Array) -> Array:
        nq, nv = self._sizes
        held, model = self._held, self._held.model
        q, v = y[:nq], y[nq : nq + nv]
        a, lam = solved(held, q, v, t)
        imposed = -(lam @ held.rate(q, t)) if held else 0.0
        power = model.timed("power")(q, v, t)
        return np.concatenate([model.rates(q, v), a, [power + imposed]])

    def kept(self, t: float, y: Array) -> Array:
        nq, nv = self._sizes
        q, v = projected(self._held, y[:nq], y[nq : nq + nv], t)
        return np.concatenate([q, v, y[nq + nv :]])


def solved(held: Held, q: Array, v: Array, t: Any) -> tuple[Array, Array]:
    """Accelerations and multipliers at a state, or at many in the first dimension."""
    model = held.model
    Q = model.timed("moving_forces")(q, v, t)
    if not held:
        return model.tree_forward_dynamics(q, v, Q), np.zeros((*np.shape(t), 0))
    S = Q - model.bias(q, v) - model.gravity(q)
    M, J, gamma = model.mass_matrix(q), held.J(q, t), held.bias(q, v, t)
    return accelerations(M, S, J, gamma, held.sizes)
