"""Events in every lane: instants where a function of the state changes sign.

As for single motions, a step is looked at in pieces; a root is searched for in one lane at a time.
"""

from torseur.machine.integrators.codes import LOOP_OPEN, PAUSED, TERMINAL_EVENT
from torseur.machine.integrators.kernels.events import NEVER, crossing, sign
from torseur.machine.integrators.layout import SCANNED
from torseur.machine.lanes.kernels.access import given_out, row_of, taken_in
from torseur.machine.lanes.kernels.projection import project
from torseur.machine.lanes.kernels.vectors import choose, evaluate, lanes
from torseur.machine.runtime.vectors import address, apart


@apart
def has_room(run):
    """Whether the events of one more step of all lanes can be recorded."""
    return run.capacity - run.recorded >= SCANNED * run.m * lanes()


@apart
def watch(run, dense):
    """The events of the steps in `mask` are recorded; `stop` and `ending` tell what ends."""
    mask, ending = run.mask, run.ending
    for piece in range(SCANNED):
        a, b = piece / SCANNED, (piece + 1) / SCANNED
        for lane in range(lanes()):
            _go_to(run, lane, b)
        if b == 1.0:
            _evaluate(run, run.next_y, run.g_after)
        else:
            dense(run)
            _evaluate(run, run.inside, run.g_after)
        for lane in range(lanes()):
            if mask[lane] != 0.0 and ending[lane] == PAUSED:
                _look(run, dense, lane, a, b)
        choose(run.m, mask, run.g_after, run.g_before)


@apart
def _go_to(run, lane, x):
    """The place in its step that a lane is looked at."""
    run.x[lane] = x
    h, ahead = run.length[lane], run.ahead[lane]
    run.clock[lane] = ahead if x == 1.0 else run.t[lane] + x * h


@apart
def _evaluate(run, y, into):
    evaluate(run.events, run.events_table, y, run.clock, into)


@apart
def _look(run, dense, lane, a, b):
    """The events of one lane in a piece of its step, in order."""
    W, root = lanes(), run.root
    before, after, side = run.g_before, run.g_after, run.side
    for k in range(run.m):
        at, wanted = k * W + lane, run.direction[k]
        root[at], now = NEVER, sign(after[at])
        if now * side[at] < 0.0 and wanted * now >= 0.0:
            root[at] = crossing(_function, run, dense, lane, k, a, before[at], b, after[at])
        if now != 0.0:
            side[at] = now
    k = _earliest(run, lane)
    while k >= 0 and run.ending[lane] == PAUSED:
        _record(run, dense, k, lane)
        k = _earliest(run, lane)


@apart
def _earliest(run, lane):
    """The function whose root comes first; −1 when no root is left."""
    root, first, found = run.root, NEVER, -1
    for k in range(run.m):
        if root[k * lanes() + lane] < first:
            first, found = root[k * lanes() + lane], k
    return found


@apart
def _record(run, dense, k, lane):
    """The event of function k goes to the table; a terminal one ends the motion."""
    n, W, root, inside = run.n, lanes(), run.root, run.inside
    x, root[k * W + lane] = root[k * W + lane], NEVER
    _go_to(run, lane, x)
    dense(run)
    only = run.active
    for other in range(W):
        only[other] = 1.0 if other == lane else 0.0
    project(run, only, run.clock, inside)
    t = run.clock[lane]
    if run.open[lane] != 0.0:
        run.ending[lane] = LOOP_OPEN
        return
    line = address(run.records, run.recorded * (3 + n))
    line[0], line[1], line[2] = float(row_of(run, lane)), t, float(k)
    given_out(n, inside, lane, address(line, 3))
    run.recorded += 1
    if run.terminal[k] != 0.0:
        run.ending[lane], run.stop[lane] = TERMINAL_EVENT, t
        taken_in(n, address(line, 3), run.kept, lane)


@apart
def _function(run, dense, lane, k, x):
    """Function k at the fraction x of the step of a lane."""
    _go_to(run, lane, x)
    dense(run)
    _evaluate(run, run.inside, run.g)
    return run.g[k * lanes() + lane]
