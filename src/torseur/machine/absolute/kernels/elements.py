"""Elements given by expressions: joints, rows, forces, events. Their code is called by address.

Elements of the same form have the same code and differ by their bodies, measures and numbers. The
code takes the states of its bodies, the values and speeds of its measures, its numbers and t.
"""

from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.kernels.blocks import AREA, SIZE, clear
from torseur.machine.runtime.access import call_entry, place
from torseur.machine.runtime.long_vectors import angle, dot, sine_and_cosine
from torseur.machine.runtime.vectors import address, apart, inlined


@inlined
def _group(model, g):
    """The row of a group."""
    return address(model.groups, at.GROUP_WIDTH * g)


@apart
def _evaluate(model, group, index, k, y, t, output):
    """output ← what instance k of a group gives, of its bodies and measures at `index`."""
    table, inputs, measured = model.table, model.inputs, model.measured
    bodies, measures = group[at.BODIES], group[at.MEASURES]
    table[0] = group[at.CONSTANTS]
    for n in range(bodies):
        table[1 + n] = place(address(y, at.STATE * (index[n] - 1)))
    for n in range(measures):
        inputs[2 * n] = measured[2 * index[bodies + n]]
        inputs[2 * n + 1] = measured[2 * index[bodies + n] + 1]
    element_numbers = address(model.constants, group[at.NUMBER] + group[at.NUMBERS] * k)
    table[1 + bodies], table[2 + bodies] = place(inputs), place(element_numbers)
    table[3 + bodies], table[4 + bodies] = place(t), place(output)
    call_entry(group[at.ENTRY], place(table))


@inlined
def _instance(model, group, head, k):
    """Where instance k of a group has its indices, `head` of them before its bodies."""
    extra = group[at.BODIES] + 2 * group[at.MEASURES] if head == at.EL_HEAD else 0
    width = head + group[at.BODIES] + group[at.MEASURES] + extra
    return address(model.indices, group[at.INDEX] + width * k)


# --- joints and rows ------------------------------------------------------------------------------


@inlined
def _rows_of_joint(model, group, k):
    """Where the joint that is instance k of a group gives its rows."""
    return address(model.joined, group[at.GIVES] + group[at.OUTPUTS] * k)


@apart
def join(model, y, t):
    """Evaluate all joints: their rows, and those of their coordinates that are measured."""
    for g in range(model.joint_groups):
        group = _group(model, g)
        for k in range(group[at.INSTANCES]):
            index = address(_instance(model, group, at.EL_HEAD, k), at.EL_HEAD)
            _evaluate(model, group, index, k, y, t, _rows_of_joint(model, group, k))


@apart
def write_rows(model, y, t, task):
    """The rows of joints, relations, contacts, gears and imposed motions."""
    for g in range(model.joint_groups + model.row_groups):
        group = _group(model, g)
        width = at.PARTIALS + group[at.MEASURES] + SIZE * group[at.BODIES]
        for k in range(group[at.INSTANCES]):
            head = _instance(model, group, at.EL_HEAD, k)
            values = model.output
            if g < model.joint_groups:
                values = _rows_of_joint(model, group, k)
            else:
                _evaluate(model, group, address(head, at.EL_HEAD), k, y, t, values)
            rows = head[at.EL_POSITIONS] if task == at.CLOSE else head[at.EL_ROWS]
            for r in range(rows):
                _write_row(model, group, head, r, address(values, width * r), y, task)


@apart
def _write_row(model, group, head, r, row, y, task):
    """One row: its partial derivatives by measures, and its own Jacobian on the bodies."""
    bodies, measures = group[at.BODIES], group[at.MEASURES]
    index = address(head, at.EL_HEAD)
    slots = address(index, bodies + measures)
    rate, bias, where = row[at.DRIFT], row[at.BIAS], head[at.EL_ROW] + r
    for n in range(measures):
        partial, m = row[at.PARTIALS + n], index[bodies + n]
        if partial != 0.0:
            _, measure_row = measure_at(model, m)
            rate += partial * model.measured[2 * m + 1]
            bias += partial * measure_row[at.MEASURE_BIAS]
            both = address(slots, bodies + 2 * n)
            add(model, both[0], where, address(measure_row, at.J_I), partial)
            add(model, both[1], where, address(measure_row, at.J_J), partial)
    for n in range(bodies):
        given = address(row, at.PARTIALS + measures + SIZE * n)
        if task == at.CALM:
            rate += dot(SIZE, given, address(y, at.STATE * (index[n] - 1) + at.VELOCITY))
        add(model, slots[n], where, given, 1.0)
    k = SIZE * head[at.EL_NODE] + where
    model.right[k] = right_side(task, row[at.GAP], rate, bias)
    model.drift[k] = row[at.DRIFT]


# --- forces -------------------------------------------------------------------------------------


@apart
def add_loads(model, y, t):
    """The unknowns of bodies get what loads exert; their energy, and their power without it."""
    potential, power, values = 0.0, 0.0, model.output
    first = model.joint_groups + model.row_groups
    for g in range(first, first + model.load_groups):
        group = _group(model, g)
        for k in range(group[at.INSTANCES]):
            index = _instance(model, group, 0, k)
            _evaluate(model, group, index, k, y, t, values)
            potential += values[0]
            power += values[1]
            bodies, acting = group[at.BODIES], address(values, 2)
            for n in range(bodies):  # wrenches at their centres
                for c in range(SIZE):
                    model.unknown[SIZE * (index[n] - 1) + c] += acting[SIZE * n + c]
            for n in range(group[at.MEASURES]):  # generalised forces
                size = acting[SIZE * bodies + n]
                if size != 0.0:
                    exert(model, index[bodies + n], size)
    return potential, power


# --- events -------------------------------------------------------------------------------------


@apart
def watch(model, y, t, zeros):
    """zeros ← the values of the expressions of events."""
    first, values = model.joint_groups + model.row_groups + model.load_groups, model.output
    for g in range(first, first + model.watch_groups):
        group = _group(model, g)
        for k in range(group[at.INSTANCES]):
            head = _instance(model, group, 1, k)
            _evaluate(model, group, address(head, 1), k, y, t, values)
            zeros[head[0]] = values[0]


# --- rows in the matrix: Jacobians of bodies, and right-hand sides --------------------------------


@apart
def clear_rows(model):
    """Set rows to zero, and the matrix too if they are to be written into it."""
    if model.writes != 0:
        clear(model.matrix, model.blocks * AREA)
    clear(model.right, model.rows * SIZE)
    clear(model.drift, model.rows * SIZE)


@inlined
def entries(model, slot):
    """The block of J of a body in a set of rows, and the strides of its rows and columns.

    A block has columns of what goes first, a body or rows.
    """
    slot_row = address(model.slot, at.SLOT_WIDTH * slot)
    block = address(model.matrix, AREA * slot_row[at.SLOT_BLOCK])
    if slot_row[at.SLOT_UPRIGHT] != 0:
        return block, SIZE, 1
    return block, 1, SIZE


@inlined
def add(model, slot, r, given, factor):
    """Six numbers, times a factor, to row r of the Jacobian of a body; the ground has none."""
    if slot >= 0 and model.writes != 0:
        block, row, column = entries(model, slot)
        line = address(block, row * r)
        for c in range(SIZE):
            line[column * c] += factor * given[c]


@inlined
def right_side(task, value, rate, bias):
    """Right-hand side of a row: minus its second rate, its value or its rate."""
    if task == at.CLOSE:
        return -value
    if task == at.CALM:
        return -rate
    return -bias


# --- coordinates of joints: angles about axes, distances along axes -------------------------------
# An angle is known within whole turns. The state holds a follower for each, which moves at the same
# rate; the angle is the one that is nearest to it. The coordinates of a defined joint are known
# from their followers only, which are set right with the bodies.


@inlined
def measure_at(model, k):
    """Measure k, and its row."""
    entry = address(model.measure, at.MEASURE_WIDTH * k)
    return entry, address(model.joined, entry[at.PLACE])


@inlined
def recall(model, y):
    """The values of what the state follows, as it has them."""
    measured, followers = model.measured, address(y, at.STATE * model.bodies)
    for k in range(model.measures):
        entry, _ = measure_at(model, k)
        if entry[at.FOLLOWER] >= 0:
            measured[2 * k] = followers[entry[at.FOLLOWER]]


@apart
def measure(model, y):
    """measured ← all speeds, and the values that expressions read."""
    measured = model.measured
    for k in range(model.measures):
        entry, row = measure_at(model, k)
        measured[2 * k + 1] = _change(entry, row, address(y, at.VELOCITY), at.STATE)
        if entry[at.MEASURE_KIND] == at.SLIDE:
            measured[2 * k] = row[at.READ]
        elif entry[at.MEASURE_KIND] == at.TURN and entry[at.SPOKEN] != 0:
            measured[2 * k] += _behind(entry, row, measured[2 * k])


@inlined
def _change(entry, row, changes, stride):
    """The change of a measure when both bodies change by six numbers each, a stride apart."""
    total = 0.0
    for end in range(2):
        b = entry[at.BODY_I + end]
        if b > 0:
            given = address(row, at.J_I + SIZE * end)
            total += dot(SIZE, given, address(changes, stride * (b - 1)))
    return total


@apart
def _behind(entry, row, about):
    """Distance of a follower from the value nearest to it."""
    if entry[at.MEASURE_KIND] == at.GIVEN:
        return row[at.READ]
    s, c = sine_and_cosine(about)
    sine, cosine = row[at.READ], row[at.COSINE]
    return angle(sine * c - cosine * s, cosine * c + sine * s)


@apart
def follow(model, y, into):
    """The followers of `into` ← what is read from y, moved with the bodies if these were."""
    n = at.STATE * model.bodies
    for k in range(model.measures):
        entry, row = measure_at(model, k)
        f = n + entry[at.FOLLOWER]
        if f >= n:
            into[f] = y[f] + _behind(entry, row, y[f])
            if model.task == at.CLOSE:
                into[f] += _change(entry, row, model.unknown, SIZE)


@apart
def write_follower_rates(model, rate):
    """The rates of the followers."""
    measured, followers = model.measured, address(rate, at.STATE * model.bodies)
    for k in range(model.measures):
        entry, _ = measure_at(model, k)
        if entry[at.FOLLOWER] >= 0:
            followers[entry[at.FOLLOWER]] = measured[2 * k + 1]


@apart
def exert(model, k, size):
    """A generalised force on measure k: what its row makes of it on both bodies."""
    entry, row = measure_at(model, k)
    unknown = model.unknown
    for end in range(2):
        b = entry[at.BODY_I + end]
        if b > 0:
            for c in range(SIZE):
                unknown[SIZE * (b - 1) + c] += size * row[at.J_I + SIZE * end + c]
