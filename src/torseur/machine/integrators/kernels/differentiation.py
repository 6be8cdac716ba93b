"""The derivatives of ẏ with respect to y."""

from torseur.machine.integrators.kernels.arrival import derivative
from torseur.machine.integrators.kernels.step_size import EPSILON
from torseur.machine.runtime.access import evaluate
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import apart


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
