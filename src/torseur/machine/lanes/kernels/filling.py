"""Steps of all lanes: rows are taken in by those that have none, and finished; none waits."""

from math import inf, nan

from torseur.machine.integrators.codes import DONE, NOT_FINITE, PAUSED
from torseur.machine.integrators.kernels.events import sign
from torseur.machine.lanes import record as at
from torseur.machine.lanes.kernels.access import given_out, row_of, sample, taken_in
from torseur.machine.lanes.kernels.balance import begin_balance
from torseur.machine.lanes.kernels.events import has_room
from torseur.machine.lanes.kernels.vectors import choose, evaluate, lanes, squares, take
from torseur.machine.runtime.access import call_entry, numbers, wholes
from torseur.machine.runtime.access import evaluate as evaluate_one
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def stepped(run, begin, step):
    """Steps until the budget is spent or no row is left, which the code says.

    begin(run) follows where rows have come in, step(run) is one step of every lane.
    """
    tried = 0
    while True:
        while run.busy < lanes() and _take_in(run) > 0:
            _first_rates(run)
            _first_samples(run)
            begin(run)
        if run.busy == 0:
            return DONE
        if tried >= run.budget or not has_room(run):
            return PAUSED
        step(run)
        run.tried += 1
        tried += 1


@apart
def finish(run, lane, code):
    """The row of a lane is over."""
    row, n, y = row_of(run, lane), run.n, run.y
    run.codes[row] = code
    run.ended[row] = run.t[lane]
    given_out(n, y, lane, address(run.last, row * n))
    steps, balance = run.steps, address(run.balance, 3 * row)
    steps[2 * row] = whole(run.accepted[lane])
    steps[2 * row + 1] = whole(run.rejected[lane])
    balance[0] = run.lost[lane]
    balance[1], balance[2] = run.exchanged[lane], run.largest[lane]
    filled = whole(run.filled[lane])
    rest = sample(run, row, filled)
    for k in range((run.samples - filled) * n):
        rest[k] = nan
    run.row[lane] = -1.0
    run.mask[lane] = 0.0
    # an idle lane computes too: at a state where that is quick
    taken_in(n, address(run.starts, row * n), y, lane)
    run.busy -= 1


@apart
def act(run, lane, k):
    """What is given from outside from sample k on takes its place in the state.

    It is known beforehand, or somebody acts by what the row is then.
    """
    if run.act != 0:
        if run.acting[k] != 0.0:  # as for a single motion
            given_out(run.n, run.y, lane, run.alone)
            wholes(run.act_table)[0] = run.loops[row_of(run, lane)]
            evaluate_one(run.act, run.act_table, run.t[lane], run.alone, run.acted)
            taken_in(run.n, run.acted, run.y, lane)
        return
    row, first, W = row_of(run, lane), run.n - run.inputs, lanes()
    given = address(run.given, row * run.given_stride + k * run.inputs)
    for j in range(run.inputs):
        run.y[(first + j) * W + lane] = given[j]


@apart
def _take_in(run):
    """How many rows found a lane; `mask` tells which."""
    count = 0
    for lane in range(lanes()):
        run.mask[lane] = 0.0
        if run.row[lane] < 0.0:
            row = take(run.counter)
            if row < run.rows:
                _place(run, lane, row)
                count += 1
    run.busy += count
    return count


@apart
def _place(run, lane, row):
    """A motion at its start."""
    n, t = run.n, run.times[0]
    run.row[lane], run.mask[lane] = float(row), 1.0
    run.t[lane] = run.mark_t[lane] = t
    run.filled[lane] = run.part[lane] = run.trouble[lane] = 0.0
    run.accepted[lane] = run.rejected[lane] = 0.0
    run.mark_steps[lane] = run.strained[lane] = run.relaxed[lane] = 0.0
    run.lost[lane] = run.exchanged[lane] = run.largest[lane] = 0.0
    taken_in(n, address(run.starts, row * n), run.y, lane)
    offset = row * run.size_stride
    taken_in(n, address(run.row_atol, offset), run.atol, lane)
    taken_in(n, address(run.row_usual, offset), run.usual, lane)
    taken_in(n, address(run.row_grain, offset), run.grain, lane)
    act(run, lane, 0)
    _set_constants(run, lane, row)


@apart
def _set_constants(run, lane, row):
    """The constants of all functions at the parameters of a row, unless all rows have the same."""
    for k in range(run.functions):
        own = address(run.making, at.MAKING_WIDTH * k)
        if own[at.COUNT] > 0 and own[at.STRIDE] > 0:
            listed = wholes(own[at.MAKE_TABLE])
            listed[0] = own[at.VALUES] + 8 * row * own[at.STRIDE]
            call_entry(own[at.MAKE], own[at.MAKE_TABLE])
            taken_in(own[at.COUNT], numbers(listed[1]), numbers(own[at.CONSTANTS]), lane)


@apart
def _first_rates(run):
    """The derivative at the start, and the event functions, in the lanes of `mask`."""
    n, m, mask, clock = run.n, run.m, run.mask, run.clock
    for lane in range(lanes()):
        clock[lane] = run.t[lane]
    evaluate(run.rate, run.rate_table, run.y, clock, run.between)
    choose(n, mask, run.between, run.f)
    if m > 0:
        g, before, side = run.g, run.g_before, run.side
        evaluate(run.events, run.events_table, run.y, clock, g)
        choose(m, mask, g, before)
        for k in range(m):
            for lane in range(lanes()):
                if mask[lane] != 0.0:
                    side[k * lanes() + lane] = sign(before[k * lanes() + lane])


@apart
def _first_samples(run):
    """The first sample is the start; a motion that has no derivative there is over."""
    squares(run.n, run.f, run.error)
    begin_balance(run)
    for lane in range(lanes()):
        if run.mask[lane] != 0.0:
            given_out(run.n, run.y, lane, sample(run, row_of(run, lane), 0))
            run.filled[lane] = 1.0
            if not run.error[lane] < inf:
                finish(run, lane, NOT_FINITE)
            elif run.samples == 1:
                finish(run, lane, DONE)
            else:
                run.trouble[lane] = PAUSED
