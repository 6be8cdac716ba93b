"""The laws of cones: Signorini's condition and Coulomb's friction as equations, and their tangent.

Rows have the speeds u = W P + q. With z = P − u/d, d the response of a row, what pushes has
P = max(z, floor), and what rubs z brought into the disc of the friction that there is (Alart and
Curnier 1991). On a surface that slides and pivots, z is made shorter along itself. What slides in a
known direction has the friction that there is, or what a law gives. `rows` is (first, n): n numbers
are solved for.
"""

from torseur.machine.impulses import layout as at
from torseur.machine.impulses.kernels.patches import size_slopes
from torseur.machine.integrators.kernels.dense import multiply
from torseur.machine.runtime.long_vectors import dot, square_root
from torseur.machine.runtime.vectors import address, apart, inlined, whole


@inlined
def cone_row(problem, c):
    """The numbers of a cone."""
    return address(problem.cone, c * at.WIDTH)


@inlined
def rubbing_row(cone, k):
    """One of the rows that rub."""
    return whole(cone[at.FIRST + k])


@inlined
def own_response(problem, i):
    """The speed of a row by its own impulse."""
    return problem.response[i * problem.rows + i]


@inlined
def holds(cone, size, most):
    """Whether friction of a size is within its limit, and may be."""
    return size <= most and (cone[at.SLIDING] == at.MAY_HOLD or size == 0.0)


@apart
def write_means(problem):
    """MEAN ← of every cone, when responses are known."""
    for c in range(problem.cones):
        cone, total = cone_row(problem, c), 0.0
        for k in range(whole(cone[at.COUNT])):
            total += own_response(problem, rubbing_row(cone, k))
        cone[at.MEAN] = total / max(cone[at.COUNT], 1.0)


# --- the most friction ---------------------------------------------------------------------------


@apart
def _one_way(cone, forward):
    """The coefficient of what slides forward or backward."""
    grip = cone[at.GRIP]
    return grip if forward or cone[at.WRAPPED] == 0.0 else grip / (1.0 + grip)


@apart
def _joint_component(problem, n, k):
    by = address(problem.load_response, k * problem.rows)
    return problem.load_free[k] + dot(n, by, problem.impulse)


@apart
def _joint_size(problem, n, cone):
    """The impulse of the load of a joint, without its arm."""
    total = 0.0
    for m in range(whole(cone[at.COMPONENTS])):
        component = _joint_component(problem, n, whole(cone[at.FROM]) + m)
        total += component * component
    return square_root(total)


@apart
def limit(problem, n, cone, forward):
    """The most friction of a cone, where it resists a motion forward or back."""
    return max(load_friction(problem, n, cone, forward) - cone[at.ROOM], 0.0)


@apart
def load_friction(problem, n, cone, forward):
    """Coefficient × load of a cone."""
    if cone[at.LOAD] == at.CONSTANT:
        one_sided = cone[at.COUNT] == 1.0 and not forward
        return cone[at.GRIP] * (cone[at.BACKWARD] if one_sided else cone[at.FORWARD])
    grip = _one_way(cone, forward)
    if cone[at.LOAD] == at.OF_ROW:
        i = whole(cone[at.FROM])
        return grip * max(problem.impulse[i], 0.0) if i >= 0 else 0.0
    if cone[at.LOAD] == at.OF_LOAD:
        return grip * _joint_component(problem, n, whole(cone[at.FROM]))
    return grip * cone[at.ARM] * _joint_size(problem, n, cone)


@apart
def _write_slopes(problem, n, cone, forward, into):
    """into ← how the most friction of a cone changes with each impulse."""
    for c in range(n):
        into[c] = 0.0
    if cone[at.SLIDING] != at.IS_KNOWN and load_friction(problem, n, cone, forward) < cone[at.ROOM]:
        return
    if cone[at.LOAD] == at.OF_ROW:
        i = whole(cone[at.FROM])
        if i >= 0 and problem.impulse[i] >= 0.0:
            into[i] = _one_way(cone, forward)
    elif cone[at.LOAD] == at.OF_LOAD:
        by = address(problem.load_response, whole(cone[at.FROM]) * problem.rows)
        for c in range(n):
            into[c] = cone[at.GRIP] * by[c]
    elif cone[at.LOAD] == at.OF_JOINT:
        size = _joint_size(problem, n, cone)
        if size > 0.0:
            for m in range(whole(cone[at.COMPONENTS])):
                k = whole(cone[at.FROM]) + m
                share = cone[at.GRIP] * cone[at.ARM] * _joint_component(problem, n, k) / size
                for c in range(n):
                    into[c] += share * problem.load_response[k * problem.rows + c]


@inlined
def pivots(cone, k):
    """Whether one of the rows that rub is that of pivoting of a surface."""
    return cone[at.PATCH] != at.NO_PATCH and k == whole(cone[at.SPIN])


@inlined
def friction_size(cone, square, pivot):
    """Size of friction, of what slides and of what pivots, and its slopes over both."""
    if pivot > 0.0:
        return size_slopes(cone[at.PATCH], square_root(square), pivot)
    size = square_root(square)
    slope = 1.0 / size if size > 0.0 else 0.0
    return size, slope, slope


@apart
def _sticking_friction(problem, n, cone):
    """The friction by which a cone would not slide: its size and slopes; the most, which way."""
    P, u, square, pivot, first = problem.impulse, problem.speed, 0.0, 0.0, 0.0
    for k in range(whole(cone[at.COUNT])):
        i = rubbing_row(cone, k)
        z = P[i] - u[i] / cone[at.MEAN]
        first = z if k == 0 else first
        if pivots(cone, k):
            pivot = abs(z)
        else:
            square += z * z
    size = friction_size(cone, square, pivot)
    return size, limit(problem, n, cone, first <= 0.0), first <= 0.0


@apart
def slides(problem, n, cone):
    """Whether the friction of a cone is at its limit."""
    if cone[at.SLIDING] == at.IS_KNOWN:
        return True
    size, most, _ = _sticking_friction(problem, n, cone)
    return not holds(cone, size[0], most)


# --- equations -----------------------------------------------------------------------------------


@apart
def write_speeds(problem, n):
    """speed ← u = W P + q of all rows, softness included."""
    P, u, soft = problem.impulse, problem.speed, problem.soft
    multiply(n, problem.rows, problem.response, P, u)
    for i in range(n):
        u[i] += problem.unpushed[i]
        u[i] += soft * own_response(problem, i) * (P[i] - problem.anchor[i])


@apart
def write_equations(problem, rows):
    """unknown ← P less what z makes of it; the largest of them as a speed, in sizes of rows.

    speed ← u of all rows.
    """
    n, P, u, into = rows[1], problem.impulse, problem.speed, problem.unknown
    write_speeds(problem, n)
    for c in range(problem.cones):
        cone = cone_row(problem, c)
        if cone[at.NORMAL] >= 0.0:
            i = whole(cone[at.NORMAL])
            z = P[i] - (u[i] - cone[at.BOUND]) / own_response(problem, i)
            into[i] = P[i] - max(z, cone[at.FLOOR])
        if cone[at.SLIDING] == at.IS_KNOWN:
            given = load_friction(problem, n, cone, cone[at.HEADING] <= 0.0)
            for k in range(whole(cone[at.COUNT])):
                i = rubbing_row(cone, k)
                into[i] = P[i] - given * cone[at.HEADING + k]
        elif cone[at.COUNT] > 0.0:
            size, most, _ = _sticking_friction(problem, n, cone)
            share = 1.0 if holds(cone, size[0], most) else most / size[0]
            for k in range(whole(cone[at.COUNT])):
                i = rubbing_row(cone, k)
                into[i] = P[i] - share * (P[i] - u[i] / cone[at.MEAN])
    worst = 0.0
    for i in range(n):
        worst = max(worst, abs(into[i]) * own_response(problem, i) * problem.fine[i])
    return worst


@apart
def write_laws(problem, rows):
    """The residual; unknown ← what is not zero, tangent ← how that changes with impulses."""
    error = write_equations(problem, rows)
    write_tangent(problem, rows, 0.0)
    return error


@apart
def write_tangent(problem, rows, soft):
    """tangent ← how the equations change with impulses, rows being that much softer."""
    for c in range(problem.cones):
        cone = cone_row(problem, c)
        if cone[at.NORMAL] >= 0.0:
            _write_normal(problem, (rows[1], soft), cone, whole(cone[at.NORMAL]))
        if cone[at.SLIDING] == at.IS_KNOWN:
            _write_known(problem, rows[1], cone)
        elif cone[at.COUNT] > 0.0:
            _write_rubbing(problem, (rows[1], soft), cone)


@inlined
def _entry(problem, soft, i, c):
    """Change of the speed of a row with an impulse, softness included."""
    slope = problem.response[i * problem.rows + c]
    return slope * (1.0 + soft) if i == c else slope


@apart
def _write_normal(problem, size, cone, i):
    (n, soft), J, response = size, problem.tangent, own_response(problem, i)
    off = problem.speed[i] - cone[at.BOUND]
    pushes = problem.impulse[i] - off / response > cone[at.FLOOR]
    for c in range(n):
        J[n * c + i] = _entry(problem, soft, i, c) / response if pushes else 1.0 * (i == c)


@apart
def _write_known(problem, n, cone):
    """Rows of friction in a known direction, which changes with its load."""
    slopes = problem.room
    _write_slopes(problem, n, cone, cone[at.HEADING] <= 0.0, slopes)
    for k in range(whole(cone[at.COUNT])):
        i = rubbing_row(cone, k)
        for c in range(n):
            problem.tangent[n * c + i] = 1.0 * (i == c) - slopes[c] * cone[at.HEADING + k]


@apart
def _write_rubbing(problem, size_and_soft, cone):
    """Rows of friction: held, or with d = z/|z| the friction there is along d, which turns."""
    P, u, J, count = problem.impulse, problem.speed, problem.tangent, whole(cone[at.COUNT])
    (n, soft), mean, slopes = size_and_soft, cone[at.MEAN], problem.room
    (size, slide, spin), most, forward = _sticking_friction(problem, n, cone)
    if holds(cone, size, most):
        for k in range(count):
            i = rubbing_row(cone, k)
            for c in range(n):
                J[n * c + i] = _entry(problem, soft, i, c) / mean
        return
    _write_slopes(problem, n, cone, forward, slopes)
    for c in range(n):
        along = 0.0
        for k in range(count):
            i = rubbing_row(cone, k)
            d = (P[i] - u[i] / mean) * (spin if pivots(cone, k) else slide)
            along += d * (1.0 * (i == c) - _entry(problem, soft, i, c) / mean)
        for k in range(count):
            i = rubbing_row(cone, k)
            d = (P[i] - u[i] / mean) / size
            diagonal = 1.0 * (i == c)
            change = diagonal - _entry(problem, soft, i, c) / mean
            # of P − most d, with d turning as z does
            J[n * c + i] = diagonal - slopes[c] * d - most / size * (change - d * along)


@apart
def write_weights(problem, rows, level):
    """weight ← of impulses of a level, couples counting over a length; of what slides, none."""
    n, weight = rows[1], problem.weight
    for c in range(problem.cones):
        cone = cone_row(problem, c)
        counts = 1.0 * (cone[at.LEVEL] == level)
        if cone[at.NORMAL] >= 0.0:
            i = whole(cone[at.NORMAL])
            weight[i] = counts / problem.fine[i]
        rubs = cone[at.COUNT] > 0.0 and not slides(problem, n, cone)
        for k in range(whole(cone[at.COUNT])):
            i = rubbing_row(cone, k)
            weight[i] = counts / problem.fine[i] if rubs else 0.0
