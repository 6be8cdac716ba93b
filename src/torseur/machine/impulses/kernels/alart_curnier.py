"""Newton's method on the equations of Alart and Curnier (1991) for impulses of contacts.

`rows` says which rows of a problem are meant, the last of it how many
numbers they have; `equations` writes into `unknown` what is not zero for the numbers of `impulse`
and returns its size as a speed, `direction` writes there the change that makes it zero. Where
impulses are not unique the system is singular; a small response added to each row, the proximal
point of the impulses at hand (Rockafellar 1976), changes the way and not the end.
"""

from torseur.machine.integrators.kernels.elimination import factorise, solve
from torseur.machine.runtime.long_vectors import copy, square_root
from torseur.machine.runtime.vectors import apart

PROXIMAL = 1e-10  # of the response of a row: what is added to it
STEPS, BOLD = 30, 15  # of a dense system: all, and whole ones
HALVINGS = 8
FALL, RISE = 0.1, 10.0  # of ε of proximal points, after a success and after a failure
LARGEST = 1e300


@apart
def newton(problem, rows, until, equations, direction):
    """The error after as many steps as it takes; the best impulses met are kept.

    Whole steps, which may go uphill while it is found out what sticks and slides; then steps that
    are halved until they lead downhill. `until`: a small error, the most steps, whole ones.
    """
    n, P, saved = rows[1], problem.impulse, problem.kept
    close, steps, bold = until
    error = equations(problem, rows)
    copy(n, P, saved)
    best = error
    for k in range(steps):
        if best <= close or not direction(problem, rows):
            break
        if k == bold and error > best:
            copy(n, saved, P)
            error = equations(problem, rows)
            continue
        before, error = error, _tried(problem, rows, LARGEST if k < bold else error, equations)
        if error < best:
            copy(n, P, saved)
            best = error
        elif k > bold and not error < before:
            break
    copy(n, saved, P)
    return equations(problem, rows)


@apart
def proximal_points(problem, rows, until, softness, point):
    """The residual after as many proximal points as it takes, or all (Rockafellar 1976).

    To each response ε d (P − P₀) is added, P₀ the impulses at hand; `point` finds the impulses of
    that, which become P₀, and ε falls. It is given ε, the residual and which one is small, and
    returns whether ε may fall (1), stays (0) or must rise (−1), and the residual then. `until`: the
    residual at first, a small one, the most points; `softness`: ε at first, its ends, and whether
    it falls less after every failure.
    """
    residual, close, points = until
    soft, hardest, softest, tires = softness
    fall = FALL
    for _ in range(points):
        if residual <= close or soft > softest:
            break
        way, residual = point(problem, rows, soft, residual, close)
        if way > 0:
            soft = max(fall * soft, hardest)
        elif way < 0:
            soft *= RISE
            if tires:
                fall = square_root(fall)
    return residual


@apart
def solved(problem, n):
    """Whether `tangent` is regular; unknown ← the change of impulses, from what is not zero."""
    x, J = problem.unknown, problem.tangent
    for i in range(n):
        x[i] = -x[i]
    if not factorise(n, J, problem.exchanges, problem.room):
        return False
    solve(n, J, problem.exchanges, x)
    return True


@apart
def _tried(problem, rows, before, equations):
    """The error after a change of impulses, halved until it falls."""
    n, P, tried, share = rows[1], problem.impulse, problem.tried, 1.0
    copy(n, problem.unknown, tried)
    for i in range(n):
        P[i] += tried[i]
    after = equations(problem, rows)
    for _ in range(HALVINGS):
        if after < before:
            return after
        share *= 0.5
        for i in range(n):
            P[i] -= share * tried[i]
        after = equations(problem, rows)
    return after
