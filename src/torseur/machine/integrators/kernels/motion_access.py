"""The record of an integrator, and where the numbers of one motion stand in it."""

from torseur.machine.integrators.kernels.lane_vectors import W, evaluate
from torseur.machine.integrators.run_record import RUN
from torseur.machine.runtime.access import record_at
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole

record = record_at(RUN)


@apart
def copied(count, x, into):
    """into ← x, numbers of all lanes."""
    copy(count * W, x, into)


@apart
def taken_in(count, x, into, lane):
    """The lane of vectors ← numbers in a row."""
    for k in range(count):
        into[k * W + lane] = x[k]


@apart
def given_out(count, x, lane, into):
    """Numbers in a row ← the lane of vectors."""
    for k in range(count):
        into[k] = x[k * W + lane]


@apart
def row_of(run, lane):
    """The row that a lane moves; negative if it moves none."""
    return whole(run.row[lane])


@apart
def sample(run, row, k):
    """Where sample k of a row is written."""
    return address(run.states, (row * run.samples + k) * run.n)


@apart
def derivatives(run, y, clock, f):
    """f ← ẏ at the times of `clock`."""
    evaluate(run.rate, run.rate_table, y, clock, f)
    run.evaluations += 1


@apart
def some(mask):
    """Whether there is a lane in a mask."""
    total = 0.0
    for lane in range(W):
        total += mask[lane]
    return total != 0.0
