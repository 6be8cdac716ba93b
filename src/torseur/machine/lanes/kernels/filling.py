"""Rows are taken in by lanes that have none, and finished: no lane waits for another."""

from math import inf, nan

from torseur.machine.integrators.codes import DONE, NOT_FINITE, PAUSED
from torseur.machine.integrators.kernels.root import sign
from torseur.machine.lanes.kernels.access import given_out, row_of, sample, taken_in
from torseur.machine.lanes.kernels.balance import begin_balance
from torseur.machine.lanes.kernels.vectors import choose, evaluate, lanes, squares, take
from torseur.machine.runtime.access import call_entry, numbers, wholes
from torseur.machine.runtime.access import evaluate as evaluate_one
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def fill(run, begin):
    """Every lane gets a row, as long as there are any; begin(run) follows for those in `mask`."""
    while run.busy < lanes() and _take_in(run) > 0:
        _first_rates(run)
        _first_samples(run)
        begin(run)


@apart
def finish(run, lane, code):
    """The row of a lane is over."""
    row, n, y = row_of(run, lane), run.n, numbers(run.y)
    wholes(run.codes)[row] = code
    numbers(run.ended)[row] = numbers(run.t)[lane]
    given_out(n, y, lane, address(numbers(run.last), row * n))
    steps, balance = wholes(run.steps), address(numbers(run.balance), 3 * row)
    steps[2 * row] = whole(numbers(run.accepted)[lane])
    steps[2 * row + 1] = whole(numbers(run.rejected)[lane])
    balance[0] = numbers(run.lost)[lane]
    balance[1], balance[2] = numbers(run.exchanged)[lane], numbers(run.largest)[lane]
    filled = whole(numbers(run.filled)[lane])
    rest = sample(run, row, filled)
    for k in range((run.samples - filled) * n):
        rest[k] = nan
    numbers(run.row)[lane] = -1.0
    numbers(run.mask)[lane] = 0.0
    # an idle lane computes too: at a state where that is quick
    taken_in(n, address(numbers(run.starts), row * n), y, lane)
    run.busy -= 1


@apart
def act(run, lane, k):
    """What is given from outside from sample k on takes its place in the state.

    It is known beforehand, or somebody acts by what the row is then.
    """
    if run.act != 0:
        if numbers(run.acting)[k] != 0.0:
            _acted_on(run, lane)
        return
    row, first, W = row_of(run, lane), run.n - run.inputs, lanes()
    given = address(numbers(run.given), row * run.given_stride + k * run.inputs)
    for j in range(run.inputs):
        numbers(run.y)[(first + j) * W + lane] = given[j]


@apart
def _acted_on(run, lane):
    """The function that acts changes the state of a lane, as it does that of a single motion."""
    alone, acted = numbers(run.alone), numbers(run.acted)
    given_out(run.n, numbers(run.y), lane, alone)
    wholes(run.act_table)[0] = wholes(run.loops)[row_of(run, lane)]
    evaluate_one(run.act, run.act_table, numbers(run.t)[lane], alone, acted)
    taken_in(run.n, acted, numbers(run.y), lane)


@apart
def _take_in(run):
    """How many rows found a lane; `mask` tells which."""
    count = 0
    for lane in range(lanes()):
        numbers(run.mask)[lane] = 0.0
        if numbers(run.row)[lane] < 0.0:
            row = take(run.counter)
            if row < run.rows:
                _place(run, lane, row)
                count += 1
    run.busy += count
    return count


@apart
def _place(run, lane, row):
    """A motion at its start."""
    n, t = run.n, numbers(run.times)[0]
    numbers(run.row)[lane], numbers(run.mask)[lane] = float(row), 1.0
    numbers(run.t)[lane] = numbers(run.mark_t)[lane] = t
    numbers(run.filled)[lane] = numbers(run.part)[lane] = numbers(run.trouble)[lane] = 0.0
    numbers(run.accepted)[lane] = numbers(run.rejected)[lane] = 0.0
    numbers(run.mark_steps)[lane] = numbers(run.strained)[lane] = numbers(run.relaxed)[lane] = 0.0
    numbers(run.lost)[lane] = numbers(run.exchanged)[lane] = numbers(run.largest)[lane] = 0.0
    taken_in(n, address(numbers(run.starts), row * n), numbers(run.y), lane)
    offset = row * run.size_stride
    taken_in(n, address(numbers(run.row_atol), offset), numbers(run.atol), lane)
    taken_in(n, address(numbers(run.row_usual), offset), numbers(run.usual), lane)
    taken_in(n, address(numbers(run.row_grain), offset), numbers(run.grain), lane)
    act(run, lane, 0)
    _set_constants(run, lane, row)


@apart
def _set_constants(run, lane, row):
    """The constants of all functions at the parameters of a row."""
    _constants(run.rate_make, run.rate_make_table, run.rate_count, run.rate_values,
               run.rate_stride, run.rate_table, lane, row)  # fmt: skip
    _constants(run.project_positions_make, run.project_positions_make_table,
               run.project_positions_count, run.project_positions_values,
               run.project_positions_stride, run.project_positions_table, lane, row)  # fmt: skip
    _constants(run.project_speeds_make, run.project_speeds_make_table,
               run.project_speeds_count, run.project_speeds_values,
               run.project_speeds_stride, run.project_speeds_table, lane, row)  # fmt: skip
    _constants(run.events_make, run.events_make_table, run.events_count, run.events_values,
               run.events_stride, run.events_table, lane, row)  # fmt: skip
    _constants(run.energy_make, run.energy_make_table, run.energy_count, run.energy_values,
               run.energy_stride, run.energy_table, lane, row)  # fmt: skip


@apart
def _constants(make, make_table, count, values, stride, table, lane, row):
    """The constants of one function; none are to be made where all rows have the same."""
    if count > 0 and stride > 0:
        listed = wholes(make_table)
        listed[0] = values + 8 * row * stride
        call_entry(make, make_table)
        taken_in(count, numbers(listed[1]), numbers(wholes(table)[0]), lane)


@apart
def _first_rates(run):
    """The derivative at the start, and the event functions, in the lanes of `mask`."""
    n, m, mask, clock = run.n, run.m, numbers(run.mask), numbers(run.clock)
    for lane in range(lanes()):
        clock[lane] = numbers(run.t)[lane]
    evaluate(run.rate, run.rate_table, numbers(run.y), clock, numbers(run.between))
    choose(n, mask, numbers(run.between), numbers(run.f))
    if m > 0:
        g, before, side = numbers(run.g), numbers(run.g_before), numbers(run.side)
        evaluate(run.events, run.events_table, numbers(run.y), clock, g)
        choose(m, mask, g, before)
        for k in range(m):
            for lane in range(lanes()):
                if mask[lane] != 0.0:
                    side[k * lanes() + lane] = sign(before[k * lanes() + lane])


@apart
def _first_samples(run):
    """The first sample is the start; a motion that has no derivative there is over."""
    n, mask, error = run.n, numbers(run.mask), numbers(run.error)
    squares(n, numbers(run.f), error)
    begin_balance(run)
    for lane in range(lanes()):
        if mask[lane] != 0.0:
            given_out(n, numbers(run.y), lane, sample(run, row_of(run, lane), 0))
            numbers(run.filled)[lane] = 1.0
            if not error[lane] < inf:
                finish(run, lane, NOT_FINITE)
            elif run.samples == 1:
                finish(run, lane, DONE)
            else:
                numbers(run.trouble)[lane] = PAUSED
