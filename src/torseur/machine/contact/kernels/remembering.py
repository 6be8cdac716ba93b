"""Event functions read off rates, for states that need both.

After a state has returned onto what holds, and after an event, an integrator asks for its rate and
later for its event functions. The forces of both are the same.
"""

from math import nan

from torseur.machine.contact import layout as at
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart

RETURNED, SETTLED = 1.0, 2.0  # the task that a rate follows


@apart
def forget(model):
    """Modes or directions are others: event functions are not known."""
    model.known_time[0], model.known_time[1] = nan, nan


@apart
def place_for(model):
    """The place for the event functions of a rate, or −1: they are not kept."""
    follows, model.follows[0] = model.follows[0], 0.0
    if follows == RETURNED:
        return 0
    return 1 if follows == SETTLED else -1


@apart
def remember(model, place, t, y):
    """The event functions at a place belong to a state."""
    model.known_time[place] = t
    copy(model.size, y, address(model.known_state, place * model.size))


@apart
def recall(model, t, y, into):
    """Whether event functions of elements are known at a state; into ← them."""
    for place in range(2):
        if model.known_time[place] == t:
            known, same = address(model.known_state, place * model.size), True
            for k in range(model.size):
                same = same and known[k] == y[k]
            if same:
                values = address(model.known_events, place * model.turnings)
                copy(3 * model.elements, values, into)
                return True
    return False


@apart
def turns(model):
    """Whether directions of sliding may turn."""
    turning = False
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        turning = turning or (element[at.MODE] == at.SLIP and element[at.COUNT] > 1.0)
    return turning
