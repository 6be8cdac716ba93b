"""A state as contacts see it: rows and how they move each other, gaps and speeds of elements."""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import write_direction
from torseur.machine.contact.kernels.measuring import look, measure
from torseur.machine.contact.kernels.self_stress import share_joints
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def look_and_measure(model, t, y):
    """Whether M is regular; shared loads of rows that hold are those nearest to what y has."""
    look(model, t, y)
    forces = address(y, model.size - model.rows)
    for i in range(model.rows):
        model.reference[i] = forces[i] if model.role[i] == at.HELD else 0.0
    copy(model.coordinates + model.speeds, y, model.at)
    model.at[model.asked - 1] = t
    if not measure(model, y):
        return False
    share_joints(model)
    return True


@apart
def write_seen(model):
    """Of each element: its gap and the speed of that, how fast it slides, in which direction."""
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        seen = address(model.seen, e * at.SEEN)
        normal = whole(max(element[at.NORMAL], element[at.SPRING]))
        if normal >= 0:
            seen[at.GAP], seen[at.CLOSING] = model.gap[normal], model.u[normal]
        seen[at.SLIDING] = write_direction(element, model.u, 1.0, address(seen, at.ALONG))
