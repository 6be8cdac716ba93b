"""Contacts of convex shapes: at most four points of two faces, two of two lines, or one."""

from torseur.machine.collision import places as at
from torseur.machine.collision.kernels.access import clamped, placed_row, shape_row
from torseur.machine.collision.kernels.boxes import ALIKE
from torseur.machine.collision.kernels.expanding import least_depth
from torseur.machine.collision.kernels.facing import (
    FLAT,
    edge_along,
    facing,
    is_curved,
    outline_row,
    write_outline,
)
from torseur.machine.collision.kernels.nearest import (
    APART,
    FAR,
    combined,
    corner,
    nearest_points,
    reduced,
)
from torseur.machine.collision.kernels.polishing import piece_row, polish
from torseur.machine.collision.kernels.supports import (
    between,
    radius_of,
    separation_along,
    unit,
    write_pieces,
)
from torseur.machine.collision.kernels.touching import PARALLEL, add_contact, along_axis
from torseur.machine.collision.layout import (
    PIECE_A,
    PIECE_B,
    POINT_A,
    POINT_B,
    SUPPORT_WIDTH,
)
from torseur.machine.runtime.vectors import (
    apart,
    cross,
    dot,
    inlined,
    keep,
    minus,
    plus,
    times,
    vector,
    whole,
)

OF_FACE = 256  # features of a face: corners, then where each side cuts each edge
BY_SECOND = 131072  # the second shape clips
DEEPEST = 262144  # feature of a point that no outline has
OF_LINE = 262145  # features of the ends of two lines
ON_END = 1e-18  # square of the sine of an angle that is none
ACTIVE = 1e-7  # of the size: how far points of the simplex may be above the lowest one
LOWER = 1e-11  # of the size: a point that is deeper than all corners by more is one more


@apart
def meet_convex(run, a, b, law):
    """The contacts of two convex shapes."""
    pair, size = (a, b), shape_row(run, a)[at.REACH] + shape_row(run, b)[at.REACH]
    radii = radius_of(run, a) + radius_of(run, b)
    state, count = nearest_points(run, pair, size, run.margin + radii)
    if state == FAR:
        return
    if state == APART:
        n = unit(combined(run, count, 0))
    else:
        n, count = least_depth(run, pair, size), 3
    pieces = 0
    if is_curved(run, a) or is_curved(run, b):
        n, pieces = polish(run, pair, n, count)
    n = _snapped(run, pair, n, ALIKE * size)
    far = separation_along(run, pair, n)
    gap = far - radii
    if gap > run.margin:
        return
    deepest = _deepest(run, pair, n, (count, pieces), (far, ACTIVE * size))
    if _meet_by_face(run, pair, law, n, (deepest, gap, LOWER * size)):
        return
    if not _meet_by_lines(run, pair, law, n):
        add_contact(run, pair, law, DEEPEST, deepest, n, gap)


@apart
def _snapped(run, pair, n, tie):
    """The normal of a face that looks along n if the shapes are as far apart along it; or n."""
    best, direction = separation_along(run, pair, n) - tie, n
    for k in range(2):
        number, normal, _ = facing(run, pair[1] if k else pair[0], times(1.0 if k else -1.0, n))
        if number >= 0:
            tried = times(1.0 if k else -1.0, normal)
            far = separation_along(run, pair, tried)
            if far > best:
                best, direction = far, tried
    return direction


@apart
def _deepest(run, pair, n, counts, far):
    """The point between the points of the simplex that are nearest along n.

    Points of rims are those along n; an end face that looks along n has the point of the other.
    """
    count, pieces, level = counts[0], counts[1], far[0] + far[1]
    on_first, on_second = _is_on_end(run, pair[0], n), _is_on_end(run, pair[1], n)
    if pieces > 0 and not (on_first or on_second):
        count = pieces
        for k in range(count):
            row = piece_row(run, k)
            both = whole(row[PIECE_A]), whole(row[PIECE_B])
            write_pieces(run, pair, both, n, corner(run, k))
    count = _flattened(run, count, n, level)
    a, b = combined(run, count, POINT_A), combined(run, count, POINT_B)
    if on_second:
        b = minus(a, times(far[0], n))
    elif on_first:
        a = plus(b, times(far[0], n))
    a = minus(a, times(radius_of(run, pair[0]), n))
    b = plus(b, times(radius_of(run, pair[1]), n))
    return plus(vector(placed_row(run, pair[1]), at.CENTRE), times(0.5, plus(a, b)))


@inlined
def _flattened(run, count, n, level):
    """Number of points of the simplex below a level along n that are nearest to its line."""
    left = 0
    for k in range(count):
        source, target = corner(run, k), corner(run, left)
        w = vector(source, 0)
        if dot(n, w) <= level:
            for i in range(SUPPORT_WIDTH):
                target[i] = source[i]
            keep(target, 0, minus(w, times(dot(n, w), n)))
            left += 1
    return reduced(run, left) if left > 0 else count


@inlined
def _is_on_end(run, s, n):
    """Whether a shape is a cylinder whose end face looks along n or against it."""
    e = along_axis(run, s)
    across = cross(e, n)
    return is_curved(run, s) and dot(across, across) <= ON_END * dot(e, e)


# --- faces ----------------------------------------------------------------------------------------


@apart
def _meet_by_face(run, pair, law, n, lowest):
    """Contacts of a face with the corners of the other shape, clipped by its sides.

    False where no face looks along n, or all corners are beside it.
    """
    one, other = facing(run, pair[0], times(-1.0, n)), facing(run, pair[1], n)
    by_second = other[2] > one[2] + ALIKE
    cosine = other[2] if by_second else one[2]
    if cosine < FLAT:
        return False
    centres = between(run, pair), (0.0, 0.0, 0.0)
    towards = n if by_second else times(-1.0, n)  # from the face that clips to the other shape
    normal = other[1] if by_second else one[1]
    face, clipped = (pair[1], pair[0]) if by_second else (pair[0], pair[1])
    at_face, at_clipped = (centres[1], centres[0]) if by_second else (centres[0], centres[1])
    sides = write_outline(run, face, towards, at_face, 0)
    count = write_outline(run, clipped, times(-1.0, towards), at_clipped, 1)
    if count == 1:
        return False
    count, turn = _clip_all(run, sides, count, normal)
    level = dot(normal, vector(outline_row(run, 0, 0), 0))
    radius, origin = radius_of(run, clipped), vector(placed_row(run, pair[1]), at.CENTRE)
    near = 0
    for c in range(count):
        row = outline_row(run, turn, c)
        x = vector(row, 0)
        gap = max((dot(normal, x) - level) / dot(normal, towards) - radius, lowest[1])
        if gap <= run.margin:
            place = plus(origin, minus(x, times(radius + 0.5 * gap, towards)))
            _keep_near(run, turn, near, (place, row[3] + (BY_SECOND if by_second else 0), gap))
            near += 1
    return _add_outermost(run, pair, law, n, (turn, near, lowest))


@inlined
def _keep_near(run, which, c, point):
    row = outline_row(run, which, c)
    keep(row, 0, point[0])
    row[3], row[4] = point[1], point[2]


@apart
def _clip_all(run, sides, count, normal):
    """Outline 1 clipped by all sides of outline 0: the number of its corners, and where it is."""
    turn = 1
    for side in range(sides):
        p = vector(outline_row(run, 0, side), 0)
        q = vector(outline_row(run, 0, (side + 1) % sides), 0)
        out = cross(minus(q, p), normal)
        count = _clip(run, turn, count, (side, out, dot(out, p)))
        turn = 3 - turn
    return count, turn


@apart
def _clip(run, turn, count, side):
    """Number of corners of an outline inside a side; two points are a segment."""
    number, out, edge = side
    corners, last = 0, count if count > 2 else count - 1
    for c in range(count):
        row, follower = outline_row(run, turn, c), outline_row(run, turn, (c + 1) % count)
        p, q = vector(row, 0), vector(follower, 0)
        at_p, at_q = dot(out, p) - edge, dot(out, q) - edge
        if at_p <= 0.0:
            _keep_near(run, 3 - turn, corners, (p, row[3], 0.0))
            corners += 1
        if c < last and ((at_p < 0.0 and at_q > 0.0) or (at_p > 0.0 and at_q < 0.0)):
            x = plus(p, times(at_p / (at_p - at_q), minus(q, p)))
            feature = OF_FACE * (1 + number) + whole(row[3]) % OF_FACE
            _keep_near(run, 3 - turn, corners, (x, feature, 0.0))
            corners += 1
    return corners


@apart
def _add_outermost(run, pair, law, n, points):
    """Contacts at points of an outline; of more than four, the outermost. Whether there are any.

    These are the deepest one, the farthest from it, and the farthest on both sides of their line.
    """
    which, count, (place, gap, lower) = points
    deepest, least = 0, 1e300
    for c in range(count):
        row = outline_row(run, which, c)
        if row[4] < least:
            deepest, least = c, row[4]
    if count > 0 and gap < least - lower:
        _keep_near(run, which, count, (place, DEEPEST, gap))
        deepest, count = count, count + 1
    if count <= 4:
        for c in range(count):
            _add(run, pair, law, n, (which, c))
        return count > 0
    first = vector(outline_row(run, which, deepest), 0)
    far = _farthest(run, which, count, (first, (0.0, 0.0, 0.0), True))
    side = cross(n, minus(vector(outline_row(run, which, far), 0), first))
    one = _farthest(run, which, count, (first, side, False))
    other = _farthest(run, which, count, (first, times(-1.0, side), False))
    _add(run, pair, law, n, (which, deepest))
    if far != deepest:
        _add(run, pair, law, n, (which, far))
    if one not in (deepest, far):
        _add(run, pair, law, n, (which, one))
    if other not in (deepest, far, one):
        _add(run, pair, law, n, (which, other))
    return True


@inlined
def _add(run, pair, law, n, which):
    row = outline_row(run, which[0], which[1])
    add_contact(run, pair, law, whole(row[3]), vector(row, 0), n, row[4])


@apart
def _farthest(run, which, count, direction):
    """Corner that is farthest from a point, or along a direction from it."""
    point, side, everywhere = direction
    best, farthest = -1e300, 0
    for c in range(count):
        d = minus(vector(outline_row(run, which, c), 0), point)
        far = dot(d, d) if everywhere else dot(d, side)
        if far > best:
            best, farthest = far, c
    return farthest


# --- lines ----------------------------------------------------------------------------------------


@apart
def _meet_by_lines(run, pair, law, n):
    """Two contacts at the ends of what is side by side of two parallel lines; whether there is."""
    p, e = edge_along(run, pair[0], times(-1.0, n))
    q, f = edge_along(run, pair[1], n)
    ee, ff, ef = dot(e, e), dot(f, f), dot(e, f)
    if ee * ff == 0.0 or ee * ff - ef * ef > PARALLEL * ee * ff:
        return False
    d = minus(q, plus(between(run, pair), p))
    one, other = dot(minus(d, f), e) / ee, dot(plus(d, f), e) / ee
    low, high = max(min(one, other), -1.0), min(max(one, other), 1.0)
    if low >= high:
        return False
    r, s = radius_of(run, pair[0]), radius_of(run, pair[1])
    origin = plus(vector(placed_row(run, pair[0]), at.CENTRE), p)
    for end in range(2):
        k = low if end == 0 else high
        m = clamped(dot(minus(times(k, e), d), f) / ff, -1.0, 1.0)
        x, y = times(k, e), plus(d, times(m, f))
        gap = dot(n, minus(x, y)) - r - s
        place = plus(plus(origin, y), times(s + 0.5 * gap, n))
        add_contact(run, pair, law, OF_LINE + end, place, n, gap)
    return True
