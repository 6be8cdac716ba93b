"""Whether what touches can rest: forces within all limits of friction, as clear as they can be.

Of forces that have a choice, A z + c = 0 leaves z₀ + N y. The least distance s to a limit, of
μ N − |T| of each element, is made as large as can be: a small problem of second-order cones, solved
by Newton's method on its logarithmic barrier (Boyd and Vandenberghe 2004, *Convex Optimization*,
§11.3 and §11.6). Where s > 0 nothing needs to slide.
"""

from math import inf

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of
from torseur.machine.contact.kernels.events.redundancy import (
    is_redundant,
    list_touching,
    write_scaled,
)
from torseur.machine.contact.kernels.events.turning import solve_modes
from torseur.machine.contact.kernels.parting import first_row
from torseur.machine.contact.negligible import RANK
from torseur.machine.integrators.kernels.dense import cholesky, least, lessen, solve_positive
from torseur.machine.runtime.long_vectors import copy, dot, exponential, square_root
from torseur.machine.runtime.vectors import address, apart, whole

CLEAR = 1e-10  # of the largest force: a distance from a limit that is one
GROWTH, MOST, NEWTON = 30.0, 1e13, 40  # of the weight of s; its largest; steps for each
NEAR = 0.1  # of s: what the largest may have more
DONE = 1e-9  # a decrement of the barrier that is none
LARGE = 1e3  # times the forces at hand: a distance that has no bound
SHORT = 1e-12  # of a step: rounding hides a fall of the barrier
OPEN = 1e-14  # a column of second derivatives beside the largest that counts as nothing


@apart
def starts(model, e):
    """Whether an element starts to slide."""
    element, slides = address(model.element, e * at.WIDTH), model.judged[e * at.JUDGED + at.SLIDES]
    return element[at.MODE] == at.SLIP and slides == 0.0 and element[at.COUNT] > 0.0


@apart
def let_rest(model, element, what):
    """Elements that start to slide rest from now on where forces that have a choice hold them.

    What was at its limit and sticks on has other shares, as clear of all limits as they can be:
    others would bring it there again at once.
    """
    if what == at.LIFT:
        return
    for e in range(model.elements):
        candidate = address(model.element, e * at.WIDTH)
        sticks_on = e == element and what == at.LIMIT and candidate[at.MODE] == at.STICK
        model.resting[e] = 1.0 if starts(model, e) or sticks_on else 0.0
    for e in range(model.elements):
        if model.resting[e] == 1.0:
            island = model.touching_island[first_row(address(model.element, e * at.WIDTH))]
            for other in range(model.elements):
                row = first_row(address(model.element, other * at.WIDTH))
                if model.touching_island[row] == island:
                    model.resting[other] = 0.0
            rests = not _has_sliding(model, island) and is_redundant(model, island)
            if rests and _find(model, island):
                _keep(model, island)


@apart
def _has_sliding(model, island):
    """Whether something that touches in an island slides."""
    for e in range(model.elements):
        element, judged = address(model.element, e * at.WIDTH), address(model.judged, e * at.JUDGED)
        slides = judged[at.TOUCHES] == 1.0 and judged[at.SLIDES] == 1.0
        same = model.touching_island[first_row(element)] == island
        if slides and element[at.COUNT] > 0.0 and same:
            return True
    return False


@apart
def _is_here(model, e, island):
    """Whether an element touches in an island."""
    element_island = model.touching_island[first_row(address(model.element, e * at.WIDTH))]
    return model.judged[e * at.JUDGED + at.TOUCHES] == 1.0 and element_island == island


@apart
def _keep(model, island):
    """The elements of an island stick by the forces found, if that agrees."""
    copy(model.elements * at.WIDTH, model.element, model.other_element)
    copy(model.rows, model.reference, model.cone_force)
    for i in range(model.rows):
        holds = model.every_role[i] == at.HELD and model.movable[i] == 1.0
        inside = holds and model.touching_island[i] == island
        model.reference[i] = model.basis[i] if inside else model.z[i]
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if _is_here(model, e, island) and element[at.COUNT] > 0.0:
            element[at.MODE] = at.STICK
    if not solve_modes(model):
        copy(model.elements * at.WIDTH, model.other_element, model.element)
        copy(model.rows, model.cone_force, model.reference)
        solve_modes(model)


# --- forces that hold -----------------------------------------------------------------------------


@apart
def _find(model, island):
    """Whether the island rests: the first row of the basis ← forces of all its rows.

    It applies where nothing of the island slides yet and friction is Coulomb's at normal forces.
    """
    if not _is_plain(model, island):
        return False
    size, left = _write_basis(model, island)
    if left == 0 or size == 0.0:
        return False
    n, count = left + 1, _write_limits(model, island, left)
    if not _find_clearest(model, n, count):
        return False
    for i in range(model.rows):
        total = model.basis[i]
        for j in range(left):
            total += model.basis[(1 + j) * model.rows + i] * model.point[j]
        model.basis[i] = total * size
    return True


@apart
def _is_plain(model, island):
    """Whether all that touches in an island presses or rubs by Coulomb's law."""
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        presses = element[at.COUNT] == 0.0 and element[at.NORMAL] >= 0.0
        rubs = element[at.LOAD] == at.NORMAL_LOAD and element[at.WRAPPED] == 0.0
        rubs = rubs and element[at.PATCH] == at.NO_PATCH and element[at.SPRING] < 0.0
        if _is_here(model, e, island) and not presses and not rubs:
            return False
    return True


@apart
def _write_basis(model, island):
    """The size of the smallest forces that hold, and how many freedoms they leave: the basis ←
    these forces over their size, then one vector for each freedom."""
    rows, A, count = model.rows, model.A, list_touching(model, island)
    write_scaled(model, count, 0.0)
    for k in range(count):
        i = whole(model.active[k])
        model.right[k] = -model.c[i] / square_root(A[i * rows + i])
    x, freedoms = model.found, model.gram
    left = least(count, model.matrix, model.right, RANK, model.column, freedoms, x)
    for k in range(count):
        model.right[k] = 1.0
    lessen(count, left, freedoms, model.right, x)
    size = square_root(dot(count, x, x))
    for j in range(left + 1):
        vector = x if j == 0 else address(freedoms, (j - 1) * count)
        length, into = square_root(dot(count, vector, vector)), address(model.basis, j * rows)
        for i in range(rows):
            into[i] = 0.0
        for k in range(count):
            i = whole(model.active[k])
            if length > 0.0:
                into[i] = vector[k] / (length * square_root(A[i * rows + i]))
    return size, left


@apart
def _write_limits(model, island, left):
    """Write each limit, μ N and T by 1, the freedoms and s, in its units; return their number."""
    count, finest, fine, width = 0, 0.0, model.fineness, model.sides
    for i in range(model.rows):
        finest = max(finest, fine[i])
    for e in range(model.elements):
        if _is_here(model, e, island):
            element = address(model.element, e * at.WIDTH)
            rubs = whole(element[at.COUNT])
            normal = whole(element[at.LOAD_FROM] if rubs > 0 else element[at.NORMAL])
            unit = 1.0 / fine[row_of(element, 0) if rubs > 0 else normal]
            grip = element[at.STATIC] * unit if rubs > 0 else unit
            limit = address(model.limit, 4 * count * width)
            for j in range(left + 1):
                forces = address(model.basis, j * model.rows)
                limit[j] = grip * forces[normal]
                for k in range(3):
                    force = forces[row_of(element, k)] * unit if k < rubs else 0.0
                    limit[(1 + k) * width + j] = force
            limit[left + 1] = -1.0 / finest
            for k in range(3):
                limit[(1 + k) * width + left + 1] = 0.0
            count += 1
    return count


# --- the barrier ----------------------------------------------------------------------------------


@apart
def _affine(model, n, k, part, x):
    """A number of limit k at a point: μ N for part 0, or a component of T."""
    row = address(model.limit, (4 * k + part) * model.sides)
    return row[0] + dot(n, address(row, 1), x)


@apart
def _depth(model, n, k, x):
    """(μ N)² − T² of a limit, which is not kept where that or μ N is not positive."""
    a, square = _affine(model, n, k, 0, x), 0.0
    for part in range(1, 4):
        friction = _affine(model, n, k, part, x)
        square += friction * friction
    return a * a - square if a > 0.0 else -1.0


@apart
def _find_clearest(model, n, count):
    """Whether the largest s is positive: it rests; point ← (y, s)."""
    x, last = model.point, n - 1
    for j in range(n):
        x[j] = 0.0
    lowest = inf
    for k in range(count):
        square = 0.0
        for part in range(1, 4):
            friction = _affine(model, n, k, part, x)
            square += friction * friction
        lowest = min(lowest, _affine(model, n, k, 0, x) - square_root(square))
    x[last] = lowest / -model.limit[n] - 1.0
    weight, degree = 1.0, 2.0 * count
    while weight < MOST:
        for _ in range(NEWTON):
            fall = _newton_step(model, n, count, weight)
            if not fall > DONE or not _moves_along(model, n, count, weight, fall):
                break
            if not abs(x[last]) < LARGE:
                return False
        more = degree / weight  # what the largest s may be above this one
        if x[last] + more <= CLEAR or more <= NEAR * x[last]:
            break
        weight *= GROWTH
    return x[last] > CLEAR


@apart
def _newton_step(model, n, count, weight):
    """The fall of the barrier that Newton's method expects; direction_of ← its step."""
    x, slope, bent, width = model.point, model.slope, model.bent, model.sides
    for i in range(n):
        slope[i], model.barrier_start[i] = 0.0, 0.0
        for j in range(n):
            bent[i * n + j] = 0.0
    slope[n - 1] = -weight
    for k in range(count):
        limit, depth = address(model.limit, 4 * k * width + 1), _depth(model, n, k, x)
        gradient = model.direction_of
        for i in range(n):
            gradient[i] = 2.0 * limit[i] * _affine(model, n, k, 0, x) / depth
            for part in range(1, 4):
                gradient[i] -= 2.0 * limit[part * width + i] * _affine(model, n, k, part, x) / depth
        for i in range(n):
            slope[i] -= gradient[i]
            for j in range(n):
                curved = limit[i] * limit[j]
                for part in range(1, 4):
                    curved -= limit[part * width + i] * limit[part * width + j]
                bent[i * n + j] += gradient[i] * gradient[j] - 2.0 * curved / depth
    return _solve(model, n)


@apart
def _solve(model, n):
    """−slope · step; direction_of ← the smallest step that the second derivatives give."""
    step, L = model.direction_of, model.bent_root
    for i in range(n):
        step[i] = -model.slope[i]
    if cholesky(n, model.bent, L, model.barrier_start):
        solve_positive(n, L, step)
        return -dot(n, model.slope, step)
    copy(n, step, model.right)
    left = least(n, model.bent, model.right, OPEN, model.column, model.gram, step)
    for i in range(n):
        model.right[i] = 1.0
    lessen(n, left, model.gram, model.right, step)
    return -dot(n, model.slope, step)


@apart
def _moves_along(model, n, count, weight, fall):
    """Whether a part of a step makes the barrier fall: point ← there; rounding may hide it."""
    x, to, step, part = model.point, model.tried_point, model.direction_of, 1.0
    while part > SHORT:
        for i in range(n):
            to[i] = x[i] + part * step[i]
        grows, inside = 1.0, True  # the product of depths, over that of before
        for k in range(count):
            depth = _depth(model, n, k, to)
            inside = inside and depth > 0.0
            grows *= depth / _depth(model, n, k, x)
        target = weight * (x[n - 1] - to[n - 1]) + 0.1 * part * fall
        if inside and grows >= exponential(target):
            copy(n, to, x)
            return True
        part *= 0.5
    return False
