"""The forces of the rows that act: those that hold, and those that friction gives.

A row that holds has A z + c = 0. A row of an element that slides has z = −μ N d − viscous u, with d
the direction of sliding and N a normal force, the size of a joint's load, or a constant. Loads of
joints depend on all forces; they are found by Newton's method, and so is what laws give, of forces
and of loads that depend on reactions.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.laws import (
    load_component,
    obey_laws,
    place_of,
    write_alone,
    write_given,
    write_laws,
)
from torseur.machine.contact.kernels.measuring import without_dimension
from torseur.machine.contact.kernels.sharing import share, solve
from torseur.machine.impulses.kernels.patches import shared, size_slopes
from torseur.machine.runtime.long_vectors import exponential, square_root
from torseur.machine.runtime.vectors import address, apart, whole

MOST = 60  # steps of Newton's method
CLOSE = 1e-14  # of the forces: what the last of them changes
UNBOUNDED = 1e9  # times what causes them: forces that laws do not determine


# --- friction -----------------------------------------------------------------------------------


@apart
def row_of(element, k):
    """One of the rows that friction acts on."""
    return whole(element[at.FIRST + k])


@apart
def size_along(element, x):
    """The size of what the rows of friction have of x."""
    total = 0.0
    for k in range(whole(element[at.COUNT])):
        total += x[row_of(element, k)] * x[row_of(element, k)]
    return square_root(total)


@apart
def write_direction(element, x, sign, into):
    """That size; into ← its direction, or the first of the rows if it is none."""
    size = size_along(element, x)
    for k in range(whole(element[at.COUNT])):
        into[k] = sign * x[row_of(element, k)] / size if size > 0.0 else (k == 0) * 1.0
    return size


@apart
def sliding_speed(model, element):
    """The speed of sliding, positive along the direction that was kept."""
    along = 0.0
    for k in range(whole(element[at.COUNT])):
        along += model.u[row_of(element, k)] * element[at.DIRECTION + k]
    if element[at.COUNT] == 1.0:
        return along
    size = size_along(element, model.u)
    return size if along >= 0.0 else -size


@apart
def ending_speed(model, element):
    """Speed left until sliding ends; errors of a step do not end a sliding that starts."""
    if element[at.STARTS] == 0.0:
        return sliding_speed(model, element) + slow(model, element)
    left = slow(model, element) + model.known / model.fineness[row_of(element, 0)]
    for k in range(whole(element[at.COUNT])):
        left += model.u[row_of(element, k)] * element[at.DIRECTION + k]
    return left


@apart
def slow(model, element):
    """A speed of sliding that is none."""
    return model.slow / model.fineness[row_of(element, 0)]


@apart
def starting_speed(model, element):
    """A speed near which what starts to slide turns to it: more than errors of speeds."""
    return model.starting / model.fineness[row_of(element, 0)]


@apart
def direction(model, element, k):
    """The component of the direction of sliding along a row of friction."""
    if element[at.COUNT] == 1.0:
        return element[at.DIRECTION]
    if element[at.STARTS] == 1.0:
        return _leaning(model, element, k)
    speed = sliding_speed(model, element)
    if abs(speed) <= slow(model, element):
        return element[at.DIRECTION + k]
    return model.u[row_of(element, k)] / speed


@apart
def _leaning(model, element, k):
    """Direction of a sliding that starts: that of u + ε d, with d its first direction.

    What starts gently is pulled to its direction the more strongly the slower it is: steps that
    cannot see speeds so small would throw it back to rest. This is the gradient of |u + ε d|, which
    is convex: it turns from d to u without a jump, and motions come nearer to each other, as they
    do with friction itself.
    """
    lean, total = starting_speed(model, element), 0.0
    for j in range(whole(element[at.COUNT])):
        component = model.u[row_of(element, j)] + lean * element[at.DIRECTION + j]
        total += component * component
    component = model.u[row_of(element, k)] + lean * element[at.DIRECTION + k]
    return component / square_root(total) if total > 0.0 else element[at.DIRECTION + k]


@apart
def resisted(model, element, k):
    """Friction along a row over coefficient × load, against the direction of sliding."""
    component = direction(model, element, k)
    if element[at.PATCH] == at.NO_PATCH:
        return component
    spin, square = whole(element[at.SPIN]), 0.0
    for j in range(whole(element[at.COUNT])):
        if j != spin:
            square += direction(model, element, j) * direction(model, element, j)
    pivoting, slide = direction(model, element, spin), square_root(square)
    return shared(element[at.PATCH], k == spin, component, slide, pivoting)


@apart
def friction_size(element, z):
    """Size of the friction z of an element: the coefficient × load that it is the limit of."""
    square, spin = 0.0, 0.0
    for k in range(whole(element[at.COUNT])):
        force = z[row_of(element, k)]
        if element[at.PATCH] != at.NO_PATCH and k == whole(element[at.SPIN]):
            spin = abs(force)
        else:
            square += force * force
    if spin == 0.0:
        return square_root(square)
    return size_slopes(element[at.PATCH], square_root(square), spin)[0]


@apart
def coefficient(model, element):
    """Friction coefficient of a sliding element."""
    if element[at.STRIBECK] == 0.0:
        forward = element[at.DIRECTION] >= 0.0
        return one_way(element, element[at.KINETIC], forward)
    return stribeck(element, sliding_speed(model, element))


@apart
def stribeck(element, speed):
    """Between the coefficients at rest and in motion, by the speed of sliding."""
    part = speed / element[at.STRIBECK]
    left = exponential(-part * part)
    return element[at.KINETIC] + (element[at.STATIC] - element[at.KINETIC]) * left


@apart
def one_way(element, coefficient, forward):
    """A coefficient of what slides forward or backward; it differs for ropes about drums only."""
    if forward or element[at.WRAPPED] == 0.0:
        return coefficient
    return coefficient / (1.0 + coefficient)


@apart
def joint_load(model, element):
    """The size of the load of a joint, without its arm."""
    total = 0.0
    for k in range(whole(element[at.LOAD_COUNT])):
        component = load_component(model, whole(element[at.LOAD_FROM]) + k)
        total += component * component
    return square_root(total)


@apart
def pressing_load(model, element):
    """Load that the friction of an element is proportional to."""
    if element[at.LOAD] == at.NORMAL_LOAD:
        return max(model.z[whole(element[at.LOAD_FROM])], 0.0)
    if element[at.LOAD] == at.JOINT_LOAD:
        return element[at.ARM] * joint_load(model, element)
    if element[at.LOAD] == at.GIVEN_LOAD:
        return model.given[whole(element[at.LOAD_FROM])]
    return min(element[at.FORWARD], element[at.BACKWARD])


@apart
def margin(model, element):
    """Distance of a sticking friction force from its limit."""
    z, kind = model.z, element[at.LOAD]
    if kind == at.CONSTANT_LOAD and element[at.COUNT] == 1.0:
        force, static = z[row_of(element, 0)], element[at.STATIC]
        return min(static * element[at.FORWARD] + force, static * element[at.BACKWARD] - force)
    size = friction_size(element, z)
    if kind == at.NORMAL_LOAD:
        limit = z[whole(element[at.LOAD_FROM])]
        forward = z[row_of(element, 0)] <= 0.0
        return one_way(element, element[at.STATIC], forward) * limit - size
    constant = kind == at.CONSTANT_LOAD
    limit = element[at.FORWARD] if constant else pressing_load(model, element)
    return element[at.STATIC] * limit - size


# --- the system ----------------------------------------------------------------------------------


@apart
def list_active(model, island, positions_only, resisted_too):
    """List the active rows of an island; return their number."""
    role, holds, order = model.role, model.holds, model.order
    active, count, first = model.active, 0, address(model.first, island)
    for k in range(whole(first[0]), whole(first[1])):
        i = whole(order[k])
        acts = role[i] == at.HELD or (resisted_too and role[i] != at.OFF)
        if acts and (holds[i] == 1.0 or not positions_only):
            active[count] = i
            count += 1
    scale_rows(model, count)
    return count


@apart
def scale_rows(model, count):
    """scale ← of the rows listed, units in which what they do to themselves is 1."""
    role, active = model.role, model.active
    least = model.easiest[0] * at.UNMOVED
    for k in range(count):
        i = whole(active[k])
        moves = without_dimension(model, i) > least
        model.scale[i] = 1.0 / square_root(model.ease[i]) if moves else 0.0
        if role[i] == at.LAWFUL and not moves:  # its force moves nothing, but joints feel it
            model.scale[i] = model.fineness[i]


@apart
def hold(model, count, target):
    """found ← a solution of A x = target over the rows that are listed."""
    for k in range(count):
        i = whole(model.active[k])
        _held_row(model, count, k, i)
        model.right[k] = model.scale[i] * target[i]
    solve(model, count)


@apart
def _held_row(model, count, k, i):
    """Row k of the matrix: A in units in which its diagonal is 1."""
    matrix, scale, active = model.matrix, model.scale, model.active
    A = address(model.A, i * model.rows)
    for m in range(count):
        j = whole(active[m])
        matrix[m * count + k] = scale[i] * A[j] * scale[j]


@apart
def find_forces(model):
    """Whether the forces of all rows that act are found; z ← them."""
    role, solved = model.role, True
    for i in range(model.rows):
        if role[i] == at.OFF:
            model.z[i] = 0.0
    for island in range(whole(model.islands[0])):
        solved = _find_forces_of(model, island) and solved
    return solved


@apart
def _find_forces_of(model, island):
    """Whether the forces of the active rows of an island are found; z ← them."""
    count, z, x = list_active(model, island, False, True), model.z, model.found
    active, right, scales, reference = model.active, model.right, model.scale, model.reference
    for _ in range(MOST):
        curved, coupled = _write_system(model, count)
        caused = 0.0
        for k in range(count):
            caused = max(caused, abs(right[k]))
        if coupled:
            share(model, count)
        else:  # the right side alone, back in its units
            for k in range(count):
                x[k] = right[k] * scales[whole(active[k])]
        if not curved:  # nothing to compare with
            for k in range(count):
                z[whole(active[k])] = reference[whole(active[k])] + x[k]
            return True
        change, size, largest = 0.0, 0.0, 0.0
        for k in range(count):
            i = whole(active[k])
            near, scale = reference[i], scales[i]
            now = near + x[k]
            if scale > 0.0:
                largest = max(largest, abs(x[k]) / scale)
            step = (now - z[i]) / scale if scale > 0.0 else 0.0
            change, z[i] = max(change, abs(step)), now
            size = max(size, max(abs(now), abs(near)) / scale if scale > 0.0 else 0.0)
        if change <= CLOSE * size:
            break
    if model.laws > 0 and not (largest <= UNBOUNDED * caused and obey_laws(model, count, size)):
        return False
    return change <= 1e-9 * size


@apart
def _write_system(model, count):
    """Whether it depends on the forces, and whether its rows do on each other.

    The matrix and its right side are those of what is beside the reference.
    """
    active, scale, right = model.active, model.scale, model.right
    role, matrix, reference = model.role, model.matrix, model.reference
    coupled = model.laws > 0
    for k in range(count):
        i = whole(active[k])
        coupled = coupled or role[i] != at.RESISTED
        if role[i] == at.HELD:
            _held_row(model, count, k, i)
            right[k] = -scale[i] * model.c[i]
        elif role[i] == at.RETURNED:
            write_alone(model, count, k)  # z is the impulse that is given back
            right[k] = model.returned[i] / scale[i] if scale[i] > 0.0 else 0.0
    curved = model.laws > 0
    if curved:
        write_laws(model, count)
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if element[at.MODE] == at.SLIP:
            for k in range(whole(element[at.COUNT])):
                place = place_of(model, count, row_of(element, k))
                if place >= 0:
                    curved = _write_friction(model, count, element, k, place) or curved
                    coupled = coupled or element[at.LOAD] != at.CONSTANT_LOAD
    for m in range(count):
        j = whole(active[m])
        if scale[j] > 0.0 and reference[j] != 0.0:
            near = reference[j] / scale[j]
            for k in range(count):
                right[k] -= matrix[m * count + k] * near
    return curved, coupled


@apart
def _write_friction(model, count, element, k, place):
    """Row z + μ N d = −viscous u of the system, with N linear in z; whether it is not."""
    row, scale, matrix = row_of(element, k), model.scale, model.matrix
    write_alone(model, count, place)
    unit = 1.0 / scale[row] if scale[row] > 0.0 else 0.0
    push = coefficient(model, element) * resisted(model, element, k)
    right = -element[at.VISCOUS] * model.u[row]
    curved = False
    if element[at.LOAD] == at.NORMAL_LOAD:
        normal = whole(element[at.LOAD_FROM])
        other = place_of(model, count, normal)
        if other >= 0:
            matrix[other * count + place] += unit * push * scale[normal]
    elif element[at.LOAD] == at.JOINT_LOAD:
        right -= push * _write_load(model, count, element, place, push * unit)
        curved = True
    elif element[at.LOAD] == at.GIVEN_LOAD:
        right -= push * write_given(model, count, whole(element[at.LOAD_FROM]), place, push * unit)
    elif element[at.COUNT] == 1.0 and element[at.DIRECTION] < 0.0:
        right -= push * element[at.BACKWARD]
    else:
        right -= push * element[at.FORWARD]
    model.right[place] = unit * right
    return curved


@apart
def _write_load(model, count, element, place, push):
    """The load without forces of rows, as it is near those at hand; the row gets what they add."""
    size, arm, rows = joint_load(model, element), element[at.ARM], model.rows
    if size == 0.0:
        return 0.0
    constant = 0.0
    for n in range(whole(element[at.LOAD_COUNT])):
        k = whole(element[at.LOAD_FROM]) + n
        along = arm * load_component(model, k) / size
        constant += along * model.load_0[k]
        for m in range(count):
            j = whole(model.active[m])
            by = model.load_by[k * rows + j] * model.scale[j]
            model.matrix[m * count + place] += push * along * by
    return constant
