"""The collocation methods of Gauss and Legendre, of order 2, 4 or 6, with a fixed step.

On canonical equations they are symplectic and symmetric, and keep every invariant that is
quadratic in (q, p). The stages Y_i = y + Σ μ_ij L_j with L_j = h b_j f(Y_j) are iterated until
rounding stops them. With μ_ij + μ_ji = 1 exactly, rounded coefficients are still those of a
symplectic method; what the sum y + Σ L_i rounds away is carried to the next step. Errors of
rounding then grow as those of a random walk.

References: Hairer, Lubich and Wanner (2006), Geometric Numerical Integration, chapters VI and VIII;
Antoñana, Makazaga and Murua (2017), Reducing and monitoring round-off error propagation for
symplectic implicit Runge-Kutta schemes, Numerical Algorithms 76.
"""

from math import inf

from torseur.backends.integrators.access import METHOD, numbers, record
from torseur.backends.integrators.arrival import (
    arrive,
    begin,
    derivative,
    derivative_on_arrival,
    has_room,
    looks_inside,
    move_on,
)
from torseur.backends.integrators.codes import PAUSED, STEP_TOO_LONG
from torseur.backends.integrators.interpolation import from_both_ends
from torseur.backends.integrators.rk4 import NEARLY, TERMS
from torseur.backends.integrators.symplectic_tableau import AHEAD, FRACTIONS, MOST_STAGES, POINTS
from torseur.backends.integrators.vectors import copy, linear, table
from torseur.backends.loops.vectors import address, apart

EPSILON = 2.0**-52
LONGEST = 200  # iterations of the stages
QUIET = 2  # iterations that improve nothing, after which rounding is what is left
FIRST = 2  # iterations that are not looked at
SOLVED = 1e-24  # square of the change of the last iteration, in units of the state
SIGNATURE = METHOD

# rows of `stages`: those of the method come first
FORMER = MOST_STAGES  # the stages of the step before
CARRY = 2 * MOST_STAGES  # what the last sum rounded away
LEAST = CARRY + 1  # the smallest change of each component in the iterations so far
CHANGE = CARRY + 2  # that of the last iteration
SIZE = CARRY + 3  # the largest stage of each component

_mu, _point, _ahead = table("mu", FRACTIONS), table("points", POINTS), table("ahead", AHEAD)


def symplectic(place):
    """Steps until the budget is spent or the run ends; the code says which."""
    run = record(place)
    code = begin(run) if run.started == 0 else PAUSED
    tried = 0
    while code == PAUSED and tried < run.budget and has_room(run):
        code = _step(run)
        tried += 1
    return code


@apart
def _step(run):
    """One step; its end is computed from the last sample, so that times do not drift."""
    start, stop = numbers(run.times)[run.filled - 1], numbers(run.times)[run.filled]
    steps = 1 + int((stop - start) / run.h - NEARLY)
    run.part += 1
    last = run.part == steps
    t = stop if last else start + run.part * ((stop - start) / steps)

    if not _solved(run, _length(run, start, stop, steps)):
        return STEP_TOO_LONG
    _advance(run)
    code = arrive(run, t)
    if code != PAUSED:
        return code
    if looks_inside(run, t):
        end = address(numbers(run.stages), CHANGE * run.n)
        derivative_on_arrival(run, t, end)
        from_both_ends(run, t - run.t, end)
    if last:
        run.part = 0
    return move_on(run, TERMS, t)


@apart
def _length(run, start, stop, steps):
    """The step: the one asked for unless the times, rounding apart, need another.

    A step that changed with the rounding of the times would not be that of one symplectic map.
    """
    off = abs(steps * run.h - (stop - start))
    return run.h if off <= 4.0 * EPSILON * abs(stop) else (stop - start) / steps


@apart
def _solved(run, h):
    """Whether the iteration of the stages L_i ends, at h b_i f(y + Σ μ_ij L_j)."""
    n, rows = run.n, numbers(run.stages)
    _guess(run, h)
    least = address(rows, LEAST * n)
    for c in range(n):
        least[c] = inf
    quiet, half = 0, n // 2
    for k in range(LONGEST):
        _iterate(run, h)
        # at first a component may stand still by chance, before the others move it
        if k >= FIRST:
            quiet = 0 if _improves(run) else quiet + 1
        if quiet >= QUIET and _small(run, 0, half) and _small(run, half, 2 * half):
            return True
    return False


@apart
def _guess(run, h):
    """The stages that the polynomial of the step before has in this one; at first, h b_i f(y)."""
    n, s, rows = run.n, run.order // 2, numbers(run.stages)
    if run.accepted == 0:
        for i in range(s):
            linear(n, _weight(h, s, i), numbers(run.f), 0.0, numbers(run.f), address(rows, i * n))
        return
    for i in range(s):
        copy(n, address(rows, i * n), address(rows, (FORMER + i) * n))
    for i in range(s):
        factor, stage = _ahead(_first(s) + i), address(rows, i * n)
        former = address(rows, FORMER * n)
        linear(n, factor[0], former, 0.0, former, stage)
        for j in range(1, s):
            linear(n, 1.0, stage, factor[j], address(rows, (FORMER + j) * n), stage)


@apart
def _iterate(run, h):
    """Every stage once, each from the newest of the others; the changes and sizes are kept."""
    n, s, rows = run.n, run.order // 2, numbers(run.stages)
    y, inside, made = numbers(run.y), numbers(run.inside), numbers(run.room)
    carry, change, size = _row(run, CARRY), _row(run, CHANGE), _row(run, SIZE)
    for c in range(n):
        change[c] = size[c] = 0.0
    for i in range(s):
        mu, node = _mu(_first(s) + i), _point(_first(s) + i)[0]
        copy(n, carry, inside)
        for j in range(s):
            linear(n, 1.0, inside, mu[j], address(rows, j * n), inside)
        linear(n, 1.0, y, 1.0, inside, inside)
        derivative(run, run.t + node * h, inside, made)
        stage, weight = address(rows, i * n), _weight(h, s, i)
        for c in range(n):
            new = weight * made[c]
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
    change, least, size = _row(run, CHANGE), _row(run, LEAST), _row(run, SIZE)
    found = False
    for c in range(run.n):
        if change[c] < least[c]:
            least[c] = change[c]
            if change[c] > 2.0 * EPSILON * size[c]:
                found = True
    return found


@apart
def _small(run, start, stop):
    """Whether the last change of some components is nothing beside the components themselves."""
    y, change, size = numbers(run.y), _row(run, CHANGE), _row(run, SIZE)
    moved, whole = 0.0, 0.0
    for c in range(start, stop):
        moved += change[c] * change[c]
        whole += y[c] * y[c] + size[c] * size[c]
    return moved <= SOLVED * whole


@apart
def _advance(run):
    """arrival ← y + (carry + Σ L_i); what that sum rounds away is the new carry (Knuth)."""
    n, s, rows = run.n, run.order // 2, numbers(run.stages)
    y, arrival, carry = numbers(run.y), numbers(run.arrival), _row(run, CARRY)
    for i in range(s):
        linear(n, 1.0, carry, 1.0, address(rows, i * n), carry)
    for c in range(n):
        a, b = y[c], carry[c]
        total = a + b
        part = total - a
        carry[c] = (a - (total - part)) + (b - part)
        arrival[c] = total


@apart
def _weight(h, s, i):
    """h b_i, such that their sum is h."""
    if s < 3:
        return h / s
    outer = h * 5.0 / 18.0
    return h - 2.0 * outer if i == 1 else outer


@apart
def _first(s):
    """The row of the tables where the method of s stages begins."""
    return s * (s - 1) // 2


@apart
def _row(run, k):
    return address(numbers(run.stages), k * run.n)
