"""Cores of shapes and their farthest points: a shape is all points within a radius of its core.

The core of a ball is its centre, that of a capsule its axis; the others have the radius 0. A piece
of a core is a vertex by its number, or the rim of an end of a cylinder.
"""

from torseur.machine.collision import places as at
from torseur.machine.collision.kernels.access import (
    direction_of,
    length,
    mapped,
    mapped_back,
    placed_row,
    shape_row,
)
from torseur.machine.collision.kernels.touching import NEVER, along_axis
from torseur.machine.collision.layout import PIECE_A, PIECE_B, POINT_A, POINT_B
from torseur.machine.runtime.vectors import (
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


@inlined
def radius_of(run, s):
    """Radius of a shape around its core."""
    shape = shape_row(run, s)
    return shape[at.SIZE] if shape[at.KIND] <= at.CAPSULE else 0.0


@inlined
def is_kind(run, s, kind):
    """Whether a shape is of a kind."""
    return whole(shape_row(run, s)[at.KIND]) == kind


@inlined
def hull_vertex(run, shape, i):
    """Vertex i of a hull, in the axes of its shape."""
    return vector(run.vertex, 3 * (whole(shape[at.SIZE]) + i))


@apart
def piece_towards(run, s, d):
    """Number of the piece of a core that is farthest along d."""
    shape, row = shape_row(run, s), placed_row(run, s)
    kind = whole(shape[at.KIND])
    if kind == at.SPHERE:
        return 0
    if kind == at.BOX:
        x, y, z = (
            dot(d, direction_of(row, 0)),
            dot(d, direction_of(row, 1)),
            dot(d, direction_of(row, 2)),
        )
        return (1 if x > 0.0 else 0) + (2 if y > 0.0 else 0) + (4 if z > 0.0 else 0)
    if kind == at.HULL:
        towards, best, farthest = mapped_back(matrix(row, at.ATTITUDE), d), -1e300, 0
        for i in range(whole(shape[at.SIZE + 1])):
            far = dot(towards, hull_vertex(run, shape, i))
            if far > best:
                best, farthest = far, i
        return farthest
    return 1 if dot(d, along_axis(run, s)) > 0.0 else 0


@apart
def point_of(run, s, piece, d):
    """Point of a piece that is farthest along d, from the centre of the shape in ground axes."""
    shape, row = shape_row(run, s), placed_row(run, s)
    kind, size = whole(shape[at.KIND]), vector(shape, at.SIZE)
    if kind == at.SPHERE:
        return 0.0, 0.0, 0.0
    if kind == at.BOX:
        x = size[0] if piece & 1 else -size[0]
        y = size[1] if piece & 2 else -size[1]
        z = size[2] if piece & 4 else -size[2]
        return mapped(matrix(row, at.ATTITUDE), (x, y, z))
    if kind == at.HULL:
        return mapped(matrix(row, at.ATTITUDE), hull_vertex(run, shape, piece))
    e = along_axis(run, s)
    end = times(1.0 if piece else -1.0, e)
    if kind == at.CAPSULE:
        return end
    across = minus(d, times(dot(d, e) / dot(e, e), e))
    across = minus(across, times(dot(across, e) / dot(e, e), e))  # of the part that was rounded
    steep = length(across)
    if steep <= 1e-14 * length(d):
        across, steep = direction_of(row, (whole(size[2]) + 1) % 3), 1.0
    return plus(end, times(size[0] / steep, across))


@inlined
def between(run, pair):
    """From the centre of the second shape of a pair to that of the first."""
    p, q = placed_row(run, pair[0]), placed_row(run, pair[1])
    return minus(vector(p, at.CENTRE), vector(q, at.CENTRE))


@inlined
def write_pieces(run, pair, pieces, d, row):
    """row ← the points of two pieces, that of the first farthest against d, and their difference.

    All are counted from the centre of the second shape.
    """
    a = plus(between(run, pair), point_of(run, pair[0], pieces[0], times(-1.0, d)))
    b = point_of(run, pair[1], pieces[1], d)
    keep(row, 0, minus(a, b))
    keep(row, POINT_A, a)
    keep(row, POINT_B, b)
    row[PIECE_A], row[PIECE_B] = pieces[0], pieces[1]


@apart
def write_support(run, pair, d, row):
    """row ← the points of two cores that are nearest along d; how far apart they are along it."""
    pieces = piece_towards(run, pair[0], times(-1.0, d)), piece_towards(run, pair[1], d)
    write_pieces(run, pair, pieces, d, row)
    return dot(d, vector(row, 0))


@inlined
def separation_along(run, pair, d):
    """Distance of two cores along d; negative where they overlap."""
    one = piece_towards(run, pair[0], times(-1.0, d))
    other = piece_towards(run, pair[1], d)
    a = plus(between(run, pair), point_of(run, pair[0], one, times(-1.0, d)))
    return dot(d, minus(a, point_of(run, pair[1], other, d)))


@inlined
def unit(a):
    """a / |a|; (0, 0, 1) where it has no direction."""
    size = length(a)
    return times(1.0 / size, a) if size > NEVER else (0.0, 0.0, 1.0)
