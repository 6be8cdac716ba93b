"""Depth of two convex cores in each other: a polytope that grows (van den Bergen 2001).

It lies in the set of the differences b − a of their points; its lowest face is pushed out until it
is a face of the set. The origin may lie outside, so that cores that barely touch are no exception.
"""

from torseur.machine.collision.kernels.access import length
from torseur.machine.collision.kernels.nearest import corner
from torseur.machine.collision.kernels.supports import write_support
from torseur.machine.collision.kernels.tangents import tangents
from torseur.machine.collision.kernels.touching import NEVER
from torseur.machine.collision.layout import (
    FACE_HEIGHT,
    FACE_NORMAL,
    FACE_STANDS,
    FACE_WIDTH,
    MOST_FACES,
    MOST_SUPPORTS,
    SUPPORT_WIDTH,
)
from torseur.machine.runtime.vectors import (
    address,
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

EXACT = 1e-12  # of the size of both shapes: height of a face below a support that is none
SEES = 1e-14  # of the size: height of a point above a face that it sees
LARGEST = 1e300


@inlined
def _support_row(run, k):
    return address(run.support, SUPPORT_WIDTH * k)


@inlined
def _difference(run, k):
    """b − a of support k."""
    return times(-1.0, vector(_support_row(run, k), 0))


@inlined
def _face_row(run, f):
    return address(run.face, FACE_WIDTH * f)


@apart
def least_depth(run, pair, size):
    """Direction along which two cores are least inside each other; their simplex has three points.

    The direction leads from the second shape to the first.
    """
    points, faces = 4, _begin(run, pair)
    best, n, members = LARGEST, (0.0, 0.0, 1.0), (0, 1, 2)
    while points < MOST_SUPPORTS:
        lowest = _lowest(run, faces)
        row = _face_row(run, lowest)
        d, height = vector(row, FACE_NORMAL), row[FACE_HEIGHT]
        reach = -write_support(run, pair, d, _support_row(run, points))
        if reach < best:
            best, n, members = reach, d, (whole(row[0]), whole(row[1]), whole(row[2]))
        if best - height <= EXACT * size:
            break
        count = _remove_seen(run, faces, _difference(run, points), SEES * size)
        if faces + count > MOST_FACES:
            break
        faces = _cover(run, faces, count, points)
        points += 1
    _copy(run, members[0], 0)
    _copy(run, members[1], 1)
    _copy(run, members[2], 2)
    return n


@inlined
def _copy(run, k, into):
    """Support k is point `into` of the simplex."""
    source, target = _support_row(run, k), corner(run, into)
    for i in range(SUPPORT_WIDTH):
        target[i] = source[i]


@apart
def _begin(run, pair):
    """A tetrahedron of supports that is not flat."""
    write_support(run, pair, (1.0, 0.0, 0.0), _support_row(run, 0))
    write_support(run, pair, (-1.0, 0.0, 0.0), _support_row(run, 1))
    along = minus(_difference(run, 1), _difference(run, 0))
    across, _ = tangents(times(1.0 / length(along), along))
    _write_farther(run, pair, across, (2, 3))
    p, q, r = _difference(run, 0), _difference(run, 1), _difference(run, 2)
    n = cross(minus(q, p), minus(r, p))
    _write_farther(run, pair, times(1.0 / length(n), n), (3, 4))
    _write_face(run, 0, (0, 1, 2))
    _write_face(run, 1, (0, 3, 1))
    _write_face(run, 2, (1, 3, 2))
    _write_face(run, 3, (2, 3, 0))
    return 4


@apart
def _write_farther(run, pair, d, places):
    """Support along d or against it, whichever is farther from the first one."""
    k, spare = places
    write_support(run, pair, d, _support_row(run, k))
    write_support(run, pair, times(-1.0, d), _support_row(run, spare))
    first = _difference(run, 0)
    one, other = (
        dot(d, minus(_difference(run, k), first)),
        dot(d, minus(_difference(run, spare), first)),
    )
    if abs(other) > abs(one):
        source, target = _support_row(run, spare), _support_row(run, k)
        for i in range(SUPPORT_WIDTH):
            target[i] = source[i]


@apart
def _write_face(run, f, members):
    """A face of three supports, with the normal that points away from the first tetrahedron."""
    row = _face_row(run, f)
    i, j, k = members
    p, q, r = _difference(run, i), _difference(run, j), _difference(run, k)
    n = cross(minus(q, p), minus(r, p))
    area = length(n)
    inside = times(
        0.25,
        plus(
            plus(_difference(run, 0), _difference(run, 1)),
            plus(_difference(run, 2), _difference(run, 3)),
        ),
    )
    if dot(n, minus(inside, p)) > 0.0:
        n, j, k = times(-1.0, n), k, j
    row[0], row[1], row[2], row[FACE_STANDS] = i, j, k, 1.0
    if area > NEVER:
        n = times(1.0 / area, n)
        keep(row, FACE_NORMAL, n)
        row[FACE_HEIGHT] = max(max(dot(n, p), dot(n, q)), dot(n, r))
    else:
        keep(row, FACE_NORMAL, (0.0, 0.0, 0.0))
        row[FACE_HEIGHT] = LARGEST


@apart
def _lowest(run, faces):
    """The face that is lowest over the origin."""
    best, lowest = LARGEST, 0
    for f in range(faces):
        row = _face_row(run, f)
        if row[FACE_STANDS] != 0.0 and row[FACE_HEIGHT] < best:
            best, lowest = row[FACE_HEIGHT], f
    return lowest


@apart
def _remove_seen(run, faces, point, above):
    """Number of the edges around the faces that a point sees, which no longer stand."""
    count = 0
    for f in range(faces):
        row = _face_row(run, f)
        is_below = dot(vector(row, FACE_NORMAL), point) > row[FACE_HEIGHT] + above
        if row[FACE_STANDS] != 0.0 and is_below:
            row[FACE_STANDS] = 0.0
            for e in range(3):
                count = _toggle(run, count, (row[e], row[(e + 1) % 3]))
    return count


@apart
def _toggle(run, count, edge):
    """An edge of a removed face more; one that two of them share is none of the outline."""
    for k in range(count):
        row = address(run.horizon, 2 * k)
        if row[0] == edge[1] and row[1] == edge[0]:
            last = address(run.horizon, 2 * (count - 1))
            row[0], row[1] = last[0], last[1]
            return count - 1
    row = address(run.horizon, 2 * count)
    row[0], row[1] = edge
    return count + 1


@apart
def _cover(run, faces, count, point):
    """Faces from the edges around to a point; they take the places of those that are removed."""
    f = 0
    for k in range(count):
        while f < faces and _face_row(run, f)[FACE_STANDS] != 0.0:
            f += 1
        row = address(run.horizon, 2 * k)
        _write_face(run, f, (whole(row[0]), whole(row[1]), point))
        faces = max(faces, f + 1)
    return faces
