"""Impulses of all rows at once: Signorini's condition, Coulomb's cones, limits of loads.

Sweeps from cone to cone come near, Newton's method ends it. Where that fails, a response is added
to each row about the impulses at hand and taken away step by step (the proximal point method,
Rockafellar 1976).

Where impulses are not unique, rows at first give way a little, all of them from zero: that tells
what sticks, slides and opens, whatever the order of rows. Proximal points keep that, and the
smallest impulses follow. Groups of cones that have nothing to do with each other go one by one.
"""

from torseur.machine.impulses import layout as at
from torseur.machine.impulses.kernels.alart_curnier import (
    BOLD,
    PROXIMAL,
    STEPS,
    newton,
    proximal_points,
    solved,
)
from torseur.machine.impulses.kernels.cones import (
    cone_row,
    friction_size,
    holds,
    limit,
    load_friction,
    own_response,
    pivots,
    rubbing_row,
    write_equations,
    write_means,
    write_speeds,
    write_tangent,
)
from torseur.machine.impulses.kernels.smallest import GIVES, is_unique, smallest
from torseur.machine.integrators.kernels.dense import solve_positive
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, inlined, whole

SWEEPS, MORE = 4, 60  # before Newton's method, and after it failed: four times as many each time
ROUNDS = 5
REFINEMENTS = 3
SOFT, SOFTEST, POINTS = 1.0, 1e300, 12  # of the response of a row, and how often it is changed


# --- groups --------------------------------------------------------------------------------------


@inlined
def group_row(problem, k):
    """The numbers of a group."""
    return address(problem.group, k * at.GROUP)


@apart
def prepare_groups(problem):
    """Whether impulses of each group are unique, and means of its cones ← from its responses."""
    cones = problem.cones
    for k in range(problem.groups):
        group = group_row(problem, k)
        n = _enter(problem, group, 1)
        group[at.IS_UNIQUE] = 1.0 if is_unique(problem, n) else 0.0
        write_means(problem)
        _enter(problem, group, -1)
    problem.cones = cones


@apart
def solve_groups(problem, close):
    """The largest residual that is left of the laws; impulse and speed ← those found."""
    worst, cones = 0.0, problem.cones
    for k in range(problem.groups):
        group = group_row(problem, k)
        n = _enter(problem, group, 1)
        worst = max(worst, _solve_group(problem, group, n, close))
        _enter(problem, group, -1)
    problem.cones = cones
    return worst


@apart
def _enter(problem, group, sense):
    """Number of rows of a group, with which tables begin from now on; or no longer, if back."""
    first, stride = sense * whole(group[at.FIRST_ROW]), problem.rows
    problem.cone = address(problem.cone, sense * whole(group[at.FIRST_CONE]) * at.WIDTH)
    problem.cones = whole(group[at.CONE_COUNT])
    if first != 0:
        problem.impulse = address(problem.impulse, first)
        problem.unknown = address(problem.unknown, first)
        problem.tried, problem.kept = address(problem.tried, first), address(problem.kept, first)
        problem.anchor, problem.fine = address(problem.anchor, first), address(problem.fine, first)
        problem.unpushed = address(problem.unpushed, first)
        problem.speed, problem.unit = address(problem.speed, first), address(problem.unit, first)
        problem.weight = address(problem.weight, first)
        problem.response = address(problem.response, first * (stride + 1))
        problem.root = address(problem.root, first * stride)
        problem.load_response = address(problem.load_response, first)
    return whole(group[at.ROW_COUNT])


# --- one group -----------------------------------------------------------------------------------


@apart
def _solve_group(problem, group, n, close):
    """The residual that is left of the laws of n rows; impulse and speed ← those found."""
    if group[at.IS_UNIQUE] == 0.0:
        return solve_chosen(problem, n, close)
    if group[at.RESTS] == 1.0:
        error = _hold_all(problem, n, close)
        if error <= close:
            return error
        group[at.RESTS] = 0.0
    return _solve(problem, n, close)


@apart
def _solve(problem, n, close):
    """The residual after all that can be tried."""
    error = _search(problem, n, close)
    if error > close:
        until, softness = (error, close, POINTS), (SOFT, 0.0, SOFTEST, False)
        proximal_points(problem, (0, n), until, softness, _point)
        _sweep(problem, n, SWEEPS, close)
        error = solve_by_newton(problem, n, close)
    return error


@apart
def solve_chosen(problem, n, close):
    """The residual where impulses are not unique; impulse ← the smallest of them.

    At first all rows give way a little, from zero on.
    """
    problem.soft = GIVES
    for i in range(n):
        problem.anchor[i] = 0.0
    error = _search(problem, n, close)
    for _ in range(REFINEMENTS if error <= close else 0):  # proximal points, whatever the order
        copy(n, problem.impulse, problem.anchor)
        solve_by_newton(problem, n, close)
    problem.soft = 0.0
    _solve(problem, n, close)
    return smallest(problem, (0, n), close)


@apart
def _hold_all(problem, n, close):
    """The residual where every row holds; where that breaks a law, impulses stay as they were.

    The factor of the response has a little less on its diagonal: what that leaves is taken back.
    """
    P, saved, x, unit = problem.impulse, problem.kept, problem.tried, problem.unit
    write_speeds(problem, n)
    copy(n, P, saved)
    error = close
    for _ in range(REFINEMENTS):
        for i in range(n):
            x[i] = -problem.speed[i] * unit[i]
        for c in range(problem.cones):
            cone = cone_row(problem, c)
            i = whole(cone[at.NORMAL])
            if i >= 0:
                x[i] += cone[at.BOUND] * unit[i]
        solve_positive(n, problem.root, x)
        for i in range(n):
            P[i] += x[i] * unit[i]
        error = write_equations(problem, (0, n))
        if error <= close:
            return error
    copy(n, saved, P)
    return error


@apart
def _search(problem, n, close):
    """The residual after sweeps and Newton's method, more of them each time that fails."""
    error, sweeps = write_equations(problem, (0, n)), SWEEPS
    for k in range(ROUNDS):
        if error <= close:
            return error
        _sweep(problem, n, sweeps, close)
        error, sweeps = (solve_by_newton(problem, n, close), MORE if k == 0 else 4 * sweeps)
    return error


@apart
def _point(problem, rows, soft, before, close):
    """One proximal point; the impulses before stay if they were better."""
    n, P, saved = rows[1], problem.impulse, problem.anchor
    copy(n, P, saved)
    problem.soft = soft
    _sweep(problem, n, SWEEPS, close)
    solve_by_newton(problem, n, close)
    problem.soft = 0.0
    error = write_equations(problem, rows)
    if error < before:
        return 1, error
    copy(n, saved, P)
    return -1, before


@apart
def solve_by_newton(problem, n, close):
    """The residual after Newton's method."""
    return newton(problem, (0, n), (close, STEPS, BOLD), write_equations, _direction)


@apart
def _direction(problem, rows):
    """Whether the system is regular; unknown ← the change of impulses."""
    write_tangent(problem, rows, max(PROXIMAL, problem.soft))
    return solved(problem, rows[1])


# --- sweeps --------------------------------------------------------------------------------------


@apart
def _sweep(problem, n, count, close):
    """Cone after cone, while all others stay; looked at from time to time."""
    P = problem.impulse
    for k in range(count):
        if k % MORE == MORE - 1 and write_equations(problem, (0, n)) <= close:
            break
        for c in range(problem.cones):
            cone = cone_row(problem, c)
            if cone[at.NORMAL] >= 0.0:
                i = whole(cone[at.NORMAL])
                off = _speed(problem, n, i) - cone[at.BOUND]
                P[i] = max(cone[at.FLOOR], P[i] - off / _stiff(problem, i))
            if cone[at.COUNT] > 0.0:
                _rub(problem, n, cone)


@apart
def _speed(problem, n, i):
    """u of a row, by the impulses at hand."""
    row_response, P = address(problem.response, i * problem.rows), problem.impulse
    near = problem.soft * row_response[i] * (P[i] - problem.anchor[i])
    return dot(n, row_response, P) + problem.unpushed[i] + near


@apart
def _stiff(problem, i):
    return own_response(problem, i) * (1.0 + problem.soft)


@apart
def _rub(problem, n, cone):
    """Friction that holds, or as much of it as there is."""
    P, count, friction = problem.impulse, whole(cone[at.COUNT]), problem.tried
    trace, square, pivot = cone[at.COUNT] * cone[at.MEAN] * (1.0 + problem.soft), 0.0, 0.0
    if cone[at.SLIDING] == at.IS_KNOWN:
        given = load_friction(problem, n, cone, cone[at.HEADING] <= 0.0)
        for k in range(count):
            P[rubbing_row(cone, k)] = given * cone[at.HEADING + k]
        return
    for k in range(count):
        friction[k] = _speed(problem, n, rubbing_row(cone, k))
    for k in range(count):
        friction[k] = P[rubbing_row(cone, k)] - friction[k] / trace
        if pivots(cone, k):
            pivot = abs(friction[k])
        else:
            square += friction[k] * friction[k]
    size = friction_size(cone, square, pivot)[0]
    most = limit(problem, n, cone, friction[0] <= 0.0)
    share = 1.0 if holds(cone, size, most) else most / size
    for k in range(count):
        P[rubbing_row(cone, k)] = share * friction[k]
