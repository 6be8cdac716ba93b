"""What the rows of contacts are at a state: how they move each other, and what joints carry."""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.tree_factor import complete, factorise, halve
from torseur.machine.runtime.access import evaluate
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def look(model, t, y):
    """Parts ← the state function at a state."""
    output, place, parts = model.output, model.place, model.parts
    evaluate(model.state, model.state_table, t, y, output)
    for k in range(model.entries):
        parts[whole(place[k])] = output[k]


@apart
def measure(model, y):
    """Whether M is regular; L⁻ᵀ Jᵀ, A, accelerations without the rows, speeds and loads follow."""
    if not factorise(model):
        return False
    n = model.speeds
    for i in range(model.rows):
        if model.role[i] != at.OFF:
            half, low = address(model.half, i * n), whole(model.low[i])
            copy(whole(model.high[i]) - low, address(model.J, i * n + low), address(half, low))
            halve(model, address(model.path, i * n), whole(model.path_count[i]), half)
    _measure_compliance(model)
    _measure_ease(model)
    measure_easiest(model)
    measure_forces(model, y)
    _measure_loads(model)
    return True


@apart
def measure_forces(model, y):
    """Accelerations and loads without the rows, and speeds ← of forces at the places of before."""
    n, free = model.speeds, model.free
    copy(n, model.S, free)
    halve(model, model.every_speed, n, free)
    complete(model, free)
    measure_speeds(model, y)
    for i in range(model.rows):
        low, high = whole(model.low[i]), whole(model.high[i])
        row = address(model.J, i * n + low)
        model.c[i] = dot(high - low, row, address(free, low)) + model.gamma[i]
    for k in range(model.loads):
        model.load_0[k] = model.load[k] + dot(n, address(model.load_a, k * n), free)


@apart
def measure_speeds(model, y):
    """u ← speeds of the rows."""
    n, v = model.speeds, address(y, model.coordinates)
    for i in range(model.rows):
        low, high = whole(model.low[i]), whole(model.high[i])
        row = address(model.J, i * n + low)
        model.u[i] = dot(high - low, row, address(v, low)) + model.b[i]


@apart
def _measure_compliance(model):
    """A ← J M⁻¹ Jᵀ of the rows that act; between islands it is zero whatever acts.

    Of two rows that resist nothing is asked: their forces are what friction gives.
    """
    order, first = model.order, model.first
    for island in range(whole(model.islands[0])):
        start, end = whole(first[island]), whole(first[island + 1])
        for k in range(start, end):
            i = whole(order[k])
            resists = model.role[i] == at.RESISTED
            for m in range(start, k + 1):
                j = whole(order[m])
                if i == j or not (resists and model.role[j] == at.RESISTED):
                    _measure_pair(model, i, j)


@apart
def _measure_ease(model):
    """How easily rows are moved; those of one friction alike, whatever axes they are along."""
    rows, ease = model.rows, model.ease
    for i in range(rows):
        ease[i] = model.A[i * rows + i]
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        count, own, total = whole(element[at.COUNT]), address(element, at.FIRST), 0.0
        if count > 1:
            for k in range(count):
                total += ease[whole(own[k])]
            for k in range(count):
                ease[whole(own[k])] = total / count


@apart
def _measure_pair(model, i, j):
    """What a force of row j does to row i, and the other way round."""
    n, rows, lows, highs = model.speeds, model.rows, model.low, model.high
    low, high = whole(max(lows[i], lows[j])), whole(min(highs[i], highs[j]))
    one, other = address(model.half, i * n + low), address(model.half, j * n + low)
    own = dot(max(high - low, 0), one, other)
    model.A[i * rows + j], model.A[j * rows + i] = own, own


@apart
def _measure_loads(model):
    """What the forces of rows change in the loads of joints."""
    n, rows, role = model.speeds, model.rows, model.role
    for k in range(model.loads):
        by, half = address(model.load_a, k * n), model.load_half
        copy(n, by, half)
        halve(model, model.every_speed, n, half)
        for i in range(rows):
            if role[i] != at.OFF:
                own = dot(n, half, address(model.half, i * n))
                own += model.load_z[k * rows + i]
                model.load_by[k * rows + i] = own


@apart
def without_dimension(model, i):
    """How easily a row is moved, in units of what it is compared with."""
    fine = model.fineness[i]
    return model.A[i * model.rows + i] * fine * fine


@apart
def measure_easiest(model):
    """How easily that of the rows which act is moved that is moved most easily."""
    largest = 0.0
    for i in range(model.rows):
        if model.role[i] != at.OFF:
            largest = max(largest, without_dimension(model, i))
    model.easiest[0] = largest
