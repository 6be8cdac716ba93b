"""Faces and edges of a shape that look along a direction, as outlines of points."""

from torseur.machine.collision import places as at
from torseur.machine.collision.kernels.access import (
    direction_of,
    length,
    mapped,
    mapped_back,
    placed_row,
    shape_row,
)
from torseur.machine.collision.kernels.supports import (
    is_kind,
    piece_towards,
    point_of,
)
from torseur.machine.collision.kernels.touching import along_axis
from torseur.machine.collision.layout import OUTLINE, OUTLINE_WIDTH
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

FLAT = 0.95  # cosine of an angle between faces that touch as faces
SLOPE = 0.02  # of an edge that touches along its length
CURVED = 1e-6  # of two faces that look the same way, that of a cylinder is not the one that clips
ROUND = 8  # points of the rim of an end face
DIAGONAL = 0.7071067811865476


@inlined
def outline_row(run, which, c):
    """Corner c of an outline."""
    return address(run.outline, OUTLINE_WIDTH * (OUTLINE * which + c))


@apart
def facing(run, s, d):
    """The face of a shape that looks most along d: its number, its normal and the cosine.

    Rounded shapes have none: −1.
    """
    shape, row = shape_row(run, s), placed_row(run, s)
    kind, best, number, n = whole(shape[at.KIND]), -2.0, -1, (0.0, 0.0, 1.0)
    if kind == at.BOX:
        for k in range(3):
            axis = direction_of(row, k)
            along = dot(d, axis)
            if abs(along) > best:
                best, number = abs(along), k + (3 if along < 0.0 else 0)
                n = times(1.0 if along > 0.0 else -1.0, axis)
    elif kind == at.CYLINDER:
        e = along_axis(run, s)
        along = dot(d, e)
        number = 1 if along > 0.0 else 0
        n = times((1.0 if along > 0.0 else -1.0) / length(e), e)
        best = dot(d, n) - CURVED
    elif kind == at.HULL:
        R = matrix(row, at.ATTITUDE)
        towards = mapped_back(R, d)
        for f in range(whole(shape[at.FACETS + 1])):
            along = dot(towards, vector(_facet(run, shape, f), at.FACET_NORMAL))
            if along > best:
                best, number = along, f
        if number >= 0:
            n = mapped(R, vector(_facet(run, shape, number), at.FACET_NORMAL))
    return number, n, best


@inlined
def _facet(run, shape, f):
    return address(run.facet, at.FACET_WIDTH * (whole(shape[at.FACETS]) + f))


@apart
def write_outline(run, s, d, from_centre, which):
    """Outline `which` ← the points of a shape that look along d; their number.

    They are those of a face, of the ends of an axis or of the line of a cylinder, or a centre.
    They stand in order about the normal of the face.
    """
    shape, row = shape_row(run, s), placed_row(run, s)
    kind = whole(shape[at.KIND])
    number, _, cosine = facing(run, s, d)
    if kind == at.BOX:
        return _write_box_face(run, s, number, from_centre, which)
    if kind == at.HULL:
        facet, R = _facet(run, shape, number), matrix(row, at.ATTITUDE)
        first, count = whole(facet[at.FACET_FIRST]), whole(facet[at.FACET_COUNT])
        for c in range(count):
            x = mapped(R, vector(run.facet_corner, 3 * (first + c)))
            _keep_corner(run, which, c, plus(from_centre, x), c)
        return count
    if kind == at.CYLINDER and cosine > FLAT:
        return _write_rim(run, s, number, from_centre, which)
    if kind == at.SPHERE:
        _keep_corner(run, which, 0, from_centre, 0)
        return 1
    for end in range(2):
        _keep_corner(run, which, end, plus(from_centre, point_of(run, s, end, d)), end)
    return 2


@inlined
def _keep_corner(run, which, c, x, number):
    row = outline_row(run, which, c)
    keep(row, 0, x)
    row[3], row[4] = number, 0.0


@apart
def _write_box_face(run, s, number, from_centre, which):
    row, size = placed_row(run, s), address(shape_row(run, s), at.SIZE)
    k, sign = number % 3, (-1.0 if number >= 3 else 1.0)
    i, j = (k + 1) % 3, (k + 2) % 3
    middle = plus(from_centre, times(sign * size[k], direction_of(row, k)))
    x, y = times(size[i], direction_of(row, i)), times(sign * size[j], direction_of(row, j))
    _keep_corner(run, which, 0, plus(middle, plus(x, y)), 0)
    _keep_corner(run, which, 1, plus(middle, minus(y, x)), 1)
    _keep_corner(run, which, 2, minus(middle, plus(x, y)), 2)
    _keep_corner(run, which, 3, plus(middle, minus(x, y)), 3)
    return 4


@apart
def _write_rim(run, s, end, from_centre, which):
    """Points of the rim of an end face, fixed on the cylinder."""
    shape, row = shape_row(run, s), placed_row(run, s)
    k, r, sign = whole(shape[at.SIZE + 2]), shape[at.SIZE], (1.0 if end else -1.0)
    x, y = direction_of(row, (k + 1) % 3), direction_of(row, (k + 2) % 3)
    middle = plus(from_centre, times(sign, along_axis(run, s)))
    for c in range(ROUND):
        a = 1.0 if c == 0 else (-1.0 if c == 4 else (0.0 if c % 4 == 2 else DIAGONAL))
        a = -DIAGONAL if c in (3, 5) else a
        b = 0.0 if c % 4 == 0 else (1.0 if c == 2 else (-1.0 if c == 6 else DIAGONAL))
        b = sign * (-DIAGONAL if c in (5, 7) else b)
        _keep_corner(run, which, c, plus(middle, plus(times(r * a, x), times(r * b, y))), c)
    return ROUND


# --- edges ----------------------------------------------------------------------------------------


@apart
def edge_along(run, s, d):
    """An edge that is farthest along d: the middle from the centre, and half its length.

    Half the length is zero where only a point is.
    """
    shape = shape_row(run, s)
    kind, one = whole(shape[at.KIND]), piece_towards(run, s, d)
    p = point_of(run, s, one, d)
    best, q = 0.0, p
    vertices = 2
    if kind == at.HULL:
        vertices = whole(shape[at.SIZE + 1])
    elif kind == at.BOX:
        vertices = 8
    elif kind == at.SPHERE:
        vertices = 1
    for i in range(vertices):
        x = point_of(run, s, i, d)
        along = minus(x, p)
        far = length(along)
        if far > best and abs(dot(d, along)) <= SLOPE * far:
            best, q = far, x
    return times(0.5, plus(p, q)), times(0.5, minus(q, p))


@inlined
def is_curved(run, s):
    """Whether a shape has rims."""
    return is_kind(run, s, at.CYLINDER)
