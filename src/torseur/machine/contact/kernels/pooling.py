"""The pool: contacts that a search finds become elements of a step, with rows along the parents.

The contacts of the middle of a step are listed. At its start and at its end the same ones are
looked for, by their features; one that is not there is followed by the points that touched.
"""

from torseur.machine.collision import places as geometry
from torseur.machine.collision.kernels.access import (
    contact_row,
    length,
    mapped,
    mapped_back,
    shape_row,
)
from torseur.machine.collision.kernels.placing import place_shape
from torseur.machine.collision.kernels.rows import leaned, speed_of, write_row
from torseur.machine.collision.kernels.search import exchange, find_contacts, recall, remember
from torseur.machine.collision.kernels.tangents import tangents
from torseur.machine.contact import layout as at
from torseur.machine.contact import pool_layout as slot
from torseur.machine.contact.layout import CONTACTS
from torseur.machine.contact.pool_layout import POOL
from torseur.machine.runtime.access import METHOD, evaluate, numbers, record_at, wholes
from torseur.machine.runtime.vectors import (
    address,
    apart,
    cross,
    dot,
    inlined,
    keep,
    matrix,
    minus,
    plus,
    times,
    vector,
    whole,
)

pool_at, contacts_at = record_at(POOL), record_at(CONTACTS)
SIGNATURE = METHOD
ENTRIES = ("pooling",)
REACHED = 2.0  # of the way that the fastest body makes in a step: within it bodies may meet


def pooling(place):
    """The task of a pool, at a state and a time; of [pool, y, t, output]."""
    listed = wholes(place)
    pool, y, t = pool_at(listed[0]), numbers(listed[1]), numbers(listed[2])[0]
    model = contacts_at(pool.model)
    evaluate(pool.placing, pool.placing_table, t, y, pool.placing_output)
    v = address(y, model.coordinates)
    pool.margin = _margin(pool, model, v)
    for s in range(pool.shapes):
        row = _place_of(pool, whole(shape_row(pool, s)[geometry.OWNER]))
        R, centre = matrix(row, geometry.BODY_ATTITUDE), vector(row, geometry.BODY_CENTRE)
        place_shape(pool, s, R, centre)
    if pool.task == slot.LIST:
        pool.full = 0
        _list(pool, model)
    else:
        _see(pool)
        for c in range(pool.contacts):
            _follow(pool, model, c, v)
    return 0


@inlined
def _place_of(pool, b):
    """The place of a body, which is not the ground."""
    return address(pool.body_place, geometry.BODY_PLACED_WIDTH * (b - 1))


@inlined
def _moves(pool, model, row):
    """The speeds that move each body of a contact."""
    n = model.speeds
    return (
        address(pool.moves, n * whole(row[geometry.FIRST])),
        address(pool.moves, n * whole(row[geometry.SECOND])),
    )


@apart
def _margin(pool, model, v):
    """A gap within which bodies may meet in a step."""
    n, fastest = model.speeds, 0.0
    for b in range(1, pool.bodies + 1):
        moves, centre = address(pool.moves, n * b), vector(_place_of(pool, b), geometry.BODY_CENTRE)
        w, u = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for k in range(n):
            if moves[k] != 0.0:
                w = plus(w, times(v[k], vector(pool.speed_axis, 6 * k)))
                u = plus(u, times(v[k], vector(pool.speed_axis, 6 * k + 3)))
        fastest = max(fastest, length(plus(u, cross(w, centre))) + pool.reach[b] * length(w))
    h = model.step[0]
    return pool.touching + REACHED * h * (fastest + h * pool.weight)


# --- contacts of the middle of a step -------------------------------------------------------------


@apart
def _list(pool, model):
    """The contacts near the place of the middle ← elements of the step, each with its rows."""
    exchange(pool)
    remember(pool, pool.bodies)
    pool.contacts = 0
    find_contacts(pool)
    if pool.full != 0:
        return
    model.elements = model.described + pool.contacts
    for c in range(pool.contacts):
        row = contact_row(pool, c)
        recall(pool, row)
        n = vector(row, geometry.AXES)
        one, other = tangents(n)
        keep(row, geometry.AXES + 3, one)
        keep(row, geometry.AXES + 6, other)
        _localise(pool, row)
        _write_element(model, c, row)
        _write_path(pool, model, c, row)
        _write_rows(pool, model, c, (row, geometry.POINT, geometry.AXES))
        first = model.described_rows + at.SLOT * c
        model.gap[first] = row[geometry.GAP]
        for i in range(at.SLOT):
            axis = vector(row, geometry.AXES + 3 * i)
            model.warm[first + i] = dot(vector(row, geometry.PUSHED), axis)
            _write_loads(pool, model, first + i, (row, vector(row, geometry.POINT), axis))
        model.warm[first] = max(model.warm[first], 0.0)


@apart
def _localise(pool, row):
    """The points of both bodies that touch, in their axes; those of the ground in its own."""
    n, gap, p = vector(row, geometry.AXES), row[geometry.GAP], vector(row, geometry.POINT)
    first, second = whole(row[geometry.FIRST]), whole(row[geometry.SECOND])
    above = 0.0 if second == 0 else 0.5 * gap  # of a plane, the point is one of the body
    keep(row, slot.LOCAL_A, _into(pool, first, plus(p, times(above, n))))
    keep(row, slot.LOCAL_B, _into(pool, second, minus(p, times(gap - above, n))))


@inlined
def _into(pool, b, x):
    """A point in the axes of a body, from its centre."""
    if b == 0:
        return x
    row = _place_of(pool, b)
    return mapped_back(
        matrix(row, geometry.BODY_ATTITUDE), minus(x, vector(row, geometry.BODY_CENTRE))
    )


@inlined
def _out(pool, b, x):
    """Such a point in ground axes."""
    if b == 0:
        return x
    row = _place_of(pool, b)
    return plus(vector(row, geometry.BODY_CENTRE), mapped(matrix(row, geometry.BODY_ATTITUDE), x))


@apart
def _write_element(model, c, row):
    """The line of the table of elements of a contact."""
    e, first = model.described + c, model.described_rows + at.SLOT * c
    element, rubs = address(model.element, at.WIDTH * e), row[geometry.FRICTION] > 0.0
    for k in range(at.WIDTH):
        element[k] = 0.0
    element[at.NORMAL], element[at.SPRING], element[at.DIRECTION] = first, -1.0, 1.0
    if rubs:
        element[at.COUNT], element[at.FIRST], element[at.SECOND] = 2.0, first + 1, first + 2
        element[at.LOAD], element[at.LOAD_FROM] = at.NORMAL_LOAD, first
        element[at.STATIC] = element[at.KINETIC] = row[geometry.FRICTION]
    model.restitution[e], model.returns[e] = row[geometry.RESTITUTION], 0.0


@apart
def _write_path(pool, model, c, row):
    """The speeds that the rows of a contact move, and those above, the last one first."""
    n, first = model.speeds, model.described_rows + at.SLOT * c
    a, b = whole(row[geometry.FIRST]), whole(row[geometry.SECOND])
    one, other = address(pool.body_path, n * a), address(pool.body_path, n * b)
    path, count, i, j = address(model.path, n * first), 0, 0, 0
    while i < pool.body_path_count[a] or j < pool.body_path_count[b]:
        x = one[i] if i < pool.body_path_count[a] else -1
        y = other[j] if j < pool.body_path_count[b] else -1
        path[count] = max(x, y)
        i, j, count = i + (x >= y), j + (y >= x), count + 1
    for k in range(at.SLOT):
        target, half = address(model.path, n * (first + k)), address(model.half, n * (first + k))
        model.path_count[first + k] = count
        model.role[first + k] = at.HELD
        for m in range(count):
            target[m] = path[m]
        for m in range(n):
            half[m] = 0.0


@apart
def _write_rows(pool, model, c, axes_of):
    """J ← of the rows of a contact, at a point and along axes of its line."""
    row, point, axes = axes_of
    n, first, moves = model.speeds, model.described_rows + at.SLOT * c, _moves(pool, model, row)
    p = vector(row, point)
    for i in range(at.SLOT):
        into = address(model.J, n * (first + i))
        write_row(n, pool.speed_axis, moves, (p, vector(row, axes + 3 * i)), into)


@apart
def _write_loads(pool, model, i, force):
    """load_z ← of a row: what a force along it does to the loads of joints."""
    (row, p, d), rows = force, model.rows
    a, b, arm = whole(row[geometry.FIRST]), whole(row[geometry.SECOND]), cross(p, d)
    for k in range(model.loads):
        feels, by = address(pool.feels, (pool.bodies + 1) * k), address(pool.felt, 6 * k)
        share = feels[a] - feels[b]
        effect = dot(arm, vector(by, 0)) + dot(d, vector(by, 3))
        model.load_z[rows * k + i] = share * effect if share != 0.0 else 0.0


# --- the same contacts at another place -----------------------------------------------------------


@apart
def _see(pool):
    """contact_seen ← the contacts at a place; those that are listed stay."""
    pool.contact, pool.contact_seen = pool.contact_seen, pool.contact
    count, pool.contacts = pool.contacts, 0
    find_contacts(pool)
    pool.visible, pool.contacts = pool.contacts, count
    pool.contact, pool.contact_seen = pool.contact_seen, pool.contact
    pool.deepest = 0.0
    for c in range(pool.visible):
        pool.deepest = max(pool.deepest, -_seen_row(pool, c)[geometry.GAP])


@inlined
def _seen_row(pool, c):
    return address(pool.contact_seen, slot.CONTACT_WIDTH * c)


@apart
def _match(pool, c, row):
    """The number of a listed contact among those seen, most often its own; −1: it is not there."""
    for k in range(pool.visible):
        m = (c + k) % pool.visible
        other = _seen_row(pool, m)
        same = (
            other[geometry.FIRST] == row[geometry.FIRST]
            and other[geometry.SECOND] == row[geometry.SECOND]
        )
        if same and other[geometry.FEATURE] == row[geometry.FEATURE]:
            return m
    return -1


@apart
def _follow(pool, model, c, v):
    """A listed contact at a place: what it was at the start, or its gap and its rows at the end."""
    row = contact_row(pool, c)
    m, first = _match(pool, c, row), model.described_rows + at.SLOT * c
    if m >= 0:
        other = _seen_row(pool, m)
        n, p, gap = vector(other, geometry.AXES), vector(other, geometry.POINT), other[geometry.GAP]
    else:
        n = vector(row, geometry.AXES)
        x = _out(pool, whole(row[geometry.FIRST]), vector(row, slot.LOCAL_A))
        y = _out(pool, whole(row[geometry.SECOND]), vector(row, slot.LOCAL_B))
        p, gap = times(0.5, plus(x, y)), dot(n, minus(x, y))
    one, other_axis = leaned(vector(row, geometry.AXES + 3), n)
    keep(row, slot.SEEN_POINT, p)
    keep(row, slot.SEEN_AXES, n)
    keep(row, slot.SEEN_AXES + 3, one)
    keep(row, slot.SEEN_AXES + 6, other_axis)
    if pool.task == slot.END:
        model.gap[first] = gap
        _write_rows(pool, model, c, (row, slot.SEEN_POINT, slot.SEEN_AXES))
        return
    model.start_gap[first] = gap
    for i in range(at.SLOT):
        axis = vector(row, slot.SEEN_AXES + 3 * i)
        speed = speed_of(model.speeds, pool.speed_axis, _moves(pool, model, row), (p, axis), v)
        model.start_speed[first + i] = speed
    model.begin_mode[model.described + c] = _mode(pool, model, first, row[geometry.FRICTION])


@apart
def _mode(pool, model, first, friction):
    """Mode of a contact at the start of a step, from its gap and its speeds."""
    speed = model.start_speed
    if model.start_gap[first] > pool.touching or abs(speed[first]) > pool.resting:
        return at.OPEN
    sliding = length((speed[first + 1], speed[first + 2], 0.0))
    return at.STICK if friction > 0.0 and sliding <= pool.sliding else at.SLIP
