"""A correction of the stages by one Jacobian for all of them.

In W = T⁻¹ Z the linear systems separate into a real one and a complex one. Reference: Hairer and
Wanner (1996), Solving Ordinary Differential Equations II, section IV.8.
"""

from torseur.machine.integrators.kernels.elimination import factorise, solve
from torseur.machine.integrators.kernels.radau_stages import (
    CHANGES,
    PARTS,
    RATES,
    RIGHT,
    real_factorised,
    solve_real,
    stage,
)
from torseur.machine.integrators.kernels.radau_tableau import PAIR, REAL, T_INVERSE, T
from torseur.machine.integrators.kernels.step_size import tolerance
from torseur.machine.runtime.vectors import address, apart, inlined

_T, _TI = (tuple(tuple(map(float, line)) for line in matrix) for matrix in (T, T_INVERSE))


@apart
def factorised_separately(run, h):
    """Whether REAL / h − J and PAIR / h − J are regular; they are factorised."""
    n, J = run.n, run.jacobian
    pair = run.complex_factors
    for j in range(n):
        for i in range(n):
            pair[j * n + i] = complex(-J[i * n + j], 0.0)
        pair[j * n + j] += PAIR * (1.0 / h)
    exchanges = address(run.exchanges, n)
    return real_factorised(run, h) and factorise(n, pair, exchanges, run.room)


@apart
def begin_separately(run):
    """W ← T⁻¹ Z."""
    n, Z, W = run.n, stage(run, CHANGES), stage(run, PARTS)
    for i in range(n):
        W[i], W[n + i], W[2 * n + i] = _mixed(_TI, Z[i], Z[n + i], Z[2 * n + i])


@apart
def correct_separately(run, h):
    """W and Z are corrected; the square of the size of the correction, 1 being tolerated."""
    n, F, W = run.n, stage(run, RATES), stage(run, PARTS)
    real, pair = stage(run, RIGHT), run.solution
    for i in range(n):
        first, second, third = _mixed(_TI, F[i], F[n + i], F[2 * n + i])
        real[i] = first - (1.0 / h) * (REAL * W[i])
        pair[i] = complex(second, third) - (1.0 / h) * (PAIR * complex(W[n + i], W[2 * n + i]))
    solve_real(run, real)
    solve(n, run.complex_factors, address(run.exchanges, n), pair)
    return _applied(run, real, pair)


@apart
def _applied(run, real, pair):
    """W ← W + its correction, Z ← T W; the square of the size of the correction."""
    n, y, total = run.n, run.y, 0.0
    Z, W = stage(run, CHANGES), stage(run, PARTS)
    for i in range(n):
        first, second, third = real[i], pair[i].real, pair[i].imag
        tolerated = tolerance(run, i, abs(y[i]))
        total += (first * first + second * second + third * third) / (tolerated * tolerated)
        W[i] += first
        W[n + i] += second
        W[2 * n + i] += third
        Z[i], Z[n + i], Z[2 * n + i] = _mixed(_T, W[i], W[n + i], W[2 * n + i])
    return total


@inlined
def _mixed(matrix, x, y, z):
    """A matrix of three rows times (x, y, z)."""
    a, b, c = matrix
    return (
        a[0] * x + a[1] * y + a[2] * z,
        b[0] * x + b[1] * y + b[2] * z,
        c[0] * x + c[1] * y + c[2] * z,
    )
