"""What is common to all methods: the state inside a step, its end, its events, its samples."""

from math import inf

from torseur.machine.integrators.codes import (
    DONE,
    LOOP_OPEN,
    NOT_FINITE,
    PAUSED,
    TERMINAL_EVENT,
    UNSETTLED,
)
from torseur.machine.integrators.layout import RUN, SCANNED
from torseur.machine.runtime.access import call, evaluate, place, record_at
from torseur.machine.runtime.long_vectors import copy, dot, linear
from torseur.machine.runtime.vectors import address, apart

record = record_at(RUN)
ANEW = 2  # how a run is started that goes on after an event


# --- inside a step ------------------------------------------------------------------------------


@apart
def from_both_ends(run, h, f_end):
    """The first three terms of the polynomial: y and ẏ at both ends."""
    n, f, change = run.n, run.f, run.polynomial
    second, third = address(change, n), address(change, 2 * n)
    linear(n, 1.0, run.arrival, -1.0, run.y, change)
    linear(n, h, f, -1.0, change, second)
    linear(n, 1.0, change, -h, f_end, third)
    linear(n, 1.0, third, -1.0, second, third)


@apart
def interpolate(run, terms, x, into):
    """into ← y at the fraction x of the step: y + x (F₀ + (1 − x) (F₁ + x (F₂ + …)))."""
    n, polynomial = run.n, run.polynomial
    copy(n, address(polynomial, (terms - 1) * n), into)
    for k in range(terms - 2, -1, -1):
        linear(n, 1.0, address(polynomial, k * n), 1.0 - x if k % 2 == 0 else x, into, into)
    linear(n, 1.0, run.y, x, into, into)


@apart
def projected(run, t, y):
    """Whether the loops close; y ← its projection."""
    return run.project == 0 or call(run.project, place(run), t, place(y)) != 0


@apart
def state_at(run, terms, h, x, into):
    """Whether the loops close; into ← the projected state at the fraction x of the step."""
    if x == 1.0:
        copy(run.n, run.next_y, into)
        return True
    interpolate(run, terms, x, into)
    return projected(run, run.t + x * h, into)


# --- its end ------------------------------------------------------------------------------------


@apart
def derivative(run, t, y, f):
    """f ← ẏ."""
    evaluate(run.rate, run.rate_table, t, y, f)
    run.evaluations += 1


@apart
def finite(n, x):
    """Whether every number of x is one."""
    return dot(n, x, x) < inf


@apart
def begin(run):
    """The derivative at the start, or after an event, and the first sample."""
    run.started = 1
    derivative(run, run.t, run.y, run.f)
    if run.filled == 0:
        copy(run.n, run.y, run.states)
        run.filled = 1
    if not finite(run.n, run.f):
        return NOT_FINITE
    return DONE if run.filled == run.samples else PAUSED


@apart
def farthest(run):
    """How far a step may go."""
    return run.end if run.act == 0 else run.limits[run.filled]


@apart
def has_room(run):
    """Whether the events of one more step can be recorded."""
    return run.capacity - run.recorded >= SCANNED * run.m


@apart
def arrive(run, t):
    """What is wrong with the end of a step, if not PAUSED; projects it and gives its derivative."""
    y, f = run.next_y, run.next_f
    copy(run.n, run.arrival, y)
    if not projected(run, t, y):
        return LOOP_OPEN
    derivative(run, t, y, f)
    return PAUSED if finite(run.n, f) else NOT_FINITE


@apart
def derivative_on_arrival(run, t, f):
    """f ← ẏ at the end t of a step as the method gives it, before it is projected."""
    is_moved = False
    if run.project != 0:
        for i in range(run.n):
            is_moved = is_moved or run.arrival[i] != run.next_y[i]
    if is_moved:
        derivative(run, t, run.arrival, f)
    else:
        copy(run.n, run.next_f, f)


@apart
def looks_inside(run, t):
    """Whether something is wanted before the end t of a step."""
    waiting = run.filled < run.samples and run.times[run.filled] < t
    return run.m > 0 or waiting


@apart
def arrive_with_cubic(run, t, h):
    """What is wrong with the end t of a step of length h, if not PAUSED; inside, it is a cubic."""
    code = arrive(run, t)
    if code == PAUSED and looks_inside(run, t):
        end = run.stages
        derivative_on_arrival(run, t, end)
        from_both_ends(run, h, end)
    return code


@apart
def move_on(run, terms, t):
    """Events and samples of the step that ends at t, then the state is that of its end."""
    h, stop, ends = t - run.t, t, PAUSED
    if run.m > 0:
        ends = call(run.watch, place(run), h, terms)
        if ends == LOOP_OPEN:
            return ends
        if ends == TERMINAL_EVENT:
            stop = run.t + run.stop * h
    if not _sampled(run, terms, t, stop):
        return LOOP_OPEN
    run.t = stop
    run.accepted += 1
    if ends == TERMINAL_EVENT:
        copy(run.n, run.inside, run.y)
        return _settled(run) if run.settle != 0 else ends
    copy(run.n, run.next_y, run.y)
    copy(run.n, run.next_f, run.f)
    is_sampled = run.times[run.filled - 1] == run.t
    if run.act != 0 and run.acting[run.filled - 1] != 0.0 and is_sampled:
        return _acted_on(run)
    return DONE if run.filled == run.samples else PAUSED


@apart
def act(run):
    """Somebody changes y."""
    copy(run.n, run.y, run.room)
    evaluate(run.act, run.act_table, run.t, run.y, run.room)
    copy(run.n, run.room, run.y)


@apart
def _settles(run, event):
    """Whether machine code tells how y goes on: y ← that; events are seen anew."""
    run.room[run.n] = event
    evaluate(run.settle, run.settle_table, run.t, run.y, run.room)
    copy(run.n, run.room, run.y)
    run.watched = 0
    return run.room[run.n] == 1.0


@apart
def _settled(run):
    """The code after an event that ends the run, unless it goes on from there as from a start."""
    event = run.records[(run.recorded - 1) * (2 + run.n) + 1]
    if not _settles(run, event):
        return TERMINAL_EVENT
    run.recorded -= 1
    run.started, run.part, run.h_done, run.h_factorised = ANEW, 0, 0.0, 0.0
    run.jacobian_age, run.together, run.strained, run.relaxed = 0, 0, 0, 0
    run.times[run.filled - 1] = run.t  # from which steps of fixed length count
    return DONE if run.filled == run.samples else PAUSED


@apart
def _acted_on(run):
    """Somebody changes y, of which the sample of now tells; what it was before is forgotten."""
    y, f = run.y, run.f
    act(run)
    settled = run.settle == 0 or _settles(run, -1.0)
    copy(run.n, y, address(run.states, (run.filled - 1) * run.n))
    if not settled:
        return UNSETTLED
    run.h_done = 0.0
    derivative(run, run.t, y, f)
    if not finite(run.n, f):
        return NOT_FINITE
    return DONE if run.filled == run.samples else PAUSED


@apart
def _sampled(run, terms, t, stop):
    """Whether the loops close at the samples up to `stop`, which are written."""
    times, h = run.times, t - run.t
    while run.filled < run.samples and times[run.filled] <= stop:
        wanted = times[run.filled]
        x = 1.0 if wanted == t else (wanted - run.t) / h
        if not state_at(run, terms, h, x, address(run.states, run.filled * run.n)):
            return False
        run.filled += 1
    return True
