"""The end of a step in every lane: its events, its samples, and what acts there."""

from math import inf
from typing import Any

from torseur.machine.integrators.codes import DONE, LOOP_OPEN, NOT_FINITE, PAUSED, STEP_TOO_SMALL
from torseur.machine.lanes.kernels.access import copied, given_out, row_of, sample
from torseur.machine.lanes.kernels.balance import balance
from torseur.machine.lanes.kernels.events import watch
from torseur.machine.lanes.kernels.filling import act, finish
from torseur.machine.lanes.kernels.projection import project
from torseur.machine.lanes.kernels.vectors import choose, evaluate, interpolation, lanes, squares
from torseur.machine.runtime.vectors import apart, whole

PACE = 5_000.0  # steps by which a motion is judged
MOST_STEPS = 1e9  # of the rest of a motion


def dense_output(terms: int) -> Any:
    """Of polynomials of so many terms, inside ← y at the fraction x of the step of each lane."""
    interpolate = interpolation(terms)

    @apart
    def dense(run):
        interpolate(run.n, run.x, run.y, run.polynomial, run.inside)

    return dense


@apart
def arrive(run):
    """The ends of the steps in `mask`, projected, with their derivatives; `trouble` where not."""
    clock, size, trouble = run.clock, run.third, run.trouble
    for lane in range(lanes()):
        clock[lane] = run.ahead[lane]
    copied(run.n, run.arrival, run.next_y)
    project(run, run.mask, clock, run.next_y)
    evaluate(run.rate, run.rate_table, run.next_y, clock, run.next_f)
    squares(run.n, run.next_f, size)
    for lane in range(lanes()):
        if run.mask[lane] != 0.0:
            closed = run.open[lane] == 0.0
            sound = PAUSED if size[lane] < inf else NOT_FINITE
            trouble[lane] = sound if closed else LOOP_OPEN


@apart
def end_rates(run, into):
    """into ← ẏ at the ends of steps as the method gives them, before they are projected."""
    for lane in range(lanes()):
        run.clock[lane] = run.ahead[lane]
    if run.project_positions != 0 or run.project_speeds != 0:
        evaluate(run.rate, run.rate_table, run.arrival, run.clock, into)
    else:
        copied(run.n, run.next_f, into)


@apart
def looks_inside(run):
    """Whether some lane of `mask` wants something before the end of its step."""
    if run.m > 0:
        return True
    for lane in range(lanes()):
        if run.mask[lane] != 0.0:
            filled = whole(run.filled[lane])
            if run.times[filled] < run.ahead[lane]:
                return True
    return False


@apart
def move_on(run, dense):
    """Events and samples of the steps in `mask`, whose ends are the states from now on."""
    n, mask, ending = run.n, run.mask, run.ending
    for lane in range(lanes()):
        run.stop[lane], ending[lane] = run.ahead[lane], PAUSED
    if run.m > 0:
        watch(run, dense)
    _write_samples(run, dense)
    choose(n, mask, run.next_y, run.y)
    choose(n, mask, run.next_f, run.f)
    part = run.active
    for lane in range(lanes()):
        part[lane] = 1.0 if mask[lane] != 0.0 and ending[lane] != PAUSED else 0.0
        if mask[lane] != 0.0:
            run.t[lane] = run.stop[lane]
            run.accepted[lane] += 1.0
    choose(n, part, run.kept, run.y)
    if run.inputs > 0:
        _act(run)
    for lane in range(lanes()):
        if mask[lane] != 0.0:  # whether the motion goes on
            if ending[lane] != PAUSED:
                finish(run, lane, whole(ending[lane]))
            elif whole(run.filled[lane]) == run.samples:
                finish(run, lane, DONE)
            elif not _is_worthwhile(run, lane):
                finish(run, lane, STEP_TOO_SMALL)


@apart
def _is_worthwhile(run, lane):
    """Whether the rest takes no more steps than anybody waits for, at the pace of late."""
    steps = run.accepted[lane] + run.rejected[lane]
    taken, t = steps - run.mark_steps[lane], run.t[lane]
    if taken < PACE:
        return True
    gone = t - run.mark_t[lane]
    run.mark_steps[lane], run.mark_t[lane] = steps, t
    return taken * (run.end - t) <= MOST_STEPS * gone


@apart
def _write_samples(run, dense):
    """The samples of the steps, one of each lane at a time; `ending` where loops do not close."""
    n, inside, active = run.n, run.inside, run.active
    while _wanted(run):
        dense(run)
        choose(n, run.at_end, run.next_y, inside)
        if run.project_positions != 0 or run.project_speeds != 0:
            for lane in range(lanes()):  # those before the ends of steps
                run.before[lane] = active[lane] * (1.0 - run.at_end[lane])
            project(run, run.before, run.clock, inside)
            for lane in range(lanes()):
                if run.open[lane] != 0.0:
                    run.ending[lane], active[lane] = LOOP_OPEN, 0.0
        balance(run, active, inside)
        for lane in range(lanes()):
            if active[lane] != 0.0:
                filled = run.filled
                place = sample(run, row_of(run, lane), whole(filled[lane]))
                given_out(n, inside, lane, place)
                filled[lane] += 1.0


@apart
def _wanted(run):
    """Whether some lane of `mask` has a sample to write: `active`, at the fraction `x`."""
    times, mask, found = run.times, run.mask, False
    for lane in range(lanes()):
        filled = whole(run.filled[lane])
        run.active[lane] = run.at_end[lane] = run.x[lane] = 0.0
        goes = mask[lane] != 0.0 and run.ending[lane] != LOOP_OPEN
        if goes and filled < run.samples and times[filled] <= run.stop[lane]:
            wanted, found, run.active[lane] = times[filled], True, 1.0
            run.clock[lane] = wanted
            run.at_end[lane] = 1.0 if wanted == run.ahead[lane] else 0.0
            run.x[lane] = (wanted - run.t[lane]) / run.length[lane]
    return found


@apart
def _act(run):
    """What is given from outside changes at the samples; its rates are those of the new state."""
    mask, part, clock = run.mask, run.active, run.clock
    found = False
    for lane in range(lanes()):
        k, part[lane] = whole(run.filled[lane]) - 1, 0.0
        clock[lane] = run.t[lane]
        there = run.times[k] == run.t[lane]
        if mask[lane] != 0.0 and there and run.ending[lane] == PAUSED:
            act(run, lane, k)
            given_out(run.n, run.y, lane, sample(run, row_of(run, lane), k))
            part[lane], found = 1.0, True
    if found:
        evaluate(run.rate, run.rate_table, run.y, clock, run.between)
        choose(run.n, part, run.between, run.f)
