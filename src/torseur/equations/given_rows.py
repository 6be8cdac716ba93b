"""Constraints as plain arrays: those of a system that is no tree, or written in other speeds.

They answer what `Constraints` answers, so that equations need not know where they come from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.expr import ONE, ZERO, Expr
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.errors import ModelError
from torseur.topology.structure import TIME

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
    along = {**dict(zip(q, v, strict=True)), TIME: ONE}
    held = [not _speaks_of_speeds(zero) for zero in zeros.values()]
    speeds = [
        time_derivative(zero, along) if position else _linear(name, zero)
        for (name, zero), position in zip(zeros.items(), held, strict=True)
    ]
    u = expressions(speeds)
    return GivenConstraints(
        tuple(zeros),
        tuple(k for k, position in enumerate(held) if position),
        expressions([x for x in zeros.values() if not _speaks_of_speeds(x)]),
        jacobian(u, v).reshape(len(u), len(v)),
        substitute(u, dict.fromkeys(v, ZERO)),
        time_derivative(u, along),
        v,
    )


def _speaks_of_speeds(zero: Expr) -> bool:
    return any(x.kind == "speed" for x in free_symbols(zero))


def _linear(name: str, zero: Expr) -> Expr:
    speeds = [x for x in free_symbols(zero) if x.kind == "speed"]
    left = [x.name for x in free_symbols(jacobian([zero], speeds)) if x.kind == "speed"]
    if left:
        raise ModelError(
            f'constraint "{name}"',
            f'it is not linear in the speed "{left[0]}".',
            "A condition on speeds reads a(q, t)·v + b(q, t) = 0.",
        )
    return zero
