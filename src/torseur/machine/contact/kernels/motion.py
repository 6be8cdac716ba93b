"""The tasks of an engine of contacts: rates, returns onto what holds, events, forces."""

from math import nan

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import (
    ending_speed,
    find_forces,
    margin,
    pressing_load,
    row_of,
    sliding_speed,
    slow,
    starting_speed,
)
from torseur.machine.contact.kernels.events.checking import deepest_inside, law_breaker
from torseur.machine.contact.kernels.events.choosing import choose_by_forces
from torseur.machine.contact.kernels.events.settling import settle
from torseur.machine.contact.kernels.events.standing import write_still
from torseur.machine.contact.kernels.measuring import look, measure_speeds
from torseur.machine.contact.kernels.parting import adopt_all, adopt_modes
from torseur.machine.contact.kernels.remembering import (
    RETURNED,
    SETTLED,
    forget,
    place_for,
    recall,
    remember,
    turns,
)
from torseur.machine.contact.kernels.returning import calm, close
from torseur.machine.contact.kernels.seeing import look_and_measure, see, write_seen
from torseur.machine.contact.kernels.self_stress import add_stresses
from torseur.machine.contact.kernels.tree_factor import add_pushed
from torseur.machine.contact.layout import CONTACTS
from torseur.machine.runtime.access import METHOD, evaluate, numbers, record_at, wholes
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole

record = record_at(CONTACTS)
SIGNATURE = METHOD
ENTRIES = ("motion",)
NONE = 2e-11  # of the largest force: twice what the choice of modes lets pass


def motion(place):
    """A task of the record at an address, as a function of the addresses [record, y, t, output]."""
    listed = wholes(place)
    model, y, into = record(listed[0]), numbers(listed[1]), numbers(listed[3])
    t = numbers(listed[2])[0]
    if model.task >= at.SEE:
        _do_at_event(model, t, y, into)
    elif model.task == at.EVENTS and recall(model, t, y, into):
        _write_own_events(model, t, y, into)
    elif _is_by_forces(model):
        _do_by_forces(model, t, y, into)
    elif model.task == at.CLOSE:
        close(model, t, y, into)
    elif model.task == at.CALM:
        calm(model, y, into)
        model.follows[0] = RETURNED
    else:
        look(model, t, y)
        measure_speeds(model, y)
        if model.task == at.TURN:
            _turn(model)
            if turns(model):
                forget(model)
        else:
            _write_events(model, t, y, into)
    return 0


@apart
def _is_by_forces(model):
    """Whether a task needs to know what forces of rows do; where nothing holds, few do."""
    if model.task == at.TURN:
        return False
    if model.task == at.EVENTS:
        for e in range(model.elements):
            element = address(model.element, e * at.WIDTH)
            presses = element[at.MODE] != at.OPEN and element[at.NORMAL] >= 0.0
            if presses or element[at.MODE] == at.STICK:
                return True
        return False
    if model.task == at.CLOSE or model.task == at.CALM:
        for i in range(model.rows):
            holds = model.task == at.CALM or model.holds[i] == 1.0
            if holds and model.role[i] == at.HELD:
                return True
        return False
    return True


@apart
def _do_by_forces(model, t, y, into):
    """A task at a state that is looked at whole."""
    regular = look_and_measure(model, t, y)
    if model.task == at.LOOK:
        write_seen(model)
    elif model.task == at.CLOSE:
        close(model, t, y, into)
    elif model.task == at.CALM:
        calm(model, y, into)
        model.follows[0] = RETURNED
    else:
        solved = find_forces(model) if regular else False
        if model.task == at.RATE:
            _write_rate(model, y, into)
            place = place_for(model)
            if place >= 0 and solved:
                _write_functions(model, address(model.known_events, place * model.turnings))
                remember(model, place, t, y)
        elif model.task == at.EVENTS:
            _write_events(model, t, y, into)
        else:
            _write_accelerations(model, into)
            for e in range(model.elements):  # then what friction is proportional to
                element = address(model.element, e * at.WIDTH)
                into[model.speeds + e] = pressing_load(model, element)
            add_stresses(model, into)
        if not solved:
            into[0] = nan


@apart
def _do_at_event(model, t, y, into):
    """Tasks of events: a state is seen, judged or settled, or rows get other roles."""
    if model.task == at.STAND:
        copy(model.size, y, into)
        write_still(model, address(into, model.coordinates))
    elif model.task == at.SEE:
        into[0] = nan
        if see(model, t, y):
            into[0] = deepest_inside(model)
    elif model.task == at.CHECK:
        into[0] = law_breaker(model, 0, at.ACTED, y) if see(model, t, y) else -1.0
    else:
        if model.task == at.SETTLE:
            settle(model, t, y, into)
        elif model.task == at.CHOOSE:
            into[0] = choose_by_forces(model, 0, at.ACTED) if see(model, t, y) else at.NO_MODES
        elif model.task == at.PART:
            adopt_modes(model)
        else:
            adopt_all(model)
        forget(model)
        if model.task == at.SETTLE:
            model.follows[0] = SETTLED


@apart
def _turn(model):
    """Directions ← those in which elements slide now."""
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if element[at.MODE] == at.SLIP and element[at.COUNT] > 1.0:
            speed, none = abs(sliding_speed(model, element)), slow(model, element)
            if speed > at.STARTED * starting_speed(model, element):
                element[at.STARTS] = 0.0
            if element[at.STARTS] == 0.0 and speed > none:
                for k in range(whole(element[at.COUNT])):
                    element[at.DIRECTION + k] = model.u[row_of(element, k)] / speed


@apart
def _write_accelerations(model, into):
    """into ← a."""
    n, still = model.speeds, model.still
    copy(n, model.free, into)
    add_pushed(model, model.every_row, model.rows, model.z, 1.0, into)
    for k in range(n):
        if still[k] == 1.0:
            into[k] = 0.0


@apart
def _write_rate(model, y, into):
    """into ← q̇, a, the power of what has no potential, that of each element; the rest stays."""
    nq, n, rows = model.coordinates, model.speeds, model.rows
    copy(nq, model.rates, into)
    _write_accelerations(model, address(into, nq))
    z, u, b, power = model.z, model.u, model.b, model.power[0]
    for i in range(rows):
        power += z[i] * (u[i] - b[i])
    into[nq + n] = power
    first = nq + n + 1 + model.inputs
    copy(model.inputs, model.changes, address(into, nq + n + 1))
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        element_power, spring = 0.0, whole(element[at.SPRING])
        if spring >= 0:
            element_power += z[spring] * u[spring]
        if element[at.MODE] == at.SLIP:
            for k in range(whole(element[at.COUNT])):
                element_power += z[row_of(element, k)] * u[row_of(element, k)]
        into[first + e] = element_power
    for k in range(first + model.elements, model.size):
        into[k] = 0.0


@apart
def _least_force(model, row, largest):
    """Size of a force below zero that counts as a change of sign: more than rounding.

    It is more than what the choice of modes lets pass, which goes by what rows do without forces.
    """
    return max((model.least + NONE * largest) * model.fineness[row], 2.0 * model.no_force[row])


@apart
def _write_events(model, t, y, into):
    """into ← event functions of elements, then those of the mechanism itself."""
    _write_functions(model, into)
    _write_own_events(model, t, y, into)


@apart
def _write_own_events(model, t, y, into):
    """into ← after those of elements, the event functions of the mechanism itself."""
    if model.watched > 0:
        values = address(into, 3 * model.elements)
        evaluate(model.events, model.events_table, t, y, values)


@apart
def _write_functions(model, into):
    """into ← of each element two that must stay positive, then the rate of its gap."""
    largest = 0.0  # force or couple: each times what its row is compared with
    for i in range(model.rows):
        largest = max(largest, abs(model.z[i]) / model.fineness[i])
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        normal, mode = whole(element[at.NORMAL]), element[at.MODE]
        spring = whole(element[at.SPRING])
        into[3 * e], into[3 * e + 1], into[3 * e + 2] = 1.0, 1.0, 1.0
        if spring >= 0 and mode != at.OPEN:
            into[3 * e] = at.MET / model.fineness[spring] - model.gap[spring]
        elif spring >= 0:
            into[3 * e] = model.gap[spring]
            into[3 * e + 2] = model.u[spring]
        elif normal >= 0 and mode == at.OPEN:
            into[3 * e] = model.gap[normal] + element[at.SLACK]
            into[3 * e + 2] = model.u[normal]
        elif normal >= 0:
            into[3 * e] = model.z[normal] + _least_force(model, normal, largest)
        if element[at.COUNT] > 0.0 and mode == at.STICK:
            least = _least_force(model, row_of(element, 0), largest)
            into[3 * e + 1] = margin(model, element) + least
        elif element[at.COUNT] > 0.0 and mode == at.SLIP:
            into[3 * e + 1] = ending_speed(model, element)
