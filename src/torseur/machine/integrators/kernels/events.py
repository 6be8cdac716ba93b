"""Events: instants where a function of the state changes sign.

A step is looked at in pieces, so that a function that crosses zero and comes back is seen. A value
of exactly zero belongs to the side the function was on: to touch zero is no event, nor is to start
there. All lanes are looked at together; a root is searched for in one lane at a time.
"""

from torseur.machine.integrators.codes import LOOP_OPEN, PAUSED, TERMINAL_EVENT
from torseur.machine.integrators.kernels.lane_vectors import W, choose, evaluate
from torseur.machine.integrators.kernels.motion_access import given_out, some
from torseur.machine.integrators.kernels.projection import project
from torseur.machine.integrators.run_record import SCANNED
from torseur.machine.runtime.vectors import address, apart, whole

NARROW = 2.0**-50  # where the search for a root ends, as a fraction of the step
LONGEST = 200  # points of a search; halving alone needs fifty
NEVER = 2.0  # a fraction of a step that no step reaches
BARE = -2.0  # a function that must not fall below zero, and whose rate is not known


@apart
def watch(run, dense):
    """The events of the steps in `mask` are recorded; `stop` and `ending` tell what ends."""
    mask, ending = run.mask, run.ending
    _begin(run)
    for piece in range(SCANNED):
        a, b = piece / SCANNED, (piece + 1) / SCANNED
        for lane in range(W):
            _go_to(run, lane, b)
        if b == 1.0:
            _evaluate(run, run.next_y, run.g_after)
        else:
            dense(run)
            _evaluate(run, run.inside, run.g_after)
        for lane in range(W):
            if mask[lane] != 0.0 and ending[lane] == PAUSED:
                _look(run, dense, lane, a, b)
        choose(run.m, mask, run.g_after, run.g_before)


@apart
def _begin(run):
    """The side on which every function starts, in the lanes that are not watched yet."""
    new = run.active
    for lane in range(W):
        new[lane] = 1.0 if run.mask[lane] != 0.0 and run.watched[lane] == 0.0 else 0.0
    if not some(new):
        return
    evaluate(run.events, run.events_table, run.y, run.t, run.g)
    choose(run.m, new, run.g, run.g_before)
    for lane in range(W):
        if new[lane] != 0.0:
            run.watched[lane] = 1.0
            for k in range(run.m):
                run.side[k * W + lane] = sign(run.g[k * W + lane])


@apart
def _go_to(run, lane, x):
    """The place in its step that a lane is looked at."""
    run.x[lane] = x
    h, end = run.length[lane], run.ahead[lane]
    run.clock[lane] = end if x == 1.0 else run.t[lane] + x * h


@apart
def _evaluate(run, y, into):
    evaluate(run.events, run.events_table, y, run.clock, into)


@apart
def _look(run, dense, lane, a, b):
    """The events of one lane in a piece of its step, in order."""
    side, before, after = run.side, run.g_before, run.g_after
    for k in range(run.m):
        at, turning = k * W + lane, run.turning[k]
        run.root[at], now = NEVER, sign(after[at])
        if turning >= 0.0:
            run.root[at] = _fall(run, dense, lane, k, a, b)
        elif turning == BARE:
            if now < 0.0:
                starts = before[at] > 0.0
                run.root[at] = _ends(run, dense, lane, k, a, b) if starts else a
        elif now * side[at] < 0.0 and run.direction[k] * now >= 0.0:
            run.root[at] = _ends(run, dense, lane, k, a, b)
        if now != 0.0:
            side[at] = now
    k = _earliest(run, lane)
    while k >= 0 and run.ending[lane] == PAUSED:
        _record(run, dense, k, lane)
        k = _earliest(run, lane)


@apart
def _ends(run, dense, lane, k, a, b):
    """Where function k is on its new side, in a piece of a step at whose ends it is known."""
    at = k * W + lane
    return _crossing(run, dense, lane, k, a, run.g_before[at], b, run.g_after[at])


@apart
def _earliest(run, lane):
    """The function whose root comes first; −1 when no root is left."""
    root, first, earliest = run.root, NEVER, -1
    for k in range(run.m):
        if root[k * W + lane] < first:
            first, earliest = root[k * W + lane], k
    return earliest


@apart
def _record(run, dense, k, lane):
    """The event of function k goes to the table; a terminal one ends the step in state `kept`."""
    n, root, inside, only = run.n, run.root, run.inside, run.active
    x, root[k * W + lane] = root[k * W + lane], NEVER
    _go_to(run, lane, x)
    dense(run)
    for other in range(W):
        only[other] = 1.0 if other == lane else 0.0
    if x == 1.0:
        choose(n, only, run.next_y, inside)
    else:
        project(run, only, run.clock, inside)
        if run.open[lane] != 0.0:
            run.ending[lane] = LOOP_OPEN
            return
    if run.terminal[k] != 0.0:
        run.ending[lane], run.stop[lane] = TERMINAL_EVENT, run.clock[lane]
        run.event[lane] = k
        choose(n, only, inside, run.kept)
    else:
        note(run, lane, float(k), run.clock[lane], inside)


@apart
def note(run, lane, index, t, y):
    """An event goes to the table: row, time, index of its function, state."""
    line = address(run.records, run.recorded * (3 + run.n))
    line[0], line[1], line[2] = run.row[lane], t, index
    given_out(run.n, y, lane, address(line, 3))
    run.recorded += 1


# --- functions that must not fall below zero ------------------------------------------------------


@apart
def _fall(run, dense, lane, k, a, b):
    """Where a function whose rate is known falls below zero; NEVER if it does not.

    Its rate may change its sign twice between a and b: what a cubic tells of that is looked at.
    """
    at, rate = k * W + lane, whole(run.turning[k]) * W + lane
    f, end, slope = run.g_before[at], run.g_after[at], run.g_before[rate]
    last, h = run.g_after[rate], (b - a) * run.length[lane]
    part = _inflection(end - f, h * slope, h * last)
    if part == NEVER:
        return _fall_once(run, dense, lane, k, a, f, slope, b, end, last)
    middle = a + part * (b - a)
    there = _function(run, dense, lane, k, middle)
    turned = run.g[rate]
    place = _fall_once(run, dense, lane, k, a, f, slope, middle, there, turned)
    if place == NEVER:
        place = _fall_once(run, dense, lane, k, middle, there, turned, b, end, last)
    return place


@apart
def _inflection(rise, slope, last):
    """Where the slope of a cubic, with slopes of one sign at 0 and 1, has the other; or NEVER."""
    bent = slope + last - 2.0 * rise
    if slope * last <= 0.0 or bent == 0.0:
        return NEVER
    x = (2.0 * slope + last - 3.0 * rise) / (3.0 * bent)
    there = slope + x * (3.0 * bent * x - 2.0 * (2.0 * slope + last - 3.0 * rise))
    return x if 0.0 < x < 1.0 and there * slope < 0.0 else NEVER


@apart
def _fall_once(run, dense, lane, k, a, f, slope, b, end, last):
    """`_fall` where the rate changes its sign once at most: from slope at a to last at b.

    It may rise from zero and fall again, or dip below zero and come back, between a and b: the
    place where its rate changes sign is looked at too. One that starts at zero or, by rounding,
    below, has fallen where it falls, not while it rises.
    """
    if f > 0.0 and end < 0.0:
        return _crossing(run, dense, lane, k, a, f, b, end)
    if slope <= 0.0 and end < 0.0:
        return a
    turns_down, turns_up = slope > 0.0 and last < 0.0 and end < 0.0, f > 0.0 and slope < 0.0 < last
    if not turns_down and not turns_up:
        return NEVER
    turn = _crossing(run, dense, lane, whole(run.turning[k]), a, slope, b, last)
    there = _function(run, dense, lane, k, turn)
    if turns_down:
        return _crossing(run, dense, lane, k, turn, there, b, end) if there > 0.0 else turn
    return _crossing(run, dense, lane, k, a, f, turn, there) if there < 0.0 else NEVER


# --- the search for a root ------------------------------------------------------------------------


@apart
def _function(run, dense, lane, k, x):
    """Function k at the fraction x of the step of a lane."""
    _go_to(run, lane, x)
    dense(run)
    _evaluate(run, run.inside, run.g)
    return run.g[k * W + lane]


@apart
def sign(x):
    """−1, 0 or 1."""
    return 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)


@apart
def _crossing(run, dense, lane, k, a, f_a, b, f_b):
    """The fraction of the step, between a and b, at which function k is on its new side.

    It is f_a at a and f_b at b. Inverse quadratic interpolation where it is safe, else halving.
    Reference: Chandrupatla (1997), A new hybrid quadratic/bisection algorithm for finding the zero
    of a nonlinear function without using derivatives, Advances in Engineering Software 28.
    """
    x2, f2, x1, f1 = a, f_a, b, f_b
    new_side, part = sign(f1), 0.5
    if f2 == 0.0:
        return a
    for _ in range(LONGEST):
        x = x1 + part * (x2 - x1)
        f = _function(run, dense, lane, k, x)
        if f == 0.0:
            return x
        # x2 stays across the root from x1; x3 is the point that was dropped
        if sign(f) == sign(f1):
            x3, f3 = x1, f1
        else:
            x3, f3, x2, f2 = x2, f2, x1, f1
        x1, f1 = x, f
        least = NARROW / abs(x2 - x1)
        if least > 0.5:
            break
        xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
        part = 0.5
        if phi * phi < xi and (1.0 - phi) * (1.0 - phi) < 1.0 - xi:
            part = f1 / (f2 - f1) * f3 / (f2 - f3)
            part += (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
        part = min(max(part, least), 1.0 - least)
    return x1 if sign(f1) == new_side else x2
