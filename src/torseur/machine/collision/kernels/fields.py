"""Contacts of shapes with height fields: with their faces, and with their edges that stand out.

A field is the solid below triangles over a grid: two for each cell, on both sides of its diagonal
from the corner (0, 0) to (1, 1). Points of a shape touch the faces below them, so a flat field is
a plane. Edges touch as lines. A contact with an edge or its end counts if nothing of the field
beside it is farther along the normal.
"""

from torseur.machine.collision import places as at
from torseur.machine.collision.kernels.access import (
    contact_row,
    length,
    mapped,
    mapped_back,
    placed_row,
    shape_row,
)
from torseur.machine.collision.kernels.convex import meet_convex
from torseur.machine.collision.kernels.field_grid import (
    grid_corner,
    grid_range,
    height_below,
    is_over_triangle,
    leans_out_of_edge,
    leans_out_of_vertex,
    opposite,
    stands_out,
    triangle_normal,
)
from torseur.machine.collision.kernels.supports import piece_towards, point_of, radius_of
from torseur.machine.collision.kernels.touching import (
    NEVER,
    add_contact,
    along_axis,
    capsule_capsule,
    sphere_capsule,
)
from torseur.machine.runtime.vectors import (
    apart,
    dot,
    inlined,
    keep,
    keep_matrix,
    matrix,
    minus,
    plus,
    times,
    vector,
    whole,
)

OF_PIECE = at.FEATURES * at.SHAPES * at.SHAPES  # features of a triangle or edge of a field
OF_RIM = 65536  # features of points of cylinders that are no points of their rims for good
FLAT = 0.95  # cosine of an angle between an end face and a triangle that touch as faces
SAME = 1e-9  # parts of the size of a shape, and of normals: contacts that are one
BESIDE = 1e200  # less than the height above what a field has beside it
MOST = 16  # contacts of a shape with a field
HALF_ROOT_THREE = 0.8660254037844386


@apart
def meet_field(run, s, f, law, only_nearest):
    """The contacts of a shape with a height field, or the nearest one alone."""
    first, margin = run.contacts, run.margin
    pair = s, f
    if whole(shape_row(run, s)[at.KIND]) == at.CYLINDER:
        for end in range(2):
            _meet_rim(run, pair, law, (end, first, only_nearest))
    else:
        for k in range(_points(run, s)):
            arm = point_of(run, s, k, (0.0, 0.0, 1.0))
            _meet_point(run, pair, law, (_into(run, pair, arm), k), (first, only_nearest))
    _meet_edges(run, pair, law, (first, only_nearest))
    run.margin = margin
    _thin(run, first)


@inlined
def _points(run, s):
    """Number of points of the core of a shape without rims."""
    shape = shape_row(run, s)
    kind = whole(shape[at.KIND])
    if kind == at.HULL:
        return whole(shape[at.SIZE + 1])
    return 8 if kind == at.BOX else (2 if kind == at.CAPSULE else 1)


@inlined
def _into(run, pair, arm):
    """A point of a shape, at an arm from its centre in ground axes, in the axes of the field."""
    row = placed_row(run, pair[1])
    place = plus(vector(placed_row(run, pair[0]), at.CENTRE), arm)
    return mapped_back(matrix(row, at.ATTITUDE), minus(place, vector(row, at.CENTRE)))


# --- faces ----------------------------------------------------------------------------------------


@apart
def _meet_point(run, pair, law, point, so_far):
    """Contacts of a ball about a point, which all cores but those of cylinders have."""
    p, k = point
    shape = shape_row(run, pair[1])
    far, above = radius_of(run, pair[0]) + run.margin, p[2] - height_below(run, shape, p)
    if above < BESIDE and shape[at.LEVEL] * above > far:
        return
    far += max(0.0, -above)
    i0, i1, j0, j1 = grid_range(run, shape, (p[0] - far, p[0] + far, p[1] - far, p[1] + far))
    for j in range(j0, min(j1 + 1, whole(shape[at.ROWS]) - 1)):
        for i in range(i0, min(i1 + 1, whole(shape[at.COLUMNS]) - 1)):
            for upper in range(2):
                n = triangle_normal(run, shape, (i, j, upper))
                _touch(run, pair, law, (i, j, upper), (p, n, k), so_far)


@apart
def _meet_rim(run, pair, law, request):
    """Contacts of an end of a cylinder: the lowest point of its rim over each triangle.

    An end that looks against the triangle has three points of its rim too, fixed on the cylinder.
    """
    end, first, only_nearest = request
    s, shape, cylinder = pair[0], shape_row(run, pair[1]), shape_row(run, pair[0])
    R, S = matrix(placed_row(run, pair[1]), at.ATTITUDE), matrix(placed_row(run, s), at.ATTITUDE)
    half = times(1.0 if end else -1.0, along_axis(run, s))
    r, middle = cylinder[at.SIZE], _into(run, pair, half)
    axis = mapped_back(R, times(1.0 / length(half), half))
    k = whole(cylinder[at.SIZE + 2])
    x, y = _column(S, (k + 1) % 3), _column(S, (k + 2) % 3)
    x, y = mapped_back(R, x), mapped_back(R, y)
    far = r + run.margin
    far += max(0.0, height_below(run, shape, middle) - middle[2])
    i0, i1, j0, j1 = grid_range(
        run, shape, (middle[0] - far, middle[0] + far, middle[1] - far, middle[1] + far)
    )
    for j in range(j0, min(j1 + 1, whole(shape[at.ROWS]) - 1)):
        for i in range(i0, min(i1 + 1, whole(shape[at.COLUMNS]) - 1)):
            for upper in range(2):
                n, cell = triangle_normal(run, shape, (i, j, upper)), (i, j, upper)
                along = dot(n, axis)
                across = minus(n, times(along, axis))
                steep = length(across)
                if steep > SAME:
                    p = minus(middle, times(r / steep, across))
                    _touch(run, pair, law, cell, (p, n, OF_RIM + end), (first, only_nearest))
                if along < -FLAT or steep <= SAME:
                    for m in range(3):
                        a = 1.0 if m == 0 else -0.5
                        b = 0.0 if m == 0 else (HALF_ROOT_THREE if m == 1 else -HALF_ROOT_THREE)
                        p = plus(middle, plus(times(r * a, x), times(r * b, y)))
                        number = OF_RIM + 2 + 3 * end + m
                        _touch(run, pair, law, cell, (p, n, number), (first, only_nearest))


@inlined
def _column(R, k):
    """Column of a matrix, by its number."""
    if k == 0:
        return R[0], R[3], R[6]
    if k == 1:
        return R[1], R[4], R[7]
    return R[2], R[5], R[8]


@apart
def _touch(run, pair, law, cell, point, so_far):
    """The contact of a point with a triangle that it is over; below it, only inside the field."""
    (p, n, k), shape = point, shape_row(run, pair[1])
    above = dot(n, minus(p, grid_corner(run, shape, cell[0], cell[1])))
    gap = above - radius_of(run, pair[0])
    if gap > run.margin:
        return
    foot = minus(p, times(above, n))
    if not is_over_triangle(run, shape, cell, foot):
        return
    close = SAME * shape_row(run, pair[0])[at.REACH]
    if above < 0.0 and p[2] > height_below(run, shape, p) + close:
        return
    row, before = placed_row(run, pair[1]), run.contacts
    R = matrix(row, at.ATTITUDE)
    place = plus(vector(row, at.CENTRE), mapped(R, plus(foot, times(0.5 * gap, n))))
    add_contact(run, pair, law, k, place, mapped(R, n), gap)
    columns = whole(shape[at.COLUMNS]) - 1
    _finish(run, pair, 1 + 2 * (columns * cell[1] + cell[0]) + cell[2], before, so_far)


@apart
def _finish(run, pair, piece, before, so_far):
    """Contacts after `before` belong to a piece of the field; those that are there are dropped."""
    first, only_nearest = so_far
    close = SAME * shape_row(run, pair[0])[at.REACH]
    c = before
    while c < run.contacts:
        row = contact_row(run, c)
        row[at.FEATURE] += OF_PIECE * piece
        if _is_there(run, first, c, close):
            _drop(run, c)
        else:
            c += 1
    if only_nearest:
        while run.contacts > first + 1:
            last, best = run.contacts - 1, contact_row(run, first)
            if contact_row(run, last)[at.GAP] < best[at.GAP]:
                _move(run, last, first)
            run.contacts = last
        if run.contacts > first:
            run.margin = min(run.margin, contact_row(run, first)[at.GAP])


@inlined
def _is_there(run, first, c, close):
    """Whether a contact of a list is at the same point along the same normal as contact c."""
    row = contact_row(run, c)
    for k in range(first, c):
        other = contact_row(run, k)
        d = minus(vector(other, at.POINT), vector(row, at.POINT))
        e = minus(vector(other, at.AXES), vector(row, at.AXES))
        if dot(d, d) <= close * close and dot(e, e) <= SAME * SAME:
            return True
    return False


@inlined
def _move(run, source, target):
    """Row `target` ← what a search writes of row `source`."""
    one, other = contact_row(run, source), contact_row(run, target)
    for k in range(at.SEARCHED):
        other[k] = one[k]


@inlined
def _drop(run, c):
    """One contact less: the last one takes its place."""
    run.contacts -= 1
    _move(run, run.contacts, c)


# --- edges ----------------------------------------------------------------------------------------


@apart
def _meet_edges(run, pair, law, so_far):
    """Contacts with the edges below a shape: each is a line, as a capsule without a radius is."""
    s, shape = pair[0], shape_row(run, pair[1])
    R = matrix(placed_row(run, pair[1]), at.ATTITUDE)
    centre = _into(run, pair, (0.0, 0.0, 0.0))
    x0, x1 = (
        centre[0] - _reach(run, s, R, (-1.0, 0.0, 0.0)),
        centre[0] + _reach(run, s, R, (1.0, 0.0, 0.0)),
    )
    y0, y1 = (
        centre[1] - _reach(run, s, R, (0.0, -1.0, 0.0)),
        centre[1] + _reach(run, s, R, (0.0, 1.0, 0.0)),
    )
    low, m = centre[2] - _reach(run, s, R, (0.0, 0.0, -1.0)), run.margin
    i0, i1, j0, j1 = grid_range(run, shape, (x0 - m, x1 + m, y0 - m, y1 + m))
    around = centre, shape_row(run, s)[at.REACH], low
    for j in range(j0, min(j1 + 2, whole(shape[at.ROWS]))):
        for i in range(i0, min(i1 + 2, whole(shape[at.COLUMNS]))):
            for kind in range(3):
                if _is_near(run, shape, (i, j, kind), around):
                    _meet_edge(run, pair, law, (i, j, kind), so_far)


@inlined
def _reach(run, s, R, d):
    """Distance from the centre of a shape to its farthest point along a direction of the field."""
    towards = mapped(R, d)
    return dot(towards, point_of(run, s, piece_towards(run, s, towards), towards)) + radius_of(
        run, s
    )


@inlined
def _is_near(run, shape, edge, around):
    """Whether an edge is there, reaches up to a shape, and stands out."""
    i, j, kind = edge
    i2, j2 = (i if kind == 1 else i + 1), (j if kind == 0 else j + 1)
    if i2 >= whole(shape[at.COLUMNS]) or j2 >= whole(shape[at.ROWS]):
        return False
    p, q = grid_corner(run, shape, i, j), grid_corner(run, shape, i2, j2)
    centre, reach, low = around
    if max(p[2], q[2]) < low - run.margin:
        return False
    far = length(minus(times(0.5, plus(p, q)), centre)) - 0.5 * length(minus(q, p))
    return far - reach <= run.margin and stands_out(run, shape, edge)


@apart
def _meet_edge(run, pair, law, edge, so_far):
    """Contacts with one edge, of which those stay that the field beside it does not hide."""
    (i, j, kind), shape, before = edge, shape_row(run, pair[1]), run.contacts
    end = (i if kind == 1 else i + 1), (j if kind == 0 else j + 1)
    p, q = grid_corner(run, shape, i, j), grid_corner(run, shape, end[0], end[1])
    piece = run.shapes  # the row after those of all shapes
    _place_edge(run, pair[1], piece, (p, q))
    one = whole(shape_row(run, pair[0])[at.KIND])
    if one == at.SPHERE:
        sphere_capsule(run, pair[0], piece, law)
    elif one == at.CAPSULE:
        capsule_capsule(run, pair[0], piece, law)
    else:
        meet_convex(run, pair[0], piece, law)
    R, e = matrix(placed_row(run, pair[1]), at.ATTITUDE), minus(q, p)
    e = times(1.0 / length(e), e)
    sides = opposite(run, shape, edge, 0), opposite(run, shape, edge, 1)
    c = before
    while c < run.contacts:
        n = mapped_back(R, vector(contact_row(run, c), at.AXES))
        along = dot(n, e)
        if abs(along) <= at.LEANING:
            out = leans_out_of_edge(e, sides, n)
        elif along > 0.0:
            out = leans_out_of_vertex(run, shape, end, n)
        else:
            out = leans_out_of_vertex(run, shape, (i, j), n)
        if out:
            _drop(run, c)
        else:
            c += 1
    columns, rows = whole(shape[at.COLUMNS]), whole(shape[at.ROWS])
    triangles = 2 * (columns - 1) * (rows - 1)
    _finish(run, pair, 1 + triangles + 3 * (columns * j + i) + kind, before, so_far)


@apart
def _place_edge(run, f, piece, ends):
    """The row of a piece ← a line between two points in the axes of a field."""
    p, q = ends
    field, shape, row = shape_row(run, f), shape_row(run, piece), placed_row(run, piece)
    place = placed_row(run, f)
    R = matrix(place, at.ATTITUDE)
    along = mapped(R, minus(q, p))
    half = 0.5 * length(along)
    z = times(0.5 / half, along)
    x = (z[1], -z[0], 0.0) if abs(z[2]) < 0.5 else (0.0, z[2], -z[1])
    x = times(1.0 / max(length(x), NEVER), x)
    y = z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]
    shape[at.KIND], shape[at.REACH] = at.CAPSULE, half
    keep(shape, at.SIZE, (0.0, half, 2.0))
    shape[at.OWNER], shape[at.NUMBER] = field[at.OWNER], field[at.NUMBER]
    shape[at.FRICTION_OF] = field[at.FRICTION_OF]
    keep_matrix(row, at.ATTITUDE, (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))
    middle = mapped(R, times(0.5, plus(p, q)))
    keep(row, at.CENTRE, plus(vector(place, at.CENTRE), middle))


# --- of many contacts -----------------------------------------------------------------------------


@apart
def _thin(run, first):
    """Keep at most MOST contacts: the deepest, then again and again the one farthest from those."""
    count = run.contacts - first
    if count <= MOST:
        return
    best = first
    for c in range(first, run.contacts):
        if contact_row(run, c)[at.GAP] < contact_row(run, best)[at.GAP]:
            best = c
    for chosen in range(MOST):
        _exchange(run, first + chosen, best)
        best, farthest = first + chosen + 1, -1.0
        for c in range(first + chosen + 1, run.contacts):
            near = 1e300
            for k in range(first, first + chosen + 1):
                d = minus(
                    vector(contact_row(run, c), at.POINT), vector(contact_row(run, k), at.POINT)
                )
                near = min(near, dot(d, d))
            if near > farthest:
                best, farthest = c, near
    run.contacts = first + MOST


@inlined
def _exchange(run, a, b):
    one, other = contact_row(run, a), contact_row(run, b)
    for k in range(at.SEARCHED):
        one[k], other[k] = other[k], one[k]
