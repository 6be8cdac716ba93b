"""The choice of modes: those whose forces and motions agree, by changing what disagrees.

An element that touches is open and stays so only if it does not press in: z = 0 and w ≥ 0; closed
only if z ≥ 0 and w = 0. What does not slide sticks if its friction is within the limit, or starts
to slide against its friction. Where forces have a choice, the modes are those of forces found by
projection. All else is left to the search in Python: modes that go in circles, elements that others
may hold, several modes that agree or none.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of, size_along, write_direction
from torseur.machine.contact.kernels.events.redundancy import (
    are_independent,
    is_redundant,
    write_rooms,
    write_touching_islands,
)
from torseur.machine.contact.kernels.events.resting_shares import let_rest, starts
from torseur.machine.contact.kernels.events.turning import solve_modes
from torseur.machine.contact.kernels.judging import weigh
from torseur.machine.contact.kernels.measuring import measure_easiest
from torseur.machine.contact.kernels.projecting import project
from torseur.machine.contact.negligible import CLOSE, RESTING
from torseur.machine.integrators.kernels.dense import cholesky
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, whole

MOST = at.TRIED  # changes of modes
LEAVES = 1e3  # times a change that is none: projection leaves such a change undecided
CLEAREST = 16  # parts of the largest force that are tried, each a quarter of the one before
ROUNDING = 1e-14  # of the parts of an acceleration: what is left of those that cancel
PRIME = 9007199254740881  # below which sets of modes are counted
TOLD = 8  # closed gaps of which it is asked whether forces are unique


# --- the problem ----------------------------------------------------------------------------------


@apart
def judge_as(model, e, touches, slides):
    """What the mode of an element is judged by."""
    judged = address(model.judged, e * at.JUDGED)
    judged[at.TOUCHES], judged[at.SLIDES] = 1.0 * touches, 1.0 * slides
    judged[at.PULLED], judged[at.ROOM] = 0.0, 0.0


@apart
def weigh_rest(model):
    """Changes and forces ← none up to those that speeds which are none give a body, and up to
    rounding of what cancels: what falls with an accelerated ground has no weight there."""
    n, fine, parts, easiest = model.speeds, model.fineness, 0.0, 0.0
    for i in range(model.rows):
        own = abs(model.gamma[i])
        for k in range(n):
            own += abs(model.J[i * n + k]) * abs(model.free[k])
        parts = max(parts, own * fine[i])
        ease = model.A[i * model.rows + i] * fine[i] * fine[i]
        if model.movable[i] == 1.0 and (easiest == 0.0 or ease < easiest):
            easiest = ease
    resting = RESTING * model.pace
    least = max(resting * resting, ROUNDING * parts)
    for i in range(model.rows):
        model.no_change[i] = max(model.no_change[i], least / fine[i])
        if easiest > 0.0:
            model.no_force[i] = max(model.no_force[i], least / easiest * fine[i])


@apart
def choose_by_forces(model, element, what):
    """Whether the modes of the state seen last are found, and are the only ones; z and w are."""
    for e in range(model.elements):
        judge_as(model, e, model.touching[e] == 1.0, model.sliding[e] == 1.0)
    weigh(model)
    weigh_rest(model)
    return choose(model, element, what) and _is_unique(model)


# --- the search -----------------------------------------------------------------------------------


@apart
def choose(model, element, what):
    """Whether modes that agree are found, with forces z and changes w; or it is left undecided."""
    write_touching_islands(model, model.touching_island)
    start_modes(model)
    if what == at.LIMIT and _is_unpressed(model, element):
        what = at.LIFT
    lifts = element if what == at.LIFT else -1
    if not _agree(model, element, what, lifts):
        return False
    return not _may_hold(model) and let_rest(model, element, what)


@apart
def start_modes(model):
    """All that touches sticks, or slides on."""
    for e in range(model.elements):
        element, judged = address(model.element, e * at.WIDTH), address(model.judged, e * at.JUDGED)
        slides = judged[at.SLIDES] == 1.0 or element[at.COUNT] == 0.0
        closed = at.SLIP if slides else at.STICK
        element[at.MODE] = closed if judged[at.TOUCHES] == 1.0 else at.OPEN
        for k in range(3):
            element[at.DIRECTION + k] = model.seen[e * at.SEEN + at.ALONG + k]


@apart
def _is_unpressed(model, e):
    """Whether an element does not press, if all that touches stays closed."""
    normal, largest = whole(model.element[e * at.WIDTH + at.NORMAL]), 0.0
    if normal < 0:
        return False
    solve_modes(model)
    for i in range(model.rows):
        largest = max(largest, abs(model.z[i]) / model.fineness[i])
    none = max(model.no_force[normal], CLOSE * largest * model.fineness[normal])
    return abs(model.z[normal]) <= none


@apart
def _leave(model, e, what):
    """The element of an event ← as if it had left its mode."""
    element = address(model.element, e * at.WIDTH)
    if what == at.LIFT:
        element[at.MODE] = at.OPEN
    elif what == at.LIMIT:
        solve_modes(model)
        write_direction(element, model.z, -1.0, address(element, at.DIRECTION))
        element[at.MODE] = at.SLIP


@apart
def _agree(model, element, what, lifts):
    """Whether modes that agree are found."""
    tried = model.tried_modes
    _leave(model, element, what)
    for step in range(MOST):
        if solve_modes(model):
            return True
        if not _objects(model):
            return near_projection(model, lifts)
        _note_pulled(model)
        if step == 0 and _has_choice(model):
            copy(model.elements * at.WIDTH, model.element, model.other_element)
            copy(4 * model.elements, model.wanted, model.other_wanted)
            if near_projection(model, lifts):
                return True
            copy(model.elements * at.WIDTH, model.other_element, model.element)
            copy(4 * model.elements, model.other_wanted, model.wanted)
        number, alone = _number_of(model), False
        for k in range(step):
            alone = alone or tried[k] == number
        tried[step] = number
        _change(model, alone)
    return False


@apart
def _objects(model):
    """Whether the mode of some element disagrees."""
    found = False
    for e in range(model.elements):
        found = found or model.wanted[4 * e] != at.AGREES
    return found


@apart
def _number_of(model):
    """A number for each set of modes."""
    found = 0
    for e in range(model.elements):
        found = (3 * found + whole(model.element[e * at.WIDTH + at.MODE])) % PRIME
    return float(found)


@apart
def _change(model, alone):
    """Modes and directions ← those that are wanted instead, or the first of them alone."""
    for e in range(model.elements):
        if model.wanted[4 * e] != at.AGREES:
            element = address(model.element, e * at.WIDTH)
            element[at.MODE] = model.wanted[4 * e]
            for k in range(3):
                element[at.DIRECTION + k] = model.wanted[4 * e + 1 + k]
            if alone:
                return


@apart
def _note_pulled(model):
    """Those that pull cannot stick; if they close again, they slide along w."""
    for e in range(model.elements):
        element, judged = address(model.element, e * at.WIDTH), address(model.judged, e * at.JUDGED)
        pulls = model.wanted[4 * e] == at.OPEN and judged[at.TOUCHES] == 1.0
        if pulls and element[at.NORMAL] >= 0.0 and element[at.MODE] == at.STICK:
            judged[at.PULLED] = 1.0


@apart
def _has_choice(model):
    """Whether the forces of some element that disagrees have a choice."""
    for e in range(model.elements):
        if model.wanted[4 * e] != at.AGREES:
            element = address(model.element, e * at.WIDTH)
            for k in range(-1, whole(element[at.COUNT])):
                row = whole(element[at.NORMAL]) if k < 0 else row_of(element, k)
                island = model.touching_island[row] if row >= 0 else -1.0
                if island >= 0.0 and is_redundant(model, island):
                    return True
    return False


# --- by projection --------------------------------------------------------------------------------


@apart
def near_projection(model, lifts):
    """Whether the modes of forces found by projection agree, with the smallest forces of these.

    Where the smallest are beyond a limit of friction, forces are those nearest to the ones found,
    and keep what sticks as clear of the limits as they can, all by as much: what is added is shared
    alike, and reaches all limits together. At a limit they would be over it at once, and rounding
    could put them there; what starts to slide elsewhere would bring them there again and again.
    """
    near = model.near_mode
    _project(model, 0.0, lifts)
    has_room = write_rooms(model)
    for e in range(model.elements):
        near[e] = model.element[e * at.WIDTH + at.MODE]
    for i in range(model.rows):
        model.reference[i] = 0.0
    if solve_modes(model):
        return True
    clear = 1.0
    for _ in range(CLEAREST if has_room else 0):
        clear *= 0.25
        if _project(model, clear, lifts):
            same = True
            for e in range(model.elements):
                same = same and near[e] == model.element[e * at.WIDTH + at.MODE]
            if same:
                return True
    return _project(model, 0.0, lifts)


@apart
def _project(model, clear, lifts):
    """Whether the modes of projected forces agree, friction being below its limit by some room."""
    role, islands, order, first = model.role, model.islands, model.order, model.first
    model.role, model.islands = model.every_role, model.every_islands
    model.order, model.first = model.every_order, model.every_first
    for e in range(model.elements):
        model.judged[e * at.JUDGED + at.ROOM] = clear * model.rooms[e] if clear > 0.0 else 0.0
    measure_easiest(model)
    project(model, model.projected)
    model.role, model.islands, model.order, model.first = role, islands, order, first
    copy(model.rows, model.projected, model.reference)
    for i in range(model.rows):
        own = address(model.A, i * model.rows)
        model.w[i] = dot(model.rows, own, model.projected) + model.c[i]
    for e in range(model.elements):
        _take_mode(model, e, lifts)
    return solve_modes(model)


@apart
def _take_mode(model, e, lifts):
    """The mode of forces; what neither presses nor leaves stays closed, unless it is to leave."""
    z, w = model.projected, model.w
    element, judged = address(model.element, e * at.WIDTH), address(model.judged, e * at.JUDGED)
    normal, opens = whole(element[at.NORMAL]), False
    if normal >= 0:
        free = z[normal] <= (LEAVES if e == lifts else 1.0) * model.no_force[normal]
        opens = free and (e == lifts or w[normal] > LEAVES * model.no_change[normal])
    slides = judged[at.SLIDES] == 1.0
    moves = element[at.COUNT] == 0.0 or slides
    if not moves:
        moves = size_along(element, w) > LEAVES * model.no_change[row_of(element, 0)]
    element[at.MODE] = at.SLIP if moves else at.STICK
    if judged[at.TOUCHES] == 0.0 or opens:
        element[at.MODE] = at.OPEN
    if slides:
        for k in range(3):
            element[at.DIRECTION + k] = model.seen[e * at.SEEN + at.ALONG + k]
    else:
        write_direction(element, z, -1.0, address(element, at.DIRECTION))


# --- what is left undecided -----------------------------------------------------------------------


@apart
def _may_hold(model):
    """Whether something that starts to slide at no speed may be held by others."""
    for e in range(model.elements):
        element, still = address(model.element, e * at.WIDTH), True
        for k in range(whole(element[at.COUNT])):
            row = row_of(element, k)
            still = still and abs(model.w[row]) <= LEAVES * model.no_change[row]
        if starts(model, e) and element[at.STATIC] > 0.0 and still:
            count = 0
            for i in range(model.rows):
                if model.role[i] == at.HELD and model.movable[i] == 1.0:
                    model.active[count] = i
                    count += 1
            for k in range(whole(element[at.COUNT])):
                if model.movable[row_of(element, k)] == 1.0:
                    model.active[count] = row_of(element, k)
                    count += 1
            if not are_independent(model, count):
                return True
    return False


@apart
def _is_unique(model):
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
    if not slides or count > TOLD:
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
            along = model.seen[m * at.SEEN + at.ALONG + j]
            total -= element[at.KINETIC] * A[row_of(element, j)] * along
    return total / model.A[normal * rows + normal]
