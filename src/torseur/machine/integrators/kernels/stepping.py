"""Steps one after the other, until the budget is spent or the run ends; a code says which."""

from torseur.machine.integrators.codes import NOT_FINITE, PAUSED
from torseur.machine.integrators.kernels.arrival import ANEW, begin, has_room, move_on
from torseur.machine.integrators.kernels.step_size import EPSILON, first_step, shortest
from torseur.machine.runtime.access import evaluate
from torseur.machine.runtime.vectors import apart

NEARLY = 1e-9  # an interval longer than whole steps by this fraction of one has no step more
CUBIC = 3  # terms of the polynomial inside a step of fixed length


@apart
def _steps(run, halvings, step, make):
    """step(run, make) until something is to be said, unless a start already says it.

    A first step that is not given is guessed, where halvings tell the order of a method.
    """
    tried, code = 0, PAUSED
    while code == PAUSED and tried < run.budget and has_room(run):
        if run.started != 1:
            guesses = halvings > 0 and (run.started == ANEW or run.h == 0.0)
            code = begin(run)
            if code != PAUSED:
                return code
            if guesses:
                run.h, run.trouble = first_step(run, halvings), PAUSED
        if run.prepare != 0:
            evaluate(run.prepare, run.prepare_table, run.t, run.y, run.room)
        code = step(run, make)
        tried += 1
    return code


@apart
def fixed_steps(run, make):
    """Every interval between samples in equal steps, no longer than the one asked for.

    make(run, t, h) makes the step of length h that ends at t; its code says what is wrong with it.
    """
    return _steps(run, 0, _fixed_step, make)


@apart
def _fixed_step(run, make):
    """One step."""
    run.part += 1
    t, h, last = fixed_step(run.times, run.filled, run.h, run.part)
    code = make(run, t, h)
    if code != PAUSED:
        return code
    if last:
        run.part = 0
    return move_on(run, CUBIC, t)


@apart
def fixed_step(times, filled, step, part):
    """When a step since the last sample ends, how long it is, and whether it is the last one.

    Its end is computed from that sample, so that times do not drift. It is as long as asked for
    unless the times, rounding apart, need another length: one that changed with the rounding of the
    times would not be that of one symplectic map.
    """
    start, stop = times[filled - 1], times[filled]
    steps = 1 + int((stop - start) / step - NEARLY)
    t = stop if part == steps else start + part * ((stop - start) / steps)
    off = abs(steps * step - (stop - start))
    is_same = off <= 4.0 * EPSILON * abs(stop)
    return t, step if is_same else (stop - start) / steps, part == steps


@apart
def controlled_steps(run, halvings, attempt):
    """Steps as long as their errors allow; without a first one, it is guessed from the order.

    attempt(run, retried) makes a step of length h or, if something is wrong with it, a shorter h.
    """
    return _steps(run, halvings, _controlled_step, attempt)


@apart
def _controlled_step(run, attempt):
    """One step, accepted or rejected, unless it would be too short."""
    retried = run.trouble != PAUSED
    least = shortest(run.t)
    if not retried:
        run.h = min(max(run.h, least), run.max_step)
    if not run.h >= least:  # too short, or not a number
        return run.trouble if retried else NOT_FINITE
    return attempt(run, retried)
