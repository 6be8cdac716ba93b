"""Events: instants where a function of the state changes sign.

A step is looked at in pieces, so that a function that crosses zero and comes back is seen. A value
of exactly zero belongs to the side the function was on: to touch zero is no event, nor is to start
there.
"""

from torseur.machine.integrators.codes import LOOP_OPEN, PAUSED, TERMINAL_EVENT
from torseur.machine.integrators.kernels.arrival import interpolate, record, state_at
from torseur.machine.integrators.layout import SCANNED
from torseur.machine.runtime.access import HELPER, evaluate
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole

NARROW = 2.0**-50  # where the search for a root ends, as a fraction of the step
LONGEST = 200  # points of a search; halving alone needs fifty
NEVER = 2.0  # a fraction of a step that no step reaches
BARE = -2.0  # a function that must not fall below zero, and whose rate is not known
SIGNATURE = HELPER
ENTRIES = ("watch",)


def watch(place, h, terms):
    """Why the run ends within this step, PAUSED when it does not; its events are recorded in order.

    `stop` and `inside` are left as the fraction of the step and the state of the last event.
    """
    run = record(place)
    before, after = run.g_before, run.g_after
    if run.watched == 0:  # the side on which every function starts
        run.watched = 1
        evaluate(run.events, run.events_table, run.t, run.y, before)
        for k in range(run.m):
            run.side[k] = sign(before[k])
    for piece in range(SCANNED):
        a, b = piece / SCANNED, (piece + 1) / SCANNED
        if b == 1.0:
            evaluate(run.events, run.events_table, run.t + h, run.next_y, after)
        else:
            _functions(run, terms, h, b, after)
        _find_roots(run, terms, h, a, b)
        k = _earliest(run)
        while k >= 0:
            code = _record(run, terms, h, k)
            if code != PAUSED:
                return code
            k = _earliest(run)
        copy(run.m, after, before)
    return PAUSED


@apart
def _functions(run, terms, h, x, into):
    """into ← the event functions at the fraction x of the step."""
    y = run.inside
    interpolate(run, terms, x, y)
    evaluate(run.events, run.events_table, run.t + x * h, y, into)


@apart
def _find_roots(run, terms, h, a, b):
    """Where each function changes sign between a and b, in a direction that counts."""
    side, root, wanted = run.side, run.root, run.direction
    before, after = run.g_before, run.g_after
    for k in range(run.m):
        root[k] = NEVER
        now = sign(after[k])
        if run.turning[k] >= 0.0:
            root[k] = _fall(run, terms, h, k, a, b)
        elif run.turning[k] == BARE:
            if now < 0.0:
                starts = before[k] > 0.0
                root[k] = _crossing(run, terms, h, k, a, before[k], b, after[k]) if starts else a
        elif now * side[k] < 0.0 and wanted[k] * now >= 0.0:
            root[k] = _crossing(run, terms, h, k, a, before[k], b, after[k])
        if now != 0.0:
            side[k] = now


@apart
def _fall(run, terms, h, k, a, b):
    """Where a function whose rate is known falls below zero; NEVER if it does not.

    Its rate may change its sign twice between a and b: what a cubic tells of that is looked at.
    """
    rate = whole(run.turning[k])
    before, after = run.g_before, run.g_after
    f, end, slope, last = before[k], after[k], before[rate], after[rate]
    part = _inflection(end - f, (b - a) * h * slope, (b - a) * h * last)
    if part == NEVER:
        return _fall_once(run, terms, h, k, a, f, slope, b, end, last)
    middle = a + part * (b - a)
    _functions(run, terms, h, middle, run.g)
    there, turned = run.g[k], run.g[rate]
    found = _fall_once(run, terms, h, k, a, f, slope, middle, there, turned)
    if found == NEVER:
        found = _fall_once(run, terms, h, k, middle, there, turned, b, end, last)
    return found


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
def _fall_once(run, terms, h, k, a, f, slope, b, end, last):
    """The same where the rate changes its sign once at most: from slope at a to last at b.

    It may rise from zero and fall again, or dip below zero and come back, between a and b: the
    place where its rate changes sign is looked at too. One that starts at zero or, by rounding,
    below, has fallen where it falls, not while it rises.
    """
    rate = whole(run.turning[k])
    if f > 0.0 and end < 0.0:
        return _crossing(run, terms, h, k, a, f, b, end)
    if slope <= 0.0 and end < 0.0:
        return a
    turns_down, turns_up = slope > 0.0 and last < 0.0 and end < 0.0, f > 0.0 and slope < 0.0 < last
    if not turns_down and not turns_up:
        return NEVER
    turn = _crossing(run, terms, h, rate, a, slope, b, last)
    _functions(run, terms, h, turn, run.g)
    there = run.g[k]
    if turns_down:
        return _crossing(run, terms, h, k, turn, there, b, end) if there > 0.0 else turn
    return _crossing(run, terms, h, k, a, f, turn, there) if there < 0.0 else NEVER


@apart
def _earliest(run):
    """The function whose root comes first; −1 when no root is left."""
    root, first, found = run.root, NEVER, -1
    for k in range(run.m):
        if root[k] < first:
            first, found = root[k], k
    return found


@apart
def _record(run, terms, h, k):
    """The event of function k goes to the table; the code tells whether the run may go on."""
    n, y, root = run.n, run.inside, run.root
    run.stop, root[k] = root[k], NEVER
    if not state_at(run, terms, h, run.stop, y):
        return LOOP_OPEN
    line = address(run.records, run.recorded * (2 + n))
    line[0], line[1] = run.t + run.stop * h, k
    copy(n, y, address(line, 2))
    run.recorded += 1
    return TERMINAL_EVENT if run.terminal[k] != 0.0 else PAUSED


@apart
def _crossing(run, terms, h, k, a, f_a, b, f_b):
    """Where function k is on its new side, between the fractions a and b of the step."""
    return crossing(_function, run, terms, h, k, a, f_a, b, f_b)


@apart
def _function(run, terms, h, k, x):
    """Function k at the fraction x of the step."""
    _functions(run, terms, h, x, run.g)
    return run.g[k]


# --- the search for a root, which all motions share -----------------------------------------------


@apart
def sign(x):
    """−1, 0 or 1."""
    return 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)


@apart
def crossing(value, run, terms, h, k, a, f_a, b, f_b):
    """The fraction of the step, between a and b, at which a function is on its new side.

    It is f_a at a and f_b at b, and value(run, terms, h, k, x) at x.
    Inverse quadratic interpolation where it is safe, else halving. Reference: Chandrupatla (1997),
    A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function without
    using derivatives, Advances in Engineering Software 28.
    """
    x2, f2, x1, f1 = a, f_a, b, f_b
    new_side, part = sign(f1), 0.5
    if f2 == 0.0:
        return a
    for _ in range(LONGEST):
        x = x1 + part * (x2 - x1)
        f = value(run, terms, h, k, x)
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
