"""The classical Runge-Kutta method of order 4, with a fixed step (Kutta 1901).

Every interval between two samples is divided into equal steps, no longer than the one asked for.
Inside a step the state follows the cubic that has its values and its derivatives at both ends.
"""

from torseur.machine.integrators.arrival import arrive_with_cubic, derivative
from torseur.machine.integrators.stepping import fixed_steps
from torseur.machine.runtime.access import METHOD, numbers, record
from torseur.machine.runtime.long_vectors import linear
from torseur.machine.runtime.vectors import apart

SIGNATURE = METHOD


def rk4(place):
    """Steps until the budget is spent or the run ends; the code says which."""
    return fixed_steps(record(place), _step)


@apart
def _step(run, t, h):
    """What is wrong with the step of length h that ends at t, if not PAUSED."""
    _advance(run, h)
    return arrive_with_cubic(run, t, h)


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
