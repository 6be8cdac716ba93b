"""The grid of a height field: its corners, triangles and edges, in the axes of the field.

Edges are counted by their first corner (i, j): kind 0 leads to (i + 1, j), kind 1 to (i, j + 1),
kind 2 to (i + 1, j + 1). At the border a field ends with a wall.
"""

from torseur.machine.collision import places as at
from torseur.machine.collision.kernels.access import clamped, length
from torseur.machine.runtime.vectors import apart, cross, dot, inlined, minus, times, whole

EDGE = 1e-9  # of a cell: how far outside a triangle a point may be


@inlined
def grid_corner(run, shape, i, j):
    """Corner (i, j) of a field."""
    columns, rows = whole(shape[at.COLUMNS]), whole(shape[at.ROWS])
    x = (i - 0.5 * (columns - 1)) * shape[at.STEPS]
    y = (j - 0.5 * (rows - 1)) * shape[at.STEPS + 1]
    return x, y, run.height[whole(shape[at.FIRST_HEIGHT]) + columns * j + i]


@inlined
def _parts(shape, x, y):
    """Place of a point of the plane, in cells from the corner (0, 0)."""
    return (
        x / shape[at.STEPS] + 0.5 * (shape[at.COLUMNS] - 1.0),
        y / shape[at.STEPS + 1] + 0.5 * (shape[at.ROWS] - 1.0),
    )


@inlined
def grid_range(run, shape, bounds):
    """First and last cells, as i0, i1, j0, j1, of a rectangle x0, x1, y0, y1; none: i1 < i0."""
    u0, v0 = _parts(shape, bounds[0], bounds[2])
    u1, v1 = _parts(shape, bounds[1], bounds[3])
    across, along = shape[at.COLUMNS] - 1.0, shape[at.ROWS] - 1.0
    if u1 < 0.0 or v1 < 0.0 or u0 > across or v0 > along:
        return 0, -2, 0, -2
    return (
        whole(clamped(u0 - EDGE, 0.0, across - 1.0)),
        whole(clamped(u1 + EDGE, 0.0, across - 1.0)),
        whole(clamped(v0 - EDGE, 0.0, along - 1.0)),
        whole(clamped(v1 + EDGE, 0.0, along - 1.0)),
    )


@apart
def height_below(run, shape, p):
    """Height of the surface below or above a point; −∞ beside the field."""
    u, v = _parts(shape, p[0], p[1])
    across, along = shape[at.COLUMNS] - 1.0, shape[at.ROWS] - 1.0
    if u < 0.0 or v < 0.0 or u > across or v > along:
        return -1e300
    i, j = whole(min(u, across - 1.0)), whole(min(v, along - 1.0))
    u, v = u - i, v - j
    a, c = grid_corner(run, shape, i, j)[2], grid_corner(run, shape, i + 1, j + 1)[2]
    if u >= v:
        b = grid_corner(run, shape, i + 1, j)[2]
        return a + u * (b - a) + v * (c - b)
    d = grid_corner(run, shape, i, j + 1)[2]
    return a + v * (d - a) + u * (c - d)


# --- triangles ------------------------------------------------------------------------------------


@apart
def triangle_normal(run, shape, cell):
    """Upward unit normal of a triangle (i, j, upper)."""
    i, j, upper = cell
    a, c = grid_corner(run, shape, i, j), grid_corner(run, shape, i + 1, j + 1)
    d = minus(c, a)
    if upper == 0:
        n = cross(minus(grid_corner(run, shape, i + 1, j), a), d)
    else:
        n = cross(d, minus(grid_corner(run, shape, i, j + 1), a))
    return times(1.0 / length(n), n)


@inlined
def is_over_triangle(run, shape, cell, p):
    """Whether a point of the plane of a triangle is in it."""
    i, j, upper = cell
    u, v = _parts(shape, p[0], p[1])
    u, v = u - i, v - j
    if upper == 0:
        return v >= -EDGE and u - v >= -EDGE and u <= 1.0 + EDGE
    return u >= -EDGE and v - u >= -EDGE and v <= 1.0 + EDGE


# --- edges ----------------------------------------------------------------------------------------


@apart
def opposite(run, shape, edge, side):
    """From the first corner of an edge, the third corner of a triangle beside it.

    Beyond the border, it is straight down.
    """
    i, j, kind = edge
    columns, rows = whole(shape[at.COLUMNS]), whole(shape[at.ROWS])
    if side == 0:
        x, y = i + 1, (j if kind == 2 else j + 1)
    else:
        x, y = (i - 1 if kind == 1 else i), (j - 1 if kind == 0 else (j if kind == 1 else j + 1))
    if x < 0 or y < 0 or x >= columns or y >= rows:
        return 0.0, 0.0, -1.0
    return minus(grid_corner(run, shape, x, y), grid_corner(run, shape, i, j))


@apart
def stands_out(run, shape, edge):
    """Whether the field falls off on one side of an edge, as seen from the other."""
    i, j, kind = edge
    i2, j2 = (i if kind == 1 else i + 1), (j if kind == 0 else j + 1)
    e = minus(grid_corner(run, shape, i2, j2), grid_corner(run, shape, i, j))
    a, b = opposite(run, shape, edge, 0), opposite(run, shape, edge, 1)
    n = cross(e, a)
    if n[2] < 0.0:
        n = times(-1.0, n)
    if a[0] == 0.0 and a[1] == 0.0:  # a wall: the other side is seen from above
        n = cross(e, b)
        n = times(-1.0, n) if n[2] < 0.0 else n
        return dot(n, a) < -EDGE * length(n) * length(a)
    return dot(n, b) < -EDGE * length(n) * length(b)


@inlined
def leans_out_of_edge(e, sides, n):
    """Whether a direction, square to an edge along e, leads into a triangle beside it."""
    for k in range(2):
        t = sides[0] if k == 0 else sides[1]
        t = minus(t, times(dot(t, e), e))
        if dot(n, t) > at.LEANING * length(t):
            return True
    return False


@apart
def leans_out_of_vertex(run, shape, corner, n):
    """Whether a direction leads along an edge of the field from one of its corners."""
    i, j = corner
    columns, rows = whole(shape[at.COLUMNS]), whole(shape[at.ROWS])
    v = grid_corner(run, shape, i, j)
    for m in range(6):
        x = i + (1 if m in (0, 2) else (-1 if m in (3, 5) else 0))
        y = j + (1 if m in (1, 2) else (-1 if m in (4, 5) else 0))
        t = (0.0, 0.0, -1.0)
        if x >= 0 and y >= 0 and x < columns and y < rows:
            t = minus(grid_corner(run, shape, x, y), v)
        if dot(n, t) > at.LEANING * length(t):
            return True
    return False
