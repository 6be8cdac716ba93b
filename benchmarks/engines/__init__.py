"""The engines that are compared: each gives the same functions of the same robot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from benchmarks.robots import Robot

Array = np.ndarray
FUNCTIONS = (
    "inverse_dynamics",
    "mass_matrix",
    "forward_dynamics",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)
OF_THE_TOOL = ("pose:tool", "jacobian:tool")
OF_POSITIONS = ("mass_matrix", *OF_THE_TOOL)  # functions of q alone
TOLERANCE = 1e-10  # relative to the largest entry


@final
@dataclass(frozen=True)
class Call:
    """One call as a user writes it, in the names q, v and x (accelerations or forces)."""

    statement: str
    names: Mapping[str, Any]
    result: str = "y"  # where the answer is afterwards

    def value(self, q: Array, v: Array, x: Array) -> Array:
        """The answer at a state."""
        scope = {**self.names, "q": q, "v": v, "x": x}
        exec(self.statement, scope)
        return np.array(eval(self.result, scope))


Rows = Callable[[Array, Array, Array], Array]


@final
@dataclass(frozen=True)
class Engine:
    """The functions of a robot by name; what an engine cannot do is not there."""

    name: str
    calls: Mapping[str, Call]  # one state, from Python
    batches: Mapping[str, Mapping[str, Rows]] = field(default_factory=dict)  # way → function → rows
    loops: Mapping[str, Rows] = field(default_factory=dict)  # row by row inside compiled code
    remarks: tuple[str, ...] = ()


class Disagreement(Exception):
    """Two engines give different answers: nothing is timed."""


def agree(robot: Robot, function: str, found: Array, expected: Array, who: str) -> None:
    """Nothing, if two answers are the same to 1e-10; otherwise who differs, where, by how much."""
    error = np.abs(found - expected).max() / np.abs(expected).max()
    if not error <= TOLERANCE:
        raise Disagreement(f"{robot.name}, {function}: {who} differs from Torseur by {error:.1e}.")


def row_by_row(call: Call) -> Rows:
    """A Python loop over rows."""
    body = [f"    {line}" for line in call.statement.splitlines()]
    lines = ["def rows(Q, V, X, out):", "  for i in range(len(Q)):"]
    lines += ["    q, v, x = Q[i], V[i], X[i]", *body, f"    out[i] = {call.result}"]
    scope = dict(call.names)
    exec("\n".join(lines), scope)

    def rows(Q: Array, V: Array, X: Array) -> Array:
        out = np.empty((len(Q), *call.value(Q[0], V[0], X[0]).shape))
        scope["rows"](Q, V, X, out)
        return out

    return rows
