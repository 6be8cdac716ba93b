"""What methods with control of the error share: sizes in units of the tolerance, the first step."""

from torseur.backends.integrators.access import numbers
from torseur.backends.integrators.arrival import derivative, finite
from torseur.backends.integrators.vectors import linear, square_root
from torseur.backends.loops.vectors import apart

EPSILON, TINY = 2.0**-52, 1e-300


@apart
def squared(run, x, other):
    """|x|², in units of the tolerance at the present state and at another one."""
    y, atol, total = numbers(run.y), numbers(run.atol), 0.0
    for i in range(run.n):
        part = x[i] / (atol[i] + run.rtol * max(abs(y[i]), abs(other[i])))
        total += part * part
    return total


@apart
def shortest(run):
    """The shortest step that still changes the time."""
    return 10.0 * EPSILON * abs(run.t) + TINY


@apart
def root(x, halvings):
    """The root of x of index 2, 4, 8, …: as many square roots as there are halvings."""
    for _ in range(halvings):
        x = square_root(x)
    return x


@apart
def first_step(run, halvings):
    """A guess of the first step from the sizes of y, ẏ and ÿ, each in units of the tolerance.

    Reference: Hairer, Nørsett and Wanner (1993), Solving Ordinary Differential Equations I, II.4.
    """
    n, y, f, there = run.n, numbers(run.y), numbers(run.f), numbers(run.stages)
    size, slope = square_root(squared(run, y, y) / n), square_root(squared(run, f, y) / n)
    h = 0.01 * size / slope if size >= 1e-5 and slope >= 1e-5 else 1e-6
    h = min(h, run.end - run.t)
    linear(n, 1.0, y, h, f, numbers(run.inside))
    derivative(run, run.t + h, numbers(run.inside), there)
    linear(n, 1.0, there, -1.0, f, there)
    bend = square_root(squared(run, there, y) / n) / h if finite(n, there) else 0.0

    steepest = max(slope, bend)
    reasoned = root(0.01 / steepest, halvings) if steepest > 1e-15 else max(1e-6, 1e-3 * h)
    return min(min(100.0 * h, reasoned), min(run.end - run.t, run.max_step))
