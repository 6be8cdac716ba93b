"""Where a Radau step keeps its three stages, and the matrices that both iterations need.

Z are the changes of the state from the start of the step to its nodes: A⁻¹ Z = h F(Z).
"""

import numpy as np

from torseur.machine.integrators.kernels.arrival import derivative
from torseur.machine.integrators.kernels.elimination import factorise, solve
from torseur.machine.integrators.kernels.radau_tableau import NODES, REAL
from torseur.machine.runtime.long_vectors import linear, table
from torseur.machine.runtime.vectors import address, apart

CHANGES, PARTS, RATES, RIGHT, ESTIMATE = 0, 3, 6, 9, 12  # first rows of `stages`: Z, W, F, …

_node = table("radau_nodes", NODES[:, np.newaxis])


@apart
def stage(run, k):
    """Row k of the stages."""
    return address(run.stages, k * run.n)


@apart
def node(k):
    """The fraction of the step at which stage k is."""
    return _node(k)[0]


@apart
def at_stage(run, h, k):
    """`inside` ← the state of stage k; its derivative is put with those of the stages."""
    inside = run.inside
    linear(run.n, 1.0, run.y, 1.0, stage(run, CHANGES + k), inside)
    derivative(run, run.t + node(k) * h, inside, stage(run, RATES + k))


@apart
def real_factorised(run, h):
    """Whether REAL / h − J is regular; it is factorised."""
    n, J, real = run.n, run.jacobian, run.real_factors
    for j in range(n):
        for i in range(n):
            real[j * n + i] = -J[i * n + j]
        real[j * n + j] += REAL * (1.0 / h)
    return factorise(n, real, run.exchanges, run.room)


@apart
def solve_real(run, x):
    """x ← (REAL / h − J)⁻¹ x."""
    solve(run.n, run.real_factors, run.exchanges, x)
