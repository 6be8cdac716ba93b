"""Contacts of shapes with planes of the ground: lowest points, at most four of a face."""

from torseur.machine.collision import places as at
from torseur.machine.collision.kernels.access import (
    length,
    mapped,
    mapped_back,
    placed_row,
    shape_row,
)
from torseur.machine.collision.kernels.touching import GROUND, NEVER, add_contact, along_axis
from torseur.machine.runtime.vectors import (
    address,
    apart,
    cross,
    dot,
    inlined,
    matrix,
    minus,
    plus,
    times,
    vector,
    whole,
)

OF_PLANE = 256  # features of a shape with each plane
FLAT = 0.95  # cosine of an angle between an end face and a plane that touch as faces
LEVEL = 1e-12  # slope of a rim that has no lowest point
HALF_ROOT_THREE = 0.8660254037844386


@apart
def with_plane(run, s, p):
    """Contacts of a shape with a plane: of its ball, its ends, its corners or its rims."""
    shape, row = shape_row(run, s), placed_row(run, s)
    plane = address(run.plane, at.PLANE_WIDTH * p)
    n, law = vector(plane, at.NORMAL), whole(plane[at.PLANE_LAW])
    kind, centre = whole(shape[at.KIND]), vector(row, at.CENTRE)
    height = dot(n, centre) - plane[at.HEIGHT]
    if height - shape[at.REACH] > run.margin:
        return
    if kind == at.BOX:
        R, size = matrix(row, at.ATTITUDE), vector(shape, at.SIZE)
        for corner in range(8):
            x = size[0] if corner & 1 else -size[0]
            y = size[1] if corner & 2 else -size[1]
            z = size[2] if corner & 4 else -size[2]
            _lower(run, s, law, (p, corner), (mapped(R, (x, y, z)), n, height))
    elif kind == at.CAPSULE:
        e, r = along_axis(run, s), shape[at.SIZE]
        for end in range(2):
            arm = minus(times(1.0 if end else -1.0, e), times(r, n))
            _lower(run, s, law, (p, end), (arm, n, height))
    elif kind == at.CYLINDER:
        _lower_rims(run, s, law, p, (n, height))
    elif kind == at.HULL:
        _lower_vertices(run, s, law, p, (n, height))
    else:
        _lower(run, s, law, (p, 0), (times(-shape[at.SIZE], n), n, height))


@inlined
def _lower(run, s, law, feature, place):
    """The point of a shape at an arm from its centre, which is at a height above a plane."""
    arm, n, height = place
    gap = height + dot(n, arm)
    point = plus(vector(placed_row(run, s), at.CENTRE), arm)
    add_contact(run, (s, GROUND), law, OF_PLANE * feature[0] + feature[1], point, n, gap)


# --- cylinders -----------------------------------------------------------------------------------


@apart
def _lower_rims(run, s, law, p, plane):
    """The lowest point of each rim; of an end face that is nearly flat, three points of it too."""
    n, height = plane
    shape, e = shape_row(run, s), along_axis(run, s)
    half, r = shape[at.SIZE + 1], shape[at.SIZE]
    axis = times(1.0 / half, e)
    along = dot(n, axis)
    across = minus(n, times(along, axis))  # up, in the plane of a rim
    steep = length(across)
    for end in range(2):
        middle = times(1.0 if end else -1.0, e)
        if steep > LEVEL:
            down = times(-r / steep, across)
            _lower(run, s, law, (p, end), (plus(middle, down), n, height))
        if abs(along) > FLAT and (along < 0.0) == (end == 1):
            _lower_face(run, s, law, (p, end), (middle, n, height))


@apart
def _lower_face(run, s, law, feature, place):
    """Three points of the rim of an end face, fixed on the cylinder."""
    middle, n, height = place
    shape, row = shape_row(run, s), placed_row(run, s)
    k, r = whole(shape[at.SIZE + 2]), shape[at.SIZE]
    i, j = (k + 1) % 3, (k + 2) % 3
    x = row[at.ATTITUDE + i], row[at.ATTITUDE + 3 + i], row[at.ATTITUDE + 6 + i]
    y = row[at.ATTITUDE + j], row[at.ATTITUDE + 3 + j], row[at.ATTITUDE + 6 + j]
    for m in range(3):
        a = 1.0 if m == 0 else -0.5
        b = 0.0 if m == 0 else (HALF_ROOT_THREE if m == 1 else -HALF_ROOT_THREE)
        arm = plus(middle, plus(times(r * a, x), times(r * b, y)))
        _lower(run, s, law, (feature[0], 2 + 3 * feature[1] + m), (arm, n, height))


# --- hulls ---------------------------------------------------------------------------------------


@inlined
def _vertex(run, shape, i):
    """Vertex i of a hull, in the axes of its shape."""
    return vector(run.vertex, 3 * (whole(shape[at.SIZE]) + i))


@apart
def _lower_vertices(run, s, law, p, plane):
    """The vertices of a hull that are near a plane; of more than four, the outermost of them.

    These are the deepest one, the farthest from it, and the farthest on both sides of their line.
    """
    n, height = plane
    shape, row = shape_row(run, s), placed_row(run, s)
    R = matrix(row, at.ATTITUDE)
    down, count = mapped_back(R, n), whole(shape[at.SIZE + 1])
    near, deepest, least = 0, 0, 1e300
    for i in range(count):
        gap = height + dot(down, _vertex(run, shape, i))
        near += gap <= run.margin
        if gap < least:
            deepest, least = i, gap
    if near <= 4:
        for i in range(count):
            _lower(run, s, law, (p, i), (mapped(R, _vertex(run, shape, i)), n, height))
        return
    low = height, down
    first = _vertex(run, shape, deepest)
    far = _farthest(run, shape, low, (first, (0.0, 0.0, 0.0)))
    line = minus(_vertex(run, shape, far), first)
    side = cross(down, line)
    one = _farthest(run, shape, low, (first, side))
    other = _farthest(run, shape, low, (first, times(-1.0, side)))
    for m in range(4):
        i = deepest if m == 0 else (far if m == 1 else (one if m == 2 else other))
        twice = (m > 1 and i in (deepest, far)) or (m == 3 and i == one)
        if not twice:
            _lower(run, s, law, (p, i), (mapped(R, _vertex(run, shape, i)), n, height))


@apart
def _farthest(run, shape, low, direction):
    """Vertex near a plane that is farthest from a point, or along a direction from it."""
    (height, down), (point, side) = low, direction
    straight = dot(side, side) <= NEVER
    best, farthest = -1e300, 0
    for i in range(whole(shape[at.SIZE + 1])):
        x = _vertex(run, shape, i)
        if height + dot(down, x) <= run.margin:
            d = minus(x, point)
            d = minus(d, times(dot(d, down), down))
            far = dot(d, d) if straight else dot(d, side)
            if far > best:
                best, farthest = far, i
    return farthest
