"""Where a symplectic step keeps its stages, their weights, and the nodes where constraints act."""

from torseur.machine.integrators.kernels.symplectic_tableau import MOST_STAGES, PLACES
from torseur.machine.runtime.long_vectors import table
from torseur.machine.runtime.vectors import address, apart

# rows of `stages`: those of the method come first
FORMER = MOST_STAGES  # the stages of the step before
CARRY = 2 * MOST_STAGES  # what the last sum rounded away
LEAST = CARRY + 1  # the smallest change of each component in the iterations so far
CHANGE = CARRY + 2  # that of the last iteration
SIZE = CARRY + 3  # the largest stage of each component
KICKS = CARRY + 4  # the impulses of constraints, at each node

GUESS, CORRECT, CALM = 0, 1, 2  # what there is to do about impulses

_place = table("places", PLACES)


@apart
def weight(h, s, i):
    """h b_i, such that their sum is h."""
    if s < 3:
        return h / s
    outer = h * 5.0 / 18.0
    return h - 2.0 * outer if i == 1 else outer


@apart
def first(s):
    """The row of the tables where the method of s stages begins."""
    return s * (s - 1) // 2


@apart
def node(s, k):
    """μ of node k of the method of s stages."""
    return _place(first(s) + s - 1 + k)


@apart
def row(run, k):
    """Row k of the stages."""
    return address(run.stages, k * run.n)
