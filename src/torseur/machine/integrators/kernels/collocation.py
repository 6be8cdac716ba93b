"""The equations of the stages of a Radau step, solved by Newton's iteration.

Reference: Hairer and Wanner (1996), Solving Ordinary Differential Equations II, section IV.8: the
guess, when to stop, when to give up.
"""

from math import inf

from torseur.machine.integrators.codes import NOT_FINITE, STEP_TOO_SMALL
from torseur.machine.integrators.kernels.differentiation import differentiate
from torseur.machine.integrators.kernels.radau_stages import CHANGES, at_stage, node, stage
from torseur.machine.integrators.kernels.separate import (
    begin_separately,
    correct_separately,
    factorised_separately,
)
from torseur.machine.integrators.kernels.step_size import EPSILON, NOISE, coarser, rounding
from torseur.machine.integrators.kernels.together import correct_together, factorised_together
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import apart

MOST = 7  # iterations
SLOW = 0.99  # a contraction that leads nowhere
SWIFT = 1e-3  # a contraction that says: this Jacobian will do for the next step
HALF = 0.5  # of the step, when the iteration fails
SAME = 1e-9  # steps that differ by this fraction have the same matrices

MISSING, CURRENT, OLD = 0, 1, 2  # ages of the Jacobian


@apart
def collocated(run, h):
    """By how much the step must be shortened: 1 when Z solves the equations of the stages.

    One Jacobian serves all stages as long as it leads to a solution; `trouble` says why none does.
    """
    _guess(run, h)
    if run.together > 0:
        run.jacobian_age = MISSING
        regular = factorised_together(run, h)
    else:
        regular = _prepared(run, h)
        begin_separately(run)
    if regular:
        return _solved(run, h)
    run.trouble = STEP_TOO_SMALL
    return HALF


@apart
def _prepared(run, h):
    """Whether the matrices of this step are regular; those at hand are kept if they serve."""
    if run.jacobian_age == MISSING:
        differentiate(run, run.t, run.y, run.f)
        run.jacobian_age, run.h_factorised = CURRENT, 0.0
    if abs(run.h_factorised - h) <= SAME * h:
        return True
    run.h_factorised = h
    return factorised_separately(run, h)


@apart
def _guess(run, h):
    """Z from the polynomial of the last step, prolonged; zero when there is none."""
    n, Z, polynomial = run.n, stage(run, CHANGES), run.polynomial
    longer = h / run.h_done if run.h_done > 0.0 else 0.0
    for k in range(3):
        beyond = node(k) * longer
        x = 1.0 + beyond
        for i in range(n):
            curve = polynomial[n + i] + x * polynomial[2 * n + i]
            Z[k * n + i] = beyond * (polynomial[i] - x * curve)


@apart
def _solved(run, h):
    """By how much the step must be shortened: 1 when the iteration converges.

    It ends when what is left of its corrections, judged by how fast they shrink, is a small part of
    the tolerance. Jacobians of the stages that are too old are renewed once.
    """
    noise = rounding(run, run.y)
    wanted = max(10.0 * EPSILON / run.rtol, min(3e-4, 0.1 * square_root(run.rtol)))
    wanted = max(wanted, noise / (run.rtol + NOISE * noise))
    run.contraction, run.trouble = SWIFT, STEP_TOO_SMALL
    before, last, since, left = 1.0, 1.0, 0, 1.0
    is_renewed = run.together == 0
    for done in range(1, MOST + 1):
        run.iterations = done
        if done > 1 or run.together == 0:
            for k in range(3):
                at_stage(run, h, k)
        total = correct_separately(run, h) if run.together == 0 else correct_together(run, h)
        size = square_root(total / (3.0 * run.n * coarser(run)))
        if not size < inf:
            run.trouble = NOT_FINITE
            return HALF
        if done > 1:
            since += 1
            now = size / before
            run.contraction = now if since == 1 else square_root(now * last)
            last = now
            if run.contraction >= SLOW:
                return HALF
            left = run.contraction / (1.0 - run.contraction)
        if left * size <= wanted:
            return 1.0
        if done > 1:
            hoped = left * size / wanted
            for _ in range(MOST - 1 - done):
                hoped *= run.contraction
            if hoped >= 1.0:
                if is_renewed or not factorised_together(run, h):
                    return 0.8 / square_root(square_root(min(hoped, 20.0)))
                is_renewed, since = True, 0
        before = max(size, EPSILON)
    return HALF
