"""Returns onto what holds: positions by a step of Newton's method, speeds at once."""

from torseur.machine.contact.kernels.acting import hold, list_active
from torseur.machine.contact.kernels.measuring import look_at_rates
from torseur.machine.contact.kernels.tree_factor import add_pushed
from torseur.machine.runtime.long_vectors import copy, square_root
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def close(model, t, y, into):
    """into ← y after one step of its positions onto what holds, then the gap² it had."""
    size, square, shifted = model.size, 0.0, model.moved
    copy(size, y, into)
    copy(size, y, shifted)
    for k in range(model.speeds):
        shifted[model.coordinates + k] = 0.0
    for island in range(whole(model.islands[0])):
        square += _close_island(model, island, address(shifted, model.coordinates))
    if square > 0.0:
        look_at_rates(model, t, shifted)
        for k in range(model.coordinates):
            into[k] += model.rates[k]
    normalise(model, into)
    into[size] = square


@apart
def _close_island(model, island, step):
    """The gap² of the rows of an island that hold positions; step ← what closes them."""
    count, gap, square = list_active(model, island, True, False), model.gap, 0.0
    for k in range(count):
        i = whole(model.active[k])
        opening = gap[i] * model.fineness[i]
        square += opening * opening
    if square > 0.0:
        subtract(model, count, gap, step)
        for k in range(model.speeds):
            if model.still[k] == 1.0:
                step[k] = 0.0
    return square


@apart
def subtract(model, count, target, v):
    """v ← v − M⁻¹ Jᵀ of the rows listed, times the smallest x with A x = target."""
    hold(model, count, target)
    add_pushed(model, model.active, count, model.found, -1.0, v)


@apart
def normalise(model, y):
    """Quaternions of norm 1."""
    for m in range(model.quaternions):
        four, total = address(y, whole(model.quaternion[m])), 0.0
        for k in range(4):
            total += four[k] * four[k]
        size = square_root(total)
        for k in range(4):
            four[k] /= size


@apart
def calm(model, y, into):
    """into ← y with its speeds on what holds."""
    copy(model.size, y, into)
    for island in range(whole(model.islands[0])):
        count = list_active(model, island, False, False)
        if count > 0:
            subtract(model, count, model.u, address(into, model.coordinates))
    for k in range(model.speeds):
        if model.still[k] == 1.0:
            into[model.coordinates + k] = 0.0
