"""The end of a step in every lane: its events, its samples, and what acts there."""

from math import inf
from typing import Any

from torseur.machine.integrators.codes import LOOP_OPEN, NOT_FINITE, PAUSED, UNSETTLED
from torseur.machine.integrators.kernels.events import note, watch
from torseur.machine.integrators.kernels.lane_vectors import W, choose, interpolation, squares
from torseur.machine.integrators.kernels.motion_access import (
    copied,
    derivatives,
    given_out,
    row_of,
    sample,
    some,
    taken_in,
)
from torseur.machine.integrators.kernels.projection import project
from torseur.machine.integrators.kernels.rows import balance, begin_anew, finish, go_on
from torseur.machine.runtime.access import evaluate, wholes
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole

AFTER_ACT = -1.0  # the index of no event


def dense_output(terms: int) -> Any:
    """Dense output by polynomials: inside ← y at the fraction x of the step of each lane."""
    interpolate = interpolation(terms)

    @apart
    def dense(run):
        interpolate(run.n, run.x, run.y, run.polynomial, run.inside)

    return dense


@apart
def arrive(run):
    """The ends of the steps in `mask`, projected, with their derivatives; `trouble` where not."""
    clock, size, trouble = run.clock, run.third, run.trouble
    if not some(run.mask):
        return
    for lane in range(W):
        clock[lane] = run.ahead[lane]
    copied(run.n, run.arrival, run.next_y)
    project(run, run.mask, clock, run.next_y)
    derivatives(run, run.next_y, clock, run.next_f)
    squares(run.n, run.next_f, size)
    for lane in range(W):
        if run.mask[lane] != 0.0:
            closed = run.open[lane] == 0.0
            sound = PAUSED if size[lane] < inf else NOT_FINITE
            trouble[lane] = sound if closed else LOOP_OPEN


@apart
def end_rates(run, into):
    """into ← ẏ at the ends of steps as the method gives them, before they are projected."""
    is_moved = False
    if run.project_positions != 0 or run.project_speeds != 0:
        for k in range(run.n * W):
            is_moved = is_moved or run.arrival[k] != run.next_y[k]
    if is_moved:
        for lane in range(W):
            run.clock[lane] = run.ahead[lane]
        derivatives(run, run.arrival, run.clock, into)
    else:
        copied(run.n, run.next_f, into)


@apart
def looks_inside(run):
    """Whether some lane of `mask` wants something before the end of its step."""
    if run.m > 0:
        return some(run.mask)
    for lane in range(W):
        if run.mask[lane] != 0.0:
            filled = whole(run.filled[lane])
            if run.times[filled] < run.ahead[lane]:
                return True
    return False


@apart
def move_on(run, dense):
    """Events and samples of the steps in `mask`, whose ends are the states from now on."""
    n, mask, ending, early = run.n, run.mask, run.ending, run.active
    for lane in range(W):
        run.stop[lane], ending[lane] = run.ahead[lane], PAUSED
    if run.m > 0 and some(mask):
        watch(run, dense)
    _write_samples(run, dense)
    for lane in range(W):
        early[lane] = 0.0
        if mask[lane] != 0.0 and ending[lane] == LOOP_OPEN:  # it ends where its step began
            finish(run, lane, LOOP_OPEN)
        elif mask[lane] != 0.0:
            run.t[lane] = run.stop[lane]
            run.accepted[lane] += 1.0
            early[lane] = 1.0 if ending[lane] != PAUSED else 0.0
    choose(n, mask, run.next_y, run.y)
    choose(n, mask, run.next_f, run.f)
    if some(early):
        choose(n, early, run.kept, run.y)
        _meet_events(run, early)
    if run.acts != 0:
        _act(run)
    for lane in range(W):
        if mask[lane] != 0.0 and ending[lane] != PAUSED:
            finish(run, lane, whole(ending[lane]))
        elif mask[lane] != 0.0:
            go_on(run, lane)


@apart
def _meet_events(run, which):
    """Motions of some lanes end by an event, or go on from there as from a start."""
    for lane in range(W):
        if which[lane] != 0.0:
            if run.settle != 0 and settled(run, lane, run.event[lane]):
                begin_anew(run, lane)
            else:
                note(run, lane, run.event[lane], run.t[lane], run.y)


# --- samples --------------------------------------------------------------------------------------


@apart
def _write_samples(run, dense):
    """The samples of the steps, one of each lane at a time; `ending` where loops do not close."""
    n, inside, active = run.n, run.inside, run.active
    while _has_due_sample(run):
        dense(run)
        choose(n, run.at_end, run.next_y, inside)
        if run.project_positions != 0 or run.project_speeds != 0:
            for lane in range(W):  # those before the ends of steps
                run.before[lane] = active[lane] * (1.0 - run.at_end[lane])
            if some(run.before):
                project(run, run.before, run.clock, inside)
                for lane in range(W):
                    if run.open[lane] != 0.0:
                        run.ending[lane], active[lane] = LOOP_OPEN, 0.0
        balance(run, active, inside)
        for lane in range(W):
            if active[lane] != 0.0:
                place = sample(run, row_of(run, lane), whole(run.filled[lane]))
                given_out(n, inside, lane, place)
                run.filled[lane] += 1.0


@apart
def _has_due_sample(run):
    """Whether some lane of `mask` has a sample to write: `active`, at the fraction `x`."""
    times, mask, due = run.times, run.mask, False
    for lane in range(W):
        filled = whole(run.filled[lane])
        run.active[lane] = run.at_end[lane] = run.x[lane] = 0.0
        goes = mask[lane] != 0.0 and run.ending[lane] != LOOP_OPEN
        if goes and filled < run.samples and times[filled] <= run.stop[lane]:
            time, due, run.active[lane] = times[filled], True, 1.0
            run.clock[lane] = time
            run.at_end[lane] = 1.0 if time == run.ahead[lane] else 0.0
            run.x[lane] = (time - run.t[lane]) / run.length[lane]
    return due


# --- what acts at samples -------------------------------------------------------------------------


@apart
def _act(run):
    """Apply changes from outside to y after the present sample; the sample then shows the new y."""
    part = run.active
    for lane in range(W):
        k, part[lane] = whole(run.filled[lane]) - 1, 0.0
        run.clock[lane] = run.t[lane]
        is_here = run.times[k] == run.t[lane] and run.acting[k] != 0.0
        if run.mask[lane] != 0.0 and is_here and run.ending[lane] == PAUSED:
            act(run, lane, k)
            is_settled = run.settle == 0 or settled(run, lane, AFTER_ACT)
            part[lane] = 1.0 if is_settled else 0.0
            run.ending[lane] = PAUSED if is_settled else UNSETTLED
            given_out(run.n, run.y, lane, sample(run, row_of(run, lane), k))
    if not some(part):
        return
    run.h_done = 0.0
    derivatives(run, run.y, run.clock, run.between)
    choose(run.n, part, run.between, run.f)
    squares(run.n, run.f, run.third)
    for lane in range(W):
        if part[lane] != 0.0 and not run.third[lane] < inf:
            run.ending[lane] = NOT_FINITE


@apart
def act(run, lane, k):
    """Write the values given from outside from sample k on into the state.

    They are known beforehand, or a function computes them from the present row.
    """
    n, y, row = run.n, run.y, row_of(run, lane)
    if run.act != 0:
        given_out(n, y, lane, run.alone)
        copy(n, run.alone, run.acted)
        wholes(run.act_table)[0] = run.loops[row]
        evaluate(run.act, run.act_table, run.t[lane], run.alone, run.acted)
        taken_in(n, run.acted, y, lane)
        return
    given = address(run.given, row * run.given_stride + k * run.inputs)
    taken_in(run.inputs, given, address(y, (n - run.inputs - run.after) * W), lane)


@apart
def settled(run, lane, event):
    """Whether a function tells how the motion of a lane goes on after an event, or an act.

    Given is the index of the event. y follows the function, and events are seen anew.
    """
    n, acted = run.n, run.acted
    given_out(n, run.y, lane, run.alone)
    acted[n] = event
    evaluate(run.settle, run.settle_table, run.t[lane], run.alone, acted)
    taken_in(n, acted, run.y, lane)
    run.watched[lane] = 0.0
    return acted[n] == 1.0
