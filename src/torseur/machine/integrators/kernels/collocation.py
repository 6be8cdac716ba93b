"""The equations of the stages of a Radau step, solved by Newton's iteration.

One Jacobian serves all stages: in W = T⁻¹ Z the linear systems separate into a real one and a
complex one. A stiff direction that turns during the step makes that iteration contract as
(stiff frequency) × (slow one) × h², which stops it long before accuracy asks for shorter steps.
Then a Jacobian at each stage, taken where the last step leads, makes one system for all: only the
error of that guess counts. The unknowns of a component at the three stages follow each other:
positions, which only their speeds change, are eliminated first and almost for nothing.

Reference: Hairer and Wanner (1996), Solving Ordinary Differential Equations II, section IV.8: the
guess, when to stop, when to give up.
"""

from math import inf

import numpy as np

from torseur.machine.integrators.codes import NOT_FINITE, STEP_TOO_SMALL
from torseur.machine.integrators.kernels.elimination import factorise, solve
from torseur.machine.integrators.kernels.radau_stages import (
    CHANGES,
    PAIR,
    PARTS,
    RATES,
    REAL,
    RIGHT,
    T_INVERSE,
    A,
    T,
    at_stage,
    differentiate,
    node,
    real_factorised,
    solve_real,
    stage,
)
from torseur.machine.integrators.kernels.step_size import (
    EPSILON,
    NOISE,
    tolerance,
)
from torseur.machine.runtime.long_vectors import square_root, table
from torseur.machine.runtime.vectors import address, apart, inlined

MOST = 7  # iterations
SLOW = 0.99  # a contraction that leads nowhere
SWIFT = 1e-3  # a contraction that says: this Jacobian will do for the next step
HALF = 0.5  # of the step, when the iteration fails
SAME = 1e-9  # steps that differ by this fraction have the same matrices

MISSING, CURRENT, OLD = 0, 1, 2  # ages of the Jacobian

_T, _TI = (tuple(tuple(map(float, line)) for line in matrix) for matrix in (T, T_INVERSE))
_inverse = table("radau_inverse", np.linalg.inv(A))


@apart
def collocated(run, h):
    """By how much the step must be shortened: 1 when Z solves the equations of the stages.

    One Jacobian serves all stages as long as it leads to a solution; `trouble` says why none does.
    """
    _guess(run, h)
    if run.together > 0:
        run.jacobian_age = MISSING
        regular = factorised_together(run, h)
    else:
        regular = _prepared(run, h)
        n, Z, W = run.n, stage(run, CHANGES), stage(run, PARTS)
        for i in range(n):  # W ← T⁻¹ Z
            W[i], W[n + i], W[2 * n + i] = _mixed(_TI, Z[i], Z[n + i], Z[2 * n + i])
    if regular:
        return _solved(run, h)
    run.trouble[0] = STEP_TOO_SMALL
    return HALF


@apart
def _prepared(run, h):
    """Whether the matrices of this step are regular; those at hand are kept if they serve."""
    if run.jacobian_age == MISSING:
        differentiate(run, run.t[0], run.y, run.f)
        run.jacobian_age, run.h_factorised = CURRENT, 0.0
    if abs(run.h_factorised - h) <= SAME * h:
        return True
    run.h_factorised = h
    return factorised_separately(run, h)


@apart
def _guess(run, h):
    """Z from the polynomial of the last step, prolonged; zero when there is none."""
    n, Z, polynomial = run.n, stage(run, CHANGES), run.polynomial
    longer = h / run.h_done if run.h_done > 0.0 else 0.0
    for k in range(3):
        beyond = node(k) * longer
        x = 1.0 + beyond
        for i in range(n):
            curve = polynomial[n + i] + x * polynomial[2 * n + i]
            Z[k * n + i] = beyond * (polynomial[i] - x * curve)


@apart
def _solved(run, h):
    """By how much the step must be shortened: 1 when the iteration converges.

    It ends when what is left of its corrections, judged by how fast they shrink, is a small part of
    the tolerance. Jacobians of the stages that are too old are renewed once.
    """
    noise = run.noise[0]
    target = max(10.0 * EPSILON / run.rtol, min(3e-4, 0.1 * square_root(run.rtol)))
    target = max(target, noise / (run.rtol + NOISE * noise))
    run.contraction, run.trouble[0] = SWIFT, STEP_TOO_SMALL
    before, last, since, left = 1.0, 1.0, 0, 1.0
    is_renewed = run.together == 0
    for done in range(1, MOST + 1):
        run.iterations = done
        if done > 1 or run.together == 0:
            for k in range(3):
                at_stage(run, h, k)
        total = correct_separately(run, h) if run.together == 0 else correct_together(run, h)
        size = square_root(total / (3.0 * run.n * run.coarse[0]))
        if not size < inf:
            run.trouble[0] = NOT_FINITE
            return HALF
        if done > 1:
            since += 1
            now = size / before
            run.contraction = now if since == 1 else square_root(now * last)
            last = now
            if run.contraction >= SLOW:
                return HALF
            left = run.contraction / (1.0 - run.contraction)
        if left * size <= target:
            return 1.0
        if done > 1:
            hoped = left * size / target
            for _ in range(MOST - 1 - done):
                hoped *= run.contraction
            if hoped >= 1.0:
                if is_renewed or not factorised_together(run, h):
                    return 0.8 / square_root(square_root(min(hoped, 20.0)))
                is_renewed, since = True, 0
        before = max(size, EPSILON)
    return HALF


# --- one Jacobian for all stages ------------------------------------------------------------------


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


# --- a Jacobian at each stage ---------------------------------------------------------------------


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
        differentiate(run, run.t[0] + node(k) * h, run.inside, stage(run, RATES + k))
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
