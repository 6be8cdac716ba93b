"""A state as contacts see it: rows and how they move each other, gaps and speeds of elements."""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of, write_direction
from torseur.machine.contact.kernels.measuring import look, measure
from torseur.machine.contact.kernels.self_stress import share_joints
from torseur.machine.contact.negligible import RESTING, SLIDING, TOUCHING
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def look_and_measure(model, t, y):
    """Whether M is regular; shared loads of rows that hold are those nearest to what y has."""
    look(model, t, y)
    refer(model, y)
    copy(model.coordinates + model.speeds, y, model.at)
    model.at[model.asked - 1] = t
    if not measure(model, t, y):
        return False
    share_joints(model)
    return True


@apart
def refer(model, y):
    """reference ← of the rows that hold, the forces that a state has."""
    forces = address(y, model.size - model.rows)
    for i in range(model.rows):
        model.reference[i] = forces[i] if model.role[i] == at.HELD else 0.0


@apart
def write_seen(model):
    """Write the gap of each element, its speed, the speed of sliding and its direction."""
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        motion = address(model.seen, e * at.SEEN)
        normal = whole(max(element[at.NORMAL], element[at.SPRING]))
        if normal >= 0:
            motion[at.GAP], motion[at.CLOSING] = model.gap[normal], model.u[normal]
        motion[at.SLIDING] = write_direction(element, model.u, 1.0, address(motion, at.ALONG))


@apart
def see(model, t, y):
    """Whether M is regular; every row has its part in A, and what touches and slides is known."""
    role, islands, order, first = model.role, model.islands, model.order, model.first
    model.role, model.islands = model.every_role, model.every_islands
    model.order, model.first = model.every_order, model.every_first
    regular = look_and_measure(model, t, y)
    write_seen(model)
    model.role, model.islands, model.order, model.first = role, islands, order, first
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        motion = address(model.seen, e * at.SEEN)
        model.touching[e] = 1.0 if _is_touching(model, element, motion) else 0.0
        model.sliding[e] = 1.0 if _is_sliding(model, element, motion) else 0.0
    return regular


# --- of an element --------------------------------------------------------------------------------


@apart
def gap_size(model, element):
    """Comparison size for the gap of an element."""
    row = whole(max(element[at.NORMAL], element[at.SPRING]))
    return 1.0 / model.fineness[row] if row >= 0 else 1.0


@apart
def slip_size(model, element):
    """Comparison size for the sliding of an element."""
    return 1.0 / model.fineness[row_of(element, 0)] if element[at.COUNT] > 0.0 else 1.0


@apart
def _is_touching(model, element, motion):
    """Whether an element has no gap, or its spring is met."""
    size, gap, speed = gap_size(model, element), motion[at.GAP], motion[at.CLOSING]
    slowly = speed <= RESTING * model.pace * size
    if element[at.SPRING] >= 0.0:
        spring = whole(element[at.SPRING])
        gap, none = model.gap[spring], at.MET * size
        slowly = model.u[spring] <= RESTING * model.pace * size
        return gap < -none or (gap <= none and slowly)
    return element[at.NORMAL] < 0.0 or (gap <= TOUCHING * size and slowly)


@apart
def is_approaching(model, e):
    """Whether the gap of an element that touches closes: that is a shock."""
    element = address(model.element, e * at.WIDTH)
    rests = RESTING * model.pace * gap_size(model, element)
    has_gap = element[at.NORMAL] >= 0.0 and model.touching[e] == 1.0
    return has_gap and model.seen[e * at.SEEN + at.CLOSING] < -rests


@apart
def is_struck(model):
    """Whether it must come to a shock."""
    struck = False
    for e in range(model.elements):
        struck = struck or is_approaching(model, e)
    return struck


@apart
def _is_sliding(model, element, motion):
    """Whether an element slides."""
    if element[at.COUNT] == 0.0:
        return False
    return motion[at.SLIDING] > SLIDING * model.pace * slip_size(model, element)
