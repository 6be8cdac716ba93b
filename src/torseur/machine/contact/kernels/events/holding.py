"""Elements that other elements hold: they stick, and share the load.

They would slide at no speed, their friction one choice of shares among many, and rounding would
choose their directions. Two legs of a body on one plane slide together, or stick together.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of
from torseur.machine.contact.kernels.events.near_forces import LEAVES, near_cones
from torseur.machine.contact.kernels.events.redundancy import are_independent, freedoms
from torseur.machine.contact.kernels.events.resting_shares import starts
from torseur.machine.contact.kernels.events.turning import solve_modes
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def hold_together(model, lifts):
    """The modes found ← those of the same motion in which elements that others hold stick."""
    if not _mark_held(model):
        return
    copy(model.elements * at.WIDTH, model.element, model.other_element)
    copy(model.rows, model.z, model.kept_force)
    if near_cones(model, lifts) and _stick(model):
        return
    copy(model.elements * at.WIDTH, model.other_element, model.element)
    for e in range(model.elements):
        if model.held_by_others[e] == 1.0:
            model.element[e * at.WIDTH + at.MODE] = at.STICK
    for i in range(model.rows):
        model.reference[i] = 0.0
    if not solve_modes(model):
        copy(model.rows, model.kept_force, model.reference)
        solve_modes(model)


@apart
def _stick(model):
    """Whether the elements that others hold stick."""
    for e in range(model.elements):
        slides = model.element[e * at.WIDTH + at.MODE] != at.STICK
        if model.held_by_others[e] == 1.0 and slides:
            return False
    return True


@apart
def _mark_held(model):
    """Whether others hold some element that starts to slide; those are marked."""
    some = False
    for e in range(model.elements):
        marked = _starts_gently(model, e) and _is_held(model, e)
        model.held_by_others[e] = 1.0 if marked else 0.0
        some = some or marked
    return some


@apart
def _starts_gently(model, e):
    """Whether an element with friction starts to slide without an acceleration."""
    element = address(model.element, e * at.WIDTH)
    if not starts(model, e) or element[at.STATIC] == 0.0:
        return False
    for k in range(whole(element[at.COUNT])):
        row = row_of(element, k)
        if abs(model.w[row]) > LEAVES * model.no_change[row]:
            return False
    return True


@apart
def _is_held(model, e):
    """Whether rows that hold leave an element no freedom to slide."""
    element, holding = address(model.element, e * at.WIDTH), 0
    for i in range(model.rows):
        if model.role[i] == at.HELD and model.movable[i] == 1.0:
            model.active[holding] = i
            holding += 1
    count = holding
    for k in range(whole(element[at.COUNT])):
        if model.movable[row_of(element, k)] == 1.0:
            model.active[count] = row_of(element, k)
            count += 1
    if holding == 0 or are_independent(model, count):
        return False
    return count - freedoms(model, count) == holding - freedoms(model, holding)
