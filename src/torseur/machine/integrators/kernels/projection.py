"""Loops kept closed: positions by Newton steps, then speeds once."""

from math import inf

from torseur.machine.integrators.kernels.arrival import record
from torseur.machine.integrators.kernels.step_size import rounding
from torseur.machine.runtime.access import HELPER, evaluate, numbers
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import apart

MOST = 10  # Newton steps
LOOSE = 1e3  # a gap that no longer decreases passes if it is this many times `closed`
ROUNDINGS = 8.0  # of components of the state, that may add up in a gap
SIGNATURE = HELPER
ENTRIES = ("project",)


def project(place, t, state):
    """1 if the loops close, else 0; the state moves to the nearest one that keeps them closed."""
    run, y = record(place), numbers(state)
    closes = run.project_positions == 0 or _closed(run, t, y)
    if run.project_speeds != 0:
        evaluate(run.project_speeds, run.project_speeds_table, t, y, run.room)
        copy(run.n, run.room, y)
    return 1 if closes else 0


@apart
def _closed(run, t, y):
    """Whether the loops close; y ← where Newton steps lead as long as they narrow the gap.

    The square of the gap before a step ends the output of `project_positions`. The last step is
    made all the same: it costs nothing, and it is what keeps quaternions of unit norm where no loop
    is open. The first step may leave a gap as wide as it was, since it closes that of quaternions
    which it then brings to this norm: only from the second on a gap that is no narrower stays.
    """
    n, nearer, gap = run.n, run.room, inf
    noise = ROUNDINGS * rounding(run, y)
    closed, passing = run.closed + noise, LOOSE * run.closed + noise
    for step in range(MOST):
        evaluate(run.project_positions, run.project_positions_table, t, y, nearer)
        before, gap = gap, nearer[n]
        copy(n, nearer, y)
        if gap < closed * closed or (step > 1 and not gap < before):
            break
    return gap < passing * passing
