"""The kernel: steps of Moreau and Jean, one after the other, and samples of the states.

A step (Moreau 1988, Jean 1999): the speeds of free motion, the impulses by which all contacts obey
their law at its end, then the places. The gap of a contact at the end of the step, gap + h u_N, is
what its law holds, so that nothing penetrates; speeds before a shock decide on the rebound.
"""

from numba import types

from torseur.machine.integrators.codes import DONE, NOT_FINITE, PAUSED
from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import extra_of, record
from torseur.machine.piles.kernels.bodies import fall, fastest, move, read_loads
from torseur.machine.piles.kernels.contacts import prepare
from torseur.machine.piles.kernels.finding import search
from torseur.machine.piles.kernels.islands import part_islands
from torseur.machine.piles.kernels.positions import push_apart
from torseur.machine.piles.kernels.sweeps import solve_island
from torseur.machine.piles.layout import FULL, OVERLAP
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart

SIGNATURE = types.int64(types.int64)
ENTRIES = ("stepping",)
NEARLY = 1e-9  # an interval longer than whole steps by this fraction of one has no step more
CORRECTIONS = 10  # of positions, after a step
LARGEST = 1e300


def stepping(place):
    """Run the steps that the budget allows; the code says how they ended."""
    run = record(place)
    for _ in range(run.budget):
        start, stop = run.times[run.filled - 1], run.times[run.filled]
        count = 1 + int((stop - start) / run.step - NEARLY)
        h = (stop - start) / count
        if run.placed == 0:
            read_loads(run)
            if run.steps == 0 and search(run, h) > run.overlap and run.full == 0:
                return OVERLAP
            _find(run, h)
            if run.full != 0:
                return FULL
        _step(run, h)
        run.part += 1
        run.t = stop if run.part == count else start + run.part * h
        if not fastest(run) < LARGEST:
            return NOT_FINITE
        before = run.power
        read_loads(run)
        extra_of(run)[at.WORK] += 0.5 * h * (before + run.power)
        _find(run, h)  # if there is room for contacts
        if run.part == count:
            extra = extra_of(run)  # with the worst of the steps since the last sample
            extra[at.RESIDUAL], extra[at.PENETRATION] = run.residual, run.penetration
            run.residual, run.penetration, run.part = 0.0, 0.0, 0
            copy(run.n, run.y, address(run.states, run.n * run.filled))
            run.filled += 1
            if run.filled == run.samples:
                return DONE
    return PAUSED


@apart
def _find(run, h):
    """The contacts at the present place, out of which bodies are pushed if they penetrate."""
    deepest = search(run, h)
    for _ in range(CORRECTIONS):
        if deepest <= run.grain or run.full != 0:
            break
        push_apart(run)
        deepest = search(run, h)
    run.placed = 1 - run.full
    if run.full == 0:
        run.penetration = max(run.penetration, deepest)


@apart
def _step(run, h):
    """One step: speeds, impulses, places."""
    fall(run, h)
    prepare(run, h)
    part_islands(run)
    for i in range(run.islands):
        solve_island(run, i, h)
    run.solved, run.placed = 1, 0
    move(run, h)
    run.steps += 1
