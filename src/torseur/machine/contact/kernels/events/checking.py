"""Elements that break a law: they overlap, pull or hold by too much friction."""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import ending_speed, find_forces, margin, slow
from torseur.machine.contact.kernels.measuring import measure_easiest
from torseur.machine.contact.kernels.seeing import gap_size, refer, slip_size
from torseur.machine.contact.negligible import INSIDE
from torseur.machine.runtime.vectors import address, apart, whole

BROKEN = 1e-6  # of the size of a gap, or of the largest force, times what its row is compared with


@apart
def deepest_inside(model):
    """The element whose bodies are deepest inside each other at the state seen last; −1: none."""
    deepest, depth = -1, INSIDE
    for e in range(model.elements):
        element, gap = address(model.element, e * at.WIDTH), model.seen[e * at.SEEN + at.GAP]
        overlap = -gap / gap_size(model, element)
        if element[at.NORMAL] >= 0.0 and overlap > depth:
            deepest, depth = e, overlap
    return deepest


@apart
def law_breaker(model, cause, what, y):
    """The first element that breaks its law at the state seen last, in the modes of the table; −1:
    none. z ← the forces of these modes.

    Where sliding ends its direction turns at once, and with it normal forces: those pass. What has
    its own event there kept its law up to it, and jumps.
    """
    refer(model, y)
    measure_easiest(model)
    if not find_forces(model):
        return -1
    works, ends = model.usual_work, what == at.END
    for i in range(model.rows):
        works = max(works, abs(model.z[i]) / model.fineness[i])
    energy = BROKEN * works
    jumps = what == at.END
    if what != at.ACTED:
        jumps = jumps or _pulls(model, cause, energy) or _holds_too_much(model, cause, energy)
    for e in range(model.elements):
        ends = ends or _stops(model, address(model.element, e * at.WIDTH))
    ends = ends or jumps
    for e in range(model.elements):
        broken = _overlaps(model, e) or (_holds_too_much(model, e, energy) and not jumps)
        if broken or (_pulls(model, e, energy) and not ends):
            return e
    return -1


@apart
def _overlaps(model, e):
    """Whether the gap of an open element is far below zero."""
    element = address(model.element, e * at.WIDTH)
    row = whole(max(element[at.NORMAL], element[at.SPRING]))
    if row < 0 or element[at.MODE] != at.OPEN:
        return False
    slack = element[at.SLACK] if element[at.NORMAL] >= 0.0 else 0.0
    return model.gap[row] + slack < -BROKEN * gap_size(model, element)


@apart
def _pulls(model, e, energy):
    """Whether the normal force of a closed element is far below zero."""
    element = address(model.element, e * at.WIDTH)
    normal = whole(element[at.NORMAL])
    if normal < 0 or element[at.MODE] == at.OPEN or element[at.SPRING] >= 0.0:
        return False
    return model.z[normal] < -energy / gap_size(model, element)


@apart
def _holds_too_much(model, e, energy):
    """Whether the friction of what sticks is far above its limit."""
    element = address(model.element, e * at.WIDTH)
    if element[at.MODE] != at.STICK or element[at.COUNT] == 0.0:
        return False
    return margin(model, element) < -energy / slip_size(model, element)


@apart
def _stops(model, element):
    """Whether the sliding of an element has almost ended."""
    if element[at.MODE] != at.SLIP or element[at.COUNT] == 0.0:
        return False
    return ending_speed(model, element) < 2.0 * slow(model, element)
