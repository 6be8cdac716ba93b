"""DOP853 in the lanes of vectors: every motion has its own time, step and error.

The tableau, the control of steps and the dense output are those of single motions.
"""

from math import inf

from torseur.machine.integrators.codes import NOT_FINITE, PAUSED, STEP_TOO_SMALL, STIFF
from torseur.machine.integrators.kernels.dop853 import (
    CALM,
    HALVINGS,
    HERMITE,
    LAST,
    LENGTHEN,
    NODES,
    SAFETY,
    SELDOM,
    SHORTEN,
    WEIGHTS,
    D,
    E,
    is_strained,
)
from torseur.machine.integrators.kernels.step_size import (
    COARSEST,
    NOISE,
    TINY,
    probing_step,
    reasoned_step,
    shortest,
)
from torseur.machine.integrators.layout import STAGES, TERMS
from torseur.machine.lanes.kernels.access import copied, record
from torseur.machine.lanes.kernels.arrival import (
    arrive,
    dense_output,
    end_rates,
    looks_inside,
    move_on,
)
from torseur.machine.lanes.kernels.filling import finish, stepped
from torseur.machine.lanes.kernels.vectors import (
    Vectors,
    ahead,
    arriving,
    difference,
    evaluate,
    from_both_ends,
    lanes,
    relative,
    rounding,
    squared,
    squares,
    staging,
    weighing,
)
from torseur.machine.runtime.access import METHOD
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import address, apart, instruction, whole

SIGNATURE = METHOD
ENTRIES = ("dop853",)

_stages, _more = staging(WEIGHTS, NODES, 1, LAST), staging(WEIGHTS, NODES, LAST + 1, STAGES)
_arrive, _dense = arriving(WEIGHTS[LAST]), dense_output(TERMS)
_fifth, _third = weighing(WEIGHTS[E]), weighing(WEIGHTS[E + 1])
_term3, _term4, _term5, _term6 = (
    weighing(WEIGHTS[D + k - HERMITE], times_step=True) for k in range(HERMITE, TERMS)
)


def dop853(place):
    """Steps of all lanes until the budget is spent or no row is left; the code says which."""
    return stepped(record(place), _first_steps, _try_steps)


@apart
def _first_steps(run):
    """A guess of the first step in the lanes of `mask`, as for single motions."""
    n, y, f, there = run.n, run.y, run.f, run.between
    slope, bend, length = run.error, run.third, run.length
    clock, size = run.clock, run.coarse
    relative(n, f, y, run.usual, run.most, slope)
    for lane in range(lanes()):
        whole = run.end - run.t[lane]
        slope[lane] = square_root(slope[lane] / n)
        length[lane] = probing_step(slope[lane], whole)
        clock[lane] = run.t[lane] + length[lane]
    ahead(n, y, run.length, f, run.inside)
    evaluate(run.rate, run.rate_table, run.inside, clock, there)
    difference(n, there, f, there)
    squares(n, there, size)
    relative(n, there, y, run.usual, run.most, bend)
    for lane in range(lanes()):
        if run.mask[lane] != 0.0:
            h, whole = length[lane], run.end - run.t[lane]
            curved = square_root(bend[lane] / n) / h if size[lane] < inf else 0.0
            run.h[lane] = reasoned_step(run, slope[lane], curved, h, whole, HALVINGS)


@apart
def _try_steps(run):
    """One step in every lane, accepted or rejected; the next one is longer or shorter."""
    _set_out(run)
    k, h, y = run.stages, run.length, run.y
    copied(run.n, run.f, k)
    _stages(run.n, y, h, run.t, k, run.inside, run.clock, run.rate,
            run.rate_table)  # fmt: skip
    _arrive(run.n, y, h, k, run.arrival)
    _find_errors(run)
    arrive(run)
    for lane in range(lanes()):
        if run.row[lane] >= 0.0:
            _choose_step(run, lane)
    if run.patience > 0:
        _look_for_strain(run)
    if looks_inside(run):
        _prepare_output(run)
    move_on(run, _dense)
    for lane in range(lanes()):
        if run.mask[lane] != 0.0 and run.strained[lane] >= run.patience > 0:
            finish(run, lane, STIFF)


@apart
def _set_out(run):
    """The lengths of the steps; a motion whose step would be too short is over."""
    for lane in range(lanes()):
        t, h = run.t[lane], run.h[lane]
        run.length[lane], run.ahead[lane] = 0.0, t
        if run.row[lane] < 0.0:
            continue
        trouble, least = run.trouble[lane], shortest(t)
        retried = trouble != PAUSED
        if not retried:
            h = min(max(h, least), run.max_step)
        if not h >= least:  # too short, or not a number
            finish(run, lane, int(trouble) if retried else NOT_FINITE)
            continue
        run.retried[lane] = 1.0 if retried else 0.0
        farthest = run.end if run.inputs == 0 else run.times[whole(run.filled[lane])]
        end = min(t + h, farthest)  # to the end, or until somebody acts
        run.ahead[lane], run.length[lane] = end, end - t


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
    rounding = v.less(v.first(coarse), v.same(COARSEST))
    factor = v.multiply_add(rounding, builder.fdiv(v.same(NOISE), v.spread(rtol)), v.same(1.0))
    squared = builder.fmul(factor, factor)
    large, small = (builder.fdiv(v.first(x), squared) for x in (fifth, third))
    # h large / √(n below), zero where both are
    above, below = builder.fmul(v.first(h), large), v.multiply_add(v.same(0.01), small, large)
    count = v.spread(builder.sitofp(n, v.kind.element))
    found = builder.fdiv(above, v.root(builder.fmul(below, count)))
    none = builder.fcmp_ordered("==", below, v.same(0.0))
    error = builder.select(none, v.same(0.0), found)
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
def _look_for_strain(run):
    """Steps that something else than the motion itself keeps short are counted in every lane."""
    looks = run.tried % SELDOM == 0
    for lane in range(lanes()):
        looks = looks or run.strained[lane] > 0.0
    if not looks:
        return
    n, h, mask = run.n, run.length, run.mask
    fastest, bend = run.third, run.noise
    last = address(run.stages, (LAST - 1) * n * lanes())
    _quotients(run, last, run.inside, fastest)
    _quotients(run, run.f, run.y, bend)
    for lane in range(lanes()):
        if mask[lane] != 0.0:
            quick, slow = h[lane] * fastest[lane], h[lane] * bend[lane]
            if is_strained(quick, slow):
                run.strained[lane] += 1.0
                run.relaxed[lane] = 0.0
            else:
                run.relaxed[lane] += 1.0
                run.strained[lane] = 0.0 if run.relaxed[lane] >= CALM else run.strained[lane]


@apart
def _quotients(run, rate, state, into):
    """into ← |Δẏ| / |Δy| between the ends of steps and other states, in units of the tolerance."""
    n, end, between, size = run.n, run.next_y, run.between, run.coarse
    difference(n, run.next_f, rate, between)
    squared(n, between, run.y, end, run.atol, run.most, run.rtol, into)
    difference(n, end, state, between)
    squared(n, between, run.y, end, run.atol, run.most, run.rtol, size)
    for lane in range(lanes()):
        into[lane] = square_root(into[lane] / max(size[lane], TINY))


@apart
def _prepare_output(run):
    """The polynomials of degree 7 over the steps; three more stages."""
    n, W, k, h = run.n, lanes(), run.stages, run.length
    end, y, polynomial = address(k, LAST * n * W), run.y, run.polynomial
    end_rates(run, end)
    _more(n, y, h, run.t, k, run.inside, run.clock, run.rate,
          run.rate_table)  # fmt: skip
    from_both_ends(n, y, run.f, run.arrival, end, h, polynomial)
    _term3(n, h, k, address(polynomial, 3 * n * W))
    _term4(n, h, k, address(polynomial, 4 * n * W))
    _term5(n, h, k, address(polynomial, 5 * n * W))
    _term6(n, h, k, address(polynomial, 6 * n * W))
