"""Steps of fixed length that a function makes whole, as those of Moreau and Jean are.

The last number of the state is the length of the step. After the state at its end the function
tells of every element whether its mode changed, and whether and how long ago it was struck: these
are events. Between the ends of steps there is nothing to look at.
"""

from math import inf

from torseur.machine.integrators.codes import NOT_FINITE
from torseur.machine.integrators.kernels.arrival import act
from torseur.machine.integrators.kernels.events import note
from torseur.machine.integrators.kernels.fixed import set_out_fixed
from torseur.machine.integrators.kernels.lane_vectors import squares
from torseur.machine.integrators.kernels.motion_access import record, sample
from torseur.machine.integrators.kernels.rows import finish, go_on, nothing, stepped
from torseur.machine.integrators.run_record import CHANGE, HAPPENED, SHOCK
from torseur.machine.runtime.access import METHOD, evaluate
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole

SIGNATURE = METHOD
ENTRIES = ("moreau",)
STRUCK = -1.0  # the index of a shock, less the number of its element


def moreau(place):
    """Steps until the budget is spent or the run ends; the code says which."""
    return stepped(record(place), nothing, _leap)


@apart
def _leap(run):
    """One step."""
    n, after = run.n, run.stages
    set_out_fixed(run)
    run.y[n - 1] = run.length[0]
    evaluate(run.leap, run.leap_table, run.t[0], run.y, after)
    squares(n, after, run.error)
    if not run.error[0] < inf:
        finish(run, 0, NOT_FINITE)
        return
    run.t[0] = run.ahead[0]
    run.accepted[0] += 1.0
    _record(run, after)
    copy(n, after, run.y)
    if run.part[0] == 0.0:  # a sample
        k = whole(run.filled[0])
        if run.acts != 0 and run.acting[k] != 0.0:
            act(run, 0, k)
        copy(n, run.y, sample(run, 0, k))
        run.filled[0] += 1.0
    go_on(run, 0)


@apart
def _record(run, after):
    """Shocks and changes of modes go to the table of events, in the order of elements."""
    t = run.t[0]
    for e in range(run.m):
        report = address(after, run.n + e * HAPPENED)
        if report[SHOCK] >= 0.0:
            note(run, 0, STRUCK - e, t - report[SHOCK], after)
        if report[CHANGE] > 0.0:
            note(run, 0, report[CHANGE] * run.m + e, t, after)
