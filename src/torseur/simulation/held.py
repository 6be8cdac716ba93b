"""The constraints of a compiled model as functions of numbers; time is always the last argument."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.backends.compiled import CompiledModel
from torseur.backends.sizes import Sizes

Array = np.ndarray


@final
class Held:
    """What holds a mechanism together besides the joints of its tree."""

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
        """How far positions are from what the constraints ask [m or rad].

        This and what follows are those of one state at a time t, or of many with as many times.
        """
        return self.model.timed("closure_gap")(q, t) if self else np.zeros(0)

    def J(self, q: Array, t: Any) -> Array:
        """The speeds forbidden: J v + b = 0."""
        return self.model.timed("constraint_jacobian")(q, t)

    @property
    def sizes(self) -> Sizes:
        """What speeds and rows are measured in."""
        return self.model.sizes

    def scaled_J(self, q: Array, t: Any) -> Array:
        """J without dimensions, so that its rank does not depend on units."""
        return self.sizes.without_dimension(np.asarray(self.J(q, t)))

    def rate(self, q: Array, t: Any) -> Array:
        """b."""
        return self.model.timed("constraint_rate")(q, t)

    def bias(self, q: Array, v: Array, t: Any) -> Array:
        """γ: J a + γ = 0."""
        return self.model.timed("constraint_bias")(q, v, t)

    def worst(self, gap: Array) -> tuple[str, float]:
        """What is furthest from holding, and by how much."""
        sizes = np.abs(gap)
        k = int(sizes.argmax())
        return self.owners[self.positions[k]], float(sizes[k])
