"""Loops kept closed in every lane: positions by Newton steps, then speeds once.

As for single motions; a lane that is closed waits for the others without moving.
"""

from math import inf

from torseur.machine.integrators.kernels.projection import LOOSE, MOST, ROUNDINGS
from torseur.machine.integrators.kernels.step_size import COARSEST
from torseur.machine.lanes.kernels.vectors import choose, evaluate, lanes, rounding
from torseur.machine.runtime.vectors import apart


@apart
def project(run, which, clock, y):
    """The states of some lanes move onto their constraints; `open` tells where they do not."""
    still = run.open
    for lane in range(lanes()):
        still[lane] = 0.0
    if run.project_positions != 0:
        _close(run, which, clock, y)
    if run.project_speeds != 0:
        evaluate(run.project_speeds, run.project_speeds_table, y, clock, run.room)
        choose(run.n, which, run.room, y)


@apart
def _close(run, which, clock, y):
    n, W, pending, gap = run.n, lanes(), run.pending, run.gap
    room, still, noise = run.room, run.open, run.noise
    rounding(n, y, run.grain, noise)
    for lane in range(W):
        pending[lane], gap[lane] = which[lane], inf
        noise[lane] = ROUNDINGS * min(noise[lane], COARSEST)
    for step in range(MOST):
        evaluate(run.project_positions, run.project_positions_table, y, clock, room)
        choose(n, pending, room, y)
        waiting = False
        for lane in range(W):
            if pending[lane] != 0.0:
                before, gap[lane] = gap[lane], room[n * W + lane]
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
            still[lane] = 1.0
