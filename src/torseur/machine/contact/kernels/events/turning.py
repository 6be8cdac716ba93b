"""Forces of given modes, and the directions in which elements start to slide: those of w.

d ← w/|w| alone would go astray where sliding starts gently. The friction F d is moved against w and
brought back to its size, d ← (F d + ρ w)/|F d + ρ w|, which is the projection on Coulomb's cone;
it starts from the directions of the forces that the solver of impulses finds.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of, size_along
from torseur.machine.contact.kernels.events.cone_forces import find_directions, turns
from torseur.machine.contact.kernels.judging import judge
from torseur.machine.contact.kernels.measuring import measure_easiest
from torseur.machine.contact.kernels.parting import adopt_modes
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import address, apart, whole

MOST = 400  # steps
ALIGNED = 1e-13  # of a unit vector: a direction that no longer changes


@apart
def solve_modes(model):
    """Whether the modes of the table agree with their forces; z, w and wanted ← of them."""
    adopt_modes(model)
    unknown = False
    for e in range(model.elements):
        unknown = unknown or turns(model, e, address(model.element, e * at.WIDTH))
    if unknown:
        _align(model)
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
def _align(model):
    """Directions ← along w, as near as rounding lets them be."""
    _solve(model)
    find_directions(model, model.turning_force)
    for _ in range(MOST):
        _solve(model)
        if _step(model) < ALIGNED:
            return


@apart
def _step(model):
    """The largest change of a direction by a step of projection."""
    change = 0.0
    for e in range(model.elements):
        if turns(model, e, address(model.element, e * at.WIDTH)):
            change = max(change, _turn(model, address(model.element, e * at.WIDTH)))
    return change


@apart
def _turn(model, element):
    """The change of the direction of an element by such a step."""
    change, trace, square, count = 0.0, 0.0, 0.0, whole(element[at.COUNT])
    size, heading = size_along(element, model.z), address(element, at.DIRECTION)
    for k in range(count):
        trace += model.A[row_of(element, k) * (model.rows + 1)]
    for k in range(count):
        model.turned[k] = size * heading[k] + model.w[row_of(element, k)] / trace
        square += model.turned[k] * model.turned[k]
    for k in range(count if square > 0.0 else 0):
        component = model.turned[k] / square_root(square)
        change, heading[k] = max(change, abs(component - heading[k])), component
    return change
