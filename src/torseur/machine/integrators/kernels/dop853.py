"""The explicit Runge-Kutta method of order 8 of Dormand and Prince, with its dense output.

Every lane has its own time, step and error. Reference: Hairer, Nørsett and Wanner (1993), Solving
Ordinary Differential Equations I, chapter II. Rounding apart, the steps are those of SciPy's
DOP853. Its tableau has a weight for each stage in each row: row s < 12 gives the argument of stage
s, row 12 the state at the end of the step, rows 13 to 15 the arguments of the three stages of the
dense output.
"""

from math import inf

import numpy as np
from scipy.integrate import DOP853

from torseur.machine.integrators.codes import NOT_FINITE, PAUSED, STEP_TOO_SMALL, STIFF
from torseur.machine.integrators.kernels.arrival import (
    arrive,
    dense_output,
    end_rates,
    looks_inside,
    move_on,
)
from torseur.machine.integrators.kernels.lane_vectors import (
    DOUBLE,
    Vectors,
    W,
    arriving,
    from_both_ends,
    quotients,
    rounding,
    squared,
    staging,
    weighing,
)
from torseur.machine.integrators.kernels.motion_access import copied, record, some
from torseur.machine.integrators.kernels.rows import finish, stepped
from torseur.machine.integrators.kernels.step_size import (
    COARSEST,
    NOISE,
    first_steps,
    set_out,
)
from torseur.machine.integrators.run_record import STAGES, TERMS
from torseur.machine.runtime.access import METHOD
from torseur.machine.runtime.vectors import address, apart, instruction, whole

SAFETY, SHORTEN, LENGTHEN = 0.9, 0.2, 10.0  # factors of the step: always, at least, at most
HALVINGS = 3  # of an exponent: the error goes as the eighth power of the step
STRAIN = 4.0  # steps times the fastest rate of change, from which stability limits them
SLIGHT = 0.5  # the same where the motion itself is slow
STRAIGHT = 0.02  # slow: its rate of change changes by this fraction of that
SELDOM = 20  # steps of which one is looked at, as long as none is strained
CALM = 6  # steps without strain after which the count starts again
SIGNATURE = METHOD
ENTRIES = ("dop853",)
HAS_LANES = True

LAST = len(DOP853.B)  # of the stages of the method; also the row of the arrival
HERMITE = 3  # terms of the polynomial that come from the two ends


def _rows(*weights: np.ndarray) -> np.ndarray:
    table = np.zeros((len(weights), STAGES))
    for row, given in zip(table, weights, strict=True):
        row[: len(given)] = given
    return table


A = _rows(*DOP853.A, DOP853.B, *DOP853.A_EXTRA)
NODES = np.array([*DOP853.C, 1.0, *DOP853.C_EXTRA])
_stages, _more = staging(A, NODES, 1, LAST), staging(A, NODES, LAST + 1, STAGES)
_arrive, _dense = arriving(A[LAST]), dense_output(TERMS)
_fifth, _third = (weighing(row) for row in _rows(DOP853.E5, DOP853.E3))
_term3, _term4, _term5, _term6 = (weighing(row, times_step=True) for row in _rows(*DOP853.D))


def dop853(place):
    """Steps of all lanes until the budget is spent or no row is left; the code says which."""
    return stepped(record(place), _begin, _try_steps)


@apart
def _begin(run):
    first_steps(run, HALVINGS)


@apart
def _try_steps(run):
    """One step in every lane, accepted or rejected; the next one is longer or shorter."""
    set_out(run, 1.0)
    if run.busy == 0:
        return
    k, h, y = run.stages, run.length, run.y
    copied(run.n, run.f, k)
    _stages(run.n, y, h, run.t, k, run.inside, run.clock, run.rate,
            run.rate_table)  # fmt: skip
    run.evaluations += LAST - 1
    _arrive(run.n, y, h, k, run.arrival)
    _find_errors(run)
    arrive(run)
    for lane in range(W):
        if run.row[lane] >= 0.0:
            _choose_step(run, lane)
    if run.patience > 0:
        _look_for_strain(run)
    if looks_inside(run):
        _prepare_output(run)
    move_on(run, _dense)
    for lane in range(W):
        if run.mask[lane] != 0.0 and run.strained[lane] >= run.patience > 0:
            run.strained[lane] = 0.0
            finish(run, lane, STIFF)


@apart
def _find_errors(run):
    """The norm of the error of every step and the factor of the next; `mask`: those that pass."""
    n, k, h = run.n, run.stages, run.length
    y, arrival, total = run.y, run.arrival, run.between
    _fifth(n, h, k, total)
    squared(n, total, y, arrival, run.atol, run.most, run.rtol, run.error)
    _third(n, h, k, total)
    squared(n, total, y, arrival, run.atol, run.most, run.rtol, run.third)
    rounding(n, y, run.grain, run.coarse)
    _judge(n, h, run.row, run.error, run.third, run.coarse, run.rtol, run.mask)


@instruction()
def _judge(builder, n, h, row, fifth, third, coarse, rtol, mask):
    """fifth ← the norm of the error of a step, 1 being tolerated; `mask` has those that pass.

    Given are the squares of both estimates and the rounding of the state. coarse ← the factor of
    the next step that suits the error.
    """
    v = Vectors(builder)
    noise = v.less(v.first(coarse), v.same(COARSEST))
    factor = v.multiply_add(noise, builder.fdiv(v.same(NOISE), v.spread(rtol)), v.same(1.0))
    coarser = builder.fmul(factor, factor)
    large, small = (builder.fdiv(v.first(x), coarser) for x in (fifth, third))
    # h large / √(n below), zero where both are
    above, below = builder.fmul(v.first(h), large), v.multiply_add(v.same(0.01), small, large)
    count = v.spread(builder.sitofp(n, DOUBLE))
    ratio = builder.fdiv(above, v.root(builder.fmul(below, count)))
    none = builder.fcmp_ordered("==", below, v.same(0.0))
    error = builder.select(none, v.same(0.0), ratio)
    v.keep_first(error, fifth)
    change = error
    for _ in range(HALVINGS):
        change = v.root(change)
    v.keep_first(builder.fdiv(v.same(SAFETY), change), coarse)
    moves = builder.fcmp_ordered(">=", v.first(row), v.same(0.0))
    passes = builder.and_(moves, builder.fcmp_ordered("<", error, v.same(1.0)))
    v.keep_first(builder.select(passes, v.same(1.0), v.same(0.0)), mask)


@apart
def _choose_step(run, lane):
    """The next step of a lane, by the error of this one and what is wrong with it."""
    error, h = run.error[lane], run.length[lane]
    factor, trouble = run.coarse[lane], run.trouble
    if not error < 1.0:
        trouble[lane] = STEP_TOO_SMALL if error < inf else NOT_FINITE
    if trouble[lane] != PAUSED:
        run.mask[lane] = 0.0
        run.rejected[lane] += 1.0
        shorter = max(SHORTEN, factor) if 1.0 <= error < inf else SHORTEN
        run.h[lane] = h * shorter
        return
    longest = 1.0 if run.retried[lane] != 0.0 else LENGTHEN
    run.h[lane] = h * min(longest, factor)


@apart
def _prepare_output(run):
    """The polynomials of degree 7 over the steps; three more stages."""
    n, k, h = run.n, run.stages, run.length
    end, y, polynomial = address(k, LAST * n * W), run.y, run.polynomial
    end_rates(run, end)
    _more(n, y, h, run.t, k, run.inside, run.clock, run.rate,
          run.rate_table)  # fmt: skip
    run.evaluations += STAGES - LAST - 1
    from_both_ends(n, y, run.f, run.arrival, end, h, polynomial)
    _term3(n, h, k, address(polynomial, 3 * n * W))
    _term4(n, h, k, address(polynomial, 4 * n * W))
    _term5(n, h, k, address(polynomial, 5 * n * W))
    _term6(n, h, k, address(polynomial, 6 * n * W))


# --- stiffness ------------------------------------------------------------------------------------


@apart
def _look_for_strain(run):
    """Steps that something else than the motion itself keeps short are counted in every lane.

    The last stage and the end of the step are two states at one time: the quotient of the
    differences of their derivatives and of themselves is a rate of change, of whatever is fastest
    (Hairer and Wanner, 1996, Solving Ordinary Differential Equations II, section IV.2). The same
    quotient for the two ends of the step is the rate at which the motion itself changes.
    """
    n, looks, fastest, slow = run.n, run.active, run.third, run.noise
    for lane in range(W):
        is_due = run.strained[lane] > 0.0 or whole(run.accepted[lane]) % SELDOM == 0
        looks[lane] = 1.0 if run.mask[lane] != 0.0 and is_due else 0.0
    if not some(looks):
        return
    last = address(run.stages, (LAST - 1) * n * W)
    quotients(n, run.y, run.f, run.inside, last, run.next_y, run.next_f,
              run.atol, run.most, run.rtol, fastest, slow)  # fmt: skip
    for lane in range(W):
        if looks[lane] != 0.0:
            run.bend[lane] = run.length[lane] * slow[lane]
            _count_strain(run, lane, run.length[lane] * fastest[lane])


@apart
def _count_strain(run, lane, fastest):
    """Whether something faster than the motion itself keeps a step short."""
    is_slow = run.bend[lane] < STRAIGHT * fastest
    if fastest > STRAIN or (fastest > SLIGHT and is_slow):
        run.strained[lane] += 1.0
        run.relaxed[lane] = 0.0
        return
    run.relaxed[lane] += 1.0
    if run.relaxed[lane] >= CALM:
        run.strained[lane] = 0.0
