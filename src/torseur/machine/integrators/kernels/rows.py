"""Steps of all lanes: rows are taken in by those that have none, and finished; none waits."""

from math import inf

from torseur.machine.integrators import run_record as at
from torseur.machine.integrators.codes import DONE, NOT_FINITE, PAUSED, STEP_TOO_SMALL
from torseur.machine.integrators.kernels.lane_vectors import W, choose, evaluate, squares, take
from torseur.machine.integrators.kernels.motion_access import (
    derivatives,
    given_out,
    row_of,
    sample,
    taken_in,
)
from torseur.machine.runtime.access import call_entry, numbers, wholes
from torseur.machine.runtime.vectors import address, apart, whole

PACE = 5_000.0  # steps by which a motion is judged
MOST_STEPS = 1e9  # of the rest of a motion


@apart
def stepped(run, begin, step):
    """Steps until the budget is spent or no row is left, which the code says.

    begin(run) follows where rows have come in, step(run) is one step of every lane.
    """
    tried = 0
    while True:
        while (run.busy < W or run.anew > 0) and _take_in(run) > 0:
            _first_rates(run)
            _first_samples(run)
            begin(run)
        if run.busy == 0:
            return DONE
        if tried >= run.budget or not _has_room(run):
            return PAUSED
        if run.prepare != 0:
            evaluate(run.prepare, run.prepare_table, run.y, run.t, run.room)
        step(run)
        tried += 1


@apart
def nothing(run):
    """Where rows have come in, a step of fixed length needs nothing more."""


@apart
def _has_room(run):
    """Whether the events of one more step of all lanes can be recorded."""
    return run.capacity - run.recorded >= at.SCANNED * run.m * W


@apart
def go_on(run, lane):
    """The motion of a lane is over if every sample is written, or if its rest takes too long.

    Its pace of late decides.
    """
    if whole(run.filled[lane]) == run.samples:
        finish(run, lane, DONE)
        return
    steps, t = run.accepted[lane] + run.rejected[lane], run.t[lane]
    tried, gone = steps - run.mark_steps[lane], t - run.mark_t[lane]
    if tried < PACE:
        return
    run.mark_steps[lane], run.mark_t[lane] = steps, t
    if not tried * (run.end - t) <= MOST_STEPS * gone:
        finish(run, lane, STEP_TOO_SMALL)


@apart
def begin_anew(run, lane):
    """The motion of a lane goes on from where it is as from a start; its step is guessed."""
    run.begins[lane], run.ending[lane], run.trouble[lane] = 1.0, PAUSED, PAUSED
    run.part[lane] = run.watched[lane] = run.strained[lane] = run.relaxed[lane] = 0.0
    run.anew += 1
    run.first = 0.0
    forget_steps(run)


@apart
def forget_steps(run):
    """Steps that come do not follow those before; what they share has one lane."""
    run.h_done = run.h_factorised = 0.0
    run.jacobian_age = run.together = 0


@apart
def finish(run, lane, code):
    """The row of a lane is over."""
    row, n, y = row_of(run, lane), run.n, run.y
    run.codes[row] = code
    run.ended[row] = run.t[lane]
    given_out(n, y, lane, address(run.last, row * n))
    steps, balance = address(run.steps, 3 * row), address(run.balance, 3 * row)
    steps[0], steps[1] = whole(run.accepted[lane]), whole(run.rejected[lane])
    steps[2] = whole(run.filled[lane])
    balance[0] = run.lost[lane]
    balance[1], balance[2] = run.exchanged[lane], run.largest[lane]
    run.anew -= whole(run.begins[lane])
    run.begins[lane] = run.mask[lane] = 0.0
    run.row[lane] = -1.0
    if W > 1:  # an idle lane computes too: at a state where that is quick
        taken_in(n, address(run.starts, row * n), y, lane)
    run.busy -= 1


@apart
def _take_in(run):
    """The number of motions that begin, in lanes that were free or anew; `mask` says which."""
    count, run.anew = run.anew, 0
    for lane in range(W):
        run.mask[lane], run.begins[lane] = run.begins[lane], 0.0
        if run.row[lane] < 0.0:
            row = take(run.counter)
            if row < run.rows:
                _place(run, lane, row)
                run.busy += 1
                count += 1
    return count


@apart
def _place(run, lane, row):
    """A motion at its start."""
    n, t = run.n, run.times[0]
    run.row[lane], run.mask[lane] = float(row), 1.0
    run.t[lane] = run.mark_t[lane] = t
    run.filled[lane] = run.part[lane] = run.watched[lane] = 0.0
    run.trouble[lane] = PAUSED
    run.accepted[lane] = run.rejected[lane] = 0.0
    run.mark_steps[lane] = run.strained[lane] = run.relaxed[lane] = 0.0
    run.lost[lane] = run.exchanged[lane] = run.largest[lane] = 0.0
    taken_in(n, address(run.starts, row * n), run.y, lane)
    offset = row * run.size_stride
    taken_in(n, address(run.row_atol, offset), run.atol, lane)
    taken_in(n, address(run.row_usual, offset), run.usual, lane)
    taken_in(n, address(run.row_grain, offset), run.grain, lane)
    forget_steps(run)
    _set_constants(run, lane, row)


@apart
def _set_constants(run, lane, row):
    """The constants of all functions at the parameters of a row, unless all rows have the same."""
    for k in range(run.functions):
        recipe = address(run.making, at.MAKING_WIDTH * k)
        if recipe[at.COUNT] > 0 and recipe[at.STRIDE] > 0:
            listed = wholes(recipe[at.MAKE_TABLE])
            listed[0] = recipe[at.VALUES] + 8 * row * recipe[at.STRIDE]
            call_entry(recipe[at.MAKE], recipe[at.MAKE_TABLE])
            taken_in(recipe[at.COUNT], numbers(listed[1]), numbers(recipe[at.CONSTANTS]), lane)


@apart
def _first_rates(run):
    """The derivative at the start in the lanes of `mask`; where steps are leaps there is none."""
    for lane in range(W):
        run.clock[lane] = run.t[lane]
    if run.rate != 0:
        derivatives(run, run.y, run.clock, run.between)
        choose(run.n, run.mask, run.between, run.f)


@apart
def _first_samples(run):
    """The first sample is the start; a motion that has no derivative there is over."""
    squares(run.n, run.f, run.error)
    begin_balance(run)
    for lane in range(W):
        if run.mask[lane] != 0.0:
            if run.filled[lane] == 0.0:
                given_out(run.n, run.y, lane, sample(run, row_of(run, lane), 0))
                run.filled[lane] = 1.0
            if not run.error[lane] < inf:
                finish(run, lane, NOT_FINITE)
            elif whole(run.filled[lane]) == run.samples:
                finish(run, lane, DONE)


# --- balance of energy of every motion, at each sample --------------------------------------------
# The largest error of T + V − W, and what it is compared with, as `simulation/run` does it for one.


@apart
def begin_balance(run):
    """The energies at the start, in the lanes of `mask` that have no sample yet."""
    if run.energy == 0:
        return
    mask, work = run.mask, _work(run)
    values = run.energies
    evaluate(run.energy, run.energy_table, run.y, run.clock, values)
    for lane in range(W):
        if mask[lane] != 0.0 and run.filled[lane] == 0.0:
            T, V, spent = values[lane], values[W + lane], run.y[work * W + lane]
            run.first_energy[lane] = T + V - spent
            run.first_potential[lane] = V
            _compare(run, lane, T, V, spent)


@apart
def balance(run, which, y):
    """The energies at states of some lanes, at the times of `clock`."""
    if run.energy == 0:
        return
    work, values = _work(run), run.energies
    evaluate(run.energy, run.energy_table, y, run.clock, values)
    for lane in range(W):
        if which[lane] != 0.0:
            _compare(run, lane, values[lane], values[W + lane], y[work * W + lane])


@apart
def _work(run):
    """The place of the work in a state."""
    return run.n - run.inputs - run.after - 1


@apart
def _compare(run, lane, T, V, spent):
    largest, potential = run.largest, run.first_potential[lane]
    error = abs(T + V - spent - run.first_energy[lane])
    run.lost[lane] = max(run.lost[lane], error)
    run.exchanged[lane] = max(run.exchanged[lane], T + abs(V - potential) + abs(spent))
    largest[lane] = max(largest[lane], T + abs(V) + abs(spent))
