"""A correction of the stages by a Jacobian at each of them: one linear system for all.

A stiff direction that turns during the step makes the iteration with one Jacobian contract as
(stiff frequency) × (slow one) × h², which stops it long before accuracy asks for shorter steps.
With the Jacobians of the stages, taken where the last step leads, only the error of that guess
counts.

The unknowns of a component at the three stages follow each other: positions, which only their
speeds change, are eliminated first and almost for nothing.
"""

import numpy as np

from torseur.machine.integrators.kernels.differentiation import differentiate
from torseur.machine.integrators.kernels.elimination import factorise, solve
from torseur.machine.integrators.kernels.radau_stages import (
    CHANGES,
    RATES,
    at_stage,
    node,
    real_factorised,
    stage,
)
from torseur.machine.integrators.kernels.radau_tableau import A
from torseur.machine.integrators.kernels.step_size import tolerance
from torseur.machine.runtime.long_vectors import table
from torseur.machine.runtime.vectors import apart

_inverse = table("radau_inverse", np.linalg.inv(A))


@apart
def factorised_together(run, h):
    """Whether A⁻¹ / h − J at the stages, and REAL / h − J at the first one, are regular.

    They are factorised; the derivatives at the stages are known afterwards.
    """
    n, J, all_of_it = run.n, run.jacobian, run.all_factors
    wide = 3 * n
    for k in range(wide * wide):
        all_of_it[k] = 0.0
    for k in range(2, -1, -1):
        at_stage(run, h, k)
        differentiate(run, run.t + node(k) * h, run.inside, stage(run, RATES + k))
        weights = _inverse(k)
        for j in range(n):
            for i in range(n):
                all_of_it[(3 * j + k) * wide + 3 * i + k] = -J[i * n + j]
            for other in range(3):
                all_of_it[(3 * j + other) * wide + 3 * j + k] += weights[other] * (1.0 / h)
    regular = factorise(wide, all_of_it, run.all_exchanges, run.all_room)
    return regular and real_factorised(run, h)


@apart
def correct_together(run, h):
    """Z is corrected; the square of the size of the correction, 1 being tolerated."""
    n, y, x = run.n, run.y, run.all_room
    Z, F, total = stage(run, CHANGES), stage(run, RATES), 0.0
    for k in range(3):
        w = _inverse(k)
        for i in range(n):
            change = w[0] * Z[i] + w[1] * Z[n + i] + w[2] * Z[2 * n + i]
            x[3 * i + k] = F[k * n + i] - change * (1.0 / h)
    solve(3 * n, run.all_factors, run.all_exchanges, x)
    for i in range(n):
        tolerated = tolerance(run, i, abs(y[i]))
        for k in range(3):
            part = x[3 * i + k] / tolerated
            total += part * part
            Z[k * n + i] += x[3 * i + k]
    return total
