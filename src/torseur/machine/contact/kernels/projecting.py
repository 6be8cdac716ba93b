"""Forces of contacts found by projecting all rows at once on what they may be, from zero on.

What touches without sliding always has such forces, though they come slowly; they serve where modes
go in circles, and where more rows hold than are needed, so that forces are not unique. Rows of the
mechanism itself are eliminated, islands go one by one, and all rows of an island at once by steps
of one size: neither the order of rows matters, nor what carries the bodies, nor what stands beside
them, and what is symmetric stays symmetric. Momentum makes it quicker (Nesterov 1983), and is
dropped where it leads astray (O'Donoghue and Candès 2015).
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import friction_size, pressing_load, resisted, row_of
from torseur.machine.contact.kernels.laws import follow_laws
from torseur.machine.runtime.long_vectors import copy, dot, square_root
from torseur.machine.runtime.vectors import address, apart, whole

PASSES = 3000  # over all rows
SETTLED = 1e-12  # of the largest force: what the last of them changes
FAR = 1e12  # times the usual force: what slides may have no forces at all
RANK = 1e-10  # of what a row does alone: what is left of one that others hold
TINY = 1e-300


@apart
def project(model, into):
    """z and into ← forces of all that touches."""
    rows = model.rows
    for i in range(rows):
        model.z[i], into[i], model.island_of[i] = 0.0, 0.0, -1.0
    _eliminate_own(model)
    for island in range(whole(model.islands[0])):
        for k in range(whole(model.first[island]), whole(model.first[island + 1])):
            model.island_of[whole(model.order[k])] = island
    for island in range(whole(model.islands[0])):
        _project_island(model, island, into)
    copy(rows, into, model.z)


@apart
def _project_island(model, island, into):
    """into ← the forces of an island."""
    rows, z, start, gain = model.rows, model.z, model.found, model.scale
    far, pace = FAR * _begin(model, island, gain), 1.0
    for _ in range(PASSES):
        if model.laws > 0 and model.laws_act[0] == 1.0:
            follow_laws(model)
        copy(rows, z, start)
        _step(model, island, gain)
        size, change, astray, share = 0.0, 0.0, 0.0, 1.0
        for i in range(rows):
            if gain[i] > 0.0:
                size, change = max(size, abs(z[i])), max(change, abs(z[i] - start[i]))
                astray += (start[i] - z[i]) * (z[i] - into[i]) / gain[i]
                share = min(share, gain[i] * model.response[i * rows + i])
        if size > far or change <= share * SETTLED * max(size, TINY):
            copy(rows, z, into)
            break
        next_pace = 0.5 * (1.0 + square_root(1.0 + 4.0 * pace * pace))
        momentum = 0.0 if astray > 0.0 else (pace - 1.0) / next_pace
        pace = 1.0 if astray > 0.0 else next_pace
        for i in range(rows):
            after = z[i]
            if gain[i] > 0.0:
                z[i] += momentum * (after - into[i])
            into[i] = after


# --- rows of the mechanism itself -----------------------------------------------------------------


@apart
def _eliminate_own(model):
    """response, unpushed ← A and c of the rows of elements, where the others hold.

    A row of the mechanism itself then has the force that those of elements ask of it.
    """
    rows, R, c = model.rows, model.response, model.unpushed
    copy(rows * rows, model.A, R)
    copy(rows, model.c, c)
    for p in range(rows):
        row, pivot = address(R, p * rows), R[p * rows + p]
        holds = model.own[p] == 1.0 and model.role[p] == at.HELD and model.movable[p] == 1.0
        if holds and pivot > RANK * model.A[p * rows + p]:
            for i in range(rows):
                part = R[i * rows + p] / pivot
                if i != p and part != 0.0:
                    for j in range(rows):
                        R[i * rows + j] -= part * row[j]
                    c[i] -= part * c[p]
                    R[i * rows + p] = 0.0
            for j in range(rows):
                row[j] /= pivot
            c[p] /= pivot
            row[p] = 1.0
        elif model.own[p] == 1.0:
            for j in range(rows):  # others hold it already
                row[j], R[j * rows + p] = 0.0, 0.0
            c[p] = 0.0


@apart
def _hold_own(model, island):
    """z ← of the rows of the mechanism itself."""
    rows, z = model.rows, model.z
    for p in range(rows):
        if model.own[p] == 1.0 and model.island_of[p] == island and model.role[p] == at.HELD:
            z[p] = 0.0
            z[p] = -model.unpushed[p] - dot(rows, address(model.response, p * rows), z)


# --- the size of steps ----------------------------------------------------------------------------


@apart
def _begin(model, island, gain):
    """The largest force that would hold a row alone; gain ← how far forces go for what is left.

    That is one number for all rows of elements in an island, in units of what they are compared
    with, so that what is shared has the least sum of squares: one over a bound of all they do.
    """
    rows, usual, bound, fine = model.rows, 0.0, 0.0, model.fineness
    for i in range(rows):
        gain[i] = 0.0
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if _is_in(model, element, island) and model.judged[e * at.JUDGED + at.TOUCHES] == 1.0:
            for k in range(-1, whole(element[at.COUNT])):
                i = whole(element[at.NORMAL]) if k < 0 else row_of(element, k)
                if i >= 0:
                    alone = model.response[i * rows + i]
                    moves = alone > RANK * model.A[i * rows + i] and model.movable[i] == 1.0
                    gain[i] = 1.0 if moves else 0.0
                    usual = max(usual, abs(model.unpushed[i] / alone) if moves else 0.0)
    for i in range(rows):
        for j in range(rows):
            if gain[i] > 0.0 and gain[j] > 0.0:
                entry = model.response[i * rows + j] * fine[i] * fine[j]
                bound += entry * entry
    for i in range(rows):
        if gain[i] > 0.0:
            gain[i] = fine[i] * fine[i] / square_root(bound)
    return usual


@apart
def _is_in(model, element, island):
    """Whether an element is in an island."""
    normal, count = whole(element[at.NORMAL]), whole(element[at.COUNT])
    inside = normal >= 0 and model.island_of[normal] == island
    for k in range(count):
        inside = inside or model.island_of[row_of(element, k)] == island
    return inside


# --- one step -------------------------------------------------------------------------------------


@apart
def _step(model, island, gain):
    """z ← moved by what is left to hold, and projected: normal forces, then friction by loads."""
    rows, z, w, load = model.rows, model.z, model.w, model.pull
    for i in range(rows):
        if gain[i] > 0.0:
            w[i] = dot(rows, address(model.response, i * rows), z) + model.unpushed[i]
    for i in range(rows):
        if gain[i] > 0.0:
            z[i] -= gain[i] * w[i]
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        normal = whole(element[at.NORMAL])
        if normal >= 0 and model.island_of[normal] == island:
            z[normal] = max(z[normal], 0.0)
            if model.role[normal] == at.RETURNED:
                z[normal] = model.returned[normal]
    _hold_own(model, island)
    for e in range(model.elements):
        load[e] = pressing_load(model, address(model.element, e * at.WIDTH))
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if _is_in(model, element, island) and model.judged[e * at.JUDGED + at.TOUCHES] == 1.0:
            _rub(model, e, element, load[e])
    _hold_own(model, island)


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
