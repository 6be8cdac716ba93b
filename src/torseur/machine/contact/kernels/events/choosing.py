"""The choice of modes: those whose forces and motions agree, by changing what disagrees.

An element that touches is open and stays so only if it does not press in: z = 0 and w ≥ 0; closed
only if z ≥ 0 and w = 0. What does not slide sticks if its friction is within the limit, or starts
to slide against its friction. Where forces have a choice, the modes are those of the forces of
cones; where changes go in circles too, all modes of few elements are tried.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of, write_direction
from torseur.machine.contact.kernels.events.enumerating import find_any, is_unique
from torseur.machine.contact.kernels.events.holding import hold_together
from torseur.machine.contact.kernels.events.near_forces import near_cones
from torseur.machine.contact.kernels.events.redundancy import is_redundant, write_touching_islands
from torseur.machine.contact.kernels.events.resting_shares import let_rest
from torseur.machine.contact.kernels.events.turning import solve_modes
from torseur.machine.contact.kernels.judging import weigh
from torseur.machine.contact.negligible import CLOSE, RESTING
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole

MOST = at.TRIED  # changes of modes
ALONE = MOST // 4  # of them, after which one element changes at a time
ROUNDING = 1e-14  # of the parts of an acceleration: what is left of those that cancel
PRIME = 9007199254740881  # below which sets of modes are counted


# --- the problem ----------------------------------------------------------------------------------


@apart
def judge_as(model, e, touches, slides):
    """Write the criteria that the mode of an element is judged by."""
    judged = address(model.judged, e * at.JUDGED)
    judged[at.TOUCHES], judged[at.SLIDES] = 1.0 * touches, 1.0 * slides
    judged[at.PULLED], judged[at.ROOM] = 0.0, 0.0


@apart
def weigh_rest(model):
    """Changes and forces ← none up to those that speeds which are none give a body, and up to
    rounding of what cancels: what falls with an accelerated ground has no weight there."""
    n, fine, parts, easiest = model.speeds, model.fineness, 0.0, 0.0
    for i in range(model.rows):
        change = abs(model.gamma[i])
        for k in range(n):
            change += abs(model.J[i * n + k]) * abs(model.free[k])
        parts = max(parts, change * fine[i])
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
    """Verdict on the modes of the state seen last: SETTLED with forces z and changes w, or why
    there are none."""
    for e in range(model.elements):
        judge_as(model, e, model.touching[e] == 1.0, model.sliding[e] == 1.0)
    weigh(model)
    weigh_rest(model)
    if not choose(model, element, what):
        return at.NO_MODES
    return at.SETTLED if is_unique(model) else at.SEVERAL_MODES


# --- the search -----------------------------------------------------------------------------------


@apart
def choose(model, element, what):
    """Whether modes that agree are found, with forces z and changes w."""
    write_touching_islands(model, model.touching_island)
    start_modes(model)
    if what == at.LIMIT and _is_unpressed(model, element):
        what = at.LIFT
    lifts = element if what == at.LIFT else -1
    if not _agree(model, element, what, lifts):
        return False
    hold_together(model, lifts)
    let_rest(model, element, what)
    return True


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
            break
        _note_pulled(model)
        if step == 0 and _has_choice(model):
            copy(model.elements * at.WIDTH, model.element, model.other_element)
            copy(4 * model.elements, model.wanted, model.other_wanted)
            if near_cones(model, lifts):
                return True
            copy(model.elements * at.WIDTH, model.other_element, model.element)
            copy(4 * model.elements, model.other_wanted, model.wanted)
        number, alone = _number_of(model), step > ALONE
        for k in range(step):
            alone = alone or tried[k] == number
        tried[step] = number
        _change(model, alone)
    return near_cones(model, lifts) or find_any(model)


@apart
def _objects(model):
    """Whether the mode of some element disagrees."""
    objects = False
    for e in range(model.elements):
        objects = objects or model.wanted[4 * e] != at.AGREES
    return objects


@apart
def _number_of(model):
    """A number for each set of modes."""
    number = 0
    for e in range(model.elements):
        number = (3 * number + whole(model.element[e * at.WIDTH + at.MODE])) % PRIME
    return float(number)


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
    """Mark pulling elements, which cannot stick: if they close again, they slide along w."""
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
