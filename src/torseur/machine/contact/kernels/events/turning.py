"""Forces of given modes, and the directions in which elements start to slide: those of w.

d ← w/|w| alone would go astray where sliding starts gently. The friction F d is moved against w and
brought back to its size, d ← (F d + ρ w)/|F d + ρ w|, which is the projection on Coulomb's cone;
it starts from the directions of the forces that the solver of impulses finds.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of, size_along
from torseur.machine.contact.kernels.events.cone_forces import find_directions
from torseur.machine.contact.kernels.judging import judge
from torseur.machine.contact.kernels.measuring import measure_easiest
from torseur.machine.contact.kernels.parting import adopt_modes
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import address, apart, whole

MOST = 400  # steps
ALIGNED = 1e-14  # of a unit vector: a direction that no longer changes
EXACT = 1e-13  # of the largest w: a part across a direction that is right


@apart
def solve_modes(model):
    """Whether the modes of the table agree with their forces; z, w and wanted ← of them."""
    adopt_modes(model)
    count = _list_starting(model)
    if count > 0:
        _align(model, count)
    return _solve(model)


@apart
def _solve(model):
    """Whether the modes agree, sliding in the directions of the table."""
    measure_easiest(model)
    verdict = model.verdict
    judge(model, verdict)
    if verdict[0] != 1.0:
        for i in range(model.rows):
            model.z[i] = 0.0
        return False
    agrees = verdict[1] == 1.0
    for e in range(model.elements):
        agrees = agrees and model.wanted[4 * e] == at.AGREES
    return agrees


@apart
def _list_starting(model):
    """List the elements that start to slide in an unknown direction; return their number."""
    count = 0
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        slides = model.judged[e * at.JUDGED + at.SLIDES] == 1.0
        if element[at.MODE] == at.SLIP and not slides and element[at.COUNT] > 1.0:
            model.starting_element[count] = e
            count += 1
    return count


@apart
def _starting(model, m):
    """The element at a place of the list."""
    return address(model.element, whole(model.starting_element[m]) * at.WIDTH)


@apart
def _align(model, count):
    """Directions ← along w, as near as rounding lets them be."""
    _solve(model)
    find_directions(model, model.turning_force)
    for _ in range(MOST):
        _solve(model)
        largest = 0.0
        for i in range(model.rows):
            largest = max(largest, abs(model.w[i]))
        if _off(model, count) <= EXACT * largest or _step(model, count) < ALIGNED:
            return


@apart
def _step(model, count):
    """The largest change of a direction by a step of projection."""
    change, rows = 0.0, model.rows
    for m in range(count):
        element, trace, square = _starting(model, m), 0.0, 0.0
        size, heading = size_along(element, model.z), address(element, at.DIRECTION)
        for k in range(whole(element[at.COUNT])):
            row = row_of(element, k)
            trace += model.A[row * rows + row]
        for k in range(whole(element[at.COUNT])):
            component = size * heading[k] + model.w[row_of(element, k)] / trace
            model.turned[k] = component
            square += component * component
        if square > 0.0:
            length = square_root(square)
            for k in range(whole(element[at.COUNT])):
                change = max(change, abs(model.turned[k] / length - heading[k]))
                heading[k] = model.turned[k] / length
    return change


@apart
def _off(model, count):
    """The largest part of w across the directions."""
    largest = 0.0
    for m in range(count):
        element, along = _starting(model, m), 0.0
        heading = address(element, at.DIRECTION)
        for k in range(whole(element[at.COUNT])):
            along += heading[k] * model.w[row_of(element, k)]
        for k in range(whole(element[at.COUNT])):
            largest = max(largest, abs(model.w[row_of(element, k)] - along * heading[k]))
    return largest
