"""Coordinates of joints read from two poses: angles about axes, distances along axes.

An angle is known within whole turns. The state holds a follower for each, which moves at the same
rate; the angle is the one that is nearest to it. The coordinates of a defined joint are known from
their followers only, which are set right with the bodies.
"""

from math import cos, sin

from torseur.machine.absolute import places as at
from torseur.machine.absolute.access import TEXT, angle
from torseur.machine.runtime.access import numbers
from torseur.machine.runtime.vectors import address, apart, dot, inlined, matrix, out, vector, whole

in_plane, turning, speed = (TEXT[name] for name in ("in_plane", "turning", "speed"))
minus, times = TEXT["minus"], TEXT["times"]


@inlined
def body_here(model, b):
    """Where a body is, in the workspace."""
    return address(numbers(model.here), at.HERE_WIDTH * b)


@inlined
def end(here):
    """Centre, velocity and angular velocity of a body."""
    return vector(here, at.CENTRE), vector(here, at.SPEED), vector(here, at.OMEGA)


@inlined
def ends(model, own):
    """Where the two bodies of a measure are."""
    i, j = whole(own[at.BODY_I]), whole(own[at.BODY_J])
    return body_here(model, i), body_here(model, j)


@inlined
def guide_of(model, own):
    """The row of a coordinate of a defined joint, in the workspace."""
    return address(numbers(model.guide), at.GUIDE_WIDTH * whole(own[at.GUIDE]))


@apart
def measure_row(model, own):
    """The row of a measure: see `dynamics.absolute.elementary`; the value is that of a slide."""
    first, second = ends(model, own)
    kind, axis = whole(own[at.MEASURE_KIND]), vector(own, at.AXIS)
    if kind == at.GIVEN:
        row = guide_of(model, own)
        n, a_i, a_j = vector(row, at.G_N), vector(row, at.G_A_I), vector(row, at.G_A_J)
        return 0.0, n, a_i, a_j, row[at.G_BIAS]
    R_i, R_j, i, j = matrix(first, at.R), matrix(second, at.R), end(first), end(second)
    if kind == at.TURN_I:
        return turning(i, j, out(R_i, axis), i[2])
    if kind == at.TURN_J:
        return turning(i, j, out(R_j, axis), j[2])
    p_i, p_j = out(R_i, vector(own, at.FROM)), out(R_j, vector(own, at.TO))
    value, n, a_i, a_j, bias = in_plane(0.0, i, out(R_i, axis), p_i, j, p_j)
    x = own[at.FACTOR]
    return x * value, times(x, n), times(x, a_i), times(x, a_j), x * bias


@inlined
def nearest(sine, cosine, about):
    """The angle of this sine and cosine, but for a common factor, that is nearest to another."""
    s, c = sin(about), cos(about)
    return about + angle(sine * c - cosine * s, cosine * c + sine * s)


@apart
def read_turn(model, own, about):
    """The angle of a turn that is nearest to another one."""
    first, second = ends(model, own)
    R_i, R_j = matrix(first, at.R), matrix(second, at.R)
    sine = dot(out(R_i, vector(own, at.SINE_I)), out(R_j, vector(own, at.SINE_J)))
    cosine = dot(out(R_i, vector(own, at.COSINE_I)), out(R_j, vector(own, at.COSINE_J)))
    return nearest(sine, cosine, about)


@apart
def measure(model, y):
    """The values that are spoken of, and every speed but those of defined joints."""
    table, into = numbers(model.measure), numbers(model.measured)
    followers = address(y, at.STATE * model.bodies)
    for k in range(model.measures):
        own = address(table, at.MEASURE_WIDTH * k)
        if whole(own[at.MEASURE_KIND]) == at.GIVEN:
            into[2 * k] = followers[whole(own[at.FOLLOWER])]
            continue
        first, second = ends(model, own)
        row = measure_row(model, own)
        into[2 * k + 1] = speed(row, end(first), end(second))
        if whole(own[at.MEASURE_KIND]) == at.SLIDE:
            into[2 * k] = row[0]
        elif own[at.SPOKEN] != 0.0:
            into[2 * k] = read_turn(model, own, followers[whole(own[at.FOLLOWER])])


@apart
def follow(model, y, into):
    """The followers of `into` ← what is read from y, moved with the bodies if these were."""
    table, n = numbers(model.measure), at.STATE * model.bodies
    for k in range(model.measures):
        own = address(table, at.MEASURE_WIDTH * k)
        f = n + whole(own[at.FOLLOWER])
        if f >= n:
            if whole(own[at.MEASURE_KIND]) == at.GIVEN:
                into[f] = y[f] + guide_of(model, own)[at.G_VALUE]
            else:
                into[f] = read_turn(model, own, y[f])
            if model.task == at.CLOSE:
                into[f] += _moved(model, own)


@inlined
def _moved(model, own):
    """The change of a measure when the bodies move by what was found."""
    first, second = ends(model, own)
    _, n, a_i, a_j, _ = measure_row(model, own)
    back = _share(model, first, whole(own[at.BODY_I]), times(-1.0, n), a_i)
    return back + _share(model, second, whole(own[at.BODY_J]), n, a_j)


@inlined
def _share(model, here, b, n, a):
    """n · Δr + a · R Δ of a body; the ground does not move."""
    if b == 0:
        return 0.0
    found = address(numbers(model.unknown), 6 * (b - 1))
    return dot(n, vector(found, 0)) + dot(a, out(matrix(here, at.R), vector(found, 3)))


@apart
def write_follower_rates(model, rate):
    """The rates of the followers."""
    table, measured = numbers(model.measure), numbers(model.measured)
    n = at.STATE * model.bodies
    for k in range(model.measures):
        f = whole(table[at.MEASURE_WIDTH * k + at.FOLLOWER])
        if f >= 0:
            rate[n + f] = measured[2 * k + 1]
