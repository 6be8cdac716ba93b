"""The constraints of a compiled model as functions of numbers; time is always the last argument."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.machine.compiled import CompiledModel
from torseur.machine.sizes import Sizes
from torseur.machine.tree.evaluator import is_pushed
from torseur.simulation.constraints.multipliers import Resolution, accelerations

Array = np.ndarray
# Of a closed loop, in units of the size of each row: rounding, with a margin for long chains.
CLOSED = 1e-12
_ROUNDINGS = 8  # of coordinates, that may add up in a gap


@final
class NumericConstraints:
    """Constraints of a mechanism besides the joints of its tree."""

    def __init__(self, model: CompiledModel) -> None:
        self.model = model

    def __bool__(self) -> bool:
        return self.model.system.constrained

    @cached_property
    def positions(self) -> list[int]:
        """The rows of J that hold positions, in the order of the gap."""
        return list(self.model.constraints.positions)

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """The joint, contact, motion or relation of each row."""
        return self.model.constraints.owners

    def gap(self, q: Array, t: Any) -> Array:
        """Violation of the position constraints [m or rad].

        This and the methods below take one state and a time t, or many with as many times.
        """
        return self.model.timed("closure_gap")(q, t) if self else np.zeros(0)

    def opening(self, q: Array, t: Any) -> Array:
        """The gap in parts of the size of the mechanism, or in radians."""
        return np.asarray(self.gap(q, t) / self.gap_sizes)

    @cached_property
    def gap_sizes(self) -> Array:
        """Characteristic size of each entry of the gap."""
        return self.model.sizes.rows[self.positions] if self else np.zeros(0)

    def closed_within(self, q: Array, factor: float = 1.0) -> Any:
        """The opening of a closed loop; more where coordinates are large, as after many turns.

        The factor multiplies what has nothing to do with that.
        """
        return factor * CLOSED + _ROUNDINGS * self.model.sizes.rounding(q)

    def J(self, q: Array, t: Any) -> Array:
        """J of the constraints on speeds, J v + b = 0."""
        return np.asarray(self.model.timed("constraint_jacobian")(q, t))

    @property
    def sizes(self) -> Sizes:
        """Characteristic sizes of speeds and rows."""
        return self.model.sizes

    def scaled_J(self, q: Array, t: Any) -> Array:
        """J without dimensions, so that its rank does not depend on units."""
        return self.sizes.without_dimension(np.asarray(self.J(q, t)))

    def rate(self, q: Array, t: Any) -> Array:
        """b of J v + b = 0."""
        return np.asarray(self.model.timed("constraint_rate")(q, t))

    def bias(self, q: Array, v: Array, t: Any) -> Array:
        """γ: J a + γ = 0."""
        return np.asarray(self.model.timed("constraint_bias")(q, v, t))

    def accelerations(
        self, q: Array, v: Array, t: Any, resolution: Resolution | None = None
    ) -> tuple[Array, Array]:
        """Accelerations and multipliers at a state, or at many; by a resolution at one."""

        def at(name: str, *arrays: Array) -> Array:
            return np.asarray(self.model.timed(name)(*arrays, t))

        return accelerations_by(at, self.model, q, v, resolution)

    def worst(self, gap: Array) -> tuple[str, float]:
        """Owner of the largest violation relative to its size, and this violation [m or rad]."""
        k = int((np.abs(gap) / self.gap_sizes).argmax())
        return self.owners[self.positions[k]], float(abs(gap[k]))


def accelerations_by(
    at: Callable[..., Array],
    model: CompiledModel,
    q: Array,
    v: Array,
    resolution: Resolution | None = None,
) -> tuple[Array, Array]:
    """Accelerations and multipliers; `at` gives a function of the model by name, of arrays."""
    Q = at("moving_forces", q, v) if is_pushed(model.mechanism) else np.zeros_like(v)
    if not model.system.constrained:
        return at("tree_forward_dynamics", q, v, Q), np.zeros((*np.shape(v)[:-1], 0))
    S = Q - at("bias", q, v) - at("gravity", q)
    M, J, gamma = at("mass_matrix", q), at("constraint_jacobian", q), at("constraint_bias", q, v)
    return accelerations(M, S, J, gamma, model.sizes, resolution)
