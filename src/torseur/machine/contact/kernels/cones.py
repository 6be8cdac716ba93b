"""Impulses of all rows that act at once: Signorini's condition, Coulomb's cones, limits of loads.

Rows stand one after the other, their speeds at the end of a step being u = W P + q. Block
Gauss-Seidel sweeps come near, Newton's method on the equations of Alart and Curnier ends it.
Where that fails, a response is added to each row about the impulses at hand and taken away step by
step (the proximal point method, Rockafellar 1976).
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
from torseur.machine.runtime.long_vectors import copy, dot, square_root
from torseur.machine.runtime.vectors import address, apart, whole

SWEEPS, MORE = 4, 60  # before Newton's method, and after it failed: four times as many each time
ROUNDS = 5
SOFT, SOFTEST, POINTS = 1.0, 1e300, 12  # of the response of a row, and how often it is changed


@apart
def solve_cones(model, n, close):
    """The residual that is left of the laws of n rows; impulse and speed ← those found."""
    model.soft[0] = 0.0
    error, sweeps = write_equations(model, n, model.unknown), SWEEPS
    for k in range(ROUNDS):
        if error <= close:
            return error
        _sweep(model, n, sweeps, close)
        error, sweeps = (_newton(model, n, close), MORE if k == 0 else 4 * sweeps)
    if error > close:
        until, softness = (error, close, POINTS), (SOFT, 0.0, SOFTEST, False)
        proximal_points(model, (0, n), until, softness, _point)
        _sweep(model, n, SWEEPS, close)
        error = _newton(model, n, close)
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
def _newton(model, n, close):
    return newton(model, (0, n), (close, STEPS, BOLD), _equations, _direction)


@apart
def _direction(model, rows):
    """Whether the system is regular; unknown ← the change of impulses."""
    n = rows[1]
    for e in range(model.elements):
        if model.acts[e] == 1.0:
            element = address(model.element, e * at.WIDTH)
            if element[at.NORMAL] >= 0.0:
                _write_normal(model, n, e, spot_of(model, whole(element[at.NORMAL])))
            if element[at.COUNT] > 0.0:
                _write_rubbing(model, n, e, element)
    return solved(model, n)


@apart
def write_equations(model, n, into):
    """into ← P less what z makes of it; the largest of them as a speed, in sizes of rows.

    speed ← u of all rows.
    """
    P, u, worst = model.impulse, model.speed, 0.0
    for i in range(n):
        u[i] = _speed(model, n, i)
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
def _write_friction(model, n, e, element, into):
    P, u, count = model.impulse, model.speed, whole(element[at.COUNT])
    mean, total, first = _mean_response(model, element), 0.0, 0.0
    for k in range(count):
        i = spot_of(model, row_of(element, k))
        z = P[i] - u[i] / mean
        first = z if k == 0 else first
        total += z * z
    size, most = square_root(total), limit(model, n, e, first <= 0.0)
    share = share_of_disc(size, most)
    for k in range(count):
        i = spot_of(model, row_of(element, k))
        into[i] = P[i] - share * (P[i] - u[i] / mean)


@apart
def _entry(model, i, c):
    """How the speed of a row changes with an impulse, on the way."""
    own = model.response[i * model.rows + c]
    return own * (1.0 + max(PROXIMAL, model.soft[0])) if i == c else own


@apart
def _write_normal(model, n, e, i):
    J, own = model.tangent, own_response(model, i)
    off = model.speed[i] - model.bound[e]
    pushes = model.impulse[i] - off / own > model.floor[e]
    for c in range(n):
        if pushes:
            J[n * c + i] = _entry(model, i, c) / own
        else:
            J[n * c + i] = 1.0 * (i == c)


@apart
def _write_rubbing(model, n, e, element):
    """Rows of friction: held, or with d = z/|z| the friction there is along d, which turns."""
    P, u, J, count = model.impulse, model.speed, model.tangent, 0
    count = whole(element[at.COUNT])
    mean, total, slopes = _mean_response(model, element), 0.0, model.room
    first = spot_of(model, row_of(element, 0))
    for k in range(count):
        i = spot_of(model, row_of(element, k))
        z = P[i] - u[i] / mean
        total += z * z
    size, forward = square_root(total), P[first] - u[first] / mean <= 0.0
    most = limit(model, n, e, forward)
    if size <= most:
        for k in range(count):
            i = spot_of(model, row_of(element, k))
            for c in range(n):
                J[n * c + i] = _entry(model, i, c) / mean
        return
    _write_slopes(model, n, e, forward, slopes)
    for c in range(n):
        along = 0.0
        for k in range(count):
            i = spot_of(model, row_of(element, k))
            d = (P[i] - u[i] / mean) / size
            along += d * (1.0 * (i == c) - _entry(model, i, c) / mean)
        for k in range(count):
            i = spot_of(model, row_of(element, k))
            d = (P[i] - u[i] / mean) / size
            own = 1.0 * (i == c)
            change = own - _entry(model, i, c) / mean
            J[n * c + i] = sliding_entry((own, d), change, along, slopes[c], most / size)
