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
from torseur.machine.integrators.kernels.motion_access import derivatives
from torseur.machine.integrators.kernels.step_size import (
    EPSILON,
    NOISE,
    tolerance,
)
from torseur.machine.runtime.access import evaluate
from torseur.machine.runtime.long_vectors import linear, square_root, table
from torseur.machine.runtime.vectors import address, apart, inlined

# --- three-stage Radau IIA: coefficients, stages, and the derivative of ẏ -------------------------
# Collocation at the nodes of Radau on (0, 1], of which the last is the end of the step. T makes the
# inverse of its matrix A block diagonal: a real eigenvalue and a complex pair. Z are the changes of
# the state from the start of the step to its nodes: A⁻¹ Z = h F(Z).
#
# Reference: Hairer and Wanner (1996), Solving Ordinary Differential Equations II, sections IV.5
# (the method) and IV.8 (T, the error estimate).


NODES = np.array([(4 - np.sqrt(6)) / 10, (4 + np.sqrt(6)) / 10, 1.0])

# each stage integrates the polynomials of degree 2 exactly: A c^k = c^(k + 1) / (k + 1)
_POWERS = NODES[:, np.newaxis] ** np.arange(3)
A = (_POWERS * NODES[:, np.newaxis] / np.arange(1, 4)) @ np.linalg.inv(_POWERS)

_values, _vectors = np.linalg.eig(np.linalg.inv(A))
_real, _upper = int(np.abs(_values.imag).argmin()), int(_values.imag.argmax())
REAL = float(_values[_real].real)
PAIR = complex(_values[_upper])  # α + iβ
# with v the eigenvector of α − iβ, T = [eigenvector of REAL, Re v, Im v] turns the pair into
# [[α, −β], [β, α]], which is α + iβ on w₂ + i w₃
_v = _vectors[:, _upper].conj()
T = np.column_stack([_vectors[:, _real].real, _v.real, _v.imag])
T_INVERSE = np.linalg.inv(T)

# weights of the stages in the estimate of the error, those of a method of order 3
ERROR = np.array([-13 - 7 * np.sqrt(6), -13 + 7 * np.sqrt(6), -1.0]) / 3

# --- stages -------------------------------------------------------------------------------------

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
    linear(run.n, 1.0, run.y, 1.0, stage(run, CHANGES + k), run.inside)
    derivative(run, run.t[0] + node(k) * h, run.inside, stage(run, RATES + k))


@apart
def derivative(run, t, y, f):
    """f ← ẏ at a time."""
    run.clock[0] = t
    derivatives(run, y, run.clock, f)


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


# --- the derivative of ẏ by y -------------------------------------------------------------------


@apart
def differentiate(run, t, y, f):
    """jacobian ← ∂ẏ/∂y at a state: by its own function where there is one, else by differences.

    The derivative f at that state serves the differences; y is as before afterwards.
    """
    if run.rate_derivative != 0:
        J = run.jacobian
        evaluate(run.rate_derivative, run.rate_derivative_table, t, y, J)
    else:
        _by_differences(run, t, y, f)


@apart
def _by_differences(run, t, y, f):
    """One component of y after the other is moved by the square root of the rounding."""
    n, J, there = run.n, run.jacobian, run.room
    atol, most = run.atol, run.most
    small = square_root(EPSILON)
    for j in range(n):
        before = y[j]
        y[j] = before + small * max(min(abs(before), most[j]), atol[j] / run.rtol)
        step = y[j] - before
        derivative(run, t, y, there)
        for i in range(n):
            J[i * n + j] = (there[i] - f[i]) / step
        y[j] = before


# --------------------------------------------------------------------------------------------------


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
            W[i], W[n + i], W[2 * n + i] = _product(_TI, Z[i], Z[n + i], Z[2 * n + i])
    if regular:
        return _solve_stages(run, h)
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
def _solve_stages(run, h):
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
        first, second, third = _product(_TI, F[i], F[n + i], F[2 * n + i])
        real[i] = first - (1.0 / h) * (REAL * W[i])
        pair[i] = complex(second, third) - (1.0 / h) * (PAIR * complex(W[n + i], W[2 * n + i]))
    solve_real(run, real)
    solve(n, run.complex_factors, address(run.exchanges, n), pair)
    return _correct(run, real, pair)


@apart
def _correct(run, real, pair):
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
        Z[i], Z[n + i], Z[2 * n + i] = _product(_T, W[i], W[n + i], W[2 * n + i])
    return total


@inlined
def _product(matrix, x, y, z):
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
