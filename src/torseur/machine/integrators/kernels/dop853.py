"""The explicit Runge-Kutta method of order 8 of Dormand and Prince, with its dense output.

Reference: Hairer, Nørsett and Wanner (1993), Solving Ordinary Differential Equations I, chapter II.
Rounding apart, the steps are those of SciPy's DOP853. Its tableau has a weight for each stage in
each row: row s < 12 gives the argument of stage s, row 12 the state at the end of the step, rows 13
to 15 the arguments of the three stages of the dense output.
"""

from math import inf

import numpy as np
from scipy.integrate import DOP853

from torseur.machine.integrators.codes import NOT_FINITE, PAUSED, STEP_TOO_SMALL, STIFF
from torseur.machine.integrators.kernels.arrival import (
    arrive,
    derivative_on_arrival,
    farthest,
    from_both_ends,
    looks_inside,
    move_on,
    record,
)
from torseur.machine.integrators.kernels.explicit import explicit
from torseur.machine.integrators.kernels.step_size import TINY, root, squared
from torseur.machine.integrators.kernels.stepping import controlled_steps
from torseur.machine.integrators.layout import STAGES, TERMS
from torseur.machine.runtime.access import METHOD
from torseur.machine.runtime.long_vectors import linear, square_root
from torseur.machine.runtime.vectors import address, apart

SAFETY, SHORTEN, LENGTHEN = 0.9, 0.2, 10.0  # factors of the step: always, at least, at most
HALVINGS = 3  # of an exponent: the error goes as the eighth power of the step
STRAIN = 4.0  # steps times the fastest rate of change, from which stability limits them
SLIGHT = 0.5  # the same where the motion itself is slow
STRAIGHT = 0.02  # slow: its rate of change changes by this fraction of that
SELDOM = 5  # steps of which one is looked at, as long as none is strained
CALM = 6  # steps without strain after which the count starts again
SIGNATURE = METHOD
ENTRIES = ("dop853",)

LAST = len(DOP853.B)  # of the stages of the method; also the row of the arrival
HERMITE = 3  # terms of the polynomial that come from the two ends


def _rows(*weights: np.ndarray) -> np.ndarray:
    made = np.zeros((len(weights), STAGES))
    for row, given in zip(made, weights, strict=True):
        row[: len(given)] = given
    return made


A = _rows(*DOP853.A, DOP853.B, *DOP853.A_EXTRA)
NODES = np.array([*DOP853.C, 1.0, *DOP853.C_EXTRA])
D, E = STAGES, STAGES + TERMS - HERMITE  # rows of the dense output and of the error estimates
WEIGHTS = np.vstack([A, _rows(*DOP853.D, DOP853.E5, DOP853.E3)])

_weighted, _stage, _advance = explicit("dop853", WEIGHTS, NODES, LAST)


def dop853(place):
    """Steps until the budget is spent or the run ends; the code says which."""
    return controlled_steps(record(place), HALVINGS, _try_step)


@apart
def _try_step(run, retried):
    """One step, accepted or rejected; the next one is longer or shorter."""
    t = min(run.t + run.h, farthest(run))
    h = t - run.t

    error = _error_of_step(run, h)
    change = root(error, HALVINGS)
    if error < 1.0:
        run.trouble = arrive(run, t)
    else:
        run.trouble = STEP_TOO_SMALL if error < inf else NOT_FINITE
    if run.trouble != PAUSED:
        run.rejected += 1
        run.h = h * (max(SHORTEN, SAFETY / change) if 1.0 <= error < inf else SHORTEN)
        return PAUSED
    longest = 1.0 if retried else LENGTHEN
    run.h = h * (longest if change == 0.0 else min(longest, SAFETY / change))

    looks = run.patience > 0 and (run.strained > 0 or run.accepted % SELDOM == 0)
    strained = looks and _has_strained(run, h)
    if looks_inside(run, t):
        _prepare_output(run, t, h)
    code = move_on(run, TERMS, t)
    return STIFF if strained and code == PAUSED else code


@apart
def is_strained(fastest, bend):
    """Whether something faster than the motion itself keeps a step short."""
    return fastest > STRAIN or (fastest > SLIGHT and bend < STRAIGHT * fastest)


@apart
def _has_strained(run, h):
    """Whether something else than the motion itself has kept enough of the last steps short.

    The last stage and the end of the step are two states at one time: the quotient of the
    differences of their derivatives and of themselves is a rate of change, of whatever is fastest
    (Hairer and Wanner, 1996, Solving Ordinary Differential Equations II, section IV.2). The same
    quotient for the two ends of the step is the rate at which the motion itself changes.
    """
    last = address(run.stages, (LAST - 1) * run.n)
    fastest = h * _quotient(run, last, run.inside)
    run.bend = h * _quotient(run, run.f, run.y)
    if is_strained(fastest, run.bend):
        run.strained += 1
        run.relaxed = 0
    else:
        run.relaxed += 1
        if run.relaxed >= CALM:
            run.strained = 0
    if run.strained < run.patience:
        return False
    run.strained = 0
    return True


@apart
def _quotient(run, rate, state):
    """|Δẏ| / |Δy| between the end of the step and another state, in units of the tolerance."""
    n, end, between = run.n, run.next_y, run.room
    linear(n, 1.0, run.next_f, -1.0, rate, between)
    faster = squared(run, between, end)
    linear(n, 1.0, end, -1.0, state, between)
    return square_root(faster / max(squared(run, between, end), TINY))


@apart
def _error_of_step(run, h):
    """The norm of the error of the step tried, 1 being tolerated; stages and arrival are made."""
    arrival, total = run.arrival, run.room
    _advance(run, h)
    _weighted(run, E, total)
    fifth = squared(run, total, arrival)
    _weighted(run, E + 1, total)
    third = squared(run, total, arrival)
    if fifth == 0.0 and third == 0.0:
        return 0.0
    return h * fifth / square_root((fifth + 0.01 * third) * run.n)


@apart
def _prepare_output(run, t, h):
    """The polynomial of degree 7 over the step; three more stages."""
    n = run.n
    end = address(run.stages, LAST * n)
    derivative_on_arrival(run, t, end)
    for s in range(LAST + 1, STAGES):
        _stage(run, h, s)
    from_both_ends(run, h, end)
    for k in range(HERMITE, TERMS):
        term = address(run.polynomial, k * n)
        _weighted(run, D + k - HERMITE, term)
        linear(n, h, term, 0.0, term, term)
