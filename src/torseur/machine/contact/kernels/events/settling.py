"""Events: shocks, bounces that are over, and the modes from there on.

Where a motion cannot go on nothing is changed, and the verdict says why: bodies that start inside
each other, a law that is broken, no modes or several, shocks or events without end.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of
from torseur.machine.contact.kernels.events.checking import deepest_inside, law_breaker
from torseur.machine.contact.kernels.events.choosing import choose_by_forces
from torseur.machine.contact.kernels.events.noting import note_changes, note_choice
from torseur.machine.contact.kernels.events.standing import write_still
from torseur.machine.contact.kernels.events.striking import end_bounces, strike
from torseur.machine.contact.kernels.events.telling import has_choice_to_report
from torseur.machine.contact.kernels.parting import adopt_modes
from torseur.machine.contact.kernels.returning import calm
from torseur.machine.contact.kernels.seeing import gap_size, is_struck, see, slip_size
from torseur.machine.contact.negligible import LEANS, LOW, SLIDING, TOUCHING, ZENO
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, whole

UNCHANGED = 100.0  # times a speed that has stopped: no instant which is not exact leaves it
LONG = 1e-2  # of the time of the mechanism: bounces that rounding alone makes so long
MOST_LEFT = 10.0  # times the speed of a bounce: what its normal impulses may stop at once
PROGRESS = 1e-6  # of the time of the mechanism; bounces that are over are shorter
BARE = -2.0  # an event function that must not fall below zero, and has no known rate


@apart
def settle(model, t, y, into):
    """into ← the state as it goes on, then SETTLED; or as it was, then why it cannot.

    The number after the state says why on entry: the event function of the integrator that fell
    below zero, AFTER_ACT or AT_START.
    """
    size, event, noted = model.size, whole(into[model.size]), model.noted[0]
    copy(size, y, into)
    copy(model.elements * at.WIDTH, model.element, model.entry_element)
    model.laws_act[0] = 1.0
    verdict = at.NOT_OF_ELEMENTS
    if event < 3 * model.elements:
        verdict = _settle(model, t, event, y, into)
    if verdict != at.SETTLED:
        copy(size, y, into)
        copy(model.elements * at.WIDTH, model.entry_element, model.element)
        for e in range(model.elements):
            model.gives[e] = 0.0
        model.laws_act[0] = 1.0
        adopt_modes(model)
        model.noted[0] = noted
    into[size] = verdict


@apart
def _settle(model, t, event, y, into):
    """The verdict on an event: into ← the state as it goes on."""
    element, what = _cause(model, event)
    for e in range(model.elements):
        model.hit[e], model.rest_time[e] = 0.0, t
    if not see(model, t, into):
        return at.NO_MODES
    model.blamed[0] = deepest_inside(model) if event == at.AT_START else -1.0
    if model.blamed[0] >= 0.0:
        return at.INSIDE
    model.blamed[0] = law_breaker(model, element, what, into) if event >= 0 else -1.0
    if model.blamed[0] >= 0.0:
        return at.BROKEN_LAW
    model.blamed[0] = element
    if what == at.END and _goes_on(model, element):
        what = at.ACTED
    if what != at.ACTED and _come_to_rest(model, element, what, into) and not see(model, t, into):
        return at.NO_MODES
    verdict, has_modes = at.SETTLED, False
    if is_struck(model):
        verdict = strike(model, t, into)
        if verdict == at.SETTLED:
            verdict, has_modes = _end_short_bounces(model, t, into)
    if verdict == at.SETTLED and (not has_modes or (what != at.ACTED and what != at.TOUCH)):
        verdict = choose_by_forces(model, element, what)
    if verdict == at.SETTLED:
        verdict = _go_on(model, t, element, what, y, into)
    return verdict


@apart
def _cause(model, event):
    """The element of an event function, and what happens to it."""
    if event < 0:
        return 0, at.ACTED
    e = event // 3
    mode = model.element[e * at.WIDTH + at.MODE]
    if mode == at.OPEN:
        return e, at.TOUCH
    if event % 3 == 0:
        return e, at.LIFT
    return e, at.LIMIT if mode == at.STICK else at.END


# --- before ---------------------------------------------------------------------------------------


@apart
def _stopped(model, element):
    """A speed of sliding below which something has stopped with its neighbour."""
    return model.stopped * SLIDING * model.pace * slip_size(model, element)


@apart
def _goes_on(model, e):
    """Whether what seems to end its sliding slides on: the axes of its friction have turned.

    The directions of sliding, which change their sign, are components along these axes.
    """
    element = address(model.element, e * at.WIDTH)
    speed = model.seen[e * at.SEEN + at.SLIDING]
    return element[at.COUNT] >= 2.0 and speed > UNCHANGED * _stopped(model, element)


@apart
def _come_to_rest(model, cause, what, y):
    """Whether something that slid stops at an event: y ← with its speeds exactly zero.

    It is what the event is the end of, and whatever slows down and slides no faster than speeds are
    known: feet of one body come to rest together, and the one whose speed changes its sign first is
    a matter of chance, as are the directions of the others then. Where another lets go, they start
    together; what starts while another lifts goes on.
    """
    struck, stopped = is_struck(model), False
    for e in range(model.elements):
        element, motion = address(model.element, e * at.WIDTH), address(model.seen, e * at.SEEN)
        stops = element[at.MODE] == at.SLIP and motion[at.SLIDING] <= _stopped(model, element)
        if what == at.TOUCH:
            stops = stops and not struck
        elif what != at.LIMIT:
            stops = stops and _slows_down(model, element)
        stops = stops or (e == cause and what == at.END)
        model.hit[e] = 1.0 if stops and element[at.COUNT] > 0.0 else 0.0
        stopped = stopped or model.hit[e] == 1.0
    if not stopped:
        return False
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if model.hit[e] == 1.0:
            element[at.MODE], model.hit[e] = at.STICK, 0.0
        for k in range(3):
            element[at.DIRECTION + k] = model.seen[e * at.SEEN + at.ALONG + k]
    adopt_modes(model)
    calm(model, y, model.moved)
    copy(model.size, model.moved, y)
    return True


@apart
def _slows_down(model, element):
    """Whether the speed of sliding decreases, by the forces at hand."""
    total = 0.0
    for k in range(whole(element[at.COUNT])):
        row = row_of(element, k)
        acceleration = dot(model.rows, address(model.A, row * model.rows), model.z) + model.c[row]
        total += model.u[row] * acceleration
    return total < 0.0


# --- bounces that are over ------------------------------------------------------------------------


@apart
def _end_short_bounces(model, t, y):
    """The verdict on bounces that are over at once, and whether modes after the shock are found.

    A contact that leaves at u and is pulled back by a bounces for 2u/(a (1 − e)) in all, and up to
    u²/2a, which may be less than rounding. The end of the bounces is noted when it would be. One
    that touches does not leave: what rounding leaves of its u and a tells no such time.
    """
    leaving, fastest = False, 0.0
    for e in range(model.elements):
        leaving = leaving or _leaves(model, e)
    if not leaving:
        return at.SETTLED, False
    verdict = choose_by_forces(model, 0, at.ACTED)
    if verdict != at.SETTLED:
        return verdict, False
    for e in range(model.elements):
        model.over[e] = 1.0 if _is_over(model, t, e) else 0.0
        if model.over[e] == 1.0:
            fastest = max(fastest, model.seen[e * at.SEEN + at.CLOSING])
    if fastest == 0.0:
        return at.SETTLED, True
    for e in range(model.elements):
        _come_down(model, e, fastest)
    end_bounces(model, y)
    return at.SETTLED if see(model, t, y) else at.NO_MODES, False


@apart
def _leaves(model, e):
    """Whether a gap opens from nothing."""
    element, motion = address(model.element, e * at.WIDTH), address(model.seen, e * at.SEEN)
    near = motion[at.GAP] <= TOUCHING * gap_size(model, element)
    opens = element[at.NORMAL] >= 0.0 and motion[at.CLOSING] > 0.0
    return near and opens and model.touching[e] == 0.0


@apart
def _is_over(model, t, e):
    """Whether something bounces so low or so shortly that it is at rest at once."""
    if not _leaves(model, e):
        return False
    element = address(model.element, e * at.WIDTH)
    pulled, speed = -model.w[whole(element[at.NORMAL])], model.seen[e * at.SEEN + at.CLOSING]
    if not pulled > 0.0:
        return False
    lost = pulled * (1.0 - model.restitution[e])
    short = 2.0 * speed * model.pace < ZENO * lost
    if not short and not speed * speed < LOW * gap_size(model, element) * 2.0 * pulled:
        return False
    if model.restitution[e] > 0.0 and 2.0 * speed * model.pace < LONG * lost:
        model.rest_time[e] = t + 2.0 * speed / lost
    return True


@apart
def _come_down(model, e, fastest):
    """The mode in which an element comes to rest; what slides faster than friction stops goes on.

    All normal impulses that are left stop 2u/(1 − e) of a speed, and friction its part of that.
    """
    element, motion = address(model.element, e * at.WIDTH), address(model.seen, e * at.SEEN)
    left = 2.0 / max(1.0 - model.restitution[e], 2.0 / MOST_LEFT)
    slowly = motion[at.SLIDING] < element[at.KINETIC] * left * fastest
    closed = at.STICK if model.sliding[e] == 0.0 or slowly else at.SLIP
    rests = model.touching[e] == 1.0 or model.over[e] == 1.0
    element[at.MODE] = closed if rests else at.OPEN
    for k in range(3):
        element[at.DIRECTION + k] = motion[at.ALONG + k]


# --- from there on --------------------------------------------------------------------------------


@apart
def _go_on(model, t, element, what, y, into):
    """The verdict on the modes found, which are adopted; what happened is noted."""
    modes = address(y, model.size - model.rows - model.elements)
    reports = has_choice_to_report(model)
    _keep_shares(model, into)
    _lean(model)
    adopt_modes(model)
    calm(model, into, model.moved)
    copy(model.size, model.moved, into)
    write_still(model, address(into, model.coordinates))
    after = address(into, model.size - model.rows - model.elements)
    for e in range(model.elements):
        after[e] = model.element[e * at.WIDTH + at.MODE]
        open_rate = 3.0 * e + 2.0
        model.turning[3 * e] = open_rate if after[e] == at.OPEN else BARE
    if not note_changes(model, t, modes, element, what, into):
        return at.NO_ROOM
    if reports and not note_choice(model, t, into):
        return at.NO_ROOM
    if not _makes_progress(model, t):
        return at.MANY_EVENTS
    if reports:
        model.tells[0] = 0.0
    return at.SETTLED


@apart
def _makes_progress(model, t):
    """Whether there are not too many events in almost no time."""
    since, count = model.progress[0], model.progress[1] + 1.0
    if t - since > PROGRESS / model.pace:
        since, count = t, 0.0
    if count > at.MOST_EVENTS:
        return False
    model.progress[0], model.progress[1] = since, count
    return True


@apart
def _keep_shares(model, into):
    """into ← with the forces that shares are nearest to, and what slides against its direction."""
    shares = address(into, model.size - model.rows)
    copy(model.rows, model.reference, shares)
    for law in range(model.laws):
        row = whole(model.law_row[law])
        if row >= 0:
            shares[row] = 0.0
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if element[at.MODE] == at.SLIP:
            for k in range(whole(element[at.COUNT])):
                shares[row_of(element, k)] = -element[at.DIRECTION + k]


@apart
def _lean(model):
    """SLACK ← of what touches: rounding is no touch of one that leaves; STARTS ← what starts."""
    largest = 0.0
    for i in range(model.rows):
        largest = max(largest, abs(model.w[i]))
    for e in range(model.elements):
        element, change = address(model.element, e * at.WIDTH), 0.0
        if element[at.NORMAL] >= 0.0:
            change = model.w[whole(element[at.NORMAL])]
        room = TOUCHING if change <= LEANS * largest else LOW
        gap = model.seen[e * at.SEEN + at.GAP] if element[at.NORMAL] >= 0.0 else 0.0
        room = max(room * gap_size(model, element), -2.0 * gap)
        element[at.SLACK] = room if model.touching[e] == 1.0 else 0.0
        starts = element[at.MODE] == at.SLIP and model.sliding[e] == 0.0
        element[at.STARTS] = 1.0 if starts and element[at.COUNT] > 1.0 else 0.0
