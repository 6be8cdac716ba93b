"""The implicit Runge-Kutta method Radau IIA of order 5, for stiff systems.

Reference: Hairer and Wanner (1996), Solving Ordinary Differential Equations II, section IV.8: the
iteration, the estimate and the control of the error, when to keep matrices. The interpolation is
the collocation polynomial, whose error goes as the fourth power of the step, as the estimate.
"""

from math import inf

import numpy as np

from torseur.machine.integrators.codes import NOT_FINITE, PAUSED, STEP_TOO_SMALL
from torseur.machine.integrators.kernels.arrival import arrive, move_on
from torseur.machine.integrators.kernels.collocation import (
    CHANGES,
    CURRENT,
    ERROR,
    ESTIMATE,
    MISSING,
    MOST,
    NODES,
    OLD,
    SWIFT,
    collocated,
    derivative,
    solve_real,
    stage,
)
from torseur.machine.integrators.kernels.fixed import cubic
from torseur.machine.integrators.kernels.motion_access import record
from torseur.machine.integrators.kernels.rows import stepped
from torseur.machine.integrators.kernels.step_size import (
    first_steps,
    measure_rounding,
    root,
    set_out,
    size_of,
    tolerance,
)
from torseur.machine.runtime.access import METHOD
from torseur.machine.runtime.long_vectors import dot, linear, square_root
from torseur.machine.runtime.vectors import apart, inlined

SIGNATURE = METHOD
ENTRIES = ("radau",)
HALVINGS = 2  # of an exponent: the estimate goes as the fourth power of the step
SAFETY, SHORTEN, LENGTHEN = 0.9, 0.2, 8.0  # factors of the step: always, at least, at most
KEPT = 1.2  # a step that could be longer by less stays as it is, and so do its matrices
BEARABLE = 0.1  # a contraction that still converges in a few iterations
TOGETHER = 32  # steps with a Jacobian at each stage before one for all is tried again
NEARLY = 1.0001  # a step that ends this near to the end of the run goes there

_C1, _C2 = float(NODES[0]), float(NODES[1])
_E1, _E2, _E3 = map(float, ERROR)
_x = np.linspace(0.0, 1.0, 1001)
FARTHEST = float(np.abs(_x * (_x - _C1) * (_x - _C2) * (_x - 1.0)).max())


def radau(place):
    """Steps until the budget is spent or the run ends; the code says which."""
    return stepped(record(place), _begin, _try_step)


@apart
def _begin(run):
    first_steps(run, HALVINGS)


@apart
def _try_step(run):
    """One step, accepted or rejected; the next one is longer or shorter."""
    set_out(run, NEARLY)
    if run.busy == 0:
        return
    h, is_retried = run.length[0], run.retried[0] != 0.0
    measure_rounding(run)
    shorter = collocated(run, h)
    if shorter < 1.0:
        if run.jacobian_age == CURRENT and run.trouble[0] != NOT_FINITE:
            run.together = 1
            shorter = 1.0
        _reject(run, h * shorter)
        return
    linear(run.n, 1.0, run.y, 1.0, stage(run, CHANGES + 2), run.arrival)

    error = max(_error(run, h, is_retried or run.h_done == 0.0), _error_between(run, h))
    change = _change(run, error)
    if not error < 1.0:
        run.trouble[0] = STEP_TOO_SMALL
        _reject(run, h * change)
        return
    run.mask[0] = 1.0
    arrive(run)
    if run.trouble[0] != PAUSED:
        _reject(run, h * SHORTEN)
        return
    _accept(run, h, error, change, is_retried)
    move_on(run, cubic)


@apart
def _reject(run, h):
    """A shorter step is to be tried, with a Jacobian of the present state."""
    run.rejected[0] += 1.0
    run.h[0] = h
    if run.jacobian_age == OLD:
        run.jacobian_age = MISSING


@apart
def _error(run, h, is_uncertain):
    """The norm of the error of the step tried, 1 being tolerated.

    Where the solution is not smooth yet the estimate is made once more, with a derivative at the
    state that the first estimate leads to.
    """
    n, Z, estimate, raw = run.n, stage(run, CHANGES), stage(run, ESTIMATE), stage(run, ESTIMATE + 1)
    for i in range(n):
        raw[i] = (_E1 * Z[i] + _E2 * Z[n + i] + _E3 * Z[2 * n + i]) / h
    error = _filtered(run, run.f, raw, estimate)
    if error >= 1.0 and is_uncertain:
        inside, rate = run.inside, stage(run, ESTIMATE + 2)
        linear(n, 1.0, run.y, 1.0, estimate, inside)
        derivative(run, run.t[0], inside, rate)
        if dot(n, rate, rate) < inf:
            error = _filtered(run, rate, raw, estimate)
    return error


@apart
def _error_between(run, h):
    """The norm of the error of the collocation polynomial inside the step, 1 being tolerated.

    Components that follow others at once escape the estimate of the method. The state before the
    last step and the polynomial continued back to it differ by a term of the fourth degree.
    """
    if run.h_done == 0.0:
        return 0.0
    n, Z, past, y = run.n, stage(run, CHANGES), run.polynomial, run.y
    x, arrival, total = -run.h_done / h, run.arrival, 0.0
    size = FARTHEST / (x * (x - _C1) * (x - _C2) * (x - 1.0))
    for i in range(n):
        end, first, curve = _terms(Z[i], Z[n + i], Z[2 * n + i])
        behind = x * (end + (1.0 - x) * (first + x * curve))
        tolerated = tolerance(run, i, max(abs(y[i]), abs(arrival[i])))
        part = size * (behind + past[i]) / tolerated
        total += part * part
    return square_root(total / (n * run.coarse[0]))


@inlined
def _terms(z1, z2, z3):
    """The cubic x (F₀ + (1 − x) (F₁ + x F₂)) that is z1, z2 and z3 at the nodes."""
    first = (z1 / _C1 - z3) / (1.0 - _C1)
    second = (z2 / _C2 - z3) / (1.0 - _C2)
    curve = (second - first) / (_C2 - _C1)
    return z3, first - _C1 * curve, curve


@apart
def _filtered(run, rate, raw, estimate):
    """The size of (REAL / h − J)⁻¹ (ẏ + raw): fast components that decay do not count."""
    linear(run.n, 1.0, rate, 1.0, raw, estimate)
    solve_real(run, estimate)
    return square_root(size_of(run, estimate, run.arrival) / run.n)


@apart
def _change(run, error):
    """The factor from a step to the next that its error suggests; less after many iterations."""
    safety = SAFETY * (2 * MOST + 1) / (2 * MOST + run.iterations)
    return max(SHORTEN, min(LENGTHEN, safety / max(root(error, HALVINGS), 1e-10)))


@apart
def _accept(run, h, error, change, is_retried):
    """The next step, foreseen from the last two; the collocation polynomial of this one."""
    if run.h_done > 0.0:
        trend = root(run.error_done / max(error * error, 1e-20), HALVINGS)
        change = min(change, max(SHORTEN, SAFETY * h / run.h_done * trend))
    if is_retried:
        change = min(change, 1.0)
    run.h_done, run.error_done = h, max(1e-2, error)
    if run.together > 0:
        # the guess of the stages, and with it the contraction, gets worse as h⁴
        change = min(change, root(BEARABLE / max(run.contraction, 1e-8), HALVINGS))
        run.together = 0 if run.together == TOGETHER else run.together + 1
    else:
        run.jacobian_age = OLD if run.contraction <= SWIFT else MISSING
    keeps = run.jacobian_age == OLD and 1.0 <= change <= KEPT
    run.h[0] = h if keeps else h * change

    n, Z, polynomial = run.n, stage(run, CHANGES), run.polynomial
    for i in range(n):
        terms = _terms(Z[i], Z[n + i], Z[2 * n + i])
        polynomial[i], polynomial[n + i], polynomial[2 * n + i] = terms
