"""Loops kept closed: positions by Newton steps, then speeds once.

A lane that is closed waits for the others without moving.
"""

from math import inf

from torseur.machine.integrators.kernels.lane_vectors import W, choose, evaluate, rounding
from torseur.machine.integrators.kernels.step_size import COARSEST
from torseur.machine.runtime.vectors import apart

MOST = 10  # Newton steps
LOOSE = 1e3  # a gap that no longer decreases passes if it is this many times `closed`
ROUNDINGS = 8.0  # of components of the state, that may add up in a gap


@apart
def project(run, which, clock, y):
    """The states of some lanes move onto their constraints; `open` tells where they do not."""
    for lane in range(W):
        run.open[lane] = 0.0
    if run.project_positions != 0:
        _close(run, which, clock, y)
    if run.project_speeds != 0:
        evaluate(run.project_speeds, run.project_speeds_table, y, clock, run.room)
        choose(run.n, which, run.room, y)


@apart
def _close(run, which, clock, y):
    """y ← where Newton steps lead as long as they narrow the gap.

    The square of the gap before a step ends the output of `project_positions`. The last step is
    made all the same: it costs nothing, and it is what keeps quaternions of unit norm where no loop
    is open. The first step may leave a gap as wide as it was, since it closes that of quaternions
    which it then brings to this norm: only from the second on a gap that is no narrower stays.
    """
    n, pending, gap, noise = run.n, run.pending, run.gap, run.noise
    rounding(n, y, run.grain, noise)
    for lane in range(W):
        pending[lane], gap[lane] = which[lane], inf
        noise[lane] = ROUNDINGS * min(noise[lane], COARSEST)
    for step in range(MOST):
        evaluate(run.project_positions, run.project_positions_table, y, clock, run.room)
        choose(n, pending, run.room, y)
        waiting = False
        for lane in range(W):
            if pending[lane] != 0.0:
                before, gap[lane] = gap[lane], run.room[n * W + lane]
                closed = run.closed + noise[lane]
                if gap[lane] < closed * closed or (step > 1 and not gap[lane] < before):
                    pending[lane] = 0.0
                else:
                    waiting = True
        if not waiting:
            break
    for lane in range(W):
        passing = LOOSE * run.closed + noise[lane]
        if which[lane] != 0.0 and not gap[lane] < passing * passing:
            run.open[lane] = 1.0
