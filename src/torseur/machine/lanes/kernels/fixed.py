"""Methods of fixed step in the lanes of vectors, from the tableaux of single motions."""

from typing import Any

from torseur.machine.integrators.codes import PAUSED
from torseur.machine.integrators.kernels.explicit import EULER, RK4
from torseur.machine.integrators.kernels.stepping import CUBIC, fixed_step
from torseur.machine.lanes.kernels.access import copied, record
from torseur.machine.lanes.kernels.arrival import (
    arrive,
    dense_output,
    end_rates,
    looks_inside,
    move_on,
)
from torseur.machine.lanes.kernels.filling import finish, stepped
from torseur.machine.lanes.kernels.vectors import arriving, from_both_ends, lanes, staging
from torseur.machine.runtime.access import METHOD
from torseur.machine.runtime.vectors import apart, whole

SIGNATURE = METHOD
ENTRIES = ("rk4", "euler")
_dense = dense_output(CUBIC)


@apart
def _first_steps(run):
    """Nothing is to be found out before a step of fixed length."""


@apart
def _set_out(run):
    """The steps of all lanes."""
    for lane in range(lanes()):
        busy = run.row[lane] >= 0.0
        run.mask[lane] = 1.0 if busy else 0.0
        run.length[lane], run.ahead[lane] = 0.0, run.t[lane]
        if busy:
            part = run.part[lane] + 1.0
            end, length, last = fixed_step(run.times, whole(run.filled[lane]), run.step, part)
            run.ahead[lane], run.length[lane] = end, length
            run.part[lane] = 0.0 if last else part


def _method(tableau: Any) -> Any:
    """Steps of all lanes by a tableau of a fixed step."""
    last = len(tableau) - 1
    stages, end = staging(tableau, tableau.sum(axis=1), 1, last), arriving(tableau[last])

    @apart
    def step(run):
        n, k, h, y = run.n, run.stages, run.length, run.y
        _set_out(run)
        copied(n, run.f, k)
        stages(n, y, h, run.t, k, run.inside, run.clock, run.rate,
               run.rate_table)  # fmt: skip
        end(n, y, h, k, run.arrival)
        arrive(run)
        for lane in range(lanes()):
            if run.mask[lane] != 0.0 and run.trouble[lane] != PAUSED:
                finish(run, lane, whole(run.trouble[lane]))
        if looks_inside(run):
            end_rates(run, k)
            arrival, polynomial = run.arrival, run.polynomial
            from_both_ends(n, y, run.f, arrival, k, h, polynomial)
        move_on(run, _dense)

    return step


_rk4, _euler = _method(RK4), _method(EULER)


def rk4(place):
    """The classical method of order 4 (Kutta 1901)."""
    return stepped(record(place), _first_steps, _rk4)


def euler(place):
    """Order 1 (Euler 1768), to compare others with."""
    return stepped(record(place), _first_steps, _euler)
