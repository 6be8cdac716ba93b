"""The record of lanes, and where the numbers of one motion stand in it."""

from torseur.machine.lanes.kernels.vectors import lanes
from torseur.machine.lanes.record import LANES
from torseur.machine.runtime.access import record_at
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole

record = record_at(LANES)


@apart
def copied(count, x, into):
    """into ← x, numbers of all lanes."""
    copy(count * lanes(), x, into)


@apart
def taken_in(count, x, into, lane):
    """The lane of vectors ← numbers in a row."""
    for k in range(count):
        into[k * lanes() + lane] = x[k]


@apart
def given_out(count, x, lane, into):
    """Numbers in a row ← the lane of vectors."""
    for k in range(count):
        into[k] = x[k * lanes() + lane]


@apart
def row_of(run, lane):
    """The row that a lane moves; negative if it moves none."""
    return whole(run.row[lane])


@apart
def sample(run, row, k):
    """Where sample k of a row is written."""
    return address(run.states, (row * run.samples + k) * run.n)
