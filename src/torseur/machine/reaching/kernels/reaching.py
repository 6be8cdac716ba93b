"""Inverse kinematics: damped steps from several postures, for many targets.

Damped least squares (Wampler 1986; Levenberg and Marquardt's damping) on displacements without
dimension; loops are kept closed by their rows beside those of the place. A coordinate that arrives
at a limit stays there until the step leads back. What the place leaves free moves towards the
middle of the limits, or towards what is preferred (Liegeois 1977).
"""

from torseur.machine.reaching.kernels.rows import (
    evaluate_at,
    largest,
    look,
    solve,
    weighted_product,
)
from torseur.machine.reaching.layout import REACH
from torseur.machine.runtime.access import METHOD, record_at
from torseur.machine.runtime.access import place as place_of
from torseur.machine.runtime.long_vectors import copy, dot, square_root
from torseur.machine.runtime.vectors import address, apart

SIGNATURE = METHOD
ENTRIES = ("reach",)
run_at = record_at(REACH)

_STEPS = 200
_TOWARDS_MIDDLE = 0.2  # of the way to the middle of the limits, a step that approaches
_LEAST_DAMPED, _MOST_DAMPED = 1e-13, 1e8
_BACK, _LEAST_SHARE = 12, 1e-3  # steps back to the place, and the least part of the way, a step
_SETTLED = 1e-6  # a motion towards the middle that is over [rad, or part of the size]
_DEPENDENT, _FREE = 1e-14, 1e-12  # of J Jᵀ: rounding, and what hardly moves the place
_ADVANCES = 1 - 1e-6  # of the error: a step that leaves more leads nowhere
_AWAY = 0.7  # rad, or part of the size: the longest step
_NEAR = 1e-9  # rad or m: a coordinate at its limit


def reach(place):
    """The coordinates that bring the place to each target, or as near as postures lead."""
    run = run_at(place)
    nq, reached = run.nq, 0
    for number in range(run.targets):
        goal, best, run.steps[number] = address(run.goals, 16 * number), 1e300, 0
        for start in range(run.starts):
            copy(nq, address(run.guesses, start * nq), run.q)
            run.steps[number] += _towards(run, goal)
            left = largest(run.rows, run.e)
            if left < best or start == 0:
                best = left
                copy(nq, run.q, address(run.found, number * nq))
                copy(run.rows, run.e, address(run.residual, run.rows * number))
            if best <= run.reached:
                reached += 1
                break
    return reached


@apart
def _towards(run, goal):
    """The posture that damped steps lead to, and their number."""
    steps = 0
    if run.eases != 0:
        steps += _approach(run, goal, _TOWARDS_MIDDLE, _STEPS)
    steps += _approach(run, goal, 0.0, _STEPS)
    if run.eases != 0 and largest(run.rows, run.e) <= run.reached:
        steps += _ease(run, goal)
    for _ in range(3):  # whole Gauss-Newton steps leave rounding only
        _step(run, _LEAST_DAMPED, 0.0)
        _try(run, goal)
        if _square(run, run.e_trial) < _square(run, run.e):
            _take(run)
    return steps


@apart
def _approach(run, goal, pull, most):
    """q ← the place brought as near as steps lead; their number."""
    damping, steps = 1e-3, 0
    look(run, run.q, goal, run.e, run.J)
    while steps < most and not largest(run.rows, run.e) <= run.reached and damping <= _MOST_DAMPED:
        steps += 1
        _step(run, damping, pull)
        _try(run, goal)
        before, after = _square(run, run.e), _square(run, run.e_trial)
        if not after <= before:  # further away, or nowhere
            damping *= 10.0
            continue
        damping = max(damping / 10.0, _LEAST_DAMPED)
        _take(run)
        if after > _ADVANCES * _ADVANCES * before:
            break
    return steps


@apart
def _ease(run, goal):
    """The place kept where it is, the rest moved towards the middle as far as that leads."""
    share, steps = 1.0, 0
    while share > _LEAST_SHARE and steps < _STEPS:
        aside = _step(run, _LEAST_DAMPED, share)
        if share * aside < _SETTLED:
            break
        before = _to_middle(run)
        copy(run.nq, run.q, run.eased)
        _advance(run, run.q, run.q)
        steps += _approach(run, goal, 0.0, _BACK) + 1
        if largest(run.rows, run.e) <= run.reached and _to_middle(run) < before:
            share = min(2.0 * share, 1.0)
        else:
            copy(run.nq, run.eased, run.q)
            look(run, run.q, goal, run.e, run.J)
            share /= 4.0
    return steps


@apart
def _try(run, goal):
    """Trial ← the posture after a step, with its error and rows."""
    _advance(run, run.q, run.trial)
    look(run, run.trial, goal, run.e_trial, run.J_trial)


@apart
def _take(run):
    """The posture ← the trial."""
    copy(run.nq, run.trial, run.q)
    copy(run.rows, run.e_trial, run.e)
    copy(run.rows * run.n, run.J_trial, run.J)


@apart
def _square(run, e):
    return dot(run.rows, e, e)


@apart
def _advance(run, q, into):
    """into ← the coordinates after the step, within their limits."""
    for k in range(run.n):
        run.aside[k] = run.step[k] * run.displacement[k]
    if run.rates != 0:
        run.rates_table[2] = place_of(run.aside)
        evaluate_at(run.rates, run.rates_table, run.rates_output, q, run.rate)
    else:
        for k in range(run.n):
            run.rate[run.own[k]] = run.aside[k]
    for k in range(run.nq):
        into[k] = max(run.low[k], min(run.high[k], q[k] + run.rate[k]))
    for ball in range(run.balls):
        four = address(into, run.quaternion[ball])
        size = square_root(dot(4, four, four))
        for k in range(4):
            four[k] /= size


@apart
def _to_middle(run):
    """The square of the way to the middle of the limits, or to what is preferred."""
    total = 0.0
    for k in range(run.n):
        way = _way(run, k)
        total += way * way
    return total


@apart
def _way(run, k):
    """The way of the coordinate of a speed to where it should be, without dimension."""
    at = run.own[k]
    if at < 0 or not abs(run.middle[at]) <= 1e300:
        return 0.0
    return (run.middle[at] - run.q[at]) / run.displacement[k]


@apart
def _step(run, damping, pull):
    """step ← a displacement without dimension; how far it would go towards the middle.

    Coordinates at a limit that would leave it outwards are held, one after the other.
    """
    n, aside, longest = run.n, 0.0, 0.0
    for k in range(n):
        run.free[k] = 1.0
    for _ in range(n + 1):
        _damped(run, damping)
        if pull != 0.0:
            aside = _drift(run)
            for k in range(n):
                run.step[k] += pull * run.aside[k]
        if not _hold(run):
            break
    for k in range(n):
        longest = max(longest, abs(run.step[k]))
    if longest > _AWAY:
        for k in range(n):
            run.step[k] *= _AWAY / longest
    return aside


@apart
def _damped(run, damping):
    """step ← Jᵀ (J Jᵀ + damping)⁻¹ e of the coordinates that are free."""
    n, m, J = run.n, run.rows, run.J
    weighted_product(run, J, run.free, damping)
    copy(m, run.e, run.right)
    solve(run, _DEPENDENT)
    for k in range(n):
        total = 0.0
        for i in range(m):
            total += J[i * n + k] * run.right[i]
        run.step[k] = run.free[k] * total


@apart
def _drift(run):
    """aside ← the motion towards the middle that leaves the place where it is; its size.

    It is the nearest to the way in the norm of the weights, with J aside = 0; coordinates that are
    not cared for have a large weight.
    """
    n, m, J, aside = run.n, run.rows, run.J, run.aside
    for k in range(n):
        aside[k] = run.free[k] * run.weight[k]
    weighted_product(run, J, aside, 0.0)
    for i in range(m):
        total = 0.0
        for k in range(n):
            total += J[i * n + k] * run.free[k] * _way(run, k)
        run.right[i] = total
    solve(run, _FREE)
    largest_aside = 0.0
    for k in range(n):
        total = 0.0
        for i in range(m):
            total += J[i * n + k] * run.right[i]
        aside[k] = run.free[k] * _way(run, k) - aside[k] * total
        largest_aside = max(largest_aside, abs(aside[k]))
    return largest_aside


@apart
def _hold(run):
    """Whether a coordinate at a limit would pass it; it is then no longer free."""
    changed = False
    for k in range(run.n):
        at = run.own[k]
        if at < 0:
            continue
        q, low, high = run.q[at], run.low[at], run.high[at]
        near = _NEAR * max(abs(q), 1.0)
        is_low = q - low < high - q
        outwards = run.step[k] < 0.0 if is_low else run.step[k] > 0.0
        at_limit = q <= low + near or q >= high - near
        if run.free[k] != 0.0 and at_limit and outwards:
            run.free[k], changed = 0.0, True
    return changed
