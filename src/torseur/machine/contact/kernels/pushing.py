"""Active rows of a step or an event: one after the other, joints eliminated, and their impulses.

What holds has static friction, what slides kinetic: which of both an element has follows from the
speeds that the impulses leave.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of, size_along, slow, stribeck
from torseur.machine.contact.kernels.measuring import along
from torseur.machine.contact.kernels.parting import first_row, join_acting, joined_island
from torseur.machine.contact.kernels.tree_factor import add_pushed
from torseur.machine.contact.negligible import TOUCHING
from torseur.machine.impulses import layout as solver
from torseur.machine.impulses.kernels.cones import cone_row
from torseur.machine.impulses.kernels.solving import group_row, solve_groups
from torseur.machine.runtime.long_vectors import copy, dot, square_root
from torseur.machine.runtime.vectors import address, apart, whole

RANK = 1e-10  # of the response of a row: what others leave of one that says nothing new
NONE = 1e-9  # of the largest speed of a row: no leaving, no sliding
SLIDES, HOLDS, LETS_GO = range(3)  # friction of an element: kinetic, static, kinetic after static


@apart
def normal_of(model, e):
    """The row of the gap of an element; −1: it has none."""
    return whole(model.element[e * at.WIDTH + at.NORMAL])


@apart
def choose(model, modes):
    """Which elements may act in a step; the state is that of its middle.

    A gap acts that is closed there, or was at the start; what follows tells whether it pushes.
    """
    for e in range(model.elements):
        element, acts = address(model.element, e * at.WIDTH), True
        normal = whole(element[at.NORMAL])
        if normal >= 0:
            gap = model.gap[normal] * model.fineness[normal]
            acts = gap <= TOUCHING or modes[e] != at.OPEN
        model.acts[e] = 1.0 if acts else 0.0
    for e in range(model.elements):
        owner = whole(model.judged[e * at.JUDGED + at.PRESSED])
        if owner >= 0 and model.acts[owner] == 0.0:
            model.acts[e] = 0.0


# --- rows one after the other --------------------------------------------------------------------


@apart
def list_rows(model, h):
    """Number of active rows of elements and laws, and of all rows with those that always hold.

    Elements that have to do with each other form a group; groups stand one after the other.
    """
    spot, acting, n = model.spot, model.acting, 0
    model.cones, model.groups = 0, 0
    for i in range(model.rows):
        spot[i] = -1.0
    join_acting(model)
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        row = first_row(element)
        if acts(model, e, element) and spot[row] < 0.0:
            n = _list_group(model, e, joined_island(model, row), n, h)
    count = n
    for i in range(model.rows):
        if model.own[i] == 1.0 and model.role[i] == at.HELD:
            acting[count], spot[i] = i, count
            count += 1
    return n, count


@apart
def _list_group(model, start, island, first, h):
    """Number of rows up to the end of a group: the elements and laws of an island."""
    group, n, rests = group_row(model, model.groups), first, True
    group[solver.FIRST_ROW], group[solver.FIRST_CONE] = first, model.cones
    for e in range(start, model.elements):
        element = address(model.element, e * at.WIDTH)
        if _is_in(model, e, element, island):
            if element[at.NORMAL] >= 0.0:
                n = _place(model, whole(element[at.NORMAL]), n)
            for k in range(whole(element[at.COUNT])):
                n = _place(model, row_of(element, k), n)
            slides = model.begin_mode[e] == at.SLIP and element[at.COUNT] > 0.0
            rests = rests and not slides and model.begin_mode[e] != at.OPEN
    for e in range(start, model.elements):
        if _is_in(model, e, address(model.element, e * at.WIDTH), island):
            model.cone_of[e] = model.cones
            _write_cone(model, e, first, h)
    for law in range(model.laws):
        row = whole(model.law_row[law])
        is_lawful = row >= 0 and model.tried_role[row] == at.LAWFUL and model.spot[row] < 0.0
        if is_lawful and joined_island(model, row) == island:
            _write_law(model, law, n - first)
            n = _place(model, row, n)
    group[solver.ROW_COUNT], group[solver.RESTS] = n - first, 1.0 if rests else 0.0
    group[solver.CONE_COUNT] = model.cones - group[solver.FIRST_CONE]
    model.groups += 1
    return n


@apart
def acts(model, e, element):
    """Whether an element acts, and has rows."""
    return model.acts[e] == 1.0 and (element[at.NORMAL] >= 0.0 or element[at.COUNT] > 0.0)


@apart
def _is_in(model, e, element, island):
    """Whether an element acts, and is in an island."""
    return acts(model, e, element) and joined_island(model, first_row(element)) == island


@apart
def _place(model, row, n):
    model.spot[row], model.acting[n], model.fine[n] = n, row, model.fineness[row]
    return n + 1


@apart
def _write_cone(model, e, first, h):
    """The cone of an element that acts, whose rows have their places."""
    element, cone = address(model.element, e * at.WIDTH), cone_row(model, model.cones)
    spot, normal, kind = model.spot, whole(element[at.NORMAL]), element[at.LOAD]
    model.cones += 1
    cone[solver.NORMAL] = spot[normal] - first if normal >= 0 else -1.0
    cone[solver.COUNT] = element[at.COUNT]
    for k in range(whole(element[at.COUNT])):
        cone[solver.FIRST + k] = spot[row_of(element, k)] - first
    cone[solver.LOAD], cone[solver.FROM] = solver.CONSTANT, element[at.LOAD_FROM]
    if kind == at.NORMAL_LOAD:
        cone[solver.LOAD] = solver.OF_ROW
        cone[solver.FROM] = max(spot[whole(element[at.LOAD_FROM])] - first, -1.0)
    elif kind == at.JOINT_LOAD:
        cone[solver.LOAD] = solver.OF_JOINT
    elif kind == at.GIVEN_LOAD:
        cone[solver.LOAD], cone[solver.FROM] = solver.OF_LOAD, model.loads + element[at.LOAD_FROM]
    cone[solver.COMPONENTS], cone[solver.ARM] = element[at.LOAD_COUNT], element[at.ARM]
    cone[solver.FORWARD], cone[solver.BACKWARD] = element[at.FORWARD] * h, element[at.BACKWARD] * h
    cone[solver.WRAPPED], cone[solver.ROOM] = element[at.WRAPPED], 0.0
    cone[solver.PATCH], cone[solver.SPIN] = element[at.PATCH], element[at.SPIN]
    cone[solver.SLIDING] = solver.MAY_HOLD


@apart
def _write_law(model, law, place):
    """The cone of a row whose force a law gives: a friction of that size along it."""
    cone = cone_row(model, model.cones)
    model.cones += 1
    cone[solver.NORMAL], cone[solver.COUNT], cone[solver.FIRST] = -1.0, 1.0, place
    cone[solver.LOAD], cone[solver.FROM] = solver.OF_LOAD, model.loads + law
    cone[solver.GRIP], cone[solver.WRAPPED], cone[solver.PATCH] = 1.0, 0.0, solver.NO_PATCH
    cone[solver.SLIDING], cone[solver.HEADING] = solver.IS_KNOWN, 1.0


@apart
def write_responses(model, n, count):
    """response and load_response ← of the rows listed, those from n on eliminated."""
    rows, W, A, acting = model.rows, model.response, model.A, model.acting
    for i in range(count):
        response = address(A, whole(acting[i]) * rows)
        for j in range(count):
            W[i * rows + j] = response[whole(acting[j])]
    for k in range(model.loads):
        for j in range(count):
            by = model.load_by[k * rows + whole(acting[j])]
            model.load_response[k * rows + j] = by
    for p in range(count - 1, n - 1, -1):
        _eliminate(model, p)
    for i in range(n):
        model.moves[i] = 1.0
        if not _holds(model, i):
            set_apart(model, n, i)


@apart
def set_apart(model, n, i):
    """A row that its impulse does not move, as others hold it ← one that has none."""
    W, rows, row = model.response, model.rows, whole(model.acting[i])
    alone, model.moves[i] = model.A[row * rows + row], 0.0
    for j in range(n):
        W[i * rows + j], W[j * rows + i] = 0.0, 0.0
    W[i * rows + i] = alone if alone > 0.0 else 1.0


@apart
def _holds(model, p):
    """Whether a row says something that those after it, which always hold, do not."""
    row, rows = whole(model.acting[p]), model.rows
    return model.response[p * rows + p] > RANK * model.A[row * rows + row]


@apart
def _eliminate(model, p):
    """The responses of the rows before p ← while row p holds."""
    W, rows = model.response, model.rows
    if not _holds(model, p):
        return
    last = address(W, p * rows)
    for i in range(p):
        share = W[i * rows + p] / last[p]
        if share != 0.0:
            for j in range(p):
                W[i * rows + j] -= share * last[j]
    for k in range(model.loads):
        row = address(model.load_response, k * rows)
        share = row[p] / last[p]
        for j in range(p):
            row[j] -= share * last[j]


@apart
def write_unpushed(model, n, count, h):
    """unpushed and load_free ← of the rows listed, those from n on being held."""
    acting, q = model.acting, model.unpushed
    for i in range(count):
        row = whole(acting[i])
        q[i] = along(model, row, model.loose) + model.b[row] + model.shift[row]
    for k in range(model.loads):
        model.load_free[k] = h * model.load_0[k]
    hold_own(model, n, count)


@apart
def hold_own(model, n, count):
    """unpushed and load_free ← while the rows from n on are held."""
    rows, q = model.rows, model.unpushed
    for p in range(count - 1, n - 1, -1):
        if _holds(model, p):
            pivot = model.response[p * rows + p]
            for i in range(p):
                q[i] -= model.response[i * rows + p] / pivot * q[p]
            for k in range(model.loads):
                model.load_free[k] -= model.load_response[k * rows + p] / pivot * q[p]
    for i in range(n):
        q[i] *= model.moves[i]


@apart
def push(model, n, count, close):
    """The residual of the impulses; after ← the speeds that they leave."""
    residual = solve_laws(model, n, close)
    leave(model, n, count)
    return residual


@apart
def leave(model, n, count):
    """after ← the speeds that the impulses leave, joints being held."""
    after = model.after
    push_own(model, n, count)
    copy(model.speeds, model.loose, after)
    add_pushed(model, model.acting, count, model.impulse, 1.0, after)


@apart
def push_own(model, n, count):
    """impulse ← of the rows that always hold, which are those from n on."""
    P = model.impulse
    for p in range(n, count):
        last, P[p] = address(model.response, p * model.rows), 0.0
        if _holds(model, p):
            P[p] = -(model.unpushed[p] + dot(p, last, P)) / last[p]


@apart
def largest_speed(model, n):
    """The largest speed of a row without impulses, in sizes of rows."""
    largest = 0.0
    for i in range(n):
        fine = model.fineness[whole(model.acting[i])]
        largest = max(largest, fine * abs(model.unpushed[i]))
    return largest


# --- static and kinetic friction -----------------------------------------------------------------
#
# What is at rest at the start of a step may hold, and so may what stops within it: it would slide
# the other way at its end. In a shock all that touches may hold, as from event to event. What
# slides though it may hold has kinetic friction: by its speed, and in a shock the least.


@apart
def solve_laws(model, n, close):
    """The residual of the impulses whose friction is static where it holds, kinetic elsewhere."""
    none = NONE * largest_speed(model, n)
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        rests = size_along(element, model.start_speed) <= slow(model, element)
        model.friction[e] = HOLDS if rests or model.struck[e] == 1.0 else SLIDES
        _grip(model, e, element)
    residual, changes = _solve_cones(model, close), True
    while changes:  # of each element twice at most
        changes = False
        for e in range(model.elements):
            element = address(model.element, e * at.WIDTH)
            if model.acts[e] == 1.0 and _slides_otherwise(model, e, element, none):
                model.friction[e] += 1.0
                before = model.grip[e]
                _grip(model, e, element)
                changes = changes or model.grip[e] != before
        if changes:
            residual = _solve_cones(model, close)
    return residual


@apart
def _solve_cones(model, close):
    """The residual of the impulses, by the coefficients and bounds that elements have now."""
    for e in range(model.elements):
        if acts(model, e, address(model.element, e * at.WIDTH)):
            cone = cone_row(model, whole(model.cone_of[e]))
            cone[solver.GRIP], cone[solver.BOUND] = model.grip[e], model.bound[e]
            cone[solver.FLOOR] = model.floor[e]
    return solve_groups(model, close)


@apart
def _slides_otherwise(model, e, element, none):
    """Whether an element slides at the end of a step, as its friction does not foresee."""
    if element[at.COUNT] == 0.0 or model.friction[e] == LETS_GO:
        return False
    total, turned = 0.0, 0.0
    for k in range(whole(element[at.COUNT])):
        row = row_of(element, k)
        end = model.speed[whole(model.spot[row])] * model.fineness[row]
        total += end * end
        turned += end * model.start_speed[row]
    back = model.friction[e] == HOLDS or turned < 0.0
    return back and square_root(total) > none


@apart
def _grip(model, e, element):
    """grip ← the coefficient of an element."""
    speed = size_along(element, model.start_speed)
    model.grip[e] = element[at.KINETIC]
    if model.friction[e] == HOLDS:
        model.grip[e] = element[at.STATIC]
    elif element[at.STRIBECK] > 0.0 and model.struck[e] == 0.0:
        model.grip[e] = stribeck(element, speed)
