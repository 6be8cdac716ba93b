"""Coordinates of joints, read from what joints give: angles about axes, distances along axes.

An angle is known within whole turns. The state holds a follower for each, which moves at the same
rate; the angle is the one that is nearest to it. The coordinates of a defined joint are known from
their followers only, which are set right with the bodies.
"""

from torseur.machine.absolute import places as at
from torseur.machine.absolute.kernels.blocks import SIZE
from torseur.machine.runtime.long_vectors import angle, dot, sine_and_cosine
from torseur.machine.runtime.vectors import address, apart, inlined


@inlined
def measure_at(model, k):
    """Measure k, and its row."""
    own = address(model.measure, at.MEASURE_WIDTH * k)
    return own, address(model.joined, own[at.PLACE])


@inlined
def recall(model, y):
    """The values of what the state follows, as it has them."""
    measured, followers = model.measured, address(y, at.STATE * model.bodies)
    for k in range(model.measures):
        own, _ = measure_at(model, k)
        if own[at.FOLLOWER] >= 0:
            measured[2 * k] = followers[own[at.FOLLOWER]]


@apart
def measure(model, y):
    """Every speed, and the values that are spoken of."""
    measured = model.measured
    for k in range(model.measures):
        own, row = measure_at(model, k)
        measured[2 * k + 1] = _moved(own, row, address(y, at.VELOCITY), at.STATE)
        if own[at.MEASURE_KIND] == at.SLIDE:
            measured[2 * k] = row[at.READ]
        elif own[at.MEASURE_KIND] == at.TURN and own[at.SPOKEN] != 0:
            measured[2 * k] += _behind(own, row, measured[2 * k])


@inlined
def _moved(own, row, changes, stride):
    """The change of a measure when both bodies change by six numbers each, a stride apart."""
    total = 0.0
    for end in range(2):
        b = own[at.BODY_I + end]
        if b > 0:
            given = address(row, at.J_I + SIZE * end)
            total += dot(SIZE, given, address(changes, stride * (b - 1)))
    return total


@apart
def _behind(own, row, about):
    """How far a follower is behind the value nearest to it."""
    if own[at.MEASURE_KIND] == at.GIVEN:
        return row[at.READ]
    s, c = sine_and_cosine(about)
    sine, cosine = row[at.READ], row[at.COSINE]
    return angle(sine * c - cosine * s, cosine * c + sine * s)


@apart
def follow(model, y, into):
    """The followers of `into` ← what is read from y, moved with the bodies if these were."""
    n = at.STATE * model.bodies
    for k in range(model.measures):
        own, row = measure_at(model, k)
        f = n + own[at.FOLLOWER]
        if f >= n:
            into[f] = y[f] + _behind(own, row, y[f])
            if model.task == at.CLOSE:
                into[f] += _moved(own, row, model.unknown, SIZE)


@apart
def write_follower_rates(model, rate):
    """The rates of the followers."""
    measured, followers = model.measured, address(rate, at.STATE * model.bodies)
    for k in range(model.measures):
        own, _ = measure_at(model, k)
        if own[at.FOLLOWER] >= 0:
            followers[own[at.FOLLOWER]] = measured[2 * k + 1]


@apart
def exert(model, k, size):
    """A generalised force on measure k: what its row makes of it on both bodies."""
    own, row = measure_at(model, k)
    unknown = model.unknown
    for end in range(2):
        b = own[at.BODY_I + end]
        if b > 0:
            for c in range(SIZE):
                unknown[SIZE * (b - 1) + c] += size * row[at.J_I + SIZE * end + c]
