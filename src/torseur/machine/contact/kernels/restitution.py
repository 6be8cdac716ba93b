"""Restitution in a step: what shocks give back, of which contacts take the energy or none.

The shock of a gap is at the instant at which it closes; forces act before it and after it. Newton's
law is a bound of its speed at the end of the step, Poisson's a second phase. Where what is given
back would give energy to the bodies that touch, a smaller share of it is given, as from event to
event.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of
from torseur.machine.contact.kernels.parting import first_row, joined_island
from torseur.machine.contact.kernels.pushing import (
    largest_speed,
    leave,
    normal_of,
    push,
    solve_laws,
)
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole

SLOW = 1e-6  # of what forces do in a step: an approach that is none
GAINED = 1e-10  # of the works of impulses: what rounding may add
SHARP = 1e-6  # how exactly the share is found of what can be given back
HALVINGS = 40
JAMS = 1e-8  # of the largest speed: a residual that no impulses make smaller


@apart
def rebound(model, n, count, h, close):
    """The residual of the impulses of a step with its shocks; the least share given back."""
    for e in range(model.elements):
        model.granted[e], model.grants_least[e], model.grants_most[e] = 1.0, 0.0, 1.0
    residual, unsolved = _give_back(model, n, count, h, close), JAMS * largest_speed(model, n)
    for _ in range(HALVINGS):
        if not _limit_shares(model, n, h, residual > unsolved):
            break
        residual = _give_back(model, n, count, h, close)
    least = 1.0
    for e in range(model.elements):
        least = min(least, model.granted[e])
    return residual, least


@apart
def _give_back(model, n, count, h, close):
    """The residual of the impulses, of both phases, at the shares that are granted."""
    _find_shocks(model, h)
    residual = push(model, n, count, close)
    return max(residual, _expand(model, n, count, h, close))


@apart
def _find_shocks(model, h):
    """bound ← the speeds that Newton's law leaves; struck ← 1 for what is joined to a shock."""
    shocks = False
    for e in range(model.elements):
        normal = normal_of(model, e)
        model.bound[e], model.floor[e], model.struck[e] = 0.0, 0.0, 0.0
        model.later[e] = 0.0
        model.left[e] = -1.0
        if normal >= 0 and model.acts[e] == 1.0:
            part = model.granted[e] * (model.restitution[e] - model.returns[e])
            model.bound[e] = _rebound(model, e, normal, h, part)
            shocks = shocks or model.left[e] >= 0.0
    if not shocks:
        return
    for e in range(model.elements):
        if model.left[e] >= 0.0:
            island = _island(model, e)
            for other in range(model.elements):
                if model.acts[other] == 1.0 and _island(model, other) == island:
                    model.struck[other] = 1.0
                    if model.returns[other] > 0.0:
                        model.later[e], model.bound[e] = model.later[e] + model.bound[e], 0.0


@apart
def _rebound(model, e, row, h, part):
    """The speed of a gap at the end of the step; left ← the time after its shock, −1: none."""
    speed, i = model.start_speed[row], whole(model.spot[row])
    c = (model.unpushed[i] - speed) / h
    model.pull[e] = c
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


@apart
def _island(model, e):
    """Island of an element."""
    return joined_island(model, first_row(address(model.element, e * at.WIDTH)))


# --- the phase of expansion ----------------------------------------------------------------------
#
# The impulses of a step are those of compression: nothing closes after them. Then every shock gives
# back a part of its own by Poisson's law, as a floor under its impulse, and friction acts on the
# speeds after this phase too (Glocker and Pfeiffer 1995). What is joined to it leaves in this phase
# by Newton's law. What the weight pushes in the rest of the step is no shock.


@apart
def _expand(model, n, count, h, close):
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
        model.bound[e] += model.later[e]
        if floor[e] > 0.0:
            P[whole(model.spot[normal_of(model, e)])] = floor[e]
    residual = solve_laws(model, n, close)
    copy(n, model.first_unpushed, q)
    for i in range(n):
        P[i] += model.first_impulse[i]
    leave(model, n, count)
    return residual


@apart
def _write_floors(model, h):
    """floor ← what each shock gives back; whether there is any."""
    rises = False
    for e in range(model.elements):
        row, part = normal_of(model, e), model.granted[e] * model.returns[e]
        model.floor[e] = 0.0
        if part > 0.0 and model.left[e] >= 0.0:
            model.floor[e] = part * _shock_of(model, e, row, h)
            rises = rises or model.floor[e] > 0.0
        rises = rises or model.later[e] > 0.0
    return rises


@apart
def _shock_of(model, e, row, h):
    """Part of the normal impulse of an element that stops the gap from closing."""
    left, i = model.left[e], whole(model.spot[row])
    c, start = model.pull[e], model.start_speed[row]
    change = model.speed[i] - start - c * h
    before = min(start + c * (h - left), 0.0)
    share = min(max(-before / change, 0.0), 1.0) if change > 0.0 else 0.0
    return share * model.impulse[i]


# --- works ---------------------------------------------------------------------------------------


@apart
def _limit_shares(model, n, h, jams):
    """Whether the shares of some shocks are others now: those between one that gives energy and
    one that does not, until both are the same. Where friction holds what restitution wants to
    leave, no impulses agree: it jams, and nothing is given back."""
    changes = False
    for e in range(model.elements):
        granted = model.granted[e]
        gives = model.left[e] >= 0.0 and model.restitution[e] > 0.0
        if gives and not (granted == 0.0 and model.grants_most[e] == 0.0):
            gains = jams or _gives_energy(model, n, _island(model, e), h)
            if gains:
                model.grants_most[e] = 0.0 if jams else granted
            else:
                model.grants_least[e] = granted
            low, high = model.grants_least[e], model.grants_most[e]
            if gains or high - low > SHARP:
                model.granted[e] = 0.5 * (low + high) if high - low > SHARP else low
                changes = True
    return changes


@apart
def _gives_energy(model, n, island, h):
    """Whether the impulses of an island do more work on its bodies than rounding."""
    total, size = 0.0, 0.0
    for e in range(model.elements):
        if model.acts[e] == 1.0 and _island(model, e) == island:
            total += work_of(model, e, h)[0]
            size += _size_of_work(model, e)
    return total > GAINED * size


@apart
def _size_of_work(model, e):
    """Comparison size for the works of the rows of an element."""
    element, size = address(model.element, e * at.WIDTH), 0.0
    if element[at.NORMAL] >= 0.0:
        size += _size_along(model, whole(element[at.NORMAL]))
    for k in range(whole(element[at.COUNT])):
        size += _size_along(model, row_of(element, k))
    return size


@apart
def _size_along(model, row):
    i = whole(model.spot[row])
    return abs(model.impulse[i]) * (abs(model.start_speed[row]) + abs(model.speed[i]))


@apart
def work_of(model, e, h):
    """Work P · (u⁻ + u⁺)/2 of the impulses of an element; and the part done by driven motions."""
    element, work, carried = address(model.element, e * at.WIDTH), 0.0, 0.0
    if model.acts[e] == 0.0:
        return 0.0, 0.0
    if element[at.NORMAL] >= 0.0:
        work, carried = _work_of_gap(model, e, normal_of(model, e), h)
    for k in range(whole(element[at.COUNT])):
        one, other = _work_of_row(model, row_of(element, k))
        work, carried = work + one, carried + other
    return work, carried


@apart
def _work_of_gap(model, e, row, h):
    """Work of a normal impulse; for a shock, by the speeds before and after it.

    Where the gap stays closed, the rest of the impulse does nothing.
    """
    left, i = model.left[e], whole(model.spot[row])
    if left < 0.0:
        return _work_of_row(model, row)
    pushed, c = model.impulse[i], model.pull[e]
    start, end = model.start_speed[row], model.speed[i]
    before, after = min(start + c * (h - left), 0.0), end - c * left
    if model.bound[e] == 0.0 and model.floor[e] == 0.0:
        pushed, after = _shock_of(model, e, row, h), 0.0
    return pushed * 0.5 * (before + after), model.impulse[i] * model.b[row]


@apart
def _work_of_row(model, row):
    i = whole(model.spot[row])
    pushed = model.impulse[i] + model.oiled[row]
    mean = 0.5 * (model.start_speed[row] + model.speed[i])
    return pushed * mean, pushed * model.b[row]
