"""Forces of contacts found by projecting all rows at once on what they may be, from zero on.

What touches without sliding always has such forces, though they come slowly; they serve where modes
go in circles, and where more rows hold than are needed, so that forces are not unique. All rows go
at once and by steps of one size, so that the order of rows does not matter and what is symmetric
stays symmetric; momentum makes it quicker (Nesterov 1983), and is dropped where it leads astray
(O'Donoghue and Candès 2015).
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import friction_size, pressing_load, resisted, row_of
from torseur.machine.contact.kernels.laws import follow_laws
from torseur.machine.runtime.long_vectors import copy, dot, square_root
from torseur.machine.runtime.vectors import address, apart, whole

PASSES = 3000  # over all rows
SETTLED = 1e-12  # of the largest force: what the last of them changes
FAR = 1e12  # times the usual force: what slides may have no forces at all
TINY = 1e-300


@apart
def project(model, into):
    """z and into ← forces of all that touches."""
    rows, z, start, ease = model.rows, model.z, model.found, model.scale
    far = FAR * _begin(model, ease)
    for i in range(rows):
        z[i], into[i] = 0.0, 0.0
    share = 1.0 / _stiffest(model, ease)
    pace = 1.0
    for _ in range(PASSES):
        if model.laws > 0:
            follow_laws(model)
        copy(rows, z, start)
        _step(model, ease, share)
        size, change, astray = 0.0, 0.0, 0.0
        for i in range(rows):
            size, change = max(size, abs(z[i])), max(change, abs(z[i] - start[i]))
            astray += ease[i] * (start[i] - z[i]) * (z[i] - into[i])
        if size > far or change <= share * SETTLED * max(size, TINY):
            copy(rows, z, into)
            break
        next_pace = 0.5 * (1.0 + square_root(1.0 + 4.0 * pace * pace))
        momentum = 0.0 if astray > 0.0 else (pace - 1.0) / next_pace
        pace = 1.0 if astray > 0.0 else next_pace
        for i in range(rows):
            after = z[i]
            z[i] += momentum * (after - into[i])
            into[i] = after
    copy(rows, into, z)


# --- the size of steps ---------------------------------------------------------------------------


@apart
def _begin(model, ease):
    """The largest force that would hold a row alone; ease ← how easily rows count as moved.

    Those of elements all alike in an island, in units of what they are compared with: then what is
    shared has the least sum of squares. Rows that do not act have none.
    """
    rows, usual = model.rows, 0.0
    for i in range(rows):
        ease[i] = 0.0
        if model.movable[i] == 1.0:
            usual = max(usual, abs(model.c[i] / model.ease[i]))
            if model.own[i] == 1.0 and model.role[i] == at.HELD:
                ease[i] = model.ease[i]
    for e in range(model.elements):
        if model.judged[e * at.JUDGED + at.TOUCHES] == 1.0:
            element = address(model.element, e * at.WIDTH)
            normal = whole(element[at.NORMAL])
            if normal >= 0:
                ease[normal] = model.ease[normal] * model.movable[normal]
            for k in range(whole(element[at.COUNT])):
                row = row_of(element, k)
                ease[row] = model.ease[row] * model.movable[row]
    for island in range(whole(model.islands[0])):
        _level(model, ease, whole(model.first[island]), whole(model.first[island + 1]))
    return usual


@apart
def _level(model, ease, start, end):
    """ease ← of rows of elements from one place of the order to another, that of the easiest."""
    largest, fine = 0.0, model.fineness
    for k in range(start, end):
        i = whole(model.order[k])
        if model.own[i] == 0.0:
            largest = max(largest, ease[i] * fine[i] * fine[i])
    for k in range(start, end):
        i = whole(model.order[k])
        if model.own[i] == 0.0 and ease[i] > 0.0:
            ease[i] = largest / (fine[i] * fine[i])


@apart
def _stiffest(model, ease):
    """A bound of what forces of size one do together, in units in which each alone does one."""
    largest, rows = 1.0, model.rows
    for i in range(rows):
        total = 0.0
        if ease[i] > 0.0:
            for j in range(rows):
                if ease[j] > 0.0:
                    total += abs(model.A[i * rows + j]) / square_root(ease[i] * ease[j])
        largest = max(largest, total)
    return largest


# --- one step ------------------------------------------------------------------------------------


@apart
def _step(model, ease, share):
    """z ← moved by what is left to hold, and projected: normal forces, then friction by loads."""
    rows, z, w, load = model.rows, model.z, model.w, model.pull
    for i in range(rows):
        if ease[i] > 0.0:
            w[i] = dot(rows, address(model.A, i * rows), z) + model.c[i]
    for i in range(rows):
        if ease[i] > 0.0:
            z[i] -= share * w[i] / ease[i]
    for e in range(model.elements):
        normal = whole(model.element[e * at.WIDTH + at.NORMAL])
        if normal >= 0:
            z[normal] = max(z[normal], 0.0)
            if model.role[normal] == at.RETURNED:
                z[normal] = model.returned[normal]
    for e in range(model.elements):
        load[e] = pressing_load(model, address(model.element, e * at.WIDTH))
    for e in range(model.elements):
        if model.judged[e * at.JUDGED + at.TOUCHES] == 1.0:
            _rub(model, e, address(model.element, e * at.WIDTH), load[e])


@apart
def _rub(model, e, element, load):
    """z ← of what slides, friction against its speed; of what does not, friction in its limit."""
    z, count, judged = model.z, whole(element[at.COUNT]), address(model.judged, e * at.JUDGED)
    if count == 0:
        return
    if judged[at.SLIDES] == 1.0:
        for k in range(count):
            z[row_of(element, k)] = -element[at.KINETIC] * load * resisted(model, element, k)
        return
    limit = max(0.0, element[at.STATIC] * load - judged[at.ROOM])
    size = friction_size(element, z)
    if size > limit:
        for k in range(count):
            z[row_of(element, k)] *= limit / size
