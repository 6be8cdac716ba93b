"""What acts in a step: its rows one after the other, joints eliminated, impulses in two phases."""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of, size_along, slow, stribeck
from torseur.machine.contact.kernels.cones import solve_cones
from torseur.machine.contact.kernels.measuring import energy_gained, kinetic_energy
from torseur.machine.contact.negligible import TOUCHING
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, whole

RANK = 1e-10  # of the response of a row: what others leave of one that says nothing new
LEAST = 1e-12  # the same, where joints hold it: that by which its impulse stays finite
SLOW = 1e-6  # of what forces do in a step: an approach that is none
GAINED = 1e-12  # of the kinetic energy: what rounding may add


@apart
def normal_of(model, e):
    """The row of the gap of an element; −1: it has none."""
    return whole(model.element[e * at.WIDTH + at.NORMAL])


@apart
def choose(model, modes):
    """Which elements may act in a step, and their coefficients; the state is that of its middle.

    A gap acts that is closed there, or was at the start; what follows tells whether it pushes.
    """
    for e in range(model.elements):
        element, acts = address(model.element, e * at.WIDTH), True
        normal = whole(element[at.NORMAL])
        if normal >= 0:
            gap = model.gap[normal] * model.fineness[normal]
            acts = gap <= TOUCHING or modes[e] != at.OPEN
        model.acts[e] = 1.0 if acts else 0.0
        model.grip[e] = _coefficient(model, element)
    for e in range(model.elements):
        owner = whole(model.judged[e * at.JUDGED + at.PRESSED])
        if owner >= 0 and model.acts[owner] == 0.0:
            model.acts[e] = 0.0


@apart
def _coefficient(model, element):
    """Of friction: static from rest, else by the speed of sliding at the start of the step."""
    speed = size_along(element, model.start_speed)
    if element[at.COUNT] == 0.0 or speed <= slow(model, element):
        return element[at.STATIC]
    if element[at.STRIBECK] == 0.0:
        return element[at.KINETIC]
    return stribeck(element, speed)


@apart
def rebound(model, h, share):
    """bound ← the speeds that Newton's law leaves, or a share of them; whether there are any.

    The shock is at the instant at which the gap closes; forces act before it and after it.
    """
    found = False
    for e in range(model.elements):
        normal = normal_of(model, e)
        model.bound[e], model.floor[e] = 0.0, 0.0
        if normal >= 0 and model.acts[e] == 1.0:
            part = share * (model.restitution[e] - model.returns[e])
            model.bound[e] = _rebound(model, e, normal, h, part)
            found = found or model.bound[e] > 0.0
    return found


@apart
def _rebound(model, e, row, h, part):
    """The speed of a gap at the end of the step; left ← the time after its shock, −1: none."""
    speed, i = model.start_speed[row], whole(model.spot[row])
    c = (model.unpushed[i] - speed) / h
    model.pull[e], model.left[e] = c, -1.0
    if speed >= -SLOW * abs(c) * h:
        return 0.0
    gap = model.start_gap[row]
    shock = -gap / speed
    shock = -gap / min(speed + 0.5 * c * shock, 0.5 * speed)
    shock = min(max(shock, -h), h)
    model.left[e] = h - shock
    if part == 0.0:
        return 0.0
    return max(0.0, c * (h - shock) - part * min(speed + c * shock, 0.0))


# --- rows one after the other --------------------------------------------------------------------


@apart
def list_rows(model):
    """How many rows of elements act, and how many rows there are with those that always hold."""
    spot, acting, n = model.spot, model.acting, 0
    for i in range(model.rows):
        spot[i] = -1.0
    for e in range(model.elements):
        if model.acts[e] == 1.0:
            element = address(model.element, e * at.WIDTH)
            if element[at.NORMAL] >= 0.0:
                n = _place(model, whole(element[at.NORMAL]), n)
            for k in range(whole(element[at.COUNT])):
                n = _place(model, row_of(element, k), n)
    count = n
    for i in range(model.rows):
        if model.own[i] == 1.0 and model.role[i] == at.HELD:
            acting[count], spot[i] = i, count
            count += 1
    return n, count


@apart
def _place(model, row, n):
    model.spot[row], model.acting[n] = n, row
    return n + 1


@apart
def write_problem(model, n, count, h):
    """response, unpushed and loads ← of the rows listed, those from n on eliminated."""
    rows, W, A = model.rows, model.response, model.A
    acting, q = model.acting, model.unpushed
    for i in range(count):
        row = whole(acting[i])
        for j in range(count):
            W[i * rows + j] = A[row * rows + whole(acting[j])]
        own = address(model.J, row * model.speeds)
        q[i] = dot(model.speeds, own, model.loose) + model.b[row]
        q[i] += model.shift[row]
    for k in range(model.loads):
        model.load_free[k] = h * model.load_0[k]
        for j in range(count):
            by = model.load_by[k * rows + whole(acting[j])]
            model.load_response[k * rows + j] = by
    for p in range(count - 1, n - 1, -1):
        _eliminate(model, p)
    for i in range(n):
        own = LEAST * A[whole(acting[i]) * rows + whole(acting[i])]
        W[i * rows + i] = max(W[i * rows + i], own if own > 0.0 else 1.0)


@apart
def _holds(model, p):
    """Whether a row that always holds says something that the others do not."""
    row, rows = whole(model.acting[p]), model.rows
    return model.response[p * rows + p] > RANK * model.A[row * rows + row]


@apart
def _eliminate(model, p):
    """The rows before p ← what they do while row p holds."""
    W, q, rows = model.response, model.unpushed, model.rows
    if not _holds(model, p):
        return
    last = address(W, p * rows)
    for i in range(p):
        share = W[i * rows + p] / last[p]
        if share != 0.0:
            q[i] -= share * q[p]
            for j in range(p):
                W[i * rows + j] -= share * last[j]
    for k in range(model.loads):
        own = address(model.load_response, k * rows)
        share = own[p] / last[p]
        model.load_free[k] -= share * q[p]
        for j in range(p):
            own[j] -= share * last[j]


@apart
def push(model, n, count, close):
    """The residual of the impulses; after ← the speeds that they leave."""
    residual = solve_cones(model, n, close)
    leave(model, n, count)
    return residual


@apart
def leave(model, n, count):
    """after ← the speeds that the impulses leave, joints being held."""
    P = model.impulse
    for p in range(n, count):  # impulses of the rows that always hold
        last, P[p] = address(model.response, p * model.rows), 0.0
        if _holds(model, p):
            P[p] = -(model.unpushed[p] + dot(p, last, P)) / last[p]
    after = model.after
    copy(model.speeds, model.loose, after)
    for i in range(count):
        X = address(model.X, whole(model.acting[i]) * model.speeds)
        for k in range(model.speeds):
            after[k] += X[k] * model.impulse[i]


@apart
def gives_energy(model):
    """Whether impulses make more kinetic energy than there was."""
    gained = energy_gained(model, model.loose, model.after)
    return gained > GAINED * kinetic_energy(model, model.loose)


# --- the phase of expansion ----------------------------------------------------------------------
#
# The impulses of a step are those of compression: nothing closes after them. Then every shock gives
# back a part of its own by Poisson's law, as a floor under its impulse, and friction acts on the
# speeds after this phase too (Glocker and Pfeiffer 1995). What the weight pushes in the rest of the
# step is no shock.


@apart
def expand(model, n, count, h, close):
    """The residual of the second phase; impulses ← of both, after ← the speeds that they leave."""
    if not _write_floors(model, h):
        return 0.0
    P, q, floor = model.impulse, model.unpushed, model.floor
    copy(n, P, model.first_impulse)
    copy(n, q, model.first_unpushed)
    copy(n, model.speed, q)
    for i in range(n):
        P[i] = 0.0
    for e in range(model.elements):
        if floor[e] > 0.0:
            P[whole(model.spot[normal_of(model, e)])] = floor[e]
    residual = solve_cones(model, n, close)
    copy(n, model.first_unpushed, q)
    for i in range(n):
        P[i] += model.first_impulse[i]
    leave(model, n, count)
    return residual


@apart
def compress_only(model, n, count):
    """Impulses and speeds ← those of the first phase: nothing is given back."""
    copy(n, model.first_impulse, model.impulse)
    for e in range(model.elements):
        model.floor[e] = 0.0
    leave(model, n, count)


@apart
def _write_floors(model, h):
    """floor ← what each shock gives back; whether there is any."""
    found = False
    for e in range(model.elements):
        row, part = normal_of(model, e), model.returns[e]
        model.floor[e] = 0.0
        shock = row >= 0 and model.acts[e] == 1.0 and model.left[e] >= 0.0
        if part > 0.0 and shock:
            model.floor[e] = part * shock_of(model, e, row, h)
            found = found or model.floor[e] > 0.0
    return found


@apart
def shock_of(model, e, row, h):
    """Of the normal impulse of an element, the part that stops the gap from closing."""
    left, i = model.left[e], whole(model.spot[row])
    c, start = model.pull[e], model.start_speed[row]
    change = model.speed[i] - start - c * h
    before = min(start + c * (h - left), 0.0)
    share = min(max(-before / change, 0.0), 1.0) if change > 0.0 else 0.0
    return share * model.impulse[i]
