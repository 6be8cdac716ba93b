"""Nearest points of two convex cores (Gilbert, Johnson and Keerthi 1988).

The differences a − b of their points are a convex set; its point nearest to the origin lies in a
simplex of at most three differences, which are found one by one.
"""

from torseur.machine.collision.kernels.supports import between, write_support
from torseur.machine.collision.kernels.touching import NEVER
from torseur.machine.collision.layout import SUPPORT_WIDTH
from torseur.machine.runtime.vectors import (
    address,
    apart,
    cross,
    dot,
    inlined,
    minus,
    times,
    vector,
)

ROUNDS = 100  # supports of a search
CLOSE = 1e-14  # of the square of a distance: gain of a support that is none
TOUCHING = 1e-10  # of the size of both shapes: a distance that is none
FAR, APART, INSIDE = range(3)  # farther than the margin, nearer, with common points


@inlined
def corner(run, k):
    """Row of point k of the simplex."""
    return address(run.simplex, SUPPORT_WIDTH * k)


@apart
def nearest_points(run, pair, size, margin):
    """Whether two cores are far, apart or have common points; the points of their simplex."""
    v, count = between(run, pair), 0
    if dot(v, v) <= NEVER:
        v = 1.0, 0.0, 0.0
    write_support(run, pair, v, corner(run, 0))
    v, count = vector(corner(run, 0), 0), 1
    run.shares[0] = 1.0
    for _ in range(ROUNDS):
        vv = dot(v, v)
        if vv <= (TOUCHING * size) ** 2:
            return INSIDE, count
        along = write_support(run, pair, v, corner(run, count))
        if along > 0.0 and along * along > margin * margin * vv:
            return FAR, count
        if vv - along <= CLOSE * vv or _is_known(run, count):
            return APART, count
        count = reduced(run, count + 1)
        if count == 4:
            return INSIDE, count
        v = combined(run, count, 0)
        if dot(v, v) >= vv:
            return APART, count
    return APART, count


@inlined
def _is_known(run, count):
    """Whether the last point stands in the simplex already."""
    new, known = vector(corner(run, count), 0), False
    for k in range(count):
        d = minus(new, vector(corner(run, k), 0))
        known = known or dot(d, d) == 0.0
    return known


@apart
def combined(run, count, k):
    """Mean of the vectors at place k of the points of the simplex, by their weights."""
    x, y, z = 0.0, 0.0, 0.0
    for i in range(count):
        p, share = vector(corner(run, i), k), run.shares[i]
        x, y, z = x + share * p[0], y + share * p[1], z + share * p[2]
    return x, y, z


# --- the point of a simplex that is nearest to the origin -----------------------------------------


@apart
def reduced(run, count):
    """Number of points whose mean by their weights is nearest; the others are left out.

    Every subset whose nearest point lies inside it is a candidate, so that flat simplices are
    no exception.
    """
    best, members, share = 1e300, 1, (1.0, 0.0, 0.0, 0.0)
    for subset in range(1, 1 << count):
        shares, far = _share_of(run, subset)
        if far < best:
            best, members, share = far, subset, shares
    left = 0
    for k in range(4):
        if members & (1 << k):
            source, target = corner(run, k), corner(run, left)
            for i in range(SUPPORT_WIDTH):
                target[i] = source[i]
            left += 1
    run.shares[0], run.shares[1], run.shares[2], run.shares[3] = share
    return left


@apart
def _share_of(run, subset):
    """Weights of the members of a subset at its nearest point, and the square of the distance.

    The distance is infinite where the point is not inside.
    """
    i, j, k, m = _members(subset)
    p, nothing = vector(corner(run, i), 0), ((0.0, 0.0, 0.0, 0.0), 1e300)
    if j < 0:
        return (1.0, 0.0, 0.0, 0.0), dot(p, p)
    q = vector(corner(run, j), 0)
    if k < 0:
        return _of_segment(p, q)
    r = vector(corner(run, k), 0)
    if m < 0:
        return _of_triangle(p, q, r)
    s = vector(corner(run, m), 0)
    volume = dot(minus(q, p), cross(minus(r, p), minus(s, p)))
    if abs(volume) <= NEVER:
        return nothing
    a, b = dot(q, cross(r, s)) / volume, -dot(p, cross(r, s)) / volume
    c, d = dot(p, cross(q, s)) / volume, -dot(p, cross(q, r)) / volume
    if min(min(a, b), min(c, d)) <= 0.0:
        return nothing
    return (a, b, c, d), 0.0


@inlined
def _members(subset):
    """Numbers of the members of a set of four, −1 after the last."""
    i, j, k, m = -1, -1, -1, -1
    for x in range(4):
        if subset & (1 << x):
            if i < 0:
                i = x
            elif j < 0:
                j = x
            elif k < 0:
                k = x
            else:
                m = x
    return i, j, k, m


@inlined
def _of_segment(p, q):
    d = minus(q, p)
    dd = dot(d, d)
    t = -dot(p, d) / dd if dd > NEVER else -1.0
    if t <= 0.0 or t >= 1.0:
        return (0.0, 0.0, 0.0, 0.0), 1e300
    x = p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2]
    return (1.0 - t, t, 0.0, 0.0), dot(x, x)


@inlined
def _of_triangle(p, q, r):
    n = cross(minus(q, p), minus(r, p))
    nn = dot(n, n)
    if nn <= NEVER:
        return (0.0, 0.0, 0.0, 0.0), 1e300
    a, b = dot(n, cross(q, r)) / nn, dot(n, cross(r, p)) / nn
    c = 1.0 - a - b
    if min(min(a, b), c) <= 0.0:
        return (0.0, 0.0, 0.0, 0.0), 1e300
    x = times(dot(n, p) / nn, n)
    return (a, b, c, 0.0), dot(x, x)
