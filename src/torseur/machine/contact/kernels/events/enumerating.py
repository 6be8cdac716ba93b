"""Modes tried one after the other: the first that agree, and whether others agree that move apart.

Rigid bodies that slide with much friction may have no forces that agree, or several (Painlevé).
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of
from torseur.machine.contact.kernels.events.turning import solve_modes
from torseur.machine.contact.kernels.parting import adopt_modes
from torseur.machine.integrators.kernels.dense import cholesky
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole

MANY = 4096  # sets of modes that are tried one after the other
FEW = 8  # closed gaps of which it is asked whether forces are unique
ROUNDING = 1e-12  # of a minor of numbers about 1
APART = 1e-6  # of the largest change of a row: motions that differ


# --- sets of modes --------------------------------------------------------------------------------


@apart
def find_any(model):
    """Whether some modes agree, of those that can be tried one by one; the first are taken."""
    if not _begin(model):
        return False
    while True:
        _write_modes(model)
        if solve_modes(model):
            return True
        if not _go_on(model):
            return False


@apart
def _begin(model):
    """Whether there are few sets of modes; option ← the first of each element."""
    sets = 1.0
    for e in range(model.elements):
        model.option[e] = 0.0
        sets *= _count(model, e)
    return sets <= MANY


@apart
def _go_on(model):
    """Whether another set of modes is left; option ← the next, the last element changing first."""
    for k in range(model.elements):
        e = model.elements - 1 - k
        model.option[e] += 1.0
        if model.option[e] < _count(model, e):
            return True
        model.option[e] = 0.0
    return False


@apart
def _opens(model, e):
    """Whether an element that touches may be open: it has a gap, or another presses it."""
    has_gap = model.element[e * at.WIDTH + at.NORMAL] >= 0.0
    return has_gap or model.judged[e * at.JUDGED + at.PRESSED] >= 0.0


@apart
def _count(model, e):
    """Number of modes that an element may have; sliding starts in two senses along each row."""
    element, judged = address(model.element, e * at.WIDTH), address(model.judged, e * at.JUDGED)
    if judged[at.TOUCHES] == 0.0:
        return 1.0
    opened = 1.0 if _opens(model, e) else 0.0
    return opened + 1.0 + (0.0 if judged[at.SLIDES] == 1.0 else 2.0 * element[at.COUNT])


@apart
def _write_modes(model):
    """The table ← the set of modes that is tried."""
    for e in range(model.elements):
        element, judged = address(model.element, e * at.WIDTH), address(model.judged, e * at.JUDGED)
        touches, place = judged[at.TOUCHES] == 1.0, whole(model.option[e])
        if touches and _opens(model, e):
            place -= 1
        for k in range(3):
            element[at.DIRECTION + k] = model.seen[e * at.SEEN + at.ALONG + k]
        if not touches or place < 0:
            element[at.MODE] = at.OPEN
        elif judged[at.SLIDES] == 1.0 or element[at.COUNT] == 0.0:
            element[at.MODE] = at.SLIP
        elif place == 0:
            element[at.MODE] = at.STICK
        else:
            element[at.MODE] = at.SLIP
            for k in range(whole(element[at.COUNT])):
                sense = 1.0 if place % 2 == 1 else -1.0
                element[at.DIRECTION + k] = sense if (place - 1) // 2 == k else 0.0


# --- several motions ------------------------------------------------------------------------------


@apart
def is_unique(model):
    """Whether no other modes agree that move otherwise; those at hand stay."""
    if not _may_be_several(model) or not _begin(model):
        return True
    copy(model.elements * at.WIDTH, model.element, model.other_element)
    copy(model.rows, model.z, model.kept_force)
    copy(model.rows, model.w, model.kept_change)
    alone = True
    while alone:
        _write_modes(model)
        alone = not solve_modes(model) or _moves_alike(model)
        if not _go_on(model):
            break
    copy(model.elements * at.WIDTH, model.other_element, model.element)
    copy(model.rows, model.kept_force, model.z)
    copy(model.rows, model.kept_change, model.w)
    adopt_modes(model)
    return alone


@apart
def _moves_alike(model):
    """Whether the changes of rows at hand are those that were kept."""
    largest, fine = 0.0, model.fineness
    for i in range(model.rows):
        largest = max(largest, abs(model.w[i]) * fine[i])
    for i in range(model.rows):
        size = max(largest, model.no_change[i] * fine[i])
        if not abs(model.w[i] - model.kept_change[i]) * fine[i] <= APART * size:
            return False
    return True


@apart
def _may_be_several(model):
    """Whether some minor of what normal forces do to gaps, sliding on, is not positive.

    All are positive where nothing slides, and where their matrix has a positive symmetric part.
    """
    closed, count, slides = model.active, 0, False
    for e in range(model.elements):
        judged = address(model.judged, e * at.JUDGED)
        normal = model.element[e * at.WIDTH + at.NORMAL]
        if normal >= 0.0 and judged[at.TOUCHES] == 1.0:
            closed[count] = e
            count += 1
            slides = slides or judged[at.SLIDES] == 1.0
    if not slides or count > FEW:
        return False
    B, S, start = model.by_normals, model.matrix, model.found
    for k in range(count):
        start[k] = 0.0
        for m in range(count):
            B[k * count + m] = _pressed(model, whole(closed[k]), whole(closed[m]))
    for k in range(count):
        for m in range(count):
            S[k * count + m] = B[k * count + m] + B[m * count + k]
    if cholesky(count, S, model.gram, start):
        return False
    for chosen in range(1, 1 << count):
        if _minor(count, B, chosen, model.matrix) < -ROUNDING:
            return True
    return False


@apart
def _pressed(model, k, m):
    """Opening of the gap of k by the normal force of an element m and the friction it causes."""
    element, rows = address(model.element, m * at.WIDTH), model.rows
    gap = whole(model.element[k * at.WIDTH + at.NORMAL])
    A = address(model.A, gap * rows)
    normal = whole(element[at.NORMAL])
    total = A[normal]
    if model.judged[m * at.JUDGED + at.SLIDES] == 1.0:
        for j in range(whole(element[at.COUNT])):
            along = model.seen[m * at.SEEN + at.ALONG + j]
            total -= element[at.KINETIC] * A[row_of(element, j)] * along
    return total / model.A[normal * rows + normal]


@apart
def _minor(count, B, chosen, S):
    """The determinant of the rows and columns whose bits are set, by elimination in S."""
    n, result = 0, 1.0
    for k in range(count):
        if chosen >> k & 1:
            place = 0
            for m in range(count):
                if chosen >> m & 1:
                    S[n * count + place] = B[k * count + m]
                    place += 1
            n += 1
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            best = i if abs(S[i * count + k]) > abs(S[best * count + k]) else best
        if S[best * count + k] == 0.0:
            return 0.0
        result *= S[best * count + k] if best == k else -S[best * count + k]
        for j in range(k, n):
            S[k * count + j], S[best * count + j] = S[best * count + j], S[k * count + j]
        for i in range(k + 1, n):
            part = S[i * count + k] / S[k * count + k]
            for j in range(k, n):
                S[i * count + j] -= part * S[k * count + j]
    return result
