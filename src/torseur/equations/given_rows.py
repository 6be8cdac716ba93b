"""Constraints as plain arrays: those of a system that is no tree, or written in other speeds.

They answer what `Constraints` answers, so that equations need not know where they come from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import expressions
from torseur.equations.conditions import Conditions
from torseur.model.constraints.protocol import check_linear

Array = np.ndarray


@final
@dataclass(frozen=True)
class GivenConstraints:
    """J v + b = 0 and J a + γ = 0, row by row; the gap belongs to the rows that hold positions."""

    owners: tuple[str, ...]  # what each row belongs to
    positions: tuple[int, ...]  # the rows that hold positions, in the order of the gap
    gap: Array
    J: Array
    rate: Array  # b
    bias: Array  # γ
    coordinate_rates: Array  # q̇ from the speeds
    joint_gaps: int = 0  # how many entries of the gap belong to joints

    def opened(self, outputs: Any) -> Any:
        """The outputs themselves: no closing joint has symbols of its own."""
        return outputs


def relations(zeros: Mapping[str, Expr], q: Array, v: Array) -> GivenConstraints:
    """Conditions f(q, t) = 0 or a(q, t)·v + b(q, t) = 0 on coordinates whose rates are v."""
    for name, zero in zeros.items():
        check_linear(zero, f'constraint "{name}"')
    made = Conditions(zeros.values(), v, dict(zip(q, v, strict=True)))
    gap = expressions(made.gap)
    return GivenConstraints(
        tuple(zeros), tuple(made.positions), gap, made.J, made.rate, made.bias, v
    )
