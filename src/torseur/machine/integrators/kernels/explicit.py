"""Explicit Runge-Kutta methods from their tableaux: stages for any, and those of fixed step.

With a fixed step, every interval between two samples is divided into equal steps, no longer than
the one asked for. Inside a step the state follows the cubic that has its values and its
derivatives at both ends.
"""

from typing import Any

import numpy as np

from torseur.machine.integrators.kernels.arrival import arrive_with_cubic, derivative, record
from torseur.machine.integrators.kernels.stepping import fixed_steps
from torseur.machine.runtime.access import METHOD
from torseur.machine.runtime.long_vectors import copy, linear, table
from torseur.machine.runtime.vectors import address, apart

SIGNATURE = METHOD
ENTRIES = ("rk4", "euler")


def explicit(name: str, rows: Any, nodes: Any, last: int) -> tuple[Any, Any, Any]:
    """Of a method of `last` stages, functions: Σ w_j k_j by a row of weights, stage s, the arrival.

    Row s gives the argument of stage s, row `last` the state at the end of the step. Row 0 is that
    of the derivative at the start.
    """
    weights, node = table(name, rows), table(f"{name}_nodes", nodes[:, np.newaxis])
    width = rows.shape[1]

    @apart
    def weighted(run, row, into):
        w, n, k = weights(row), run.n, run.stages
        linear(n, w[0], k, 0.0, k, into)
        for j in range(1, width):
            weight, stage = w[j], address(k, j * n)
            if weight != 0.0:
                for i in range(n):
                    into[i] += weight * stage[i]

    @apart
    def make_stage(run, h, s):
        """k_s = f(t + c_s h, y + h Σ a_sj k_j)."""
        weighted(run, s, run.inside)
        linear(run.n, 1.0, run.y, h, run.inside, run.inside)
        derivative(run, run.t + node(s)[0] * h, run.inside, address(run.stages, s * run.n))

    @apart
    def advance(run, h):
        """arrival ← y + h Σ b_j k_j."""
        copy(run.n, run.f, run.stages)
        for s in range(1, last):
            make_stage(run, h, s)
        weighted(run, last, run.arrival)
        linear(run.n, 1.0, run.y, h, run.arrival, run.arrival)

    return weighted, make_stage, advance


def _tableau(*rows: list[float]) -> Any:
    """The rows of a method, that of the derivative at the start first."""
    return np.array([[0.0] * len(rows), *rows])


EULER = _tableau([1.0])
RK4 = _tableau(
    [1 / 2, 0.0, 0.0, 0.0],
    [0.0, 1 / 2, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [1 / 6, 1 / 3, 1 / 3, 1 / 6],
)


def _step(name: str, tableau: Any) -> Any:
    """A step of fixed length."""
    _, _, advance = explicit(name, tableau, tableau.sum(axis=1), len(tableau) - 1)

    @apart
    def step(run, t, h):
        """What is wrong with the step of length h that ends at t, if not PAUSED."""
        advance(run, h)
        return arrive_with_cubic(run, t, h)

    return step


_euler, _rk4 = _step("euler", EULER), _step("rk4", RK4)


def euler(place):
    """Order 1 (Euler 1768), to compare others with; the code says how the steps ended."""
    return fixed_steps(record(place), _euler)


def rk4(place):
    """The classical method of order 4 (Kutta 1901); the code says how the steps ended."""
    return fixed_steps(record(place), _rk4)
