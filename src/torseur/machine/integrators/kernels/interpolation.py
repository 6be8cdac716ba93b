"""The state inside a step, by the polynomial of the method."""

from torseur.machine.runtime.access import call, numbers, place
from torseur.machine.runtime.long_vectors import copy, linear
from torseur.machine.runtime.vectors import address, apart


@apart
def from_both_ends(run, h, f_end):
    """The first three terms of the polynomial: y and ẏ at both ends."""
    n, f, change = run.n, numbers(run.f), numbers(run.polynomial)
    second, third = address(change, n), address(change, 2 * n)
    linear(n, 1.0, numbers(run.arrival), -1.0, numbers(run.y), change)
    linear(n, h, f, -1.0, change, second)
    linear(n, 1.0, change, -h, f_end, third)
    linear(n, 1.0, third, -1.0, second, third)


@apart
def interpolate(run, terms, x, into):
    """into ← y at the fraction x of the step: y + x (F₀ + (1 − x) (F₁ + x (F₂ + …)))."""
    n, polynomial = run.n, numbers(run.polynomial)
    copy(n, address(polynomial, (terms - 1) * n), into)
    for k in range(terms - 2, -1, -1):
        linear(n, 1.0, address(polynomial, k * n), 1.0 - x if k % 2 == 0 else x, into, into)
    linear(n, 1.0, numbers(run.y), x, into, into)


@apart
def projected(run, t, y):
    """Whether the loops close; y ← its projection."""
    return run.project == 0 or call(run.project, place(run), t, place(y)) != 0


@apart
def state_at(run, terms, h, x, into):
    """Whether the loops close; into ← the projected state at the fraction x of the step."""
    if x == 1.0:
        copy(run.n, numbers(run.next_y), into)
        return True
    interpolate(run, terms, x, into)
    return projected(run, run.t + x * h, into)
