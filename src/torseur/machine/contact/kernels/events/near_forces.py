"""Modes of the forces of cones, for elements whose forces have a choice."""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of, size_along, write_direction
from torseur.machine.contact.kernels.events.cone_forces import find_cone_forces
from torseur.machine.contact.kernels.events.redundancy import write_rooms
from torseur.machine.contact.kernels.events.turning import solve_modes
from torseur.machine.contact.kernels.measuring import measure_easiest
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, whole

LEAVES = 1e3  # times a change that is none: the solver leaves such a change undecided
CLEAREST = 16  # parts of the largest force that are tried, each a quarter of the one before


@apart
def near_cones(model, lifts):
    """Whether the modes of the forces of cones agree, with the smallest forces of these.

    Where the smallest are beyond a limit of friction, forces are those nearest to the ones found,
    and keep what sticks as clear of the limits as they can, all by as much: what is added is shared
    alike, and reaches all limits together. At a limit they would be over it at once, and rounding
    could put them there; what starts to slide elsewhere would bring them there again and again.
    """
    near = model.near_mode
    _take_forces(model, 0.0, lifts)
    has_room = write_rooms(model)
    for e in range(model.elements):
        near[e] = model.element[e * at.WIDTH + at.MODE]
    for i in range(model.rows):
        model.reference[i] = 0.0
    if solve_modes(model):
        return True
    clear = 1.0
    for _ in range(CLEAREST if has_room else 0):
        clear *= 0.25
        if _take_forces(model, clear, lifts):
            same = True
            for e in range(model.elements):
                same = same and near[e] == model.element[e * at.WIDTH + at.MODE]
            if same:
                return True
    return _take_forces(model, 0.0, lifts)


@apart
def _take_forces(model, clear, lifts):
    """Whether the modes of these forces agree, friction being below its limit by some room."""
    role, islands, order, first = model.role, model.islands, model.order, model.first
    model.role, model.islands = model.every_role, model.every_islands
    model.order, model.first = model.every_order, model.every_first
    for e in range(model.elements):
        model.judged[e * at.JUDGED + at.ROOM] = clear * model.rooms[e] if clear > 0.0 else 0.0
    measure_easiest(model)
    find_cone_forces(model, model.cone_force)
    model.role, model.islands, model.order, model.first = role, islands, order, first
    copy(model.rows, model.cone_force, model.reference)
    for i in range(model.rows):
        response = address(model.A, i * model.rows)
        model.w[i] = dot(model.rows, response, model.cone_force) + model.c[i]
    for e in range(model.elements):
        _take_mode(model, e, lifts)
    return solve_modes(model)


@apart
def _take_mode(model, e, lifts):
    """The mode of forces; what neither presses nor leaves stays closed, unless it is to leave."""
    z, w = model.cone_force, model.w
    element, judged = address(model.element, e * at.WIDTH), address(model.judged, e * at.JUDGED)
    normal, opens = whole(element[at.NORMAL]), False
    if normal >= 0:
        free = z[normal] <= (LEAVES if e == lifts else 1.0) * model.no_force[normal]
        opens = free and (e == lifts or w[normal] > LEAVES * model.no_change[normal])
    slides = judged[at.SLIDES] == 1.0
    moves = element[at.COUNT] == 0.0 or slides
    if not moves:
        moves = size_along(element, w) > LEAVES * model.no_change[row_of(element, 0)]
    element[at.MODE] = at.SLIP if moves else at.STICK
    if judged[at.TOUCHES] == 0.0 or opens:
        element[at.MODE] = at.OPEN
    if slides:
        for k in range(3):
            element[at.DIRECTION + k] = model.seen[e * at.SEEN + at.ALONG + k]
    else:
        write_direction(element, z, -1.0, address(element, at.DIRECTION))
