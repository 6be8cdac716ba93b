"""Contacts of spheres, capsules and planes: where two shapes are nearest, and how far apart."""

from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import body_row, contact_row, motion_row
from torseur.machine.piles.kernels.bodies import mapped, mapped_back
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import (
    address,
    apart,
    cross,
    dot,
    inlined,
    keep,
    matrix,
    minus,
    plus,
    times,
    vector,
    whole,
)

PARALLEL = 1e-6  # the square of the sine of an angle between axes that count as parallel
NEVER = 1e-300  # a length that has no direction
NARROWINGS = 60  # of the part of a segment in which it is nearest to a box
GOLDEN = 0.6180339887498949


@apart
def add_contact(run, pair, law, feature, point, normal, gap):
    """One contact more of two bodies, if it is near enough and there is room."""
    if gap > run.margin:
        return
    if run.contacts >= run.capacity:
        run.full = 1
        return
    row, own = contact_row(run, run.contacts), address(run.law, at.LAW_WIDTH * law)
    row[at.FIRST], row[at.SECOND], row[at.FEATURE] = pair[0], pair[1], feature
    row[at.FRICTION], row[at.RESTITUTION] = own[at.LAW_FRICTION], own[at.LAW_RESTITUTION]
    row[at.GAP], row[at.SLIP], row[at.HELD] = gap, 0.0, 0.0
    keep(row, at.POINT, point)
    keep(row, at.AXES, normal)
    run.contacts += 1


@inlined
def length(a):
    """|a|."""
    return square_root(dot(a, a))


@inlined
def clamped(x, low, high):
    """x, or the nearer end of an interval."""
    return min(max(x, low), high)


@inlined
def direction_of(row, k):
    """Axis k of a body, in ground axes."""
    return row[at.ATTITUDE + k], row[at.ATTITUDE + 3 + k], row[at.ATTITUDE + 6 + k]


@inlined
def along_capsule(run, b):
    """From the centre of a capsule to that of the ball at its end."""
    own = body_row(run, b)
    axis = direction_of(motion_row(run, b), whole(own[at.SIZE + 2]))
    return times(own[at.SIZE + 1], axis)


# --- balls ---------------------------------------------------------------------------------------


@inlined
def _balls(run, pair, law, feature, balls):
    """Balls at points p and q with radii r and s, which may belong to longer bodies."""
    p, q, r, s = balls
    d = minus(p, q)
    apart_by = length(d)
    n = times(1.0 / apart_by, d) if apart_by > NEVER else (0.0, 0.0, 1.0)
    gap = apart_by - r - s
    add_contact(run, pair, law, feature, plus(q, times(s + 0.5 * gap, n)), n, gap)


@apart
def sphere_sphere(run, a, b, law):
    """One contact on the line of the centres."""
    p, q = vector(motion_row(run, a), at.CENTRE), vector(motion_row(run, b), at.CENTRE)
    r, s = body_row(run, a)[at.SIZE], body_row(run, b)[at.SIZE]
    _balls(run, (a, b), law, 0, (p, q, r, s))


@apart
def sphere_capsule(run, a, b, law):
    """One contact, with the ball of the capsule that is nearest."""
    p, q = vector(motion_row(run, a), at.CENTRE), vector(motion_row(run, b), at.CENTRE)
    e = along_capsule(run, b)
    k = clamped(dot(minus(p, q), e) / dot(e, e), -1.0, 1.0)
    r, s = body_row(run, a)[at.SIZE], body_row(run, b)[at.SIZE]
    _balls(run, (a, b), law, 0, (p, plus(q, times(k, e)), r, s))


@apart
def capsule_capsule(run, a, b, law):
    """One contact; two at the ends of what is side by side where the axes are parallel."""
    p, q = vector(motion_row(run, a), at.CENTRE), vector(motion_row(run, b), at.CENTRE)
    e, f = along_capsule(run, a), along_capsule(run, b)
    r, s = body_row(run, a)[at.SIZE], body_row(run, b)[at.SIZE]
    ee, ff, ef, d = dot(e, e), dot(f, f), dot(e, f), minus(q, p)
    if ee * ff - ef * ef <= PARALLEL * ee * ff:
        one, other = dot(minus(d, f), e) / ee, dot(plus(d, f), e) / ee
        low, high = max(min(one, other), -1.0), min(max(one, other), 1.0)
        if low < high:
            for feature in range(2):
                k = low if feature == 0 else high
                m = clamped(dot(minus(times(k, e), d), f) / ff, -1.0, 1.0)
                places = plus(p, times(k, e)), plus(q, times(m, f)), r, s
                _balls(run, (a, b), law, 1 + feature, places)
            return
    k, m = nearest_of_segments(d, e, f)
    _balls(run, (a, b), law, 0, (plus(p, times(k, e)), plus(q, times(m, f)), r, s))


@inlined
def nearest_of_segments(d, e, f):
    """k and m in [−1, 1] for which k e and d + m f are nearest (Ericson 2005, §5.1.9)."""
    ee, ff, ef, de, df = dot(e, e), dot(f, f), dot(e, f), dot(d, e), dot(d, f)
    left = ee * ff - ef * ef
    k = clamped((de * ff - df * ef) / left, -1.0, 1.0) if left > PARALLEL * ee * ff else 0.0
    m = clamped((k * ef - df) / ff, -1.0, 1.0)
    k = clamped((m * ef + de) / ee, -1.0, 1.0)
    return k, m


# --- balls and boxes -----------------------------------------------------------------------------


@inlined
def _outside(x, size):
    """How far a point is from a box along each of its axes."""
    return (
        x[0] - clamped(x[0], -size[0], size[0]),
        x[1] - clamped(x[1], -size[1], size[1]),
        x[2] - clamped(x[2], -size[2], size[2]),
    )


@inlined
def _ball_box(run, pair, law, feature, ball):
    """A ball at a point p with radius r; inside the box, the nearest face pushes it out."""
    p, r = ball
    row, size = motion_row(run, pair[1]), vector(body_row(run, pair[1]), at.SIZE)
    R = matrix(row, at.ATTITUDE)
    x = mapped_back(R, minus(p, vector(row, at.CENTRE)))
    out = _outside(x, size)
    far = length(out)
    n = times(1.0 / far, out) if far > NEVER else (0.0, 0.0, 0.0)
    if far <= NEVER:
        depth = size[0] - abs(x[0])
        n = (1.0 if x[0] > 0.0 else -1.0), 0.0, 0.0
        if size[1] - abs(x[1]) < depth:
            depth = size[1] - abs(x[1])
            n = 0.0, (1.0 if x[1] > 0.0 else -1.0), 0.0
        if size[2] - abs(x[2]) < depth:
            depth = size[2] - abs(x[2])
            n = 0.0, 0.0, (1.0 if x[2] > 0.0 else -1.0)
        far = -depth
    normal = mapped(R, n)
    gap = far - r
    add_contact(run, pair, law, feature, minus(p, times(r + 0.5 * gap, normal)), normal, gap)


@apart
def sphere_box(run, a, b, law):
    """One contact, at the nearest point of the box."""
    ball = vector(motion_row(run, a), at.CENTRE), body_row(run, a)[at.SIZE]
    _ball_box(run, (a, b), law, 0, ball)


@apart
def capsule_box(run, a, b, law):
    """The balls at both ends, and the one between them that is nearest."""
    p, r, e = (
        vector(motion_row(run, a), at.CENTRE),
        body_row(run, a)[at.SIZE],
        along_capsule(run, a),
    )
    _ball_box(run, (a, b), law, 0, (minus(p, e), r))
    _ball_box(run, (a, b), law, 1, (plus(p, e), r))
    row, size = motion_row(run, b), vector(body_row(run, b), at.SIZE)
    R = matrix(row, at.ATTITUDE)
    x, y = mapped_back(R, minus(p, vector(row, at.CENTRE))), mapped_back(R, e)
    low, high = -1.0, 1.0
    for _ in range(NARROWINGS):  # the distance is convex along the segment
        one, other = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        here, there = (
            _outside(plus(x, times(one, y)), size),
            _outside(plus(x, times(other, y)), size),
        )
        if dot(here, here) <= dot(there, there):
            high = other
        else:
            low = one
    k = 0.5 * (low + high)
    if abs(k) < 0.999:
        _ball_box(run, (a, b), law, 2, (plus(p, times(k, e)), r))


# --- planes of the ground ------------------------------------------------------------------------


@apart
def with_plane(run, b, p):
    """Contacts of a body with a plane: of its ball, its two ends or its corners."""
    own, row = body_row(run, b), motion_row(run, b)
    plane = address(run.plane, at.PLANE_WIDTH * p)
    n, law = vector(plane, at.NORMAL), whole(plane[at.PLANE_LAW])
    kind, centre = whole(own[at.SHAPE]), vector(row, at.CENTRE)
    height = dot(n, centre) - plane[at.OFFSET]
    if height - own[at.REACH] > run.margin:
        return
    if kind == at.BOX:
        R, size = matrix(row, at.ATTITUDE), vector(own, at.SIZE)
        for corner in range(8):
            x = size[0] if corner & 1 else -size[0]
            y = size[1] if corner & 2 else -size[1]
            z = size[2] if corner & 4 else -size[2]
            _on_plane(run, b, law, 8 * p + corner, (mapped(R, (x, y, z)), n, height))
    elif kind == at.CAPSULE:
        e, r = along_capsule(run, b), own[at.SIZE]
        for end in range(2):
            arm = minus(times(1.0 if end else -1.0, e), times(r, n))
            _on_plane(run, b, law, 8 * p + end, (arm, n, height))
    else:
        _on_plane(run, b, law, 8 * p, (times(-own[at.SIZE], n), n, height))


@inlined
def _on_plane(run, b, law, feature, place):
    """The point of a body at an arm from its centre, which is at a height above a plane."""
    arm, n, height = place
    gap = height + dot(n, arm)
    point = plus(vector(motion_row(run, b), at.CENTRE), arm)
    add_contact(run, (b, 0), law, feature, point, n, gap)


@inlined
def tangents(n):
    """Two directions normal to n and to each other."""
    x = (0.0, 0.0, 1.0) if abs(n[0]) > 0.6 else (1.0, 0.0, 0.0)
    t = cross(n, x)
    t = times(1.0 / length(t), t)
    return t, cross(n, t)
