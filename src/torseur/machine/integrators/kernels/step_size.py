"""What methods with control of the error share: sizes in units of the tolerance, the first step."""

from torseur.machine.integrators.kernels.arrival import derivative, finite
from torseur.machine.runtime.long_vectors import linear, square_root
from torseur.machine.runtime.vectors import apart, inlined

EPSILON, TINY = 2.0**-52, 1e-300
NOISE = 4.0  # times the rounding of the state is tolerated
COARSEST = 1e-7  # that rounding may explain
SHORT = 1e-6  # of a run: a first step where nothing tells of a longer one


@apart
def squared(run, x, other):
    """|x|², in units of the tolerance at the present state and at another one."""
    y, total = run.y, 0.0
    for i in range(run.n):
        part = x[i] / tolerance(run, i, max(abs(y[i]), abs(other[i])))
        total += part * part
    return total / coarser(run)


@inlined
def tolerance(run, i, size):
    """What the error of a component of that size may be; no more for an angle of many turns."""
    return run.atol[i] + run.rtol * min(size, run.most[i])


@apart
def rounding(run, y):
    """What the rounding of a state may open loops by, or turn and shift anything by."""
    grain, found = run.grain, 0.0
    for i in range(run.n):
        found = max(found, grain[i] * abs(y[i]))
    return min(found, COARSEST)


@apart
def coarser(run):
    """The square by which tolerances are larger than asked for, as rounding needs them to be."""
    factor = 1.0 + NOISE * rounding(run, run.y) / run.rtol
    return factor * factor


@apart
def shortest(t):
    """The shortest step that still changes the time."""
    return 10.0 * EPSILON * abs(t) + TINY


@apart
def root(x, halvings):
    """The root of x of index 2, 4, 8, …: as many square roots as there are halvings."""
    for _ in range(halvings):
        x = square_root(x)
    return x


@apart
def first_step(run, halvings):
    """A guess of the first step from ẏ and ÿ, each in units of what the state usually is.

    Reference: Hairer, Nørsett and Wanner (1993), Solving Ordinary Differential Equations I, II.4.
    """
    n, f, there, whole = run.n, run.f, run.stages, run.end - run.t
    slope = _relative(run, f)
    h = probing_step(slope, whole)
    linear(n, 1.0, run.y, h, f, run.inside)
    derivative(run, run.t + h, run.inside, there)
    linear(n, 1.0, there, -1.0, f, there)
    bend = _relative(run, there) / h if finite(n, there) else 0.0
    return reasoned_step(run, slope, bend, h, whole, halvings)


@apart
def probing_step(slope, whole):
    """A step of the whole run in which the state changes by a hundredth."""
    return 0.01 / slope if slope * whole > 0.01 else SHORT * whole


@apart
def reasoned_step(run, slope, bend, h, whole, halvings):
    """The first step, from ẏ and ÿ that a step h was probed for.

    The time in which the state changes by about itself is the unit of time: a power of it is left
    to the error, of which a hundredth is tolerated.
    """
    lasting = 100.0 * h
    steepest = max(slope * lasting, bend * lasting * lasting)
    reasoned = root(0.01 * run.rtol / max(steepest, run.rtol), halvings) * lasting
    return min(reasoned, min(whole, run.max_step))


@apart
def _relative(run, x):
    """|x|, each component beside what it is and usually is."""
    y, usual, total = run.y, run.usual, 0.0
    for i in range(run.n):
        part = x[i] / (usual[i] + min(abs(y[i]), run.most[i]))
        total += part * part
    return square_root(total / run.n)
