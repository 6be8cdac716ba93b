"""Rows of contacts at a state: their responses to each other, and the loads of joints."""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.tree_factor import complete, factorise, halve
from torseur.machine.runtime.access import evaluate
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, whole

# --- functions of a state -------------------------------------------------------------------------


@apart
def look(model, t, y):
    """Parts ← the state function at a state."""
    evaluate(model.state, model.state_table, t, y, model.output)
    _distribute(model, model.state_entries, model.state_place)


@apart
def look_at_rates(model, t, y):
    """rates ← q̇ at a state; the other parts stay."""
    evaluate(model.kinematics, model.kinematics_table, t, y, model.rates)


@apart
def look_at_inertia(model, t, y):
    """M and what accelerations and rows do to loads ← at a state; the other parts stay."""
    evaluate(model.inertia, model.inertia_table, t, y, model.output)
    _distribute(model, model.inertia_entries, model.inertia_place)


@apart
def look_at_forces(model, t, y):
    """S, loads and power ← at a state; the other parts stay."""
    evaluate(model.force, model.force_table, t, y, model.output)
    _distribute(model, model.force_entries, model.force_place)


@apart
def look_at_rows(model, t, y):
    """J, b and gap ← at a state; the other parts stay."""
    evaluate(model.row, model.row_table, t, y, model.output)
    _distribute(model, model.row_entries, model.row_place)


@apart
def _distribute(model, count, place):
    """Parts ← numbers of the output, each at its place."""
    output, parts = model.output, model.parts
    for k in range(count):
        parts[place[k]] = output[k]


# --- how rows move each other ---------------------------------------------------------------------


@apart
def measure(model, t, y):
    """Whether M is regular; L⁻ᵀ Jᵀ, A, accelerations without the rows, speeds and loads follow.

    Where the place and the rows are those of the last time, inertia and A are known.
    """
    order, count = model.order, whole(model.first[whole(model.islands[0])])
    if not _is_measured(model, t, y, count):
        if not factorise(model):
            return False
        _measure_compliance(model, count)
        _write_ease(model)
        _note_measured(model, t, y, count)
    measure_easiest(model)
    measure_forces(model, y)
    measure_loads(model, order, count)
    return True


@apart
def _measure_compliance(model, count):
    """L⁻ᵀ Jᵀ and A ← of all rows that act; between islands A is zero whatever acts."""
    order, first = model.order, model.first
    _halve_rows(model, order, count)
    for island in range(whole(model.islands[0])):
        start = whole(first[island])
        _write_compliance(model, address(order, start), whole(first[island + 1]) - start)


@apart
def _is_measured(model, t, y, count):
    """Whether the same rows were measured last, at the same place and time."""
    if model.measured[0] != count or model.measured_at[0] != t:
        return False
    for k in range(model.coordinates):
        if model.measured_at[1 + k] != y[k]:
            return False
    for k in range(count):
        if model.measured_order[k] != model.order[k]:
            return False
    for k in range(whole(model.islands[0]) + 1):
        if model.measured_first[k] != model.first[k]:
            return False
    return True


@apart
def _note_measured(model, t, y, count):
    """The place, the time and the rows of a measurement."""
    model.measured[0], model.measured_at[0] = count, t
    copy(model.coordinates, y, address(model.measured_at, 1))
    copy(count, model.order, model.measured_order)
    copy(whole(model.islands[0]) + 1, model.first, model.measured_first)


@apart
def measure_rows(model, listed, count):
    """L⁻ᵀ Jᵀ and A ← of the rows listed, with the factor at hand."""
    _halve_rows(model, listed, count)
    _write_compliance(model, listed, count)
    _write_ease(model)
    largest = 0.0
    for k in range(count):
        largest = max(largest, without_dimension(model, whole(listed[k])))
    model.easiest[0] = largest


@apart
def _halve_rows(model, listed, count):
    """half ← L⁻ᵀ Jᵀ of the rows listed."""
    n = model.speeds
    for k in range(count):
        i = whole(listed[k])
        row, half = address(model.J, i * n), address(model.half, i * n)
        path, nodes = address(model.path, i * n), model.path_count[i]
        for s in range(nodes):
            half[path[s]] = row[path[s]]
        halve(model, path, nodes, half)


@apart
def _write_compliance(model, listed, count):
    """A ← J M⁻¹ Jᵀ of the rows listed, four products at once: sums of one wait for each other."""
    for k in range(count):
        for m in range(0, k + 1, 4):
            _write_four(model, listed, k, m)


@apart
def _write_four(model, listed, k, m):
    """Write the responses of row k to forces of rows m to m + 3 of a list, and the reverse."""
    n, rows, half, i = model.speeds, model.rows, model.half, whole(listed[k])
    a, b = whole(listed[m]), whole(listed[min(m + 1, k)])
    c, d = whole(listed[min(m + 2, k)]), whole(listed[min(m + 3, k)])
    row, path = address(half, i * n), address(model.path, i * n)
    one, two = address(half, a * n), address(half, b * n)
    three, four = address(half, c * n), address(half, d * n)
    w, x, y, z = 0.0, 0.0, 0.0, 0.0
    for s in range(model.path_count[i]):
        node = path[s]
        part = row[node]
        w += part * one[node]
        x += part * two[node]
        y += part * three[node]
        z += part * four[node]
    A = model.A
    A[i * rows + a], A[a * rows + i] = w, w
    A[i * rows + b], A[b * rows + i] = x, x
    A[i * rows + c], A[c * rows + i] = y, y
    A[i * rows + d], A[d * rows + i] = z, z


@apart
def _write_ease(model):
    """Write the ease of rows: u̇ by a unit force; that of one friction is equal along all axes."""
    rows, ease = model.rows, model.ease
    for i in range(rows):
        ease[i] = model.A[i * rows + i]
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        count, members, total = whole(element[at.COUNT]), address(element, at.FIRST), 0.0
        if count > 1:
            for k in range(count):
                total += ease[whole(members[k])]
            for k in range(count):
                ease[whole(members[k])] = total / count


@apart
def without_dimension(model, i):
    """Ease of a row, in units of its comparison size."""
    fine = model.fineness[i]
    return model.A[i * model.rows + i] * fine * fine


@apart
def measure_easiest(model):
    """Write the largest ease of the active rows."""
    largest = 0.0
    for i in range(model.rows):
        if model.role[i] != at.OFF:
            largest = max(largest, without_dimension(model, i))
    model.easiest[0] = largest


# --- forces, speeds and loads ---------------------------------------------------------------------


@apart
def measure_forces(model, y):
    """Accelerations without the rows, speeds and changes of rows ← of forces at these places."""
    measure_free(model)
    measure_speeds(model, y)
    for i in range(model.rows):
        model.c[i] = along(model, i, model.free) + model.gamma[i]


@apart
def measure_free(model):
    """free ← accelerations without the rows; load_0 ← loads of joints then."""
    n, free = model.speeds, model.free
    copy(n, model.S, free)
    halve(model, model.every_speed, n, free)
    complete(model, free)
    for k in range(model.loads):
        model.load_0[k] = model.load[k] + dot(n, address(model.load_a, k * n), free)


@apart
def along(model, i, x):
    """J x of a row."""
    n, total = model.speeds, 0.0
    row, path = address(model.J, i * n), address(model.path, i * n)
    for s in range(model.path_count[i]):
        total += row[path[s]] * x[path[s]]
    return total


@apart
def measure_speeds(model, y):
    """u ← speeds of the rows."""
    v = address(y, model.coordinates)
    for i in range(model.rows):
        model.u[i] = along(model, i, v) + model.b[i]


@apart
def measure_loads(model, listed, count):
    """load_by ← what the forces of the rows listed change in the loads of joints."""
    n, rows = model.speeds, model.rows
    for k in range(model.loads):
        by, half = address(model.load_a, k * n), model.load_half
        copy(n, by, half)
        halve(model, model.every_speed, n, half)
        for m in range(count):
            i = whole(listed[m])
            response = dot(n, half, address(model.half, i * n))
            model.load_by[k * rows + i] = response + model.load_z[k * rows + i]
