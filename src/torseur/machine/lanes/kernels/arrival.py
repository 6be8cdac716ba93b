"""The end of a step in every lane: its events, its samples, and what acts there."""

from math import inf

from torseur.machine.integrators.codes import DONE, LOOP_OPEN, NOT_FINITE, PAUSED, STEP_TOO_SMALL
from torseur.machine.lanes.kernels.access import copied, given_out, row_of, sample
from torseur.machine.lanes.kernels.balance import balance
from torseur.machine.lanes.kernels.events import watch
from torseur.machine.lanes.kernels.filling import act, finish
from torseur.machine.lanes.kernels.projection import project
from torseur.machine.lanes.kernels.vectors import choose, evaluate, lanes, squares
from torseur.machine.runtime.access import numbers
from torseur.machine.runtime.vectors import apart, whole

PACE = 5_000.0  # steps by which a motion is judged
MOST_STEPS = 1e9  # of the rest of a motion


@apart
def arrive(run):
    """The ends of the steps in `mask`, projected, with their derivatives; `trouble` where not."""
    n, mask, next_y = run.n, numbers(run.mask), numbers(run.next_y)
    clock, size, trouble = numbers(run.clock), numbers(run.third), numbers(run.trouble)
    for lane in range(lanes()):
        clock[lane] = numbers(run.ahead)[lane]
    copied(n, numbers(run.arrival), next_y)
    project(run, mask, clock, next_y)
    evaluate(run.rate, run.rate_table, next_y, clock, numbers(run.next_f))
    squares(n, numbers(run.next_f), size)
    for lane in range(lanes()):
        if mask[lane] != 0.0:
            closed = numbers(run.open)[lane] == 0.0
            sound = PAUSED if size[lane] < inf else NOT_FINITE
            trouble[lane] = sound if closed else LOOP_OPEN


@apart
def end_rates(run, into):
    """into ← ẏ at the ends of steps as the method gives them, before they are projected."""
    clock = numbers(run.clock)
    for lane in range(lanes()):
        clock[lane] = numbers(run.ahead)[lane]
    if run.project_positions != 0 or run.project_speeds != 0:
        evaluate(run.rate, run.rate_table, numbers(run.arrival), clock, into)
    else:
        copied(run.n, numbers(run.next_f), into)


@apart
def looks_inside(run):
    """Whether some lane of `mask` wants something before the end of its step."""
    if run.m > 0:
        return True
    times, mask = numbers(run.times), numbers(run.mask)
    for lane in range(lanes()):
        if mask[lane] != 0.0:
            filled = whole(numbers(run.filled)[lane])
            if times[filled] < numbers(run.ahead)[lane]:
                return True
    return False


@apart
def move_on(run, dense):
    """Events and samples of the steps in `mask`, whose ends are the states from now on."""
    n, mask, ending = run.n, numbers(run.mask), numbers(run.ending)
    for lane in range(lanes()):
        numbers(run.stop)[lane], ending[lane] = numbers(run.ahead)[lane], PAUSED
    if run.m > 0:
        watch(run, dense)
    _write_samples(run, dense)
    choose(n, mask, numbers(run.next_y), numbers(run.y))
    choose(n, mask, numbers(run.next_f), numbers(run.f))
    part = numbers(run.active)
    for lane in range(lanes()):
        part[lane] = 1.0 if mask[lane] != 0.0 and ending[lane] != PAUSED else 0.0
        if mask[lane] != 0.0:
            numbers(run.t)[lane] = numbers(run.stop)[lane]
            numbers(run.accepted)[lane] += 1.0
    choose(n, part, numbers(run.kept), numbers(run.y))
    if run.inputs > 0:
        _act(run)
    for lane in range(lanes()):
        if mask[lane] != 0.0:
            _judge(run, lane, ending[lane])


@apart
def _judge(run, lane, ending):
    """Whether a motion goes on."""
    filled = whole(numbers(run.filled)[lane])
    if ending != PAUSED:
        finish(run, lane, whole(ending))
    elif filled == run.samples:
        finish(run, lane, DONE)
    elif not _is_worthwhile(run, lane):
        finish(run, lane, STEP_TOO_SMALL)


@apart
def _is_worthwhile(run, lane):
    """Whether the rest takes no more steps than anybody waits for, at the pace of late."""
    steps = numbers(run.accepted)[lane] + numbers(run.rejected)[lane]
    taken, t = steps - numbers(run.mark_steps)[lane], numbers(run.t)[lane]
    if taken < PACE:
        return True
    gone = t - numbers(run.mark_t)[lane]
    numbers(run.mark_steps)[lane], numbers(run.mark_t)[lane] = steps, t
    return taken * (run.end - t) <= MOST_STEPS * gone


@apart
def _write_samples(run, dense):
    """The samples of the steps, one of each lane at a time; `ending` where loops do not close."""
    n, inside, active = run.n, numbers(run.inside), numbers(run.active)
    while _wanted(run):
        dense(run)
        choose(n, numbers(run.at_end), numbers(run.next_y), inside)
        if run.project_positions != 0 or run.project_speeds != 0:
            _project_inside(run)
        balance(run, active, inside)
        for lane in range(lanes()):
            if active[lane] != 0.0:
                filled = numbers(run.filled)
                place = sample(run, row_of(run, lane), whole(filled[lane]))
                given_out(n, inside, lane, place)
                filled[lane] += 1.0


@apart
def _wanted(run):
    """Whether some lane of `mask` has a sample to write: `active`, at the fraction `x`."""
    times, mask, found = numbers(run.times), numbers(run.mask), False
    active, at_end, x = numbers(run.active), numbers(run.at_end), numbers(run.x)
    for lane in range(lanes()):
        filled = whole(numbers(run.filled)[lane])
        active[lane] = at_end[lane] = x[lane] = 0.0
        goes = mask[lane] != 0.0 and numbers(run.ending)[lane] != LOOP_OPEN
        if goes and filled < run.samples and times[filled] <= numbers(run.stop)[lane]:
            wanted, found, active[lane] = times[filled], True, 1.0
            numbers(run.clock)[lane] = wanted
            at_end[lane] = 1.0 if wanted == numbers(run.ahead)[lane] else 0.0
            x[lane] = (wanted - numbers(run.t)[lane]) / numbers(run.length)[lane]
    return found


@apart
def _project_inside(run):
    """Samples before the ends of steps move onto their constraints."""
    active, between, inside = numbers(run.active), numbers(run.before), numbers(run.inside)
    for lane in range(lanes()):
        between[lane] = active[lane] * (1.0 - numbers(run.at_end)[lane])
    project(run, between, numbers(run.clock), inside)
    for lane in range(lanes()):
        if numbers(run.open)[lane] != 0.0:
            numbers(run.ending)[lane], active[lane] = LOOP_OPEN, 0.0


@apart
def _act(run):
    """What is given from outside changes at the samples; its rates are those of the new state."""
    mask, part, clock = numbers(run.mask), numbers(run.active), numbers(run.clock)
    found = False
    for lane in range(lanes()):
        k, part[lane] = whole(numbers(run.filled)[lane]) - 1, 0.0
        clock[lane] = numbers(run.t)[lane]
        there = numbers(run.times)[k] == numbers(run.t)[lane]
        if mask[lane] != 0.0 and there and numbers(run.ending)[lane] == PAUSED:
            act(run, lane, k)
            given_out(run.n, numbers(run.y), lane, sample(run, row_of(run, lane), k))
            part[lane], found = 1.0, True
    if found:
        evaluate(run.rate, run.rate_table, numbers(run.y), clock, numbers(run.between))
        choose(run.n, part, numbers(run.between), numbers(run.f))
