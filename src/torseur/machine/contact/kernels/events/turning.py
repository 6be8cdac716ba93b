"""Forces of given modes, and the directions in which elements start to slide: those of w.

d ← w/|w| alone would go astray where sliding starts gently. The friction F d is moved against w and
brought back to its size, d ← (F d + ρ w)/|F d + ρ w|, which is the projection on Coulomb's cone;
from time to time Newton's method on the angles is tried, which ends what that begins.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of, size_along
from torseur.machine.contact.kernels.judging import judge
from torseur.machine.contact.kernels.measuring import measure_easiest
from torseur.machine.contact.kernels.parting import adopt_modes
from torseur.machine.integrators.kernels.dense import least
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import address, apart, whole

MOST = 400  # steps
NEWTON = 3  # of them until Newton's method is tried
ALIGNED = 1e-14  # of a unit vector: a direction that no longer changes
EXACT = 1e-13  # of the largest w: a part across a direction that is right
SMALL = 1e-6  # an angle, for differences
FAR = 0.3  # an angle that Newton's method does not turn by


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
    for step in range(1, MOST):
        if _step(model, count) < ALIGNED:
            return
        _solve(model)
        if step % NEWTON == 0:
            largest = 0.0
            for i in range(model.rows):
                largest = max(largest, abs(model.w[i]))
            off = _off(model, count)
            if off <= EXACT * largest:
                return
            _turn(model, count, off)


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


# --- Newton's method ------------------------------------------------------------------------------


@apart
def _turn(model, count, off):
    """Directions ← after a step of Newton's method on the angles, if w is nearer to them then."""
    angles, before, n = model.angles, model.kept_direction, 0
    for m in range(count):
        heading = address(_starting(model, m), at.DIRECTION)
        for k in range(3):
            before[3 * m + k] = heading[k]
        n += whole(_starting(model, m)[at.COUNT]) - 1
    _write_across(model, count, n, model.right_across)
    for j in range(n):
        _tilt(model, count, j)
        _solve(model)
        slopes = address(model.slopes_across, j * n)
        _write_across(model, count, n, slopes)
        for i in range(n):
            slopes[i] = (slopes[i] - model.right_across[i]) / SMALL
        _restore(model, count)
    for i in range(n):
        model.right_across[i] = -model.right_across[i]
    least(n, model.slopes_across, model.right_across, model.rank, model.column, model.gram, angles)
    farthest = 0.0
    for j in range(n):
        farthest = max(farthest, abs(angles[j]))
    if farthest <= FAR:
        _rotate(model, count)
    _solve(model)
    if farthest <= FAR and not _off(model, count) < off:
        _restore(model, count)
        _solve(model)


@apart
def _restore(model, count):
    """Directions ← those that were kept."""
    for m in range(count):
        heading = address(_starting(model, m), at.DIRECTION)
        for k in range(3):
            heading[k] = model.kept_direction[3 * m + k]


@apart
def _write_side(d, count, side, into):
    """into ← a unit vector across a direction: the only one in a plane, one of two in space."""
    if count == 2:
        into[0], into[1], into[2] = -d[1], d[0], 0.0
        return
    axis = 0
    for k in range(1, 3):
        axis = k if abs(d[k]) < abs(d[axis]) else axis
    a, b = (axis + 1) % 3, (axis + 2) % 3
    size = square_root(d[a] * d[a] + d[b] * d[b])
    if side == 0:
        into[axis], into[a], into[b] = 0.0, -d[b] / size, d[a] / size
    else:
        into[axis] = size
        into[a], into[b] = -d[axis] * d[a] / size, -d[axis] * d[b] / size


@apart
def _write_across(model, count, n, into):
    """into ← the parts of w along the sides of the directions that were kept."""
    place = 0
    for m in range(count):
        element, d = _starting(model, m), address(model.kept_direction, 3 * m)
        for side in range(whole(element[at.COUNT]) - 1):
            _write_side(d, whole(element[at.COUNT]), side, model.turned)
            into[place] = 0.0
            heading, along = address(element, at.DIRECTION), 0.0
            for k in range(whole(element[at.COUNT])):
                along += heading[k] * model.w[row_of(element, k)]
            for k in range(whole(element[at.COUNT])):
                across = model.w[row_of(element, k)] - along * heading[k]
                into[place] += model.turned[k] * across
            place += 1


@apart
def _tilt(model, count, j):
    """One direction ← a little to one of its sides."""
    place = 0
    for m in range(count):
        element, d = _starting(model, m), address(model.kept_direction, 3 * m)
        for side in range(whole(element[at.COUNT]) - 1):
            if place == j:
                _write_side(d, whole(element[at.COUNT]), side, model.turned)
                for k in range(whole(element[at.COUNT])):
                    element[at.DIRECTION + k] += SMALL * model.turned[k]
                _normalise(element)
            place += 1


@apart
def _rotate(model, count):
    """All directions ← by the angles found."""
    place = 0
    for m in range(count):
        element, d = _starting(model, m), address(model.kept_direction, 3 * m)
        for side in range(whole(element[at.COUNT]) - 1):
            _write_side(d, whole(element[at.COUNT]), side, model.turned)
            for k in range(whole(element[at.COUNT])):
                element[at.DIRECTION + k] += model.angles[place] * model.turned[k]
            place += 1
        _normalise(element)


@apart
def _normalise(element):
    """The direction of an element ← of length 1."""
    square = 0.0
    for k in range(whole(element[at.COUNT])):
        square += element[at.DIRECTION + k] * element[at.DIRECTION + k]
    if square > 0.0:
        for k in range(whole(element[at.COUNT])):
            element[at.DIRECTION + k] /= square_root(square)
