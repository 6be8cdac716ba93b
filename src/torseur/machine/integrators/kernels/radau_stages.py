"""Three-stage Radau IIA: coefficients, stages, and the derivative of ẏ.

Collocation at the nodes of Radau on (0, 1], of which the last is the end of the step. T makes the
inverse of its matrix A block diagonal: a real eigenvalue and a complex pair. Z are the changes of
the state from the start of the step to its nodes: A⁻¹ Z = h F(Z).

Reference: Hairer and Wanner (1996), Solving Ordinary Differential Equations II, sections IV.5
(the method) and IV.8 (T, the error estimate).
"""

import numpy as np

from torseur.machine.integrators.kernels.access import derivatives
from torseur.machine.integrators.kernels.elimination import factorise, solve
from torseur.machine.integrators.kernels.step_size import EPSILON
from torseur.machine.runtime.access import evaluate
from torseur.machine.runtime.long_vectors import linear, square_root, table
from torseur.machine.runtime.vectors import address, apart

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
