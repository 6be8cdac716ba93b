"""Steps of fixed length that a function makes whole, as those of Moreau and Jean are.

The last number of the state is the length of the step. After the state at its end the function
tells of every element whether its mode changed, and whether and how long ago it was struck: these
are events. Between the ends of steps there is nothing to look at.
"""

from torseur.machine.integrators.codes import DONE, NOT_FINITE, PAUSED
from torseur.machine.integrators.kernels.arrival import act, finite, has_room, record
from torseur.machine.integrators.kernels.stepping import fixed_step
from torseur.machine.integrators.layout import CHANGE, HAPPENED, SHOCK
from torseur.machine.runtime.access import METHOD, evaluate
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart

SIGNATURE = METHOD
ENTRIES = ("moreau",)
STRUCK = -1.0  # the index of a shock, less the number of its element


def moreau(place):
    """Steps until the budget is spent or the run ends; the code says which."""
    run, tried = record(place), 0
    if run.started == 0:
        run.started, run.filled = 1, 1
        copy(run.n, run.y, run.states)
    code = DONE if run.filled == run.samples else PAUSED
    while code == PAUSED and tried < run.budget and has_room(run):
        code = _leap(run)
        tried += 1
    return code


@apart
def _leap(run):
    """One step."""
    run.part += 1
    t, h, last = fixed_step(run.times, run.filled, run.h, run.part)
    after = run.stages
    run.y[run.n - 1] = h
    evaluate(run.leap, run.leap_table, run.t, run.y, after)
    if not finite(run.n, after):
        return NOT_FINITE
    run.t = t
    run.accepted += 1
    _record(run, after)
    copy(run.n, after, run.y)
    if not last:
        return PAUSED
    run.part = 0
    if run.act != 0 and run.acting[run.filled] != 0.0:
        act(run)
    copy(run.n, run.y, address(run.states, run.filled * run.n))
    run.filled += 1
    return DONE if run.filled == run.samples else PAUSED


@apart
def _record(run, after):
    """Shocks and changes of modes go to the table of events, in the order of elements."""
    for e in range(run.m):
        told = address(after, run.n + e * HAPPENED)
        if told[SHOCK] >= 0.0:
            _write(run, run.t - told[SHOCK], STRUCK - e, after)
        if told[CHANGE] > 0.0:
            _write(run, run.t, told[CHANGE] * run.m + e, after)


@apart
def _write(run, t, index, y):
    row = address(run.records, run.recorded * (run.n + 2))
    row[0], row[1] = t, index
    copy(run.n, y, address(row, 2))
    run.recorded += 1
