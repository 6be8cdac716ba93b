"""Methods of fixed step: the explicit ones from their tableaux, and where steps end for all.

Every interval between two samples is divided into equal steps, no longer than the one asked for.
Inside a step the state follows the cubic that has its values and its derivatives at both ends.
"""

from typing import Any

import numpy as np

from torseur.machine.integrators.codes import PAUSED
from torseur.machine.integrators.kernels.arrival import (
    arrive,
    dense_output,
    end_rates,
    looks_inside,
    move_on,
)
from torseur.machine.integrators.kernels.lane_vectors import W, arriving, from_both_ends, staging
from torseur.machine.integrators.kernels.motion_access import copied, record
from torseur.machine.integrators.kernels.rows import finish, nothing, stepped
from torseur.machine.integrators.kernels.step_size import EPSILON
from torseur.machine.runtime.access import METHOD
from torseur.machine.runtime.vectors import apart, whole

NEARLY = 1e-9  # an interval longer than whole steps by this fraction of one has no step more
CUBIC = 3  # terms of the polynomial inside a step of fixed length
SIGNATURE = METHOD
ENTRIES = ("rk4", "euler")
HAS_LANES = True
cubic = dense_output(CUBIC)


@apart
def set_out_fixed(run):
    """The steps of all lanes; `mask` has those that move."""
    for lane in range(W):
        is_busy = run.row[lane] >= 0.0
        run.mask[lane] = 1.0 if is_busy else 0.0
        run.length[lane], run.ahead[lane] = 0.0, run.t[lane]
        if is_busy:
            _fixed_step(run, lane)


@apart
def _fixed_step(run, lane):
    """When a step since the last sample or jump ends, and how long it is.

    Its end is computed from there, so that times do not drift. It is as long as asked for
    unless the times, rounding apart, need another length: one that changed with the rounding of the
    times would not be that of one symplectic map.
    """
    if run.part[lane] == 0.0:
        run.since[lane] = run.t[lane]
    part, start, stop = run.part[lane] + 1.0, run.since[lane], run.times[whole(run.filled[lane])]
    steps = 1 + whole((stop - start) / run.step - NEARLY)
    is_last = part == steps
    run.ahead[lane] = stop if is_last else start + part * ((stop - start) / steps)
    off = abs(steps * run.step - (stop - start))
    is_same = off <= 4.0 * EPSILON * abs(stop)
    run.length[lane] = run.step if is_same else (stop - start) / steps
    run.part[lane] = 0.0 if is_last else part


@apart
def refuse_troubled(run):
    """Motions whose step of fixed length went wrong are over."""
    for lane in range(W):
        if run.mask[lane] != 0.0 and run.trouble[lane] != PAUSED:
            finish(run, lane, whole(run.trouble[lane]))


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


def _method(tableau: Any) -> Any:
    """Steps of all lanes by a tableau: row s gives the argument of stage s, the last the end."""
    last = len(tableau) - 1
    stages, end = staging(tableau, tableau.sum(axis=1), 1, last), arriving(tableau[last])

    @apart
    def step(run):
        n, k, h, y = run.n, run.stages, run.length, run.y
        set_out_fixed(run)
        copied(n, run.f, k)
        stages(n, y, h, run.t, k, run.inside, run.clock, run.rate,
               run.rate_table)  # fmt: skip
        run.evaluations += last - 1
        end(n, y, h, k, run.arrival)
        arrive(run)
        refuse_troubled(run)
        if looks_inside(run):
            end_rates(run, k)
            from_both_ends(n, y, run.f, run.arrival, k, h, run.polynomial)
        move_on(run, cubic)

    return step


_rk4, _euler = _method(RK4), _method(EULER)


def rk4(place):
    """The classical method of order 4 (Kutta 1901); the code says how the steps ended."""
    return stepped(record(place), nothing, _rk4)


def euler(place):
    """Order 1 (Euler 1768), to compare others with; the code says how the steps ended."""
    return stepped(record(place), nothing, _euler)
