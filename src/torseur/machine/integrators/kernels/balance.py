"""The balance of energy of every motion, looked at whenever it is sampled.

The largest error of T + V − W, and what it is compared with, as `simulation/run` does for one run.
"""

from torseur.machine.integrators.kernels.lane_vectors import W, evaluate
from torseur.machine.runtime.vectors import apart


@apart
def begin_balance(run):
    """The energies at the start, in the lanes of `mask` that have no sample yet."""
    if run.energy == 0:
        return
    mask, work = run.mask, _work(run)
    values = run.energies
    evaluate(run.energy, run.energy_table, run.y, run.clock, values)
    for lane in range(W):
        if mask[lane] != 0.0 and run.filled[lane] == 0.0:
            T, V, spent = values[lane], values[W + lane], run.y[work * W + lane]
            run.first_energy[lane] = T + V - spent
            run.first_potential[lane] = V
            _compare(run, lane, T, V, spent)


@apart
def balance(run, which, y):
    """The energies at states of some lanes, at the times of `clock`."""
    if run.energy == 0:
        return
    work, values = _work(run), run.energies
    evaluate(run.energy, run.energy_table, y, run.clock, values)
    for lane in range(W):
        if which[lane] != 0.0:
            _compare(run, lane, values[lane], values[W + lane], y[work * W + lane])


@apart
def _work(run):
    """The place of the work in a state."""
    return run.n - run.inputs - 1


@apart
def _compare(run, lane, T, V, spent):
    largest, potential = run.largest, run.first_potential[lane]
    error = abs(T + V - spent - run.first_energy[lane])
    run.lost[lane] = max(run.lost[lane], error)
    run.exchanged[lane] = max(run.exchanged[lane], T + abs(V - potential) + abs(spent))
    largest[lane] = max(largest[lane], T + abs(V) + abs(spent))
