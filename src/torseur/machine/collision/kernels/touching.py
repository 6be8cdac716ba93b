"""Contacts of spheres, capsules and boxes: where two shapes are nearest, and how far apart."""

from torseur.machine.collision import places as at
from torseur.machine.collision.kernels.access import (
    clamped,
    contact_row,
    direction_of,
    length,
    mapped,
    mapped_back,
    placed_row,
    shape_row,
)
from torseur.machine.runtime.vectors import (
    address,
    apart,
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
GROUND = -1  # instead of a shape: a plane of the ground


@apart
def add_contact(run, pair, law, feature, point, normal, gap):
    """One contact more of two shapes, if it is near enough and there is room."""
    if gap > run.margin:
        return
    if run.contacts >= run.capacity:
        run.full = 1
        return
    row, law_row = contact_row(run, run.contacts), address(run.law, at.LAW_WIDTH * law)
    first = shape_row(run, pair[0])
    row[at.FIRST], row[at.SECOND] = first[at.OWNER], 0.0
    numbered, usual = first[at.NUMBER], law_row[at.LAW_FRICTION]
    mu, other_mu = first[at.FRICTION_OF], usual
    if pair[1] != GROUND:
        second = shape_row(run, pair[1])
        other_mu = second[at.FRICTION_OF]
        row[at.SECOND] = second[at.OWNER]
        numbered += at.SHAPES * second[at.NUMBER]
    mu = combined_friction(mu, other_mu, usual, whole(law_row[at.LAW_RULE]))
    row[at.FEATURE] = feature + at.FEATURES * numbered
    row[at.FRICTION], row[at.RESTITUTION] = mu, law_row[at.LAW_RESTITUTION]
    row[at.GAP] = gap
    keep(row, at.POINT, point)
    keep(row, at.AXES, normal)
    run.contacts += 1


@inlined
def combined_friction(one, other, usual, rule):
    """The coefficient of a contact; that of the law stands for a negative one."""
    if rule == 0:
        return usual
    a, b = usual if one < 0.0 else one, usual if other < 0.0 else other
    if rule == 1:
        return max(a, b)
    if rule == 2:
        return min(a, b)
    return 0.5 * (a + b) if rule == 3 else a * b


@inlined
def along_axis(run, s):
    """From the centre of a capsule or cylinder to the middle of its end."""
    shape = shape_row(run, s)
    axis = direction_of(placed_row(run, s), whole(shape[at.SIZE + 2]))
    return times(shape[at.SIZE + 1], axis)


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
    p, q = vector(placed_row(run, a), at.CENTRE), vector(placed_row(run, b), at.CENTRE)
    r, s = shape_row(run, a)[at.SIZE], shape_row(run, b)[at.SIZE]
    _balls(run, (a, b), law, 0, (p, q, r, s))


@apart
def sphere_capsule(run, a, b, law):
    """One contact, with the ball of the capsule that is nearest."""
    p, q = vector(placed_row(run, a), at.CENTRE), vector(placed_row(run, b), at.CENTRE)
    e = along_axis(run, b)
    k = clamped(dot(minus(p, q), e) / dot(e, e), -1.0, 1.0)
    r, s = shape_row(run, a)[at.SIZE], shape_row(run, b)[at.SIZE]
    _balls(run, (a, b), law, 0, (p, plus(q, times(k, e)), r, s))


@apart
def capsule_capsule(run, a, b, law):
    """One contact; two at the ends of what is side by side where the axes are parallel."""
    p, q = vector(placed_row(run, a), at.CENTRE), vector(placed_row(run, b), at.CENTRE)
    e, f = along_axis(run, a), along_axis(run, b)
    r, s = shape_row(run, a)[at.SIZE], shape_row(run, b)[at.SIZE]
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
    """Distances of a point from a box along each of its axes."""
    return (
        x[0] - clamped(x[0], -size[0], size[0]),
        x[1] - clamped(x[1], -size[1], size[1]),
        x[2] - clamped(x[2], -size[2], size[2]),
    )


@inlined
def _ball_box(run, pair, law, feature, ball):
    """A ball at a point p with radius r; inside the box, the nearest face pushes it out."""
    p, r = ball
    row, size = placed_row(run, pair[1]), vector(shape_row(run, pair[1]), at.SIZE)
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
    ball = vector(placed_row(run, a), at.CENTRE), shape_row(run, a)[at.SIZE]
    _ball_box(run, (a, b), law, 0, ball)


@apart
def capsule_box(run, a, b, law):
    """The balls at both ends, and the one between them that is nearest."""
    p, r, e = (
        vector(placed_row(run, a), at.CENTRE),
        shape_row(run, a)[at.SIZE],
        along_axis(run, a),
    )
    _ball_box(run, (a, b), law, 0, (minus(p, e), r))
    _ball_box(run, (a, b), law, 1, (plus(p, e), r))
    row, size = placed_row(run, b), vector(shape_row(run, b), at.SIZE)
    R = matrix(row, at.ATTITUDE)
    x, y = mapped_back(R, minus(p, vector(row, at.CENTRE))), mapped_back(R, e)
    low, high = -1.0, 1.0
    for _ in range(NARROWINGS):  # the distance is convex along the segment
        one, other = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        first_overhang, second_overhang = (
            _outside(plus(x, times(one, y)), size),
            _outside(plus(x, times(other, y)), size),
        )
        if dot(first_overhang, first_overhang) <= dot(second_overhang, second_overhang):
            high = other
        else:
            low = one
    k = 0.5 * (low + high)
    if abs(k) < 0.999:
        _ball_box(run, (a, b), law, 2, (plus(p, times(k, e)), r))
