"""What each kind of joint does to the pose, the velocity and the acceleration of its body."""

from math import cos, sin


from torseur.backends.loops.rows import (
    ANGULAR,
    AXIAL,
    CYLINDRICAL,
    FIRST_AXIS,
    FIRST_Q,
    FIRST_V,
    FIXED,
    FREE,
    KIND,
    LINEAR,
    PLANAR,
    POSITION,
    REVERSED,
    ROTATION,
    SLIDE,
    SPHERICAL,
    TURN,
    UNIVERSAL,
    P,
    R,
)
from torseur.backends.loops.vectors import (
    apart,
    cross,
    inlined,
    into,
    keep,
    matrix,
    minus,
    out,
    plus,
    product,
    times,
    vector,
)

NOTHING = (0.0, 0.0, 0.0)
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@inlined
def freedoms(kind):
    """The number of speeds of a joint."""
    if kind == AXIAL:
        return 1
    if kind == CYLINDRICAL or kind == UNIVERSAL:
        return 2
    if kind == SPHERICAL or kind == PLANAR:
        return 3
    return 6 if kind == FREE else 0


@inlined
def place(bodies, work, columns, i, q):
    """R_PM and p_PM of body i, and its columns of S where they are not those of an axial joint."""
    if int(bodies[i, KIND]) == AXIAL:
        _place_axial(bodies, work, i, q[int(bodies[i, FIRST_Q])])
    else:
        _place_any(bodies, work, columns, i, q)


@inlined
def _place_axial(bodies, work, i, q):
    angle, slide = bodies[i, TURN] * q, bodies[i, SLIDE] * q
    c, s = cos(angle), sin(angle)
    for row in range(3):
        x, y, z = vector(bodies, i, ROTATION + 3 * row)
        keep(work, i, R + 3 * row, (c * x + s * y, c * y - s * x, z))
        work[i, P + row] = bodies[i, POSITION + row] + slide * z


@apart
def _place_any(bodies, work, columns, i, q):
    kind, first = int(bodies[i, KIND]), int(bodies[i, FIRST_V])
    R_FM, p_FM = _rotation(bodies, i, q), _translation(bodies, i, q)
    _columns(columns, first, kind, int(bodies[i, FIRST_AXIS]), R_FM)
    if bodies[i, REVERSED] != 0.0:
        for k in range(first, first + freedoms(kind)):
            w, v = out(R_FM, vector(columns, k, ANGULAR)), out(R_FM, vector(columns, k, LINEAR))
            keep(columns, k, ANGULAR, times(-1.0, w))
            keep(columns, k, LINEAR, times(-1.0, plus(v, cross(p_FM, w))))
        p_FM = times(-1.0, into(R_FM, p_FM))
        R_FM = _transposed(R_FM)
    R_PF = matrix(bodies, i, ROTATION)
    R_PM = product(R_PF, R_FM)
    for row in range(3):
        keep(work, i, R + 3 * row, (R_PM[3 * row], R_PM[3 * row + 1], R_PM[3 * row + 2]))
    keep(work, i, P, plus(vector(bodies, i, POSITION), out(R_PF, p_FM)))


@inlined
def _transposed(M):
    return M[0], M[3], M[6], M[1], M[4], M[7], M[2], M[5], M[8]


@inlined
def _rotation(bodies, i, q):
    """R_FM."""
    kind, k = int(bodies[i, KIND]), int(bodies[i, FIRST_Q])
    if kind == CYLINDRICAL:
        return _about_z(q[k + 1])
    if kind == UNIVERSAL:
        return product(_about_x_or_y(int(bodies[i, FIRST_AXIS]), q[k]), _about_z(q[k + 1]))
    if kind == SPHERICAL:
        return _attitude(q[k], q[k + 1], q[k + 2], q[k + 3])
    if kind == PLANAR:
        return _about_z(q[k + 2])
    if kind == FREE:
        return _attitude(q[k + 3], q[k + 4], q[k + 5], q[k + 6])
    return IDENTITY


@inlined
def _translation(bodies, i, q):
    """p_FM."""
    kind, k = int(bodies[i, KIND]), int(bodies[i, FIRST_Q])
    if kind == CYLINDRICAL:
        return 0.0, 0.0, q[k]
    if kind == PLANAR:
        return q[k], q[k + 1], 0.0
    if kind == FREE:
        return q[k], q[k + 1], q[k + 2]
    return NOTHING


@inlined
def _about_z(angle):
    c, s = cos(angle), sin(angle)
    return c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0


@inlined
def _about_x_or_y(axis, angle):
    c, s = cos(angle), sin(angle)
    if axis == 0:
        return 1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c
    return c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c


@inlined
def _attitude(w, x, y, z):
    """The rotation matrix of a unit quaternion."""
    return (
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )


@inlined
def _columns(columns, k, kind, first_axis, R_FM):
    """S in the axes of M: an axis of F has a row of R_FM for components there."""
    if kind == FIXED:
        return
    x, y = (R_FM[0], R_FM[1], R_FM[2]), (R_FM[3], R_FM[4], R_FM[5])
    axis_z = (0.0, 0.0, 1.0)
    if kind == CYLINDRICAL:
        _column(columns, k, NOTHING, axis_z)
        _column(columns, k + 1, axis_z, NOTHING)
    elif kind == UNIVERSAL:
        _column(columns, k, x if first_axis == 0 else y, NOTHING)
        _column(columns, k + 1, axis_z, NOTHING)
    elif kind == PLANAR:
        _column(columns, k, NOTHING, x)
        _column(columns, k + 1, NOTHING, y)
        _column(columns, k + 2, axis_z, NOTHING)
    else:
        if kind == FREE:
            _column(columns, k, NOTHING, x)
            _column(columns, k + 1, NOTHING, y)
            _column(columns, k + 2, NOTHING, (R_FM[6], R_FM[7], R_FM[8]))
            k += 3
        _column(columns, k, (1.0, 0.0, 0.0), NOTHING)
        _column(columns, k + 1, (0.0, 1.0, 0.0), NOTHING)
        _column(columns, k + 2, axis_z, NOTHING)


@inlined
def _column(columns, k, angular, linear):
    keep(columns, k, ANGULAR, angular)
    keep(columns, k, LINEAR, linear)


@inlined
def combined(columns, first, count, x):
    """S x: the angular and the linear part."""
    angular, linear = NOTHING, NOTHING
    for k in range(first, first + count):
        angular = plus(angular, times(x[k], vector(columns, k, ANGULAR)))
        linear = plus(linear, times(x[k], vector(columns, k, LINEAR)))
    return angular, linear


@inlined
def bias(bodies, columns, i, q, v, w, V):
    """Ṡ v, the relative motion (w; V) being S v.

    A translation along axes of F changes by V × w in the axes of M, and so does the first arm of a
    universal joint. Crossed backwards, both change sign and are brought to the origin of F.
    """
    backwards = bodies[i, REVERSED] != 0.0
    if int(bodies[i, KIND]) == UNIVERSAL:
        first = int(bodies[i, FIRST_V])
        turning = cross(times(v[first], vector(columns, first, ANGULAR)), w)
        return (times(-1.0, turning) if backwards else turning), NOTHING
    if backwards:
        V = minus(cross(_translation(bodies, i, q), w), V)
    return NOTHING, cross(V, w)
