"""The classical Runge-Kutta method of order 4, with a fixed step (Kutta 1901).

Every interval between two samples is divided into equal steps, no longer than the one asked for.
Inside a step the state follows the cubic that has its values and its derivatives at both ends.
"""

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
from torseur.backends.integrators.codes import PAUSED
from torseur.backends.integrators.interpolation import from_both_ends
from torseur.backends.integrators.vectors import linear
from torseur.backends.loops.vectors import apart

TERMS = 3  # of a cubic
NEARLY = 1e-9  # an interval longer than whole steps by this fraction of one has no step more
SIGNATURE = METHOD


def rk4(place):
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

    _advance(run, t - run.t)
    code = arrive(run, t)
    if code != PAUSED:
        return code
    if looks_inside(run, t):
        end = numbers(run.stages)
        derivative_on_arrival(run, t, end)
        from_both_ends(run, t - run.t, end)
    if last:
        run.part = 0
    return move_on(run, TERMS, t)


@apart
def _advance(run, h):
    """arrival ← y + h (k₁ + 2 k₂ + 2 k₃ + k₄) / 6."""
    n, t, y, k = run.n, run.t, numbers(run.y), numbers(run.stages)
    inside, arrival = numbers(run.inside), numbers(run.arrival)
    linear(n, 1.0, y, h / 6.0, numbers(run.f), arrival)
    linear(n, 1.0, y, h / 2.0, numbers(run.f), inside)
    derivative(run, t + h / 2.0, inside, k)
    linear(n, 1.0, arrival, h / 3.0, k, arrival)
    linear(n, 1.0, y, h / 2.0, k, inside)
    derivative(run, t + h / 2.0, inside, k)
    linear(n, 1.0, arrival, h / 3.0, k, arrival)
    linear(n, 1.0, y, h, k, inside)
    derivative(run, t + h, inside, k)
    linear(n, 1.0, arrival, h / 6.0, k, arrival)
