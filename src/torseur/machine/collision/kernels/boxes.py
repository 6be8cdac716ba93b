"""Contacts of two boxes: a face and the corners of the other clipped by its sides, or two edges.

The axis along which the boxes are farthest apart is one of six normals of faces or nine products
of edges (Gottschalk, Lin and Manocha 1996).
"""

from torseur.machine.collision import places as at
from torseur.machine.collision.kernels.access import direction_of, length, placed_row, shape_row
from torseur.machine.collision.kernels.touching import PARALLEL, add_contact, nearest_of_segments
from torseur.machine.collision.layout import CORNERS
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
)

ALIKE = 1e-9  # of the size of a box: separations that count as the same
LARGEST = 1e300
FLAT = 0.95  # cosine of an angle between faces that touch as faces, not by edges


@apart
def box_box(run, a, b, law):
    """The contacts of two boxes."""
    face, axis, separation = _faces(run, a, b)
    if separation > run.margin:
        return
    i, j, crossed = _edges(run, a, b)
    if crossed > run.margin:
        return
    tie = ALIKE * (shape_row(run, a)[at.REACH] + shape_row(run, b)[at.REACH])
    is_face = crossed <= separation + tie
    first, second = (a, b) if face < 3 else (b, a)
    which, count = (face % 3, axis, face < 3), run.contacts
    if is_face or abs(_facing(run, second, axis)[1]) > FLAT:
        _face_contacts(run, first, second, law, which, (0.0, -LARGEST))
        if is_face and run.contacts == count:  # corners about to come in from the side
            _face_contacts(run, first, second, law, which, (run.margin, -LARGEST))
    if not is_face and run.contacts == count:
        _edge_contact(run, a, b, law, (i, j, crossed))
        _face_contacts(run, first, second, law, which, (0.0, 0.0))


@inlined
def _reach_along(run, b, n):
    """Half the width of a box along a direction."""
    row, size = placed_row(run, b), vector(shape_row(run, b), at.SIZE)
    x = size[0] * abs(dot(n, direction_of(row, 0)))
    y = size[1] * abs(dot(n, direction_of(row, 1)))
    return x + y + size[2] * abs(dot(n, direction_of(row, 2)))


@inlined
def _between(run, a, b):
    """From the centre of b to that of a."""
    return minus(vector(placed_row(run, a), at.CENTRE), vector(placed_row(run, b), at.CENTRE))


@apart
def _faces(run, a, b):
    """The face, 0 to 2 of a, 3 to 5 of b, beyond which the other is farthest; its outer normal."""
    d, best, best_face = _between(run, a, b), -1e300, 0
    n = 0.0, 0.0, 0.0
    tie = ALIKE * (shape_row(run, a)[at.REACH] + shape_row(run, b)[at.REACH])
    for face in range(6):
        owner, other = (a, b) if face < 3 else (b, a)
        axis = direction_of(placed_row(run, owner), face % 3)
        away = -dot(d, axis) if face < 3 else dot(d, axis)
        half = shape_row(run, owner)[at.SIZE + face % 3]
        separation = abs(away) - half - _reach_along(run, other, axis)
        if separation > best + tie:
            best, best_face = separation, face
            n = times(1.0 if away > 0.0 else -1.0, axis)
    return best_face, n, best


@apart
def _edges(run, a, b):
    """The axes of a and b whose product the boxes are farthest apart along, and how far."""
    d, best, one, other = _between(run, a, b), -1e300, -1, -1
    for i in range(3):
        for j in range(3):
            x, y = direction_of(placed_row(run, a), i), direction_of(placed_row(run, b), j)
            n = cross(x, y)
            size = dot(n, n)
            if size > PARALLEL:
                n = times(1.0 / length(n), n)
                separation = abs(dot(d, n)) - _reach_along(run, a, n) - _reach_along(run, b, n)
                if separation > best:
                    best, one, other = separation, i, j
    return one, other, best


# --- a face --------------------------------------------------------------------------------------


@inlined
def _facing(run, b, n):
    """The axis of a box that is most along n, and how much so."""
    row = placed_row(run, b)
    x, y, z = (
        dot(n, direction_of(row, 0)),
        dot(n, direction_of(row, 1)),
        dot(n, direction_of(row, 2)),
    )
    k, most = (0, x) if abs(x) >= abs(y) else (1, y)
    return (k, most) if abs(most) >= abs(z) else (2, z)


@apart
def _face_contacts(run, a, b, law, face, within):
    """The corners of the face of b that looks at a face of a, clipped by the sides of that.

    The face of a may be a little wider than it is; lower gaps than the least do not count.
    """
    wider, least = within
    k, n, a_is_first = face
    row, size = placed_row(run, a), address(shape_row(run, a), at.SIZE)
    centre = vector(row, at.CENTRE)
    count = _incident(run, b, n, run.corners)
    turn = 0
    for side in range(4):
        m = (k + 1 + side // 2) % 3
        axis = times(1.0 if side % 2 else -1.0, direction_of(row, m))
        edge = size[m] + wider + dot(axis, centre)
        source = address(run.corners, 3 * CORNERS * turn)
        turn = 1 - turn
        into = address(run.corners, 3 * CORNERS * turn)
        count = _clipped(source, count, axis, edge, into)
    corners = address(run.corners, 3 * CORNERS * turn)
    pair = (a, b) if a_is_first else (b, a)
    normal = times(-1.0, n) if a_is_first else n
    top = dot(n, centre) + size[k]
    for c in range(count):
        corner = vector(corners, 3 * c)
        gap = dot(n, corner) - top
        point = minus(corner, times(0.5 * gap, n))
        feature = CORNERS * (k + (0 if a_is_first else 3)) + c
        if gap >= least:
            add_contact(run, pair, law, feature, point, normal, gap)


@apart
def _incident(run, b, n, corners):
    """The four corners of the face of b that looks most against n."""
    row, size = placed_row(run, b), address(shape_row(run, b), at.SIZE)
    k, along = _facing(run, b, n)
    i, j = (k + 1) % 3, (k + 2) % 3
    out = times(-size[k] if along > 0.0 else size[k], direction_of(row, k))
    middle = plus(vector(row, at.CENTRE), out)
    x, y = times(size[i], direction_of(row, i)), times(size[j], direction_of(row, j))
    keep(corners, 0, plus(middle, plus(x, y)))
    keep(corners, 3, plus(middle, minus(y, x)))
    keep(corners, 6, minus(middle, plus(x, y)))
    keep(corners, 9, plus(middle, minus(x, y)))
    return 4


@apart
def _clipped(source, count, axis, edge, into):
    """The part of a polygon where axis · x ≤ edge (Sutherland and Hodgman 1974)."""
    corners = 0
    for c in range(count):
        p, q = vector(source, 3 * c), vector(source, 3 * ((c + 1) % count))
        at_p, at_q = dot(axis, p) - edge, dot(axis, q) - edge
        if at_p <= 0.0:
            keep(into, 3 * corners, p)
            corners += 1
        if (at_p < 0.0 and at_q > 0.0) or (at_p > 0.0 and at_q < 0.0):
            keep(into, 3 * corners, plus(p, times(at_p / (at_p - at_q), minus(q, p))))
            corners += 1
    return corners


# --- two edges -----------------------------------------------------------------------------------


@inlined
def _edge(run, b, k, n):
    """The middle of the edge of a box along axis k that is farthest along n."""
    row, size = placed_row(run, b), address(shape_row(run, b), at.SIZE)
    i, j = (k + 1) % 3, (k + 2) % 3
    x, y = direction_of(row, i), direction_of(row, j)
    middle = plus(vector(row, at.CENTRE), times(size[i] if dot(n, x) > 0.0 else -size[i], x))
    return plus(middle, times(size[j] if dot(n, y) > 0.0 else -size[j], y))


@apart
def _edge_contact(run, a, b, law, edges):
    """One contact, between the nearest points of two edges."""
    i, j, gap = edges
    x, y = direction_of(placed_row(run, a), i), direction_of(placed_row(run, b), j)
    n = cross(x, y)
    n = times(1.0 / length(n), n)
    if dot(n, _between(run, a, b)) < 0.0:
        n = times(-1.0, n)
    p, q = _edge(run, a, i, times(-1.0, n)), _edge(run, b, j, n)
    e, f = times(shape_row(run, a)[at.SIZE + i], x), times(shape_row(run, b)[at.SIZE + j], y)
    k, m = nearest_of_segments(minus(q, p), e, f)
    point = times(0.5, plus(plus(p, times(k, e)), plus(q, times(m, f))))
    add_contact(run, (a, b), law, 6 * CORNERS + 3 * i + j, point, n, gap)
