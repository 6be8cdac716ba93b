"""The phase of expansion of a step: what Poisson's law gives back of the impulses of its shocks.

The impulses of the step are those of compression: nothing closes after them. Then every shock gives
back a part of its own, as a floor under its impulse, and friction acts on the speeds after this
phase too (Glocker and Pfeiffer 1995). What the weight pushes in the rest of the step is no shock.
"""

from torseur.machine.contact.kernels.cones import solve_cones
from torseur.machine.contact.kernels.pushing import leave, normal_of
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import apart, whole


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
