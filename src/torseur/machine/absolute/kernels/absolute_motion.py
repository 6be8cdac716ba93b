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
from torseur.machine.absolute.kernels.elements import add_loads, clear_rows, join, watch, write_rows
from torseur.machine.absolute.kernels.measures import follow, measure, recall, write_follower_rates
from torseur.machine.absolute.kernels.rotors import add_rotor_forces, rotor_energy
from torseur.machine.absolute.kernels.row_choice import choose, holds
from torseur.machine.runtime.access import numbers, record_at, wholes
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, inlined

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
def _imposed(model):
    """The power of what imposes motions: −λ · b, with μ = −λ."""
    mu = address(model.unknown, SIZE * model.bodies)
    return dot(SIZE * model.rows, mu, model.drift)


@apart
def write_rate(model, y, power, rate):
    """rate ← ẏ; the last is the power of what has no potential."""
    write_rates(model, y, rate)
    write_follower_rates(model, rate)
    rate[_last(model)] = power + _imposed(model)


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
    last[2] = power + _imposed(model)
