"""The collocation methods of Gauss and Legendre, of order 2, 4 or 6, with a fixed step.

On canonical equations they are symplectic and symmetric, and keep every invariant that is
quadratic in (q, p). The stages Y_i = y + Σ μ_ij L_j with L_j = h b_j f(Y_j) are iterated until
rounding stops them. With μ_ij + μ_ji = 1 exactly, rounded coefficients are still those of a
symplectic method; what the sum y + Σ L_i rounds away is carried to the next step. Errors of
rounding then grow as those of a random walk. Constraints add impulses (`impulses.py`).

References: Hairer, Lubich and Wanner (2006), Geometric Numerical Integration, chapters VI and VIII;
Antoñana, Makazaga and Murua (2017), Reducing and monitoring round-off error propagation for
symplectic implicit Runge-Kutta schemes, Numerical Algorithms 76.
"""

from math import inf

from torseur.machine.integrators.codes import NOT_FINITE, STEP_TOO_LONG
from torseur.machine.integrators.kernels.arrival import looks_inside, move_on
from torseur.machine.integrators.kernels.fixed import cubic, set_out_fixed
from torseur.machine.integrators.kernels.lane_vectors import from_both_ends
from torseur.machine.integrators.kernels.motion_access import derivatives, record
from torseur.machine.integrators.kernels.rows import finish, nothing, stepped
from torseur.machine.integrators.kernels.symplectic_stages import (
    AHEAD,
    CALM,
    CARRY,
    CHANGE,
    CORRECT,
    FORMER,
    FRACTIONS,
    GUESS,
    KICKS,
    LEAST,
    POINTS,
    SIZE,
    first,
    node,
    row,
    weight,
)
from torseur.machine.runtime.access import METHOD, call, evaluate, place
from torseur.machine.runtime.long_vectors import copy, dot, linear, table
from torseur.machine.runtime.vectors import address, apart

EPSILON = 2.0**-52
LONGEST = 200  # iterations of the stages
QUIET = 2  # iterations that improve nothing, after which rounding is what is left
FIRST = 2  # iterations that are not looked at
SOLVED = 1e-24  # square of the change of the last iteration, in units of the state
UNCERTAIN = 256.0  # square of how many roundings of coordinates may add up in an impulse
COARSEST = 1e-6  # square of the most that rounding may explain
SIGNATURE = METHOD
ENTRIES = ("symplectic",)

_mu, _point, _ahead = table("mu", FRACTIONS), table("points", POINTS), table("ahead", AHEAD)


def symplectic(where):
    """Steps until the budget is spent or the run ends; the code says which."""
    return stepped(record(where), nothing, _step)


@apart
def _step(run):
    """One step; the motion is over where its equations are not solved."""
    set_out_fixed(run)
    n, t, h = run.n, run.ahead[0], run.length[0]
    if not _solve_stages(run, h):
        finish(run, 0, STEP_TOO_LONG)
        return
    _arrive(run, t)
    if not dot(n, run.arrival, run.arrival) < inf:
        finish(run, 0, NOT_FINITE)
        return
    copy(n, run.arrival, run.next_y)
    if looks_inside(run):
        derivatives(run, run.arrival, run.ahead, run.next_f)
        from_both_ends(n, run.y, run.f, run.arrival, run.next_f, run.length, run.polynomial)
    move_on(run, cubic)


@apart
def _arrive(run, t):
    """arrival ← the state at the end t of the step."""
    for i in range(run.order // 2):  # carry + Σ L_i, and the impulses but for the last
        linear(run.n, 1.0, row(run, CARRY), 1.0, row(run, i), row(run, CARRY))
        if run.restraints > 0:
            linear(run.n, 1.0, row(run, CARRY), 1.0, row(run, KICKS + i), row(run, CARRY))
    _settle(run, run.y)
    if run.restraints > 0:
        call(run.impel, place(run), t, CALM)
        linear(run.n, 1.0, row(run, CARRY), 1.0, row(run, KICKS + run.order // 2), row(run, CARRY))
        _settle(run, run.arrival)


@apart
def _solve_stages(run, h):
    """Whether the iteration of the stages L_i ends, at h b_i f(y + Σ μ_ij L_j)."""
    n, rows = run.n, run.stages
    _guess(run, h)
    if run.restraints > 0:
        call(run.impel, place(run), h, GUESS)
    least = address(rows, LEAST * n)
    for c in range(n):
        least[c] = inf
    quiet = 0
    for k in range(LONGEST):
        _iterate(run, h)
        if run.restraints > 0:
            call(run.impel, place(run), h, CORRECT)
        # at first a component may stand still by chance, before the others move it
        if k >= FIRST:
            quiet = 0 if _improves(run) else quiet + 1
        if quiet >= QUIET and _changes_nothing(run):
            return True
    return _changes_nothing(run)  # what is nothing but rounding may still become less


@apart
def _changes_nothing(run):
    """Whether the last change of coordinates and momenta is nothing beside these."""
    half = run.pairs
    return _small(run, 0, half, SOLVED) and _small(run, half, 2 * half, _fine(run))


@apart
def _guess(run, h):
    """The stages that the polynomial of the step before has in this one; at first, h b_i f(y)."""
    n, s, rows = run.n, run.order // 2, run.stages
    if run.accepted[0] == 0.0:
        for i in range(s):
            linear(n, weight(h, s, i), run.f, 0.0, run.f, address(rows, i * n))
        return
    for i in range(s):
        copy(n, address(rows, i * n), address(rows, (FORMER + i) * n))
    for i in range(s):
        factor, stage = _ahead(first(s) + i), address(rows, i * n)
        former = address(rows, FORMER * n)
        linear(n, factor[0], former, 0.0, former, stage)
        for j in range(1, s):
            linear(n, 1.0, stage, factor[j], address(rows, (FORMER + j) * n), stage)


@apart
def _iterate(run, h):
    """Every stage once, each from the newest of the others; the changes and sizes are kept."""
    n, s, rows = run.n, run.order // 2, run.stages
    y, inside, output = run.y, run.inside, run.room
    carry, change, size = row(run, CARRY), row(run, CHANGE), row(run, SIZE)
    for c in range(n):
        change[c] = size[c] = 0.0
    for i in range(s):
        mu, fraction = _mu(first(s) + i), _point(first(s) + i)[0]
        copy(n, carry, inside)
        for j in range(s):
            linear(n, 1.0, inside, mu[j], address(rows, j * n), inside)
        if run.restraints > 0:
            for k in range(s):  # Σ ν_ik I_k, with ν_ik = 1 − μ_ki
                linear(n, 1.0, inside, 1.0 - node(s, k)[i], row(run, KICKS + k), inside)
        linear(n, 1.0, y, 1.0, inside, inside)
        if run.restraints == 0:
            run.clock[0] = run.t[0] + fraction * h
            derivatives(run, inside, run.clock, output)
        else:  # without the reactions of constraints
            evaluate(run.free, run.free_table, run.t[0] + fraction * h, inside, output)
            run.evaluations += 1
        stage, part = address(rows, i * n), weight(h, s, i)
        for c in range(n):
            new = part * output[c]
            change[c] = _larger(change[c], new - stage[c])
            size[c] = _larger(size[c], new)
            stage[c] = new


@apart
def _larger(a, b):
    """max(a, |b|); what is not a number stays."""
    size = abs(b)
    return a if a >= size else size


@apart
def _improves(run):
    """Whether some component changed less than ever before, and by more than its own rounding."""
    change, least, size = row(run, CHANGE), row(run, LEAST), row(run, SIZE)
    improves = False
    for c in range(run.n):
        if change[c] < least[c]:
            least[c] = change[c]
            if change[c] > 2.0 * EPSILON * size[c]:
                improves = True
    return improves


@apart
def _fine(run):
    """Largest negligible square of the change of momenta, in units of the momenta.

    Impulses answer the gaps at the nodes, which the rounding of coordinates makes uncertain: by as
    much of the momenta as that rounding is of the way that the coordinates go in the step.
    """
    y, size, half = run.y, row(run, SIZE), run.pairs
    whole, way = 0.0, 0.0
    for c in range(half):
        whole += y[c] * y[c]
        way += size[c] * size[c]
    lost = UNCERTAIN * EPSILON * EPSILON * whole
    return SOLVED + min(lost / way, COARSEST) if way > 0.0 else SOLVED


@apart
def _small(run, start, stop, fine):
    """Whether the last change of some components is nothing beside the components themselves."""
    y, change, size = run.y, row(run, CHANGE), row(run, SIZE)
    square, whole = 0.0, 0.0
    for c in range(start, stop):
        square += change[c] * change[c]
        whole += y[c] * y[c] + size[c] * size[c]
    return square <= fine * whole


@apart
def _settle(run, y):
    """arrival ← y + carry; what that sum rounds away is the new carry (Knuth)."""
    arrival, carry = run.arrival, row(run, CARRY)
    for c in range(run.n):
        a, b = y[c], carry[c]
        total = a + b
        part = total - a
        carry[c] = (a - (total - part)) + (b - part)
        arrival[c] = total
