"""A step of Moreau and Jean in the coordinates of joints: speeds, impulses, places.

Matrices are those of the middle of the step, forces of the mean speeds. Laws hold for the speeds of
rows at its end, J v + J̇ v h/2: what joints hold exactly, of contacts Newton's law of restitution
and Coulomb's cone. Places follow the mean speeds, and return onto what holds (combined projection,
Acary 2013), so that nothing drifts: without shocks a step is of order 2, with them of order 1.
"""

from math import nan

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of, scale_rows
from torseur.machine.contact.kernels.measuring import (
    along,
    look_at_forces,
    look_at_inertia,
    look_at_rates,
    look_at_rows,
    measure_free,
    measure_loads,
    measure_rows,
)
from torseur.machine.contact.kernels.pushing import (
    NONE,
    choose,
    largest_speed,
    list_rows,
    normal_of,
    write_responses,
    write_unpushed,
)
from torseur.machine.contact.kernels.resting import rest, share_out
from torseur.machine.contact.kernels.restitution import rebound, work_of
from torseur.machine.contact.kernels.returning import normalise, subtract
from torseur.machine.contact.kernels.searching import (
    deepest_seen,
    have_room,
    keep_impulses,
    list_contacts,
    see_contacts,
)
from torseur.machine.contact.kernels.self_stress import share_joints
from torseur.machine.contact.kernels.tree_factor import add_pushed, factorise
from torseur.machine.contact.kernels.yielding import add_slopes, move_to_mean, soften
from torseur.machine.contact.layout import CONTACTS
from torseur.machine.contact.pool_layout import END, START
from torseur.machine.impulses.kernels.solving import prepare_groups
from torseur.machine.integrators.run_record import CHANGE, HAPPENED, SHOCK
from torseur.machine.runtime.access import METHOD, numbers, record_at, wholes
from torseur.machine.runtime.long_vectors import copy, square_root
from torseur.machine.runtime.vectors import address, apart, whole

record = record_at(CONTACTS)
SIGNATURE = METHOD
ENTRIES = ("stepping",)
PASSES = 2  # in the second the mean speeds are those that the first one found
RETURNS = 4  # of positions
ALL = 0.9995  # of a restitution: a share that reads as 1
CALM = 1e-15  # of the largest speed: that of a row which is none
CLOSED = 1e-13  # of the sizes of gaps: places that need not return


def stepping(place):
    """The state after a step, what steps tell and what happened; of [record, y, t, output]."""
    listed = wholes(place)
    model, y, into = record(listed[0]), numbers(listed[1]), numbers(listed[3])
    t, size = numbers(listed[2])[0], model.size
    h = y[size + at.LENGTH]
    model.step[0] = h
    copy(size + at.TOLD, y, into)
    report = address(into, size)
    if not _start(model, listed[0], t, y, h):
        into[0] = nan
        return 0
    n, count, residual, granted = 0, 0, 0.0, 1.0
    for k in range(PASSES):
        _look_at_middle(model, t + 0.5 * h, y, k == 0)
        if k == 0:
            choose(model, model.begin_mode)
            n, count = list_rows(model, h)
            if not factorise(model) or not soften(model, t + 0.5 * h, h):
                into[0] = nan
                return 0
            measure_rows(model, model.acting, count)
        _write_problem(model, y, (n, count), h, k == 0)
        for i in range(n if k == 0 else 0):  # at first the impulses of the step before
            model.impulse[i] = model.warm[whole(model.acting[i])] * model.moves[i]
        close = model.asked_residual[0] * largest_speed(model, n)
        residual, granted = rebound(model, n, count, h, close)
    rest(model, n, h)
    share_out(model, h)
    _arrive(model, t, y, into, h)
    _account(model, n, count, into, h)
    if model.search != 0:
        keep_impulses(model)
    deepest = _return(model, t + h, into, count)
    if model.search != 0 and not have_room(model):
        into[0] = nan
        return 0
    report[at.RESIDUAL] = max(report[at.RESIDUAL], residual)
    report[at.PENETRATION] = max(report[at.PENETRATION], deepest)
    report[at.GRANTED] = min(report[at.GRANTED], granted)
    report[at.LIMITED] += 1.0 * (granted < ALL)
    _tell(model, y, into, address(report, at.TOLD))
    return 0


@apart
def _tell(model, y, into, happened):
    """happened ← of each element how its mode changed, and when it was struck."""
    old, new, forces = _modes(model, y), _modes(model, into), _forces(model, into)
    for e in range(model.described):
        normal, report = normal_of(model, e), address(happened, e * HAPPENED)
        changed = at.MODES * (old[e] + 1.0) + new[e] + 1.0
        report[CHANGE] = changed if old[e] != new[e] else 0.0
        pushed = normal >= 0 and old[e] == at.OPEN and forces[max(normal, 0)] > 0.0
        report[SHOCK] = max(model.left[e], 0.0) if pushed else -1.0


# --- speeds --------------------------------------------------------------------------------------


@apart
def _start(model, place, t, y, h):
    """Whether contacts have room; start_speed ← of the rows; moved ← the place of the middle.

    after ← the speeds; begin_mode and warm ← of elements and rows.
    """
    nq, middle, v = model.coordinates, model.moved, address(y, model.coordinates)
    rows, forces = model.described_rows, _forces(model, y)
    look_at_rows(model, t, y)
    look_at_rates(model, t, y)
    for i in range(rows):
        model.start_speed[i] = along(model, i, v) + model.b[i]
        model.warm[i] = h * forces[i]
    copy(rows, model.gap, model.start_gap)
    copy(model.described, _modes(model, y), model.begin_mode)
    copy(model.size, y, middle)
    for k in range(nq):
        middle[k] += 0.5 * h * model.rates[k]
    normalise(model, middle)
    copy(model.speeds, v, model.after)
    if model.search == 0:
        return True
    list_contacts(model, place, t + 0.5 * h, middle)
    see_contacts(model, START, t, y)
    return have_room(model)


@apart
def _look_at_middle(model, t, y, is_first):
    """Parts ← of the middle of the step, at the mean of the first and the last speeds.

    After the first time only speeds are others, and what depends on them.
    """
    v, mean = address(y, model.coordinates), address(model.moved, model.coordinates)
    for i in range(model.speeds):
        mean[i] = 0.5 * (v[i] + model.after[i])
    if is_first:
        look_at_inertia(model, t, model.moved)
        look_at_rows(model, t, model.moved)  # those of contacts that were searched for stay
    look_at_forces(model, t, model.moved)
    if not is_first:
        add_slopes(model, y)


@apart
def _write_problem(model, y, counts, h, is_first):
    """Speeds and responses of the rows that act ← without impulses; loose ← v + h M⁻¹ S."""
    (n, count), v = counts, address(y, model.coordinates)
    measure_free(model)
    if is_first or model.shared > 0:
        measure_loads(model, model.acting, count)
        share_joints(model)
        write_responses(model, n, count)
        prepare_groups(model)
    for i in range(model.speeds):
        model.loose[i] = v[i] + h * model.free[i]
    _shift(model, y, count, h)
    write_unpushed(model, n, count, h)


@apart
def _shift(model, y, count, h):
    """shift ← how rows turned since the start; loose ← with the impulses of viscous friction."""
    v = address(y, model.coordinates)
    for k in range(count):
        i = whole(model.acting[k])
        model.shift[i] = along(model, i, v) + model.b[i] - model.start_speed[i]
        model.oiled[i] = 0.0
    modes = model.begin_mode
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        oiled = element[at.VISCOUS] > 0.0 and modes[e] == at.SLIP
        if oiled and model.acts[e] == 1.0:
            for k in range(whole(element[at.COUNT])):
                _oil(model, row_of(element, k), h * element[at.VISCOUS])


@apart
def _oil(model, i, damping):
    """An impulse against the speed of a row, as the step will leave it."""
    given = model.oiled
    speed = along(model, i, model.loose) + model.b[i]
    ease = model.A[i * model.rows + i]
    given[i] = -damping * speed / (1.0 + damping * ease)
    row = address(model.every_row, i)
    add_pushed(model, row, 1, address(given, i), 1.0, model.loose)


@apart
def _modes(model, y):
    """Modes of the elements, in a state."""
    return address(y, model.coordinates + model.speeds + 1 + model.inputs + model.described)


@apart
def _forces(model, y):
    """Forces of the rows, in a state."""
    return address(y, model.size - model.described_rows)


# --- places --------------------------------------------------------------------------------------


@apart
def _arrive(model, t, y, into, h):
    """into ← places by the mean speeds, and the speeds at the end; power ← of these speeds."""
    mean = address(model.moved, model.coordinates)
    for i in range(model.speeds):
        after, loose = model.after[i], model.loose[i]
        mean[i] = 0.5 * (y[model.coordinates + i] + after)
        if model.share[i] != 0.5:
            mean[i] += (0.5 - model.share[i]) * (after - loose)
        into[model.coordinates + i] = after
    look_at_rates(model, t + 0.5 * h, model.moved)
    move_to_mean(model, y, h)
    look_at_forces(model, t + 0.5 * h, model.moved)
    for k in range(model.coordinates):
        into[k] += h * model.rates[k]
    states = address(into, model.coordinates + model.speeds + 1)
    for k in range(model.inputs):
        states[k] += h * model.changes[k]
    normalise(model, into)


@apart
def _account(model, n, count, into, h):
    """into ← work, modes and mean forces of the step."""
    place, m, none = (
        model.coordinates + model.speeds,
        model.elements,
        NONE * largest_speed(model, n),
    )
    modes, works = model.end_mode, address(into, place + 1 + model.inputs)
    forces, work = _forces(model, into), h * model.power[0]
    for i in range(model.described_rows):
        forces[i] = 0.0
    for i in range(count):
        row = whole(model.acting[i])
        if row < model.described_rows:
            forces[row] = model.impulse[i] / h
        if i >= n:
            work -= model.impulse[i] * model.b[row]
    for e in range(m):
        done, carried = work_of(model, e, h)
        work += done - carried
        if e < model.described:
            works[e] += done
        modes[e] = _mode(model, e, none)
        model.due[e] = _due(model, e)
    for e in range(m):
        owner = whole(model.judged[e * at.JUDGED + at.PRESSED])
        if owner >= 0 and modes[owner] == at.OPEN:
            modes[e] = at.OPEN
    copy(model.described, modes, _modes(model, into))
    into[place] += work


@apart
def _mode(model, e, none):
    """Mode of an element at the end of a step; `none` is a negligible speed."""
    element = address(model.element, e * at.WIDTH)
    if model.acts[e] == 0.0:
        return at.OPEN
    if element[at.NORMAL] >= 0.0:
        row = whole(element[at.NORMAL])
        i = whole(model.spot[row])
        leaves = model.speed[i] * model.fineness[row] > none
        if model.impulse[i] <= 0.0 or leaves:
            return at.OPEN
    total = 0.0
    for k in range(whole(element[at.COUNT])):
        row = row_of(element, k)
        component = model.speed[whole(model.spot[row])] * model.fineness[row]
        total += component * component
    slides = element[at.COUNT] == 0.0 or square_root(total) > none
    return at.SLIP if slides else at.STICK


@apart
def _due(model, e):
    """The gap that a rebound leaves, from the instant of its shock on; 0: there is none."""
    row, left = normal_of(model, e), model.left[e]
    if model.acts[e] == 0.0 or row < 0:
        return 0.0
    if model.bound[e] == 0.0 and model.floor[e] == 0.0:
        return 0.0
    i = whole(model.spot[row])
    if model.impulse[i] <= 0.0:
        return 0.0
    return left * (model.speed[i] - 0.5 * left * model.pull[e])


@apart
def _return(model, t, into, acting):
    """into ← its positions and speeds on what holds; the deepest penetration that is left.

    Inertia is that of the middle of the step, rows are those of its end.
    """
    nq, n, shifted = model.coordinates, model.speeds, model.moved
    modes, is_measured = model.end_mode, False
    for _ in range(RETURNS):
        look_at_rows(model, t, into)
        if model.search != 0:
            see_contacts(model, END, t, into)
        for e in range(model.elements):  # gaps that rebounds leave are none
            if model.due[e] > 0.0:
                model.gap[normal_of(model, e)] -= model.due[e]
        count = _list(model, modes, True)
        opening = 0.0
        for k in range(count):
            i = whole(model.active[k])
            opening = max(opening, abs(model.gap[i] * model.fineness[i]))
        if not opening > CLOSED:
            break
        if not is_measured:  # small ways change it by little
            measure_rows(model, model.acting, acting)
            is_measured = True
        scale_rows(model, count)
        copy(model.size, into, shifted)
        for i in range(n):
            shifted[nq + i] = 0.0
        subtract(model, count, model.gap, address(shifted, nq))
        look_at_rates(model, t, shifted)
        for i in range(nq):
            into[i] += model.rates[i]
        normalise(model, into)
    count = _list(model, modes, False)
    if count > 0:
        if not is_measured:
            measure_rows(model, model.acting, acting)
        scale_rows(model, count)
        _calm(model, count, into)
    deepest = deepest_seen(model) if model.search != 0 else 0.0
    for e in range(model.elements):
        normal = normal_of(model, e)
        if normal >= 0:
            gap = model.gap[normal] + model.due[e]
            deepest = max(deepest, -gap * model.fineness[normal])
    return deepest


@apart
def _calm(model, count, into):
    """into ← with speeds at which the rows listed are at rest."""
    v, usual = address(into, model.coordinates), 0.0
    for k in range(model.speeds):
        usual = max(usual, abs(v[k]) * model.reach[k])
    for _ in range(RETURNS):
        fastest = 0.0
        for k in range(count):
            i = whole(model.active[k])
            model.u[i] = along(model, i, v) + model.b[i]
            fastest = max(fastest, abs(model.u[i] * model.fineness[i]))
        if not fastest > CALM * usual:
            return
        subtract(model, count, model.u, v)


@apart
def _list(model, modes, positions_only):
    """List the rows that hold, of joints and of closed contacts; return their number."""
    active, count = model.active, 0
    for i in range(model.rows):
        holds = model.holds[i] == 1.0 or not positions_only
        if holds and model.own[i] == 1.0 and model.role[i] == at.HELD:
            active[count] = i
            count += 1
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        bounced = positions_only and model.due[e] > 0.0
        if element[at.NORMAL] >= 0.0 and (modes[e] != at.OPEN or bounced):
            active[count] = element[at.NORMAL]
            count += 1
        if modes[e] == at.STICK and not positions_only:
            for k in range(whole(element[at.COUNT])):
                active[count] = row_of(element, k)
                count += 1
    return count
