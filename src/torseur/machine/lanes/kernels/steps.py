"""Steps of all lanes, by any method: rows go in and out of lanes between them."""

from torseur.machine.integrators.codes import DONE, PAUSED
from torseur.machine.lanes.kernels.events import has_room
from torseur.machine.lanes.kernels.filling import fill
from torseur.machine.runtime.vectors import apart


@apart
def stepped(run, begin, step):
    """Steps until the budget is spent or no row is left, which the code says.

    begin(run) follows where rows have come in, step(run) is one step of every lane.
    """
    tried = 0
    while True:
        fill(run, begin)
        if run.busy == 0:
            return DONE
        if tried >= run.budget or not has_room(run):
            return PAUSED
        step(run)
        run.tried += 1
        tried += 1
