"""A shock of the common kind: the first modes that are tried agree, in the shock and after it.

Speeds after it are u⁺ = u⁻ + A P, by Newton's law of restitution, as `simulation/contact/shocks`
has it. Whatever is less plain is not done here: modes that are searched for, bounces that are over,
a second shock in the same instant, a contact that would create energy, impulses by Poisson's law,
forces that depend on reactions.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of
from torseur.machine.contact.kernels.judging import weigh
from torseur.machine.contact.kernels.resting import island_of, join
from torseur.machine.contact.kernels.returning import calm
from torseur.machine.contact.kernels.seeing import look_and_measure, write_seen
from torseur.machine.contact.kernels.staying import (
    gap_size,
    is_closing,
    is_touching,
    is_unique,
    judge_as,
    keep_shares,
    lean,
    modes_agree,
    told_mode,
)
from torseur.machine.contact.kernels.tree_factor import add_pushed
from torseur.machine.contact.negligible import GAIN, LOW, TOUCHING, ZENO
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def bounce(model, t, y, into):
    """into ← the state as it goes on, that after the shock, impulses of rows; 1 if that is all."""
    role, islands, order, first = model.role, model.islands, model.order, model.first
    model.islands, model.order = model.every_islands, model.every_order
    model.first = model.every_first
    struck = address(into, model.size)
    impulses = address(struck, model.size)
    is_all = _strike(model, t, y, struck, impulses) and _go_on(model, t, struck, into)
    impulses[model.rows] = 1.0 if is_all else 0.0
    model.role, model.islands, model.order, model.first = role, islands, order, first


@apart
def _see(model, t, y):
    """Whether M is regular; every row has its part in A, then roles are those of modes tried."""
    model.role = model.every_role
    regular = look_and_measure(model, t, y)
    write_seen(model)
    model.role = model.tried_role
    return regular


@apart
def _try(model, e, mode, slides):
    """An element is in a mode from here on."""
    element = address(model.element, e * at.WIDTH)
    role, normal = model.role, whole(element[at.NORMAL])
    judge_as(model, e, mode != at.OPEN, slides, False)
    element[at.MODE] = mode
    if normal >= 0:
        role[normal] = at.OFF if mode == at.OPEN else at.HELD
    for k in range(whole(element[at.COUNT])):
        rubs = at.HELD if mode == at.STICK else at.RESISTED
        role[row_of(element, k)] = at.OFF if mode == at.OPEN else rubs


# --- the shock ----------------------------------------------------------------------------------


@apart
def _strike(model, t, y, struck, impulses):
    """Whether there is a plain shock; struck ← the state after it, impulses ← those of rows."""
    if not _see(model, t, y) or not _find_struck(model):
        return False
    u, before, rows = model.u, model.start_speed, model.rows
    copy(rows, u, before)
    copy(rows, u, model.c)
    weigh(model)
    for e in range(model.elements):
        normal = whole(model.element[e * at.WIDTH + at.NORMAL])
        if normal >= 0 and before[normal] < 0.0:
            model.c[normal] += model.restitution[e] * before[normal]
    for i in range(rows):
        u[i] = 0.0
    for k in range(model.loads):
        model.load_0[k] = 0.0
    if not modes_agree(model, struck):
        return False
    copy(rows, model.z, impulses)
    copy(model.size, y, struck)
    return _jump(model, y, struck, impulses)


@apart
def _find_struck(model):
    """Whether something closes; what touches and is joined to it sticks while that lasts."""
    hit, count = model.acts, 0
    for i in range(model.rows):  # rows of elements act by their modes alone
        model.role[i] = model.every_role[i] if model.own[i] == 1.0 else at.OFF
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        seen = address(model.seen, e * at.SEEN)
        touches = is_touching(model, element, seen)
        hit[e] = 1.0 if touches and is_closing(model, element, seen) else 0.0
        _try(model, e, at.STICK if touches else at.OPEN, False)
    for i in range(model.rows):
        if model.role[i] != at.OFF:
            model.acting[count] = i
            count += 1
    join(model, count)
    found = False
    for e in range(model.elements):
        found = found or hit[e] == 1.0
        element = address(model.element, e * at.WIDTH)
        rubs = at.STICK if element[at.COUNT] > 0.0 else at.SLIP
        _try(model, e, rubs if _is_joined(model, e) else at.OPEN, False)
    return found


@apart
def _is_joined(model, e):
    """Whether an element that touches takes part in a shock: one in its island closes."""
    element = address(model.element, e * at.WIDTH)
    if element[at.MODE] == at.OPEN or element[at.LOAD] == at.CONSTANT_LOAD:
        return False
    own = island_of(model, _first_row(element))
    for other in range(model.elements):
        if model.acts[other] == 1.0:
            row = _first_row(address(model.element, other * at.WIDTH))
            if island_of(model, row) == own:
                return True
    return False


@apart
def _first_row(element):
    return whole(element[at.NORMAL] if element[at.NORMAL] >= 0.0 else element[at.FIRST])


@apart
def _jump(model, y, struck, impulses):
    """Whether no contact creates energy; struck ← speeds after the shock, and the work it does."""
    nq, n, rows, before = model.coordinates, model.speeds, model.rows, model.start_speed
    after, total = address(struck, nq), 0.0
    for i in range(rows):
        total -= impulses[i] * model.b[i]  # by what time moves
    add_pushed(model, model.every_row, rows, impulses, 1.0, after)
    works = address(struck, nq + n + 1 + model.inputs)
    for e in range(model.elements):
        work, exchanged = _work(model, e, before, impulses)
        if work > GAIN * exchanged:
            return False
        works[e] += work
        total += work
    struck[nq + n] += total
    return True


@apart
def _work(model, e, before, impulses):
    """What the laws of an element give its impulses, P (u⁻ + u⁺)/2; and the energy exchanged.

    Newton: u⁺ = −e u⁻ of a gap that closed. Impulses of friction are within their limit: modes
    agree.
    """
    element, work, exchanged = address(model.element, e * at.WIDTH), 0.0, 0.0
    for k in range(-1, whole(element[at.COUNT])):
        row = whole(element[at.NORMAL]) if k < 0 else row_of(element, k)
        if row >= 0 and impulses[row] != 0.0:
            speed, pushed = before[row], impulses[row]
            after = speed + dot(model.rows, address(model.A, row * model.rows), impulses)
            if k < 0 and speed < 0.0:
                after = -model.restitution[e] * speed
            work += 0.5 * pushed * (speed + after)
            exchanged += abs(pushed) * (abs(speed) + abs(after))
    return work, exchanged


# --- after it -----------------------------------------------------------------------------------


@apart
def _go_on(model, t, struck, into):
    """Whether the modes that gaps and speeds tell are those from here on; into ← the state."""
    if not _see(model, t, struck):
        return False
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        seen = address(model.seen, e * at.SEEN)
        told, slides = told_mode(model, element, seen)
        if told != at.OPEN and is_closing(model, element, seen):
            return False
        _try(model, e, told, slides)
    weigh(model)
    if not modes_agree(model, into) or not is_unique(model) or _is_over(model):
        return False
    for k in range(model.speeds):
        model.still[k] = 0.0
    calm(model, struck, into)
    keep_shares(model, into)
    lean(model)
    modes = address(into, model.size - model.rows - model.elements)
    for e in range(model.elements):
        modes[e] = model.element[e * at.WIDTH + at.MODE]
    return True


@apart
def _is_over(model):
    """Whether something bounces so low or so shortly that it is at rest at once.

    A contact that leaves at u and is pulled back by a bounces for 2u/(a (1 − e)), up to u²/2a.
    """
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        seen, normal = address(model.seen, e * at.SEEN), whole(element[at.NORMAL])
        if normal >= 0 and element[at.MODE] == at.OPEN:
            size, speed = gap_size(model, element), seen[at.CLOSING]
            pulled = -model.w[normal]
            if seen[at.GAP] <= TOUCHING * size and speed > 0.0 and pulled > 0.0:
                lost = 1.0 - model.restitution[e]
                if 2.0 * speed * model.pace < ZENO * pulled * lost:
                    return True
                if speed * speed < LOW * size * 2.0 * pulled:
                    return True
    return False
