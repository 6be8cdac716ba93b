"""Coordinates of joints, read from what joints give: angles about axes, distances along axes.

An angle is known within whole turns. The state holds a follower for each, which moves at the same
rate; the angle is the one that is nearest to it. The coordinates of a defined joint are known from
their followers only, which are set right with the bodies.
"""

from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.kernels.blocks import SIZE
from torseur.machine.runtime.long_vectors import angle, dot, sine_and_cosine
from torseur.machine.runtime.vectors import address, apart, inlined


@inlined
def measure_at(model, k):
    """Measure k, and its row."""
    entry = address(model.measure, at.MEASURE_WIDTH * k)
    return entry, address(model.joined, entry[at.PLACE])


@inlined
def recall(model, y):
    """The values of what the state follows, as it has them."""
    measured, followers = model.measured, address(y, at.STATE * model.bodies)
    for k in range(model.measures):
        entry, _ = measure_at(model, k)
        if entry[at.FOLLOWER] >= 0:
            measured[2 * k] = followers[entry[at.FOLLOWER]]


@apart
def measure(model, y):
    """measured ← all speeds, and the values that expressions read."""
    measured = model.measured
    for k in range(model.measures):
        entry, row = measure_at(model, k)
        measured[2 * k + 1] = _change(entry, row, address(y, at.VELOCITY), at.STATE)
        if entry[at.MEASURE_KIND] == at.SLIDE:
            measured[2 * k] = row[at.READ]
        elif entry[at.MEASURE_KIND] == at.TURN and entry[at.SPOKEN] != 0:
            measured[2 * k] += _behind(entry, row, measured[2 * k])


@inlined
def _change(entry, row, changes, stride):
    """The change of a measure when both bodies change by six numbers each, a stride apart."""
    total = 0.0
    for end in range(2):
        b = entry[at.BODY_I + end]
        if b > 0:
            given = address(row, at.J_I + SIZE * end)
            total += dot(SIZE, given, address(changes, stride * (b - 1)))
    return total


@apart
def _behind(entry, row, about):
    """Distance of a follower from the value nearest to it."""
    if entry[at.MEASURE_KIND] == at.GIVEN:
        return row[at.READ]
    s, c = sine_and_cosine(about)
    sine, cosine = row[at.READ], row[at.COSINE]
    return angle(sine * c - cosine * s, cosine * c + sine * s)


@apart
def follow(model, y, into):
    """The followers of `into` ← what is read from y, moved with the bodies if these were."""
    n = at.STATE * model.bodies
    for k in range(model.measures):
        entry, row = measure_at(model, k)
        f = n + entry[at.FOLLOWER]
        if f >= n:
            into[f] = y[f] + _behind(entry, row, y[f])
            if model.task == at.CLOSE:
                into[f] += _change(entry, row, model.unknown, SIZE)


@apart
def write_follower_rates(model, rate):
    """The rates of the followers."""
    measured, followers = model.measured, address(rate, at.STATE * model.bodies)
    for k in range(model.measures):
        entry, _ = measure_at(model, k)
        if entry[at.FOLLOWER] >= 0:
            followers[entry[at.FOLLOWER]] = measured[2 * k + 1]


@apart
def exert(model, k, size):
    """A generalised force on measure k: what its row makes of it on both bodies."""
    entry, row = measure_at(model, k)
    unknown = model.unknown
    for end in range(2):
        b = entry[at.BODY_I + end]
        if b > 0:
            for c in range(SIZE):
                unknown[SIZE * (b - 1) + c] += size * row[at.J_I + SIZE * end + c]
