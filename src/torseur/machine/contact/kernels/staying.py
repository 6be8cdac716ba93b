"""Whether modes stay where somebody acts on a state, as a law of control does: most often they do.

They stay where there is no shock, gaps and speeds tell the same modes, and the forces of these
agree and are the only ones. What slides so slowly that it may have come to rest lingers: it stays
so if it would start anew. Then the state goes on as it would after an event. All else is a choice
of modes, which is not made here.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of
from torseur.machine.contact.kernels.judging import judge, weigh
from torseur.machine.contact.kernels.measuring import measure_easiest
from torseur.machine.contact.kernels.returning import calm
from torseur.machine.contact.kernels.seeing import look_and_measure, write_seen
from torseur.machine.contact.negligible import LEANS, LOW, RESTING, SLIDING, TOUCHING
from torseur.machine.integrators.kernels.dense import cholesky
from torseur.machine.runtime.long_vectors import copy, square_root
from torseur.machine.runtime.vectors import address, apart, whole

FAR = 1e-6  # of the response of rows: the least eigenvalue of those whose forces have no choice
MOST = 8  # closed gaps of which it is asked whether forces are unique


@apart
def stay(model, t, y, into):
    """into ← the state as it goes on, then 1 if modes stay; else as it was, then 0."""
    stays, size = _look_at_every_row(model, t, y) and _tells_the_same(model), model.size
    if stays:
        weigh(model)
        stays = _starts_anew(model, into) and modes_agree(model, into) and is_unique(model)
    copy(size, y, into)
    into[size] = 0.0
    if not stays:
        return
    calm(model, y, into)
    if _comes_to_rest(model, address(into, model.coordinates)):
        copy(size, y, into)
        return
    keep_shares(model, into)
    lean(model)
    into[size] = 1.0


@apart
def _look_at_every_row(model, t, y):
    """Whether M is regular; every row has its part in A, and rows have their roles again."""
    role, islands, order, first = model.role, model.islands, model.order, model.first
    model.role, model.islands = model.every_role, model.every_islands
    model.order, model.first = model.every_order, model.every_first
    regular = look_and_measure(model, t, y)
    write_seen(model)
    model.role, model.islands, model.order, model.first = role, islands, order, first
    return regular


# --- gaps and speeds ----------------------------------------------------------------------------


@apart
def _tells_the_same(model):
    """Whether nothing is struck, and all that touches sticks or slides as it did, or lingers."""
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        seen = address(model.seen, e * at.SEEN)
        told, slides = told_mode(model, element, seen)
        if told != at.OPEN and is_closing(model, element, seen):
            return False
        lingers = told == at.STICK and element[at.MODE] == at.SLIP and element[at.COUNT] == 1.0
        if element[at.MODE] != told and not lingers:
            return False
        judge_as(model, e, told != at.OPEN, slides, lingers)
    return True


@apart
def told_mode(model, element, seen):
    """The mode that gaps and speeds tell of an element, and whether it slides."""
    slides = is_sliding(model, element, seen)
    closed = at.SLIP if slides or element[at.COUNT] == 0.0 else at.STICK
    return closed if is_touching(model, element, seen) else at.OPEN, slides


@apart
def judge_as(model, e, touches, slides, lingers):
    """What the mode of an element is judged by; its direction is that in which it is seen."""
    judged = address(model.judged, e * at.JUDGED)
    judged[at.TOUCHES], judged[at.SLIDES] = 1.0 * touches, 1.0 * slides
    judged[at.PULLED], judged[at.ROOM], judged[at.LINGERS] = 0.0, 0.0, 1.0 * lingers
    for k in range(3):
        model.element[e * at.WIDTH + at.DIRECTION + k] = model.seen[e * at.SEEN + at.ALONG + k]


@apart
def gap_size(model, element):
    """What the gap of an element is compared with."""
    row = whole(max(element[at.NORMAL], element[at.SPRING]))
    return 1.0 / model.fineness[row] if row >= 0 else 1.0


@apart
def is_touching(model, element, seen):
    """Whether an element has no gap, or its spring is met."""
    size, gap, speed = gap_size(model, element), seen[at.GAP], seen[at.CLOSING]
    slowly = speed <= RESTING * model.pace * size
    if element[at.SPRING] >= 0.0:
        spring = whole(element[at.SPRING])
        gap, none = model.gap[spring], at.MET * size
        slowly = model.u[spring] <= RESTING * model.pace * size
        return gap < -none or (gap <= none and slowly)
    return element[at.NORMAL] < 0.0 or (gap <= TOUCHING * size and slowly)


@apart
def is_closing(model, element, seen):
    """Whether the gap of an element that touches closes: that is a shock."""
    rests = RESTING * model.pace * gap_size(model, element)
    return element[at.NORMAL] >= 0.0 and seen[at.CLOSING] < -rests


@apart
def is_sliding(model, element, seen):
    """Whether an element slides."""
    if element[at.COUNT] == 0.0:
        return False
    size = 1.0 / model.fineness[row_of(element, 0)]
    return seen[at.SLIDING] > SLIDING * model.pace * size


# --- forces -------------------------------------------------------------------------------------


@apart
def modes_agree(model, room):
    """Whether there are forces of the modes at hand that ask for no others."""
    measure_easiest(model)
    judge(model, room)
    agrees = room[0] == 1.0 and room[1] == 1.0
    for e in range(model.elements):
        agrees = agrees and model.wanted[4 * e] == at.AGREES
    return agrees


@apart
def _lingers(model, e):
    """Whether an element slides in its mode, but hardly by its speed."""
    return model.judged[e * at.JUDGED + at.LINGERS] == 1.0


@apart
def _starts_anew(model, room):
    """Whether what lingers would not stick, all else being as it is; its direction is told anew."""
    if not _change_lingering(model, at.STICK, at.HELD):
        return True
    measure_easiest(model)
    judge(model, room)
    starts = _have_no_choice(model)
    for e in range(model.elements):
        wanted = address(model.wanted, 4 * e)
        starts = starts and wanted[0] == (at.SLIP if _lingers(model, e) else at.AGREES)
        if _lingers(model, e):
            model.element[e * at.WIDTH + at.DIRECTION] = wanted[1]
    _change_lingering(model, at.SLIP, at.RESISTED)
    return starts


@apart
def _change_lingering(model, mode, role):
    """Whether something lingers; its mode is another one from here on."""
    found = False
    for e in range(model.elements):
        if _lingers(model, e):
            element, found = address(model.element, e * at.WIDTH), True
            element[at.MODE], model.role[row_of(element, 0)] = mode, role
    return found


@apart
def _have_no_choice(model):
    """Whether forces are unique if all that touches sticks, by far: then no row holds another."""
    A, rows, S, count = model.A, model.rows, model.matrix, 0
    active, start = model.active, model.found
    for i in range(rows):
        role = model.role[i]
        if model.movable[i] == 1.0 and (role == at.HELD or role == at.RESISTED):
            active[count], start[count] = i, 0.0
            count += 1
    for k in range(count):
        for m in range(k + 1):
            i, j = whole(active[k]), whole(active[m])
            scale = square_root(A[i * rows + i] * A[j * rows + j])
            S[k * count + m] = A[i * rows + j] / scale - (FAR if k == m else 0.0)
    return cholesky(count, S, model.gram, start)


@apart
def is_unique(model):
    """Whether no other modes agree: none slides, or normal forces press gaps open as they slide on.

    What they do to gaps then has a positive symmetric part, and so have all its minors.
    """
    closed, count, slides = model.active, 0, False
    for e in range(model.elements):
        judged = address(model.judged, e * at.JUDGED)
        normal = model.element[e * at.WIDTH + at.NORMAL]
        if normal >= 0.0 and judged[at.TOUCHES] == 1.0:
            closed[count] = e
            count += 1
            slides = slides or judged[at.SLIDES] == 1.0
    if not slides or count > MOST:
        return True
    B, start = model.matrix, model.found
    for k in range(count):
        start[k] = 0.0
        for m in range(count):
            B[k * count + m] = 0.0
    for k in range(count):
        for m in range(count):
            pressed = _pressed(model, whole(closed[k]), whole(closed[m]))
            B[k * count + m] += pressed
            B[m * count + k] += pressed
    return cholesky(count, B, model.gram, start)


@apart
def _pressed(model, k, m):
    """How the normal force of an element m, with the friction it causes, opens the gap of k."""
    own, element = address(model.element, k * at.WIDTH), model.element
    element, rows = address(element, m * at.WIDTH), model.rows
    A = address(model.A, whole(own[at.NORMAL]) * rows)
    normal = whole(element[at.NORMAL])
    total = A[normal]
    if model.judged[m * at.JUDGED + at.SLIDES] == 1.0:
        for j in range(whole(element[at.COUNT])):
            total -= element[at.KINETIC] * A[row_of(element, j)] * element[at.DIRECTION + j]
    return total / model.A[normal * rows + normal]


# --- how it goes on ------------------------------------------------------------------------------


@apart
def _comes_to_rest(model, v):
    """Whether a part that rows may hold, and did not leave still, is at rest now; v ← as it is."""
    n, part, still = model.speeds, model.part, model.still
    for island in range(whole(model.islands[0])):
        count, held, moves = 0, 0, False
        for k in range(n):
            if whole(part[k]) == island and still[k] == 0.0:
                count += 1
                reach = model.reach[k]
                moves = moves or abs(v[k]) * reach > RESTING * model.pace
        first = model.first
        for k in range(whole(first[island]), whole(first[island + 1])):
            held += model.role[whole(model.order[k])] == at.HELD
        if count > 0 and not moves and held >= count:
            return True
    return False


@apart
def keep_shares(model, into):
    """into ← with the forces that shares are nearest to, and what slides against its direction."""
    kept = address(into, model.size - model.rows)
    copy(model.rows, model.reference, kept)
    for law in range(model.laws):
        row = whole(model.law_row[law])
        if row >= 0:
            kept[row] = 0.0
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if element[at.MODE] == at.SLIP:
            for k in range(whole(element[at.COUNT])):
                kept[row_of(element, k)] = -element[at.DIRECTION + k]


@apart
def lean(model):
    """SLACK ← of what touches: rounding is no touch of one that leaves; nothing starts to slide."""
    largest = 0.0
    for i in range(model.rows):
        largest = max(largest, abs(model.w[i]))
    for e in range(model.elements):
        element, change = address(model.element, e * at.WIDTH), 0.0
        if element[at.NORMAL] >= 0.0:
            change = model.w[whole(element[at.NORMAL])]
        touches = model.judged[e * at.JUDGED + at.TOUCHES] == 1.0
        room = TOUCHING if change <= LEANS * largest else LOW
        room = max(room * gap_size(model, element), -2.0 * model.seen[e * at.SEEN + at.GAP])
        element[at.SLACK] = room if touches else 0.0
        element[at.STARTS] = 0.0
