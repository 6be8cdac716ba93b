"""Euler's method, of order 1, with a fixed step (Euler 1768): to compare others with.

Every interval between two samples is divided into equal steps, no longer than the one asked for.
Inside a step the state follows the cubic that has its values and its derivatives at both ends.
"""

from torseur.machine.integrators.arrival import arrive_with_cubic
from torseur.machine.integrators.stepping import fixed_steps
from torseur.machine.runtime.access import METHOD, numbers, record
from torseur.machine.runtime.long_vectors import linear
from torseur.machine.runtime.vectors import apart

SIGNATURE = METHOD


def euler(place):
    """Steps until the budget is spent or the run ends; the code says which."""
    return fixed_steps(record(place), _step)


@apart
def _step(run, t, h):
    """What is wrong with the step y + h ẏ that ends at t, if not PAUSED."""
    linear(run.n, 1.0, numbers(run.y), h, numbers(run.f), numbers(run.arrival))
    return arrive_with_cubic(run, t, h)
