"""What user's expressions give: forces, rows, events, coordinates. Their code is called by address.

Elements of the same form have the same code and differ by their bodies, measures and numbers. The
code takes the states of its bodies, the values and speeds of its measures, its numbers and t.
"""

from torseur.machine.absolute import places as at
from torseur.machine.absolute.access import TEXT
from torseur.machine.absolute.blocks import SIZE
from torseur.machine.absolute.measures import body_here, end, ends, guide_of, measure_row
from torseur.machine.absolute.rows import add, asked, entries
from torseur.machine.runtime.access import call_entry, numbers, place, wholes
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import (
    address,
    apart,
    inlined,
    into,
    keep,
    matrix,
    minus,
    plus,
    times,
    vector,
    whole,
)

speed = TEXT["speed"]


@apart
def _evaluated(model, group, index, k, y, t):
    """The output of instance k of a group, of its bodies and measures at `index`."""
    table, inputs, measured = wholes(model.table), numbers(model.inputs), numbers(model.measured)
    bodies, measures = group[at.BODIES], group[at.MEASURES]
    table[0] = group[at.CONSTANTS]
    for n in range(bodies):
        table[1 + n] = place(address(y, at.STATE * (index[n] - 1)))
    for n in range(measures):
        inputs[2 * n] = measured[2 * index[bodies + n]]
        inputs[2 * n + 1] = measured[2 * index[bodies + n] + 1]
    own = address(numbers(model.constants), group[at.NUMBER] + group[at.NUMBERS] * k)
    output = numbers(model.output)
    table[1 + bodies], table[2 + bodies] = place(inputs), place(own)
    table[3 + bodies], table[4 + bodies] = place(t), place(output)
    call_entry(group[at.ENTRY], place(table))
    return output


# --- coordinates of defined joints ---------------------------------------------------------------


@apart
def guide(model, y, t):
    """The rows of the coordinates of defined joints, and their speeds."""
    first = model.row_groups + model.load_groups + model.watch_groups
    for g in range(first, first + model.guide_groups):
        group = address(wholes(model.groups), at.GROUP_WIDTH * g)
        bodies, measures = group[at.BODIES], group[at.MEASURES]
        for k in range(group[at.INSTANCES]):
            index = address(wholes(model.indices), group[at.INDEX] + (bodies + measures) * k)
            found = _evaluated(model, group, index, k, y, t)
            for n in range(measures):
                _guide_one(model, index[bodies + n], address(found, at.GUIDE_WIDTH * n))


@inlined
def _guide_one(model, m, given):
    """The row of one coordinate."""
    own = address(numbers(model.measure), at.MEASURE_WIDTH * m)
    copy(at.GUIDE_WIDTH, given, guide_of(model, own))
    first, second = ends(model, own)
    numbers(model.measured)[2 * m + 1] = speed(measure_row(model, own), end(first), end(second))


# --- rows ---------------------------------------------------------------------------------------


@apart
def write_element_rows(model, y, t, task):
    """The rows of relations, contacts, gears and imposed motions."""
    for g in range(model.row_groups):
        group = address(wholes(model.groups), at.GROUP_WIDTH * g)
        bodies, measures = group[at.BODIES], group[at.MEASURES]
        width = at.EL_HEAD + 2 * bodies + 3 * measures
        for k in range(group[at.INSTANCES]):
            head = address(wholes(model.indices), group[at.INDEX] + width * k)
            index = address(head, at.EL_HEAD)
            found = _evaluated(model, group, index, k, y, t)
            wide = at.PARTIALS + measures + SIZE * bodies
            rows = head[at.EL_POSITIONS] if task == at.CLOSE else head[at.EL_ROWS]
            for r in range(rows):
                _write_element_row(model, group, head, r, address(found, wide * r), y, task)


@apart
def _write_element_row(model, group, head, r, row, y, task):
    """One row: its partial derivatives by measures, and its own Jacobian on the bodies."""
    bodies, measures = group[at.BODIES], group[at.MEASURES]
    index = address(head, at.EL_HEAD)
    slots = address(index, bodies + measures)
    rate, bias, where = row[at.DRIFT], row[at.BIAS], head[at.EL_ROW] + r
    for n in range(measures):
        partial, m = row[at.PARTIALS + n], index[bodies + n]
        if partial != 0.0:
            own = address(numbers(model.measure), at.MEASURE_WIDTH * m)
            rate += partial * numbers(model.measured)[2 * m + 1]
            both = address(slots, bodies + 2 * n)
            bias += partial * _add_measure(model, own, both, where, partial)
    for n in range(bodies):
        given = address(row, at.PARTIALS + measures + SIZE * n)
        state = address(y, at.STATE * (index[n] - 1) + at.VELOCITY)
        block, across, down = entries(model, slots[n])
        for c in range(SIZE):
            rate += given[c] * state[c]
            if model.writes != 0:
                block[across * where + down * c] += given[c]
    k = SIZE * head[at.EL_NODE] + where
    numbers(model.right)[k] = asked(task, row[at.GAP], rate, bias)
    numbers(model.drift)[k] = row[at.DRIFT]


@inlined
def _add_measure(model, own, slots, where, partial):
    """The row of a measure, times a partial derivative, into the Jacobian; its own bias."""
    _, n, a_i, a_j, bias = measure_row(model, own)
    first = body_here(model, whole(own[at.BODY_I]))
    second = body_here(model, whole(own[at.BODY_J]))
    force = times(partial, n)
    add(model, slots[0], where, first, minus((0.0, 0.0, 0.0), force), times(partial, a_i))
    add(model, slots[1], where, second, force, times(partial, a_j))
    return bias


# --- forces -------------------------------------------------------------------------------------


@apart
def add_loads(model, y, t):
    """The unknowns of bodies get what loads exert; their energy, and their power without it."""
    potential, power = 0.0, 0.0
    for g in range(model.row_groups, model.row_groups + model.load_groups):
        group = address(wholes(model.groups), at.GROUP_WIDTH * g)
        bodies, measures = group[at.BODIES], group[at.MEASURES]
        for k in range(group[at.INSTANCES]):
            index = address(wholes(model.indices), group[at.INDEX] + (bodies + measures) * k)
            found = _evaluated(model, group, index, k, y, t)
            potential += found[0]
            power += found[1]
            _exert(model, index, bodies, measures, address(found, 2))
    return potential, power


@apart
def _exert(model, index, bodies, measures, found):
    """Wrenches at the centres of bodies, then generalised forces of measures."""
    unknown = numbers(model.unknown)
    for n in range(bodies):
        for c in range(SIZE):
            unknown[SIZE * (index[n] - 1) + c] += found[SIZE * n + c]
    for n in range(measures):
        size = found[SIZE * bodies + n]
        if size != 0.0:
            own = address(numbers(model.measure), at.MEASURE_WIDTH * index[bodies + n])
            exert(model, own, size)


@apart
def exert(model, own, size):
    """A generalised force on a measure: the wrench of its row on both bodies."""
    _, n, a_i, a_j, _ = measure_row(model, own)
    _push(model, whole(own[at.BODY_I]), times(-size, n), times(size, a_i))
    _push(model, whole(own[at.BODY_J]), times(size, n), times(size, a_j))


@inlined
def _push(model, b, force, couple):
    """A force and a couple, in ground axes, on a body; the ground does not feel them."""
    if b > 0:
        felt = address(numbers(model.unknown), SIZE * (b - 1))
        local = into(matrix(body_here(model, b), at.R), couple)
        keep(felt, 0, plus(vector(felt, 0), force))
        keep(felt, 3, plus(vector(felt, 3), local))


# --- events -------------------------------------------------------------------------------------


@apart
def watch(model, y, t, zeros):
    """The expressions whose zeros are looked for."""
    first = model.row_groups + model.load_groups
    for g in range(first, first + model.watch_groups):
        group = address(wholes(model.groups), at.GROUP_WIDTH * g)
        width = 1 + group[at.BODIES] + group[at.MEASURES]
        for k in range(group[at.INSTANCES]):
            head = address(wholes(model.indices), group[at.INDEX] + width * k)
            found = _evaluated(model, group, address(head, 1), k, y, t)
            zeros[head[0]] = found[0]
