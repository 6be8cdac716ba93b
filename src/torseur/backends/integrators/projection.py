"""Loops kept closed: positions by Newton steps, then speeds once."""

from torseur.backends.integrators.access import HELPER, evaluate, numbers, record
from torseur.backends.integrators.vectors import copy
from torseur.backends.loops.vectors import address, apart

MOST = 10  # Newton steps
LOOSE = 1e6  # a gap that no longer decreases passes if its square is this many times `closed`


SIGNATURE = HELPER


def project(place, t, state):
    """1 if the loops close, else 0; the state moves to the nearest one that keeps them closed."""
    run, y = record(place), numbers(state)
    closes = run.closing == 0 or _closed(run, t, y)
    if run.calming != 0:
        evaluate(run.calming, run.calming_table, t, y, numbers(run.room))
        copy(run.n, numbers(run.room), y)
    return 1 if closes else 0


@apart
def _closed(run, t, y):
    """y ← where Newton steps lead as long as they narrow the gap; its square ends the output."""
    n = run.n
    nearer, beyond = numbers(run.room), address(numbers(run.room), n + 1)
    evaluate(run.closing, run.closing_table, t, y, nearer)
    gap = nearer[n]
    for _ in range(MOST):
        if gap < run.closed:
            break
        evaluate(run.closing, run.closing_table, t, nearer, beyond)
        if not beyond[n] < gap:
            break
        gap = beyond[n]
        copy(n, nearer, y)
        nearer, beyond = beyond, nearer
    return gap < LOOSE * run.closed
