"""Forces that rigid bodies do not decide, though the motion depends on them: reported once.

Forces of closed contacts may have a part that holds nothing and moves nothing that is held. Where
contacts slide it brings friction with it, and the motion depends on it: four legs that rub
differently. So it is with friction in joints whose loads loops leave open.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of
from torseur.machine.contact.negligible import RANK
from torseur.machine.integrators.kernels.dense import least
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import address, apart, whole

NONE = 1e-6  # of what forces would do one by one: what they do together


@apart
def has_choice_to_report(model):
    """Whether a choice of forces changes the motion and was not reported; has_choice ← whose."""
    if model.tells[0] == 0.0:
        return False
    for e in range(model.elements):
        model.has_choice[e] = 0.0
    return _is_felt_in_joints(model) or _is_felt_by_sliding(model)


@apart
def _rubs(model, e, load):
    """Whether an element slides with friction by a kind of load."""
    element = address(model.element, e * at.WIDTH)
    slides = element[at.MODE] == at.SLIP and element[at.COUNT] > 0.0
    return slides and element[at.LOAD] == load and element[at.KINETIC] > 0.0


# --- in joints ------------------------------------------------------------------------------------


@apart
def _is_felt_in_joints(model):
    """Whether friction in joints slides by loads which loops leave a choice; it is marked."""
    rubs, count, some = False, 0, False
    for e in range(model.elements):
        rubs = rubs or _rubs(model, e, at.JOINT_LOAD)
    if not rubs:
        return False
    for i in range(model.rows):
        holds = model.own[i] == 1.0 and model.role[i] == at.HELD
        if holds and model.movable[i] == 1.0:
            model.active[count] = i
            count += 1
    choices = _find_choices(model, count) if count > 0 else 0
    for e in range(model.elements):
        if choices > 0 and _rubs(model, e, at.JOINT_LOAD) and _feels(model, e, count, choices):
            model.has_choice[e], some = 1.0, True
    return some


@apart
def _feels(model, e, count, choices):
    """Whether the load of an element changes with the sets of forces that do nothing."""
    element, rows, together, alone = address(model.element, e * at.WIDTH), model.rows, 0.0, 0.0
    for choice in range(choices):
        for n in range(whole(element[at.LOAD_COUNT])):
            by = address(model.load_by, (whole(element[at.LOAD_FROM]) + n) * rows)
            total, parts = 0.0, 0.0
            for m in range(count):
                term = _part(model, count, choice, m) * by[whole(model.active[m])]
                total, parts = total + term, parts + abs(term)
            together, alone = max(together, abs(total)), max(alone, parts)
    return together > NONE * alone


# --- by sliding -----------------------------------------------------------------------------------


@apart
def _is_felt_by_sliding(model):
    """Whether forces of closed contacts that do nothing to what is held move what slides; those
    contacts are marked. They all press: without pressure there is nothing to share."""
    closed, rubs, count, moves = 0, False, 0, False
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        closed += element[at.MODE] != at.OPEN and element[at.NORMAL] >= 0.0
        rubs = rubs or _rubs(model, e, at.NORMAL_LOAD)
    if not rubs or closed < 2:
        return False
    for i in range(model.rows):
        if model.role[i] == at.HELD and model.movable[i] == 1.0:
            model.active[count] = i
            count += 1
    for choice in range(_find_choices(model, count)):
        _write_choice(model, count, choice)
        if _moves(model) and _marks(model):
            moves = True
    return moves


@apart
def _marks(model):
    """Whether all contacts that have a part in a set of forces press; then they are marked."""
    largest, z = 0.0, model.asked_force
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if element[at.MODE] != at.OPEN and element[at.NORMAL] >= 0.0:
            largest = max(largest, abs(z[whole(element[at.NORMAL])]))
    for mark in range(2):
        for e in range(model.elements):
            element = address(model.element, e * at.WIDTH)
            if element[at.MODE] != at.OPEN and element[at.NORMAL] >= 0.0:
                normal = whole(element[at.NORMAL])
                if abs(z[normal]) > RANK * largest:
                    if mark == 1:
                        model.has_choice[e] = 1.0
                    elif not model.z[normal] > 0.0:
                        return False
    return True


@apart
def _moves(model):
    """Whether a set of forces moves rows, beside what they would do one by one."""
    A, rows, together, alone = model.A, model.rows, 0.0, 0.0
    for i in range(rows):
        change, parts = 0.0, 0.0
        for j in range(rows):
            term = A[i * rows + j] * model.asked_force[j]
            change, parts = change + term, parts + abs(term)
        together = max(together, abs(change) * model.fineness[i])
        alone = max(alone, parts * model.fineness[i])
    return together > NONE * alone


# --- sets of forces that do nothing to what is held -----------------------------------------------


@apart
def _find_choices(model, count):
    """Number of sets of forces of the rows listed, with their friction, that do nothing to them."""
    A, rows, S = model.A, model.rows, model.matrix
    for m in range(count):
        j = whole(model.active[m])
        _write_carried(model, j)
        for k in range(count):
            i, total = whole(model.active[k]), 0.0
            for other in range(rows):
                total += A[i * rows + other] * model.cone_force[other]
            scale = square_root(A[i * rows + i] * A[j * rows + j])
            S[m * count + k] = total / scale
        model.right[m] = 0.0
    return least(count, S, model.right, RANK, model.column, model.gram, model.found)


@apart
def _part(model, count, choice, m):
    """The force of a row listed in a set of forces."""
    j = whole(model.active[m])
    return model.gram[choice * count + m] / square_root(model.A[j * model.rows + j])


@apart
def _write_choice(model, count, choice):
    """asked_force ← a set of forces, with the friction that it causes."""
    for i in range(model.rows):
        model.asked_force[i] = 0.0
    for m in range(count):
        part = _part(model, count, choice, m)
        _write_carried(model, whole(model.active[m]))
        for i in range(model.rows):
            model.asked_force[i] += part * model.cone_force[i]


@apart
def _write_carried(model, row):
    """cone_force ← a force of one in a row, and the friction that it causes in what slides."""
    for i in range(model.rows):
        model.cone_force[i] = 0.0
    model.cone_force[row] = 1.0
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if _rubs(model, e, at.NORMAL_LOAD) and whole(element[at.LOAD_FROM]) == row:
            for k in range(whole(element[at.COUNT])):
                friction = element[at.KINETIC] * element[at.DIRECTION + k]
                model.cone_force[row_of(element, k)] -= friction
