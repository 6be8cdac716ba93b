"""Forces that rigid bodies do not decide, though the motion depends on them: that is told once."""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of
from torseur.machine.contact.negligible import RANK
from torseur.machine.integrators.kernels.dense import least
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import address, apart, whole

NONE = 1e-7  # of what forces would do one by one: what they do together, by far


@apart
def has_told_choice(model):
    """Whether nothing has to be told of the modes found: no choice of forces changes the motion, or
    that was told before."""
    if model.tells[0] == 0.0:
        return True
    return not _is_felt_in_joints(model) and not _is_felt_by_sliding(model)


@apart
def _rubs(model, e, load):
    """Whether an element slides with friction by a kind of load."""
    element = address(model.element, e * at.WIDTH)
    slides = element[at.MODE] == at.SLIP and element[at.COUNT] > 0.0
    return slides and element[at.LOAD] == load and element[at.KINETIC] > 0.0


@apart
def _is_felt_in_joints(model):
    """Whether a friction in joints may slide by loads which loops leave a choice."""
    rubs, count = False, 0
    for e in range(model.elements):
        rubs = rubs or _rubs(model, e, at.JOINT_LOAD)
    if not rubs:
        return False
    for i in range(model.rows):
        holds = model.own[i] == 1.0 and model.role[i] == at.HELD
        if holds and model.movable[i] == 1.0:
            model.active[count] = i
            count += 1
    return count > 0 and _find_choices(model, count) > 0


@apart
def _is_felt_by_sliding(model):
    """Whether forces of closed contacts that do nothing to what is held may move what slides."""
    closed, rubs, count = 0, False, 0
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
        if _moves(model, count, address(model.gram, choice * count)):
            return True
    return False


@apart
def _find_choices(model, count):
    """How many sets of forces of the rows listed, each with its friction, do nothing to them."""
    A, rows, S = model.A, model.rows, model.matrix
    for m in range(count):
        j = whole(model.active[m])
        _write_carried(model, j)
        for k in range(count):
            i, total = whole(model.active[k]), 0.0
            for other in range(rows):
                total += A[i * rows + other] * model.projected[other]
            scale = square_root(A[i * rows + i] * A[j * rows + j])
            S[m * count + k] = total / scale
        model.right[m] = 0.0
    return least(count, S, model.right, RANK, model.column, model.gram, model.found)


@apart
def _write_carried(model, row):
    """projected ← a force of one in a row, and the friction that it causes in what slides."""
    for i in range(model.rows):
        model.projected[i] = 0.0
    model.projected[row] = 1.0
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if _rubs(model, e, at.NORMAL_LOAD) and whole(element[at.LOAD_FROM]) == row:
            for k in range(whole(element[at.COUNT])):
                friction = element[at.KINETIC] * element[at.DIRECTION + k]
                model.projected[row_of(element, k)] -= friction


@apart
def _moves(model, count, choice):
    """Whether a set of forces moves rows, beside what they would do one by one."""
    A, rows, together, alone = model.A, model.rows, 0.0, 0.0
    for i in range(rows):
        model.asked_force[i] = 0.0
    for m in range(count):
        j = whole(model.active[m])
        part = choice[m] / square_root(A[j * rows + j])
        _write_carried(model, j)
        for i in range(rows):
            model.asked_force[i] += part * model.projected[i]
    for i in range(rows):
        moved, parts = 0.0, 0.0
        for j in range(rows):
            own = A[i * rows + j] * model.asked_force[j]
            moved, parts = moved + own, parts + abs(own)
        together = max(together, abs(moved) * model.fineness[i])
        alone = max(alone, parts * model.fineness[i])
    return together > NONE * alone
