"""Whether forces and motions agree with the modes at hand, and the modes they ask for instead.

An element that touches is open only if it does not press in, w ≥ 0; closed only if it does not
pull, z ≥ 0. What does not slide sticks only within its limit of friction, and starts to slide only
against its friction.
"""

from math import nan

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import find_forces, margin, row_of, write_direction
from torseur.machine.contact.negligible import CLOSE
from torseur.machine.runtime.long_vectors import dot
from torseur.machine.runtime.vectors import address, apart, whole

HELD = 1e4  # times a change that is none: what is left of a row that is held


@apart
def weigh(model):
    """Rows that forces move; forces and changes of rows that are none, by what rows do without."""
    A, c, fine, rows = model.A, model.c, model.fineness, model.rows
    easiest, energy, change = 0.0, 0.0, 0.0
    for i in range(rows):
        easiest = max(easiest, A[i * rows + i] * fine[i] * fine[i])
    for i in range(rows):
        ease, acceleration = A[i * rows + i] * fine[i] * fine[i], abs(c[i] * fine[i])
        model.movable[i] = 1.0 if ease > at.UNMOVED * easiest else 0.0
        if ease > at.UNMOVED * easiest:
            energy, change = max(energy, acceleration / ease), max(change, acceleration)
    for i in range(rows):
        model.no_force[i] = CLOSE * energy * fine[i]
        model.no_change[i] = CLOSE * change / fine[i]
        model.reference[i] = 0.0


@apart
def judge(model, into):
    """into ← 1 if there are forces for the modes at hand, 1 if they hold what is to be held; then
    the margin of each element. z, w and the modes wanted follow."""
    solved = 1.0 if find_forces(model) else nan
    rows, z, w, largest = model.rows, model.z, model.w, 0.0
    for i in range(rows):
        z[i] *= solved
        w[i] = dot(rows, address(model.A, i * rows), z) + model.c[i]
        largest = max(largest, abs(z[i]) / model.fineness[i])
    into[0], into[1] = solved, 1.0 if _holds(model) else 0.0
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        into[2 + e] = margin(model, element)
        _write_wanted(model, e, element, into[2 + e], CLOSE * largest)


@apart
def _holds(model):
    """Whether what is held stays: where forces cannot do that, they only come near to it."""
    for i in range(model.rows):
        moves = model.own[i] == 0.0 or model.movable[i] == 1.0
        is_held = moves and model.role[i] == at.HELD
        if is_held and not abs(model.w[i]) <= HELD * model.no_change[i]:
            return False
    return True


@apart
def _write_wanted(model, e, element, friction, none):
    """wanted ← the mode that an element should have instead, with its direction, or AGREES."""
    choice, mode = address(model.wanted, 4 * e), element[at.MODE]
    judged, normal = address(model.judged, e * at.JUDGED), whole(element[at.NORMAL])
    choice[0] = at.AGREES
    for k in range(3):
        choice[1 + k] = element[at.DIRECTION + k]
    owner = whole(judged[at.PRESSED])  # the element by whose normal force it resists
    is_idle = owner >= 0 and model.element[owner * at.WIDTH + at.MODE] == at.OPEN
    if judged[at.TOUCHES] == 0.0 or is_idle:
        if mode != at.OPEN:
            choice[0] = at.OPEN
    elif mode == at.OPEN:
        pushed = normal < 0 or model.role[normal] == at.RETURNED
        if pushed or model.w[normal] < -model.no_change[normal]:
            _write_closing(model, element, judged, choice)
    elif normal >= 0 and model.z[normal] < -_no_force(model, normal, none):
        choice[0] = at.OPEN
    elif element[at.COUNT] > 0.0:
        first = row_of(element, 0)
        if mode == at.STICK and friction < -_no_force(model, first, none):
            choice[0] = at.SLIP
            write_direction(element, model.z, -1.0, address(choice, 1))
        along = 0.0  # how its rows change along the direction that was kept
        for k in range(whole(element[at.COUNT])):
            along += model.w[row_of(element, k)] * element[at.DIRECTION + k]
        starts = mode == at.SLIP and judged[at.SLIDES] == 0.0
        if starts and along < -model.no_change[first]:
            choice[0] = at.STICK


@apart
def _no_force(model, row, none):
    """A force of a row that is none, beside the largest that was found."""
    return max(model.no_force[row], none * model.fineness[row])


@apart
def _write_closing(model, element, judged, choice):
    """The mode of an element that closes; one that pulled while it stuck slides along w."""
    choice[0] = at.STICK
    if judged[at.SLIDES] == 1.0 or element[at.COUNT] == 0.0:
        choice[0] = at.SLIP
        write_direction(element, model.u, 1.0, address(choice, 1))
    elif judged[at.PULLED] == 1.0:
        choice[0] = at.SLIP
        write_direction(element, model.w, 1.0, address(choice, 1))
