"""The kernel: every task on one state, behind the entry that integrators call.

All of it is one function, because numba makes machine code of a function together with everything
that it calls: functions that call functions would be made again and again.
"""

from numba import types

from torseur.machine.absolute import places as at
from torseur.machine.absolute.kernels.blocks import SIZE, clear
from torseur.machine.absolute.kernels.bodies import weigh_bodies
from torseur.machine.absolute.kernels.bordered import (
    ask,
    assemble,
    factorise,
    reduce,
    remember,
    resolve,
    serves_again,
)
from torseur.machine.absolute.kernels.choice import choose, holds
from torseur.machine.absolute.kernels.chosen import listen
from torseur.machine.absolute.kernels.elements import add_loads, join, watch, write_rows
from torseur.machine.absolute.kernels.measures import measure, recall
from torseur.machine.absolute.kernels.rotors import add_rotor_forces
from torseur.machine.absolute.kernels.rows import clear_rows
from torseur.machine.absolute.kernels.tasks import (
    gap_of,
    write_calmed,
    write_closed,
    write_gaps,
    write_loads,
    write_rate,
    write_report,
)
from torseur.machine.absolute.layout import MODEL
from torseur.machine.runtime.access import numbers, record_at, wholes

record = record_at(MODEL)
SIGNATURE = types.void(types.int64)


def motion(table):
    """Of the addresses [record, y, t, output]."""
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

    # what the rows ask for; a report has their positions too
    asked = at.CLOSE if task == at.REPORT else task
    model.writes = 0 if serves_again(model, t, task) else 1
    while True:
        clear_rows(model)
        write_rows(model, y, t, asked)
        if task != at.REPORT or asked == at.RATE:
            break
        write_gaps(model, into)
        asked = at.RATE

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
