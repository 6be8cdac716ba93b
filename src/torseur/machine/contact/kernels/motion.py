"""The tasks of an engine of contacts: rates, returns onto what holds, events, forces."""

from math import nan

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.access import record
from torseur.machine.contact.kernels.acting import (
    find_forces,
    hold,
    list_active,
    margin,
    pressing_load,
    row_of,
    sliding_speed,
    slow,
    turning_speed,
    write_direction,
)
from torseur.machine.contact.kernels.judging import judge, weigh
from torseur.machine.contact.kernels.measuring import look, measure, measure_easiest
from torseur.machine.contact.kernels.projecting import project
from torseur.machine.runtime.access import METHOD, evaluate, numbers, wholes
from torseur.machine.runtime.long_vectors import copy, square_root
from torseur.machine.runtime.vectors import address, apart, whole

SIGNATURE = METHOD
NONE = 2e-11  # of the largest force: twice what the choice of modes lets pass


def motion(place):
    """A task of the record at an address, as a function of the addresses [record, y, t, output]."""
    listed = wholes(place)
    model, y, into = record(listed[0]), numbers(listed[1]), numbers(listed[3])
    t = numbers(listed[2])[0]
    if model.task >= at.WEIGH:
        _go_on(model, y, into)
        return 0
    look(model, t, y)
    copy(model.rows, address(y, model.size - model.rows), numbers(model.reference))
    copy(model.coordinates + model.speeds, y, numbers(model.at))
    numbers(model.at)[model.asked - 1] = t
    regular = measure(model, y)
    if model.task == at.LOOK:
        _write_seen(model)
    elif model.task == at.TURN:
        _turn(model)
    elif model.task == at.CLOSE:
        _close(model, t, y, into)
    elif model.task == at.CALM:
        _calm(model, y, into)
    else:
        solved = find_forces(model) if regular else False
        if model.task == at.RATE:
            _write_rate(model, y, into)
        elif model.task == at.EVENTS:
            _write_events(model, t, y, into)
        else:
            _write_forces(model, into)
        if not solved:
            into[0] = nan
    return 0


@apart
def _go_on(model, y, into):
    """What is asked of the state that was looked at last."""
    measure_easiest(model)
    if model.task == at.WEIGH:
        weigh(model)
    elif model.task == at.SOLVE:
        judge(model, into)
    elif model.task == at.HOLD:
        _calm(model, y, into)
    else:
        project(model, into)


@apart
def _write_seen(model):
    """Of each element: its gap and the speed of that, how fast it slides, in which direction."""
    for e in range(model.elements):
        element = address(numbers(model.element), e * at.WIDTH)
        seen = address(numbers(model.seen), e * at.SEEN)
        normal = whole(max(element[at.NORMAL], element[at.SPRING]))
        if normal >= 0:
            seen[at.GAP], seen[at.CLOSING] = numbers(model.gap)[normal], numbers(model.u)[normal]
        seen[at.SLIDING] = write_direction(element, numbers(model.u), 1.0, address(seen, at.ALONG))


@apart
def _turn(model):
    """Directions ← those in which elements slide now."""
    for e in range(model.elements):
        element = address(numbers(model.element), e * at.WIDTH)
        if element[at.MODE] == at.SLIP and element[at.COUNT] > 1.0:
            speed = abs(sliding_speed(model, element))
            if speed > turning_speed(model, element):
                element[at.STARTS] = 0.0
                for k in range(whole(element[at.COUNT])):
                    element[at.DIRECTION + k] = numbers(model.u)[row_of(element, k)] / speed


@apart
def _write_forces(model, into):
    """into ← a, then what the friction of each element is proportional to."""
    _write_accelerations(model, into)
    for e in range(model.elements):
        element = address(numbers(model.element), e * at.WIDTH)
        into[model.speeds + e] = pressing_load(model, element)


@apart
def _write_accelerations(model, into):
    """into ← a."""
    n, role = model.speeds, numbers(model.role)
    copy(n, numbers(model.free), into)
    for i in range(model.rows):
        if role[i] != at.OFF:
            X, z = address(numbers(model.X), i * n), numbers(model.z)[i]
            for k in range(whole(numbers(model.low)[i]), whole(numbers(model.high)[i])):
                into[k] += X[k] * z
    for k in range(n):
        if numbers(model.still)[k] == 1.0:
            into[k] = 0.0


@apart
def _write_rate(model, y, into):
    """into ← q̇, a, the power of what has no potential, that of each element; the rest stays."""
    nq, n, rows = model.coordinates, model.speeds, model.rows
    copy(nq, numbers(model.rates), into)
    _write_accelerations(model, address(into, nq))
    z, u, b, power = numbers(model.z), numbers(model.u), numbers(model.b), numbers(model.power)[0]
    for i in range(rows):
        power += z[i] * (u[i] - b[i])
    into[nq + n] = power
    first = nq + n + 1 + model.inputs
    for k in range(nq + n + 1, first):
        into[k] = 0.0
    for e in range(model.elements):
        element = address(numbers(model.element), e * at.WIDTH)
        own, spring = 0.0, whole(element[at.SPRING])
        if spring >= 0:
            own += z[spring] * u[spring]
        if element[at.MODE] == at.SLIP:
            for k in range(whole(element[at.COUNT])):
                own += z[row_of(element, k)] * u[row_of(element, k)]
        into[first + e] = own
    for k in range(first + model.elements, model.size):
        into[k] = 0.0


@apart
def _close(model, t, y, into):
    """into ← y after one step of its positions onto what holds, then the gap² it had."""
    nq, n = model.coordinates, model.speeds
    size, square, moved = model.size, 0.0, numbers(model.moved)
    copy(size, y, into)
    copy(size, y, moved)
    for k in range(n):
        moved[nq + k] = 0.0
    for island in range(whole(numbers(model.islands)[0])):
        square += _close_island(model, island, address(moved, nq))
    if square > 0.0:
        look(model, t, moved)
        for k in range(nq):
            into[k] += numbers(model.rates)[k]
    normalise(model, into)
    into[size] = square


@apart
def _close_island(model, island, step):
    """The gap² of the rows of an island that hold positions; step ← what closes them."""
    count, gap, square = list_active(model, island, True, False), numbers(model.gap), 0.0
    for k in range(count):
        i = whole(numbers(model.active)[k])
        own = gap[i] * numbers(model.fineness)[i]
        square += own * own
    if square > 0.0:
        hold(model, count, gap)
        subtract(model, count, step)
        for k in range(model.speeds):
            if numbers(model.still)[k] == 1.0:
                step[k] = 0.0
    return square


@apart
def subtract(model, count, v):
    """v ← v − M⁻¹ Jᵀ of the rows listed, times what was found."""
    for m in range(count):
        i, found = whole(numbers(model.active)[m]), numbers(model.found)[m]
        X = address(numbers(model.X), i * model.speeds)
        for k in range(whole(numbers(model.low)[i]), whole(numbers(model.high)[i])):
            v[k] -= X[k] * found


@apart
def normalise(model, y):
    """Quaternions of norm 1."""
    for m in range(model.quaternions):
        four, total = address(y, whole(numbers(model.quaternion)[m])), 0.0
        for k in range(4):
            total += four[k] * four[k]
        size = square_root(total)
        for k in range(4):
            four[k] /= size


@apart
def _calm(model, y, into):
    """into ← y with its speeds on what holds."""
    nq, n = model.coordinates, model.speeds
    copy(model.size, y, into)
    for island in range(whole(numbers(model.islands)[0])):
        count = list_active(model, island, False, False)
        if count > 0:
            hold(model, count, numbers(model.u))
            subtract(model, count, address(into, nq))
    for k in range(n):
        if numbers(model.still)[k] == 1.0:
            into[nq + k] = 0.0


@apart
def _largest_force(model):
    """Forces and couples alike: each times what its row is compared with."""
    largest = 0.0
    for i in range(model.rows):
        largest = max(largest, abs(numbers(model.z)[i]) / numbers(model.fineness)[i])
    return largest


@apart
def _least_force(model, row, largest):
    """What a force must fall short by to have changed its sign: rounding does not."""
    return (model.least + NONE * largest) * numbers(model.fineness)[row]


@apart
def _write_events(model, t, y, into):
    """into ← of each element two that must stay positive, then the rate of its gap; own events."""
    largest = _largest_force(model)
    for e in range(model.elements):
        element = address(numbers(model.element), e * at.WIDTH)
        normal, mode = whole(element[at.NORMAL]), element[at.MODE]
        spring = whole(element[at.SPRING])
        into[3 * e], into[3 * e + 1], into[3 * e + 2] = 1.0, 1.0, 1.0
        if spring >= 0 and mode != at.OPEN:
            into[3 * e] = at.MET / numbers(model.fineness)[spring] - numbers(model.gap)[spring]
        elif spring >= 0:
            into[3 * e] = numbers(model.gap)[spring]
            into[3 * e + 2] = numbers(model.u)[spring]
        elif normal >= 0 and mode == at.OPEN:
            into[3 * e] = numbers(model.gap)[normal] + element[at.SLACK]
            into[3 * e + 2] = numbers(model.u)[normal]
        elif normal >= 0:
            into[3 * e] = numbers(model.z)[normal] + _least_force(model, normal, largest)
        if element[at.COUNT] > 0.0 and mode == at.STICK:
            least = _least_force(model, row_of(element, 0), largest)
            into[3 * e + 1] = margin(model, element) + least
        elif element[at.COUNT] > 0.0 and mode == at.SLIP:
            into[3 * e + 1] = sliding_speed(model, element) + slow(model, element)
    if model.watched > 0:
        own = address(into, 3 * model.elements)
        evaluate(model.events, model.events_table, t, y, own)
