"""Forces of all that touches by the laws of cones, whatever the modes: the smallest there are.

Accelerations without contacts take the place of speeds, or speeds before a shock: the problem is
that of the impulses of a step. What slides has kinetic friction in its direction, and laws give
forces as they do near the reactions at hand.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import (
    resisted,
    size_along,
    sliding_speed,
    stribeck,
    write_direction,
)
from torseur.machine.contact.kernels.laws import ask_laws
from torseur.machine.contact.kernels.pushing import (
    acts,
    hold_own,
    largest_speed,
    list_rows,
    push_own,
    set_apart,
    write_responses,
)
from torseur.machine.impulses import layout as solver
from torseur.machine.impulses.kernels.cones import cone_row
from torseur.machine.impulses.kernels.solving import prepare_groups, solve_groups
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole

SOLVED = 1e-12  # of the largest change of a row, or force: what is left of laws that are obeyed
LAWS = 30  # steps of Newton's method on laws
LARGE = 1e300  # a speed or a friction that is never reached


@apart
def find_cone_forces(model, into):
    """z and into ← forces of all that touches, in the roles that all rows have."""
    for e in range(model.elements):
        model.acts[e] = model.judged[e * at.JUDGED + at.TOUCHES]
    n, count = _begin(model)
    _write_cones(model, False)
    _solve(model, n, count, into)


@apart
def find_directions(model, into):
    """Directions of elements that start to slide ← against their friction, in the modes at hand.

    They are looked for from the forces at hand on.
    """
    for e in range(model.elements):
        model.acts[e] = 1.0 * (model.element[e * at.WIDTH + at.MODE] != at.OPEN)
    n, count = _begin(model)
    for i in range(n):
        model.impulse[i] = model.z[whole(model.acting[i])] * model.moves[i]
    _write_cones(model, True)
    _solve(model, n, count, into)
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if turns(model, e, element) and size_along(element, into) > 0.0:
            write_direction(element, into, -1.0, address(element, at.DIRECTION))


@apart
def turns(model, e, element):
    """Whether an element starts to slide in an unknown direction."""
    slides = model.judged[e * at.JUDGED + at.SLIDES] == 1.0
    return element[at.MODE] == at.SLIP and not slides and element[at.COUNT] > 1.0


@apart
def _begin(model):
    """Numbers of rows of elements and of all that act; their problem ← without coefficients."""
    n, listed = list_rows(model, 1.0)
    count = n
    for k in range(n, listed):  # without rows of the mechanism itself that nothing moves
        model.acting[count] = model.acting[k]
        count += model.movable[whole(model.acting[k])] == 1.0
    write_responses(model, n, count)
    for i in range(n):
        model.impulse[i] = 0.0
        if model.movable[whole(model.acting[i])] == 0.0:
            set_apart(model, n, i)
    prepare_groups(model)
    for i in range(count):
        model.unpushed[i] = model.c[whole(model.acting[i])]
    for k in range(model.loads):
        model.load_free[k] = model.load_0[k]
    hold_own(model, n, count)
    return n, count


@apart
def _write_cones(model, in_modes):
    """Cones ← of elements that touch, or that hold and slide as the modes of the table say."""
    for e in range(model.elements):
        element, judged = address(model.element, e * at.WIDTH), address(model.judged, e * at.JUDGED)
        if acts(model, e, element):
            cone, normal = cone_row(model, whole(model.cone_of[e])), whole(element[at.NORMAL])
            cone[solver.BOUND], cone[solver.FLOOR] = 0.0, solver.HELD if in_modes else 0.0
            if normal >= 0 and model.gives[e] == 1.0:
                cone[solver.BOUND], cone[solver.FLOOR] = -LARGE, model.returned[normal]
            cone[solver.GRIP], cone[solver.ROOM] = element[at.STATIC], judged[at.ROOM]
            if element[at.MODE] == at.SLIP if in_modes else judged[at.SLIDES] == 1.0:
                _slide(model, e, element, cone)
            elif in_modes:
                cone[solver.LOAD], cone[solver.GRIP], cone[solver.ROOM] = solver.CONSTANT, 1.0, 0.0
                cone[solver.FORWARD] = cone[solver.BACKWARD] = LARGE


@apart
def _slide(model, e, element, cone):
    """Friction of an element ← kinetic, in its direction, or in the one that follows."""
    cone[solver.SLIDING] = solver.MUST_SLIDE if turns(model, e, element) else solver.IS_KNOWN
    cone[solver.GRIP], cone[solver.ROOM] = element[at.KINETIC], 0.0
    if element[at.STRIBECK] > 0.0:
        cone[solver.GRIP] = stribeck(element, sliding_speed(model, element))
    for k in range(whole(element[at.COUNT])):
        cone[solver.HEADING + k] = -resisted(model, element, k)


# --- laws -----------------------------------------------------------------------------------------


@apart
def _solve(model, n, count, into):
    """z and into ← forces that obey the laws of cones, and those of reactions."""
    close, largest, change = SOLVED * largest_speed(model, n), 0.0, 0.0
    _write_forces(model, count, into)
    for _ in range(LAWS):
        _write_loads(model, n)
        solve_groups(model, close)
        push_own(model, n, count)
        largest, change = _write_forces(model, count, into)
        if model.laws == 0 or model.laws_act[0] == 0.0 or change <= SOLVED * largest:
            return


@apart
def _write_forces(model, count, into):
    """The largest force, and the largest change of one; z and into ← the impulses found."""
    largest, change = 0.0, 0.0
    for i in range(model.rows):
        into[i] = 0.0
    for k in range(count):
        i = whole(model.acting[k])
        into[i] = model.impulse[k]
        largest = max(largest, abs(into[i]) / model.fineness[i])
        change = max(change, abs(into[i] - model.z[i]) / model.fineness[i])
    copy(model.rows, into, model.z)
    return largest, change


@apart
def _write_loads(model, n):
    """Loads of laws ← what they give, as it is near the reactions at hand."""
    if model.laws == 0 or model.laws_act[0] == 0.0:
        return
    ask_laws(model)
    given, rows, first = model.given, model.rows, model.coordinates + model.speeds
    for law in range(model.laws):
        line, into = model.loads + law, address(model.load_response, (model.loads + law) * rows)
        model.load_free[line] = given[law]
        for j in range(n):
            into[j] = 0.0
        for m in range(model.named):
            by, k = given[model.laws + law * model.named + m], model.loads - model.named + m
            model.load_free[line] += by * (model.load_free[k] - model.at[first + m])
            for j in range(n):
                into[j] += by * model.load_response[k * rows + j]
