"""The kernel: every task on one state, behind the entry that integrators call.

All of it is one function, because numba makes machine code of a function together with everything
that it calls: functions that call functions would be made again and again.
"""

from numba import types

from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.body_tables import MODEL
from torseur.machine.absolute.kernels.blocks import SIZE, clear
from torseur.machine.absolute.kernels.bodies import (
    calm_bodies,
    energies,
    move_bodies,
    weigh_bodies,
    write_rates,
)
from torseur.machine.absolute.kernels.bordered import (
    ask,
    assemble,
    factorise,
    listen,
    reduce,
    remember,
    resolve,
    serves_again,
)
from torseur.machine.absolute.kernels.elements import (
    add_loads,
    clear_rows,
    entries,
    follow,
    join,
    measure,
    recall,
    watch,
    write_follower_rates,
    write_rows,
)
from torseur.machine.absolute.kernels.rotors import add_rotor_forces, rotor_energy
from torseur.machine.runtime.access import numbers, record_at, wholes
from torseur.machine.runtime.long_vectors import copy, dot, sine_and_cosine, square_root
from torseur.machine.runtime.vectors import address, apart, inlined, keep, symmetric

record = record_at(MODEL)
SIGNATURE = types.void(types.int64)
ENTRIES = ("motion",)


def motion(table):
    """Run the task of a record; `table` has the addresses [record, y, t, output]."""
    listed = wholes(table)
    model, y = record(listed[0]), numbers(listed[1])
    t, into, task = numbers(listed[2]), numbers(listed[3]), model.task
    accelerates = task == at.RATE or task == at.REPORT or task == at.LOADS
    if task == at.CHOOSE and holds(model):
        return
    recall(model, y)
    join(model, y, t)
    measure(model, y)
    if task == at.WATCH:
        watch(model, y, t, into)
        return
    if task == at.CHOOSE:
        choose(model, y, t)
        return

    # what acts on the bodies: forces, or nothing where positions or speeds are to change
    potential, power = 0.0, 0.0
    clear(model.unknown, SIZE * model.bodies)
    if accelerates:
        weigh_bodies(model, y)
        potential, power = add_loads(model, y, t)
        add_rotor_forces(model, y)
    if task == at.LOADS:
        write_loads(model, y, power, into)
        return

    # right-hand sides of the rows; a report has their positions too
    pass_task = at.CLOSE if task == at.REPORT else task
    model.writes = 0 if serves_again(model, t, task) else 1
    while True:
        clear_rows(model)
        write_rows(model, y, t, pass_task)
        if task != at.REPORT or pass_task == at.RATE:
            break
        write_gaps(model, into)
        pass_task = at.RATE

    if task == at.CALM:
        listen(model)
    gap = gap_of(model) if task == at.CLOSE else 1.0
    if gap > 0.0:
        ask(model)
        if model.writes != 0:
            assemble(model)
            factorise(model)
            remember(model, t, task, gap)
        else:
            reduce(model)
        resolve(model)
    if task == at.RATE:
        write_rate(model, y, power, into)
    elif task == at.CLOSE:
        write_closed(model, y, gap, into)
    elif task == at.CALM:
        write_calmed(model, y, into)
    else:
        write_report(model, y, potential, power, into)


# --- what is written ------------------------------------------------------------------------------


@apart
def gap_of(model):
    """The square of what the rows ask for, each in units of what it is compared with."""
    right, fineness, total = model.right, model.fineness, 0.0
    for k in range(SIZE * model.rows):
        part = fineness[k] * right[k]
        total += part * part
    return total


@inlined
def _last(model):
    """The place of the work in a state."""
    return at.STATE * model.bodies + model.followers


@inlined
def _imposed_power(model):
    """The power of what imposes motions: −λ · b, with μ = −λ."""
    mu = address(model.unknown, SIZE * model.bodies)
    return dot(SIZE * model.rows, mu, model.drift)


@apart
def write_rate(model, y, power, rate):
    """rate ← ẏ; the last is the power of what has no potential."""
    write_rates(model, y, rate)
    write_follower_rates(model, rate)
    rate[_last(model)] = power + _imposed_power(model)


@apart
def write_loads(model, y, power, into):
    """into ← velocities, what acts on the bodies, followers as poses tell them, and the power."""
    write_rates(model, y, into)
    follow(model, y, into)
    into[_last(model)] = power


@apart
def write_closed(model, y, gap, into):
    """into ← y after one step of its positions onto the constraints, then the gap² it had."""
    move_bodies(model, y, into)
    follow(model, y, into)
    n = _last(model)
    into[n], into[n + 1] = y[n], gap


@apart
def write_calmed(model, y, into):
    """into ← y with its speeds on the constraints."""
    calm_bodies(model, y, into)
    follow(model, y, into)
    into[_last(model)] = y[_last(model)]


@apart
def write_gaps(model, into):
    """into ← how far the rows are from their positions."""
    right = model.right
    for k in range(SIZE * model.rows):
        into[k] = -right[k]


@apart
def write_report(model, y, potential, power, into):
    """into ← after the gaps: accelerations, multipliers, kinetic and potential energy, power."""
    rows, bodies, unknown = SIZE * model.rows, SIZE * model.bodies, model.unknown
    copy(bodies, unknown, address(into, rows))
    for k in range(rows):
        into[rows + bodies + k] = -unknown[bodies + k]
    last = address(into, 2 * rows + bodies)
    kinetic, weight = energies(model, y)
    last[0] = kinetic + rotor_energy(model, y)
    last[1] = weight + potential
    last[2] = power + _imposed_power(model)


# --- choice of the rows that count, where rows of closed loops repeat -----------------------------


LARGE, LESS = 1e-3, 1e-2  # the pivot that is asked for first; what it is multiplied by then
SELDOM = 16  # steps after which rows with small pivots are chosen anew
PATIENCE = 8  # steps from places where more rows repeat others that are made with the same rows


@inlined
def holds(model):
    """Whether the rows that were chosen before can serve the step that begins."""
    choice = model.choice
    choice[at.LOOKS] = 1.0
    choice[at.AGE] += 1.0
    if choice[at.FOLLOWS] != 1.0 or choice[at.STALE] != 0.0:
        return False
    return choice[at.LEVEL] >= LARGE or choice[at.LEFT_OUT] == 0.0 or choice[at.AGE] < SELDOM


@apart
def choose(model, y, t):
    """Select as many rows as are independent at a state.

    Of all that could, those whose pivots are large: a row that is about to repeat others gives way
    to one of these in time. Where more rows repeat others than before, a mechanism most often
    passes a singular position, and leaves it by the rows that it came with.
    """
    choice, level = model.choice, LARGE
    while True:
        choice[at.TRIED] = level
        fewest, unheld = _left_out(model, y, t)
        if unheld <= at.REPEATED or level <= at.REPEATED:
            break
        level = max(LESS * level, at.REPEATED)
    if choice[at.FOLLOWS] == 1.0 and fewest > choice[at.LEFT_OUT]:
        choice[at.PASSED] = 0.0 if unheld > at.RANK else choice[at.PASSED] + 1.0
        if choice[at.PASSED] < PATIENCE:
            return
    inverses = address(model.inverses, SIZE * model.bodies)
    for k in range(SIZE * model.rows):  # the rows of the last factorisation are those that count
        model.chosen[k] = 0.0 if inverses[k] == 0.0 else 1.0
    # where all rows count, no others could: their pivots matter only where they begin to repeat
    choice[at.LEVEL] = level if fewest > 0 else at.REPEATED
    choice[at.FOLLOWS], choice[at.LEFT_OUT] = 1.0, fewest
    choice[at.STALE], choice[at.AGE], choice[at.PASSED] = 0.0, 0.0, 0.0
    choice[at.CHOICES] += 1.0


@apart
def _left_out(model, y, t):
    """Number of rows with too small a pivot, and the largest speed² of one without its force.

    All bodies are pushed somehow, so that each free motion has an energy of about one, and move as
    the other rows let them. The square of the speed of a row, beside what bodies give to it, is
    that of the sine of an angle between the row and all others.
    """
    _write(model, y, t)
    _push(model)
    clear(model.right, SIZE * model.rows)
    ask(model)
    assemble(model)
    factorise(model)
    resolve(model)
    remember(model, t, at.CHOOSE, 0.0)
    _write(model, y, t)
    _move_rows(model)
    return _rows_left_out(model)


@inlined
def _write(model, y, t):
    model.writes = 1
    clear_rows(model)
    write_rows(model, y, t, at.CALM)


@inlined
def _push(model):
    """The unknowns of bodies ← impulses of no direction in particular."""
    for b in range(model.bodies):
        mass_data = address(model.body, at.BODY_WIDTH * (b + 1))
        into = address(model.unknown, SIZE * b)
        xx, _, _, yy, _, zz = symmetric(mass_data, at.INERTIA)
        for k in range(3):
            into[k] = mass_data[at.MASS]
        keep(into, 3, (xx, yy, zz))
        for k in range(SIZE):
            sine, _ = sine_and_cosine(float((SIZE * b + k + 1) ** 2))
            into[k] = sine * square_root(max(into[k], 0.0))


@inlined
def _move_rows(model):
    """model.right ← the speeds of rows, for those of bodies."""
    right, unknown = model.right, model.unknown
    clear(right, SIZE * model.rows)
    for slot in range(model.slots):
        slot_row = address(model.slot, at.SLOT_WIDTH * slot)
        J, row, column = entries(model, slot)
        w = address(unknown, SIZE * (slot_row[at.SLOT_BODY] - 1))
        into = address(right, SIZE * slot_row[at.SLOT_NODE])
        for r in range(SIZE):
            for c in range(SIZE):
                into[r] += J[row * r + column * c] * w[c]


@inlined
def _rows_left_out(model):
    """Number of rows left out, and the largest square of their speeds."""
    inverses = address(model.inverses, SIZE * model.bodies)
    had = address(model.scale, SIZE * model.bodies)
    count, unheld = 0, 0.0
    for k in range(SIZE * model.rows):
        if inverses[k] == 0.0 and model.fineness[k] != 0.0:
            count += 1
            square = model.right[k] ** 2
            if square > unheld * had[k]:
                unheld = square / had[k] if had[k] > 0.0 else 0.0
    return count, unheld
