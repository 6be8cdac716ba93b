"""Directions of contact at rims: the best direction is found again to rounding, by Newton's method.

Along a unit direction n two pieces are apart by f(n) = n · (a − b), where a and b are the points of
the pieces that are nearest along n. Cores are apart by the least f of their pieces; this is
largest along the direction of contact, where one to three pieces have the same f.
"""

from torseur.machine.collision import places as at
from torseur.machine.collision.kernels.access import length, shape_row
from torseur.machine.collision.kernels.nearest import corner
from torseur.machine.collision.kernels.supports import (
    is_kind,
    separation_along,
    unit,
    write_pieces,
)
from torseur.machine.collision.kernels.tangents import tangents
from torseur.machine.collision.kernels.touching import NEVER, along_axis
from torseur.machine.collision.layout import PIECE_A, PIECE_B, PIECES, SUPPORT_WIDTH
from torseur.machine.runtime.vectors import (
    apart,
    cross,
    dot,
    inlined,
    minus,
    plus,
    times,
    vector,
    whole,
)

STEPS = 12  # of Newton's method for one set of pieces
FARTHEST = 0.3  # a change of direction in a step


@apart
def polish(run, pair, n, count):
    """The direction, from one near it and the pieces of the simplex; their number, each once.

    The pieces stand after the simplex.
    """
    count = _distinct(run, count)
    best = separation_along(run, pair, n)
    for size in range(3):
        for subset in range(1, 1 << count):
            first, second, third, members = _listed(subset)
            if members == 3 - size:
                for _ in range(STEPS):
                    y = _step(run, pair, n, (first, second, third, members))
                    far = length(y)
                    if far > FARTHEST:
                        y = times(FARTHEST / far, y)
                    tried = unit(plus(n, y))
                    far_along = separation_along(run, pair, tried)
                    if not far_along > best:
                        break
                    best, n = far_along, tried
    return n, count


@inlined
def _listed(subset):
    """Members of a set of three, −1 after the last, and their number."""
    i, j, k, members = -1, -1, -1, 0
    for x in range(3):
        if subset & (1 << x):
            if members == 0:
                i = x
            elif members == 1:
                j = x
            else:
                k = x
            members += 1
    return i, j, k, members


@apart
def _distinct(run, count):
    """Number of points of the simplex that are of different pieces, which are copied."""
    left = 0
    for k in range(count):
        row, new = corner(run, k), True
        for m in range(left):
            other = piece_row(run, m)
            if other[PIECE_A] == row[PIECE_A] and other[PIECE_B] == row[PIECE_B]:
                new = False
        if new:
            target = piece_row(run, left)
            for i in range(SUPPORT_WIDTH):
                target[i] = row[i]
            left += 1
    return left


@inlined
def piece_row(run, k):
    """Row of the pieces k that were found different."""
    return corner(run, PIECES + k)


@inlined
def _pieces(run, k):
    row = piece_row(run, k)
    return whole(row[PIECE_A]), whole(row[PIECE_B])


@apart
def _step(run, pair, n, members):
    """Change of direction of a step of Newton's method for some pieces."""
    i, j, k, count = members
    t, u = tangents(n)
    write_pieces(run, pair, _pieces(run, i), n, piece_row(run, i))
    p = vector(piece_row(run, i), 0)
    if count == 1:
        xx, xy, yy = _curvature(run, pair, n, (t, u))
        f = dot(n, p)
        x, y = _solved((xx - f, xy, xy, yy - f), (-dot(t, p), -dot(u, p)))
        return plus(times(x, t), times(y, u))
    write_pieces(run, pair, _pieces(run, j), n, piece_row(run, j))
    d = minus(vector(piece_row(run, j), 0), p)
    if count == 2:
        return _step_of_two(run, pair, n, (t, u), (p, d))
    write_pieces(run, pair, _pieces(run, k), n, piece_row(run, k))
    e = minus(vector(piece_row(run, k), 0), p)
    M = dot(d, t), dot(d, u), dot(e, t), dot(e, u)
    x, y = _solved(M, (-dot(n, d), -dot(n, e)))
    return plus(times(x, t), times(y, u))


@inlined
def _step_of_two(run, pair, n, axes, points):
    """Both pieces come to the same f, which is stationary along their common line."""
    (t, u), (p, d) = axes, points
    g, h = (dot(p, t), dot(p, u)), (dot(d, t), dot(d, u))
    hh = h[0] * h[0] + h[1] * h[1]
    if hh <= NEVER:
        return 0.0, 0.0, 0.0
    share = min(max(-(g[0] * h[0] + g[1] * h[1]) / hh, 0.0), 1.0)
    xx, xy, yy = _curvature(run, pair, n, axes)
    f = dot(n, p) + share * dot(n, d)
    # along h the two become equal; along m, across h, their mean becomes stationary
    m, along = (-h[1], h[0]), -dot(n, d) / hh
    bend = m[0] * ((xx - f) * m[0] + xy * m[1]) + m[1] * (xy * m[0] + (yy - f) * m[1])
    mixed = m[0] * ((xx - f) * h[0] + xy * h[1]) + m[1] * (xy * h[0] + (yy - f) * h[1])
    slope = m[0] * g[0] + m[1] * g[1] + along * mixed
    across = -slope / bend if abs(bend) > NEVER else 0.0
    x, y = along * h[0] + across * m[0], along * h[1] + across * m[1]
    return plus(times(x, t), times(y, u))


@inlined
def _solved(M, b):
    """x of M x = b, two equations; zeros where they have no solution."""
    left = M[0] * M[3] - M[1] * M[2]
    if abs(left) <= NEVER:
        return 0.0, 0.0
    return (b[0] * M[3] - M[1] * b[1]) / left, (M[0] * b[1] - M[2] * b[0]) / left


@inlined
def _curvature(run, pair, n, axes):
    """Second derivatives of f along two axes: those of the rims of cylinders."""
    t, u = axes
    xx, xy, yy = 0.0, 0.0, 0.0
    for k in range(2):
        s = pair[0] if k == 0 else pair[1]
        if is_kind(run, s, at.CYLINDER):
            e = along_axis(run, s)
            across = minus(n, times(dot(n, e) / dot(e, e), e))
            steep = length(across)
            if steep > NEVER:
                around = cross(e, across)
                around = times(1.0 / length(around), around)
                c, x, y = -shape_row(run, s)[at.SIZE] / steep, dot(around, t), dot(around, u)
                xx, xy, yy = xx + c * x * x, xy + c * x * y, yy + c * y * y
    return xx, xy, yy
