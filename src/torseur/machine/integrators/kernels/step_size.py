"""Control of the error: sizes in units of the tolerance, the first step, how far a step goes."""

from math import inf

from torseur.machine.integrators.codes import NOT_FINITE, PAUSED
from torseur.machine.integrators.kernels.lane_vectors import (
    TINY,
    W,
    ahead,
    difference,
    relative,
    rounding,
    squared,
    squares,
)
from torseur.machine.integrators.kernels.motion_access import derivatives
from torseur.machine.integrators.kernels.rows import finish
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import apart, inlined, whole

EPSILON = 2.0**-52
NOISE = 4.0  # times the rounding of the state is tolerated
COARSEST = 1e-7  # that rounding may explain
SHORT = 1e-6  # of a run: a first step where nothing tells of a longer one


@apart
def set_out(run, nearly):
    """Set the lengths of the steps; a motion whose step would be too short is over.

    A step goes to the end of its motion, or to the next change from outside, if `nearly` times it
    does.
    """
    for lane in range(W):
        t, h = run.t[lane], run.h[lane]
        run.length[lane], run.ahead[lane] = 0.0, t
        if run.row[lane] < 0.0:
            continue
        trouble, least = run.trouble[lane], shortest(t)
        retried = trouble != PAUSED
        if not retried:
            h = min(max(h, least), run.max_step)
        if not h >= least:  # too short, or not a number
            finish(run, lane, whole(trouble) if retried else NOT_FINITE)
            continue
        run.retried[lane] = 1.0 if retried else 0.0
        farthest = run.limits[whole(run.filled[lane])] if run.acts != 0 else run.end
        end = farthest if t + nearly * h >= farthest else t + h
        run.ahead[lane], run.length[lane] = end, end - t


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


# --- the first step -------------------------------------------------------------------------------


@apart
def first_steps(run, halvings):
    """A guess of the first step in the lanes of `mask`, from ẏ and ÿ, unless it is given.

    Each is taken in units of what the state usually is. Reference: Hairer, Nørsett and Wanner
    (1993), Solving Ordinary Differential Equations I, II.4.
    """
    n, y, f, there = run.n, run.y, run.f, run.between
    slope, bend, length, size = run.error, run.third, run.length, run.coarse
    if run.first > 0.0:
        for lane in range(W):
            run.h[lane] = run.first if run.mask[lane] != 0.0 else run.h[lane]
        return
    relative(n, f, y, run.usual, run.most, slope)
    for lane in range(W):
        slope[lane] = square_root(slope[lane] / n)
        length[lane] = _probing_step(slope[lane], run.end - run.t[lane])
        run.clock[lane] = run.t[lane] + length[lane]
    ahead(n, y, length, f, run.inside)
    derivatives(run, run.inside, run.clock, there)
    difference(n, there, f, there)
    squares(n, there, size)
    relative(n, there, y, run.usual, run.most, bend)
    for lane in range(W):
        if run.mask[lane] != 0.0:
            h, rest = length[lane], run.end - run.t[lane]
            curved = square_root(bend[lane] / n) / h if size[lane] < inf else 0.0
            run.h[lane] = _reasoned_step(run, slope[lane], curved, h, rest, halvings)


@apart
def _probing_step(slope, whole):
    """A step of the whole run in which the state changes by a hundredth."""
    return 0.01 / slope if slope * whole > 0.01 else SHORT * whole


@apart
def _reasoned_step(run, slope, bend, h, whole, halvings):
    """The first step, from ẏ and ÿ that a step h was probed for.

    The time in which the state changes by about itself is the unit of time: a power of it is left
    to the error, of which a hundredth is tolerated.
    """
    lasting = 100.0 * h
    steepest = max(slope * lasting, bend * lasting * lasting)
    reasoned = root(0.01 * run.rtol / max(steepest, run.rtol), halvings) * lasting
    return min(reasoned, min(whole, run.max_step))


# --- sizes of one motion --------------------------------------------------------------------------


@apart
def size_of(run, x, other):
    """|x|², in units of the tolerance at the present state and at another one."""
    squared(run.n, x, run.y, other, run.atol, run.most, run.rtol, run.error)
    return run.error[0] / run.coarse[0]


@inlined
def tolerance(run, i, size):
    """Tolerated error of a component of that size; no more for an angle of many turns."""
    return run.atol[i] + run.rtol * min(size, run.most[i])


@apart
def measure_rounding(run):
    """noise ← what the rounding of the state may open loops by, or turn and shift anything by.

    coarse ← the square by which tolerances are larger than asked for, as that needs them to be.
    """
    rounding(run.n, run.y, run.grain, run.noise)
    run.noise[0] = min(run.noise[0], COARSEST)
    factor = 1.0 + NOISE * run.noise[0] / run.rtol
    run.coarse[0] = factor * factor
