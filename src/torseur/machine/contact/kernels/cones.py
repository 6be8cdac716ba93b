"""Impulses of all rows that act at once: Signorini's condition, Coulomb's cones, limits of loads.

Rows stand one after the other, their speeds at the end of a step being u = W P + q. Block
Gauss-Seidel sweeps come near, Newton's method on the equations of Alart and Curnier ends it.
Where that fails, a response is added to each row about the impulses at hand and taken away step by
step (the proximal point method, Rockafellar 1976).

Where impulses are not unique, rows at first give way a little, all of them from zero: that tells
what sticks, slides and opens, whatever the order of rows. Then the smallest impulses follow.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import one_way, row_of
from torseur.machine.integrators.kernels.alart_curnier import (
    BOLD,
    PROXIMAL,
    STEPS,
    newton,
    proximal_points,
    share_of_disc,
    sliding_entry,
    solved,
)
from torseur.machine.integrators.kernels.dense import multiply, solve_positive
from torseur.machine.integrators.kernels.smallest import GIVES, smallest
from torseur.machine.runtime.long_vectors import copy, dot, square_root
from torseur.machine.runtime.vectors import address, apart, whole

SWEEPS, MORE = 4, 60  # before Newton's method, and after it failed: four times as many each time
ROUNDS = 5
REFINEMENTS = 3
SOFT, SOFTEST, POINTS = 1.0, 1e300, 12  # of the response of a row, and how often it is changed


@apart
def solve_cones(model, n, close):
    """The residual that is left of the laws of n rows; impulse and speed ← those found."""
    has_choice = model.unique[0] == 0.0
    if not has_choice and model.rests[0] == 1.0:
        error = _hold_all(model, n, close)
        if error <= close:
            return error
        model.rests[0] = 0.0
    if has_choice:
        for i in range(n):
            model.anchor[i] = 0.0
        model.soft[0] = GIVES
        _search(model, n, close)
    model.soft[0] = 0.0
    error = _search(model, n, close)
    if error > close:
        until, softness = (error, close, POINTS), (SOFT, 0.0, SOFTEST, False)
        proximal_points(model, (0, n), until, softness, _point)
        _sweep(model, n, SWEEPS, close)
        error = _newton(model, n, close)
    return smallest(model, (0, n), close, _laws, _write_weights) if has_choice else error


@apart
def _hold_all(model, n, close):
    """The residual where every row holds; where that breaks a law, impulses stay as they were.

    The factor of the response has a little less on its diagonal: what that leaves is taken back.
    """
    P, kept, x, unit = model.impulse, model.kept, model.tried, model.unit
    error = write_equations(model, n, model.unknown)
    copy(n, P, kept)
    for _ in range(REFINEMENTS):
        if error <= close:
            return error
        for i in range(n):
            x[i] = -model.speed[i] * unit[i]
        for e in range(model.elements):
            normal = whole(model.element[e * at.WIDTH + at.NORMAL])
            if normal >= 0 and model.acts[e] == 1.0:
                i = spot_of(model, normal)
                x[i] += model.bound[e] * unit[i]
        solve_positive(n, model.root, x)
        for i in range(n):
            P[i] += x[i] * unit[i]
        error = write_equations(model, n, model.unknown)
    if error > close:
        copy(n, kept, P)
    return error


@apart
def _search(model, n, close):
    """The residual after sweeps and Newton's method, more of them each time that fails."""
    error, sweeps = write_equations(model, n, model.unknown), SWEEPS
    for k in range(ROUNDS):
        if error <= close:
            return error
        _sweep(model, n, sweeps, close)
        error, sweeps = (_newton(model, n, close), MORE if k == 0 else 4 * sweeps)
    return error


@apart
def _point(model, rows, soft, before, close):
    """One of them; what was there is kept if it was better."""
    n, P, kept = rows[1], model.impulse, model.anchor
    copy(n, P, kept)
    model.soft[0] = soft
    _sweep(model, n, SWEEPS, close)
    _newton(model, n, close)
    model.soft[0] = 0.0
    error = write_equations(model, n, model.unknown)
    if error < before:
        return 1, error
    copy(n, kept, P)
    return -1, before


# --- what rows may do ----------------------------------------------------------------------------


@apart
def spot_of(model, row):
    """Where a row stands; −1: it does not act."""
    return whole(model.spot[row])


@apart
def own_response(model, i):
    """The speed of a row by its own impulse."""
    return model.response[i * model.rows + i]


@apart
def _joint_size(model, n, element):
    """The impulse of the load of a joint, without its arm."""
    total = 0.0
    for m in range(whole(element[at.LOAD_COUNT])):
        own = joint_component(model, n, whole(element[at.LOAD_FROM]) + m)
        total += own * own
    return square_root(total)


@apart
def joint_component(model, n, k):
    by = address(model.load_response, k * model.rows)
    return model.load_free[k] + dot(n, by, model.impulse)


@apart
def limit(model, n, e, forward):
    """The most friction of an element, where it resists a motion forward or back."""
    element, grip = address(model.element, e * at.WIDTH), model.grip[e]
    if element[at.LOAD] == at.CONSTANT_LOAD:
        size = element[at.FORWARD]
        if element[at.COUNT] == 1.0 and not forward:
            size = element[at.BACKWARD]
        return grip * size * model.step[0]
    grip = one_way(element, grip, forward)
    if element[at.LOAD] == at.NORMAL_LOAD:
        i = spot_of(model, whole(element[at.LOAD_FROM]))
        return grip * max(model.impulse[i], 0.0) if i >= 0 else 0.0
    return grip * element[at.ARM] * _joint_size(model, n, element)


@apart
def _write_slopes(model, n, e, forward, into):
    """into ← how the most friction of an element changes with each impulse."""
    element, grip = address(model.element, e * at.WIDTH), model.grip[e]
    for c in range(n):
        into[c] = 0.0
    if element[at.LOAD] == at.NORMAL_LOAD:
        i = spot_of(model, whole(element[at.LOAD_FROM]))
        if i >= 0 and model.impulse[i] >= 0.0:
            into[i] = one_way(element, grip, forward)
    elif element[at.LOAD] == at.JOINT_LOAD:
        size = _joint_size(model, n, element)
        if size > 0.0:
            for m in range(whole(element[at.LOAD_COUNT])):
                k = whole(element[at.LOAD_FROM]) + m
                share = grip * element[at.ARM] * joint_component(model, n, k) / size
                for c in range(n):
                    into[c] += share * model.load_response[k * model.rows + c]


@apart
def _speed(model, n, i):
    """u of a row, by the impulses at hand."""
    own, P = address(model.response, i * model.rows), model.impulse
    near = model.soft[0] * own[i] * (P[i] - model.anchor[i])
    return dot(n, own, P) + model.unpushed[i] + near


@apart
def _mean_response(model, element):
    """Of the rows of friction."""
    total, count = 0.0, whole(element[at.COUNT])
    for k in range(count):
        total += own_response(model, spot_of(model, row_of(element, k)))
    return total / count


@apart
def _write_weights(model, rows, level):
    """weight ← of impulses, couples counting over a length; of friction that slides, none."""
    n, weight = rows[1], model.weight
    for i in range(n):
        weight[i] = 1.0 / model.fineness[whole(model.acting[i])]
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if model.acts[e] == 1.0 and element[at.COUNT] > 0.0:
            size, most = _wanted_friction(model, n, e, element)
            for k in range(whole(element[at.COUNT])):
                if size > most:
                    weight[spot_of(model, row_of(element, k))] = 0.0


# --- sweeps --------------------------------------------------------------------------------------


@apart
def _sweep(model, n, count, close):
    """Element after element, while all others stay; looked at from time to time."""
    P = model.impulse
    for k in range(count):
        if k % MORE == MORE - 1 and write_equations(model, n, model.unknown) <= close:
            break
        for e in range(model.elements):
            if model.acts[e] == 1.0:
                element = address(model.element, e * at.WIDTH)
                if element[at.NORMAL] >= 0.0:
                    i = spot_of(model, whole(element[at.NORMAL]))
                    off = _speed(model, n, i) - model.bound[e]
                    P[i] = max(model.floor[e], P[i] - off / _stiff(model, i))
                if element[at.COUNT] > 0.0:
                    _rub(model, n, e, element)


@apart
def _stiff(model, i):
    return own_response(model, i) * (1.0 + model.soft[0])


@apart
def _rub(model, n, e, element):
    """Friction that holds, or as much of it as there is."""
    P, count, trace = model.impulse, whole(element[at.COUNT]), 0.0
    wanted, total = model.tried, 0.0
    for k in range(count):
        i = spot_of(model, row_of(element, k))
        trace += _stiff(model, i)
        wanted[k] = _speed(model, n, i)
    for k in range(count):
        i = spot_of(model, row_of(element, k))
        wanted[k] = P[i] - wanted[k] / trace
        total += wanted[k] * wanted[k]
    size, most = square_root(total), limit(model, n, e, wanted[0] <= 0.0)
    share = share_of_disc(size, most)
    for k in range(count):
        P[spot_of(model, row_of(element, k))] = share * wanted[k]


# --- equations -----------------------------------------------------------------------------------


@apart
def _equations(model, rows):
    return write_equations(model, rows[1], model.unknown)


@apart
def _laws(model, rows):
    """The residual; unknown ← what is not zero, tangent ← how that changes with impulses."""
    error = write_equations(model, rows[1], model.unknown)
    _write_tangent(model, rows[1], 0.0)
    return error


@apart
def _newton(model, n, close):
    return newton(model, (0, n), (close, STEPS, BOLD), _equations, _direction)


@apart
def _direction(model, rows):
    """Whether the system is regular; unknown ← the change of impulses."""
    _write_tangent(model, rows[1], max(PROXIMAL, model.soft[0]))
    return solved(model, rows[1])


@apart
def _write_tangent(model, n, soft):
    """tangent ← how the equations change with impulses, rows being that much softer."""
    for e in range(model.elements):
        if model.acts[e] == 1.0:
            element = address(model.element, e * at.WIDTH)
            if element[at.NORMAL] >= 0.0:
                _write_normal(model, (n, soft), e, spot_of(model, whole(element[at.NORMAL])))
            if element[at.COUNT] > 0.0:
                _write_rubbing(model, (n, soft), e, element)


@apart
def write_equations(model, n, into):
    """into ← P less what z makes of it; the largest of them as a speed, in sizes of rows.

    speed ← u of all rows.
    """
    P, u, worst, soft, rows = model.impulse, model.speed, 0.0, model.soft[0], model.rows
    multiply(n, rows, model.response, P, u)
    for i in range(n):
        u[i] += model.unpushed[i]
        u[i] += soft * model.response[i * rows + i] * (P[i] - model.anchor[i])
    for e in range(model.elements):
        if model.acts[e] == 1.0:
            element = address(model.element, e * at.WIDTH)
            if element[at.NORMAL] >= 0.0:
                i = spot_of(model, whole(element[at.NORMAL]))
                z = P[i] - (u[i] - model.bound[e]) / own_response(model, i)
                into[i] = P[i] - max(z, model.floor[e])
            if element[at.COUNT] > 0.0:
                _write_friction(model, n, e, element, into)
    for i in range(n):
        fine = model.fineness[whole(model.acting[i])]
        worst = max(worst, abs(into[i]) * own_response(model, i) * fine)
    return worst


@apart
def _wanted_friction(model, n, e, element):
    """The friction by which an element would not slide, and the most there is."""
    P, u, mean = model.impulse, model.speed, _mean_response(model, element)
    total, first = 0.0, 0.0
    for k in range(whole(element[at.COUNT])):
        i = spot_of(model, row_of(element, k))
        z = P[i] - u[i] / mean
        first = z if k == 0 else first
        total += z * z
    return square_root(total), limit(model, n, e, first <= 0.0)


@apart
def _write_friction(model, n, e, element, into):
    P, u, count = model.impulse, model.speed, whole(element[at.COUNT])
    mean, (size, most) = _mean_response(model, element), _wanted_friction(model, n, e, element)
    share = share_of_disc(size, most)
    for k in range(count):
        i = spot_of(model, row_of(element, k))
        into[i] = P[i] - share * (P[i] - u[i] / mean)


@apart
def _entry(model, soft, i, c):
    """How the speed of a row changes with an impulse, on the way."""
    own = model.response[i * model.rows + c]
    return own * (1.0 + soft) if i == c else own


@apart
def _write_normal(model, size, e, i):
    (n, soft), J, own = size, model.tangent, own_response(model, i)
    off = model.speed[i] - model.bound[e]
    pushes = model.impulse[i] - off / own > model.floor[e]
    for c in range(n):
        if pushes:
            J[n * c + i] = _entry(model, soft, i, c) / own
        else:
            J[n * c + i] = 1.0 * (i == c)


@apart
def _write_rubbing(model, size_and_soft, e, element):
    """Rows of friction: held, or with d = z/|z| the friction there is along d, which turns."""
    P, u, J, count = model.impulse, model.speed, model.tangent, whole(element[at.COUNT])
    n, soft = size_and_soft
    mean, slopes = _mean_response(model, element), model.room
    first = spot_of(model, row_of(element, 0))
    forward = P[first] - u[first] / mean <= 0.0
    size, most = _wanted_friction(model, n, e, element)
    if size <= most:
        for k in range(count):
            i = spot_of(model, row_of(element, k))
            for c in range(n):
                J[n * c + i] = _entry(model, soft, i, c) / mean
        return
    _write_slopes(model, n, e, forward, slopes)
    for c in range(n):
        along = 0.0
        for k in range(count):
            i = spot_of(model, row_of(element, k))
            d = (P[i] - u[i] / mean) / size
            along += d * (1.0 * (i == c) - _entry(model, soft, i, c) / mean)
        for k in range(count):
            i = spot_of(model, row_of(element, k))
            d = (P[i] - u[i] / mean) / size
            own = 1.0 * (i == c)
            change = own - _entry(model, soft, i, c) / mean
            J[n * c + i] = sliding_entry((own, d), change, along, slopes[c], most / size)
