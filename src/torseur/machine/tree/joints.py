"""What each kind of joint does to the pose, the velocity and the acceleration of its body."""

from math import cos, sin

from torseur.machine.runtime.vectors import (
    address,
    apart,
    cross,
    inlined,
    into,
    keep,
    keep_matrix,
    matrix,
    minus,
    out,
    plus,
    product,
    times,
    transposed,
    vector,
    whole,
)
from torseur.machine.tree import places as at

NOTHING = (0.0, 0.0, 0.0)
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@inlined
def freedoms(kind):
    """The number of speeds of a joint."""
    if kind == at.AXIAL:
        return 1
    if kind == at.CYLINDRICAL or kind == at.UNIVERSAL:
        return 2
    if kind == at.SPHERICAL or kind == at.PLANAR:
        return 3
    return 6 if kind == at.FREE else 0


@inlined
def place(body, here, columns, q):
    """R_PM and p_PM of a body, and its columns of S where they are not those of an axial joint."""
    if whole(body[at.KIND]) == at.AXIAL:
        _place_axial(body, here, q[whole(body[at.FIRST_Q])])
    else:
        _place_any(body, here, columns, q)


@inlined
def _place_axial(body, here, q):
    angle, slide = body[at.TURN] * q, body[at.SLIDE] * q
    c, s = cos(angle), sin(angle)
    for k in range(3):
        x, y, z = vector(body, at.ROTATION + 3 * k)
        keep(here, at.R + 3 * k, (c * x + s * y, c * y - s * x, z))
        here[at.P + k] = body[at.POSITION + k] + slide * z


@apart
def _place_any(body, here, columns, q):
    kind, first = whole(body[at.KIND]), whole(body[at.FIRST_V])
    R_FM, p_FM = _rotation(body, q), _translation(body, q)
    _write_columns(column(columns, first), kind, whole(body[at.FIRST_AXIS]), R_FM)
    if body[at.REVERSED] != 0.0:
        for k in range(first, first + freedoms(kind)):
            S = column(columns, k)
            w, v = out(R_FM, vector(S, at.ANGULAR)), out(R_FM, vector(S, at.LINEAR))
            keep(S, at.ANGULAR, times(-1.0, w))
            keep(S, at.LINEAR, times(-1.0, plus(v, cross(p_FM, w))))
        p_FM = times(-1.0, into(R_FM, p_FM))
        R_FM = transposed(R_FM)
    R_PF = matrix(body, at.ROTATION)
    keep_matrix(here, at.R, product(R_PF, R_FM))
    keep(here, at.P, plus(vector(body, at.POSITION), out(R_PF, p_FM)))


@inlined
def column(columns, k):
    """Where the column of S of a speed is kept."""
    return address(columns, k * at.COLUMN_WIDTH)


@inlined
def _rotation(body, q):
    """R_FM."""
    kind, k = whole(body[at.KIND]), whole(body[at.FIRST_Q])
    if kind == at.CYLINDRICAL:
        return _about_z(q[k + 1])
    if kind == at.UNIVERSAL:
        return product(_about_x_or_y(whole(body[at.FIRST_AXIS]), q[k]), _about_z(q[k + 1]))
    if kind == at.SPHERICAL:
        return _attitude(q[k], q[k + 1], q[k + 2], q[k + 3])
    if kind == at.PLANAR:
        return _about_z(q[k + 2])
    if kind == at.FREE:
        return _attitude(q[k + 3], q[k + 4], q[k + 5], q[k + 6])
    return IDENTITY


@inlined
def _translation(body, q):
    """p_FM."""
    kind, k = whole(body[at.KIND]), whole(body[at.FIRST_Q])
    if kind == at.CYLINDRICAL:
        return 0.0, 0.0, q[k]
    if kind == at.PLANAR:
        return q[k], q[k + 1], 0.0
    if kind == at.FREE:
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
def _write_columns(S, kind, first_axis, R_FM):
    """S in the axes of M: an axis of F has a row of R_FM for components there."""
    x, y, z = (R_FM[0], R_FM[1], R_FM[2]), (R_FM[3], R_FM[4], R_FM[5]), (0.0, 0.0, 1.0)
    if kind == at.CYLINDRICAL:
        S = _write(S, NOTHING, z)
        _write(S, z, NOTHING)
    elif kind == at.UNIVERSAL:
        S = _write(S, x if first_axis == 0 else y, NOTHING)
        _write(S, z, NOTHING)
    elif kind == at.PLANAR:
        S = _write(S, NOTHING, x)
        S = _write(S, NOTHING, y)
        _write(S, z, NOTHING)
    elif kind == at.SPHERICAL or kind == at.FREE:
        if kind == at.FREE:
            S = _write(S, NOTHING, x)
            S = _write(S, NOTHING, y)
            S = _write(S, NOTHING, (R_FM[6], R_FM[7], R_FM[8]))
        S = _write(S, (1.0, 0.0, 0.0), NOTHING)
        S = _write(S, (0.0, 1.0, 0.0), NOTHING)
        _write(S, z, NOTHING)


@inlined
def _write(S, angular, linear):
    """A column of S goes to its place; the result is the place of the next one."""
    keep(S, at.ANGULAR, angular)
    keep(S, at.LINEAR, linear)
    return address(S, at.COLUMN_WIDTH)


@inlined
def combined(columns, first, count, x):
    """S x: the angular and the linear part."""
    angular, linear = NOTHING, NOTHING
    for k in range(first, first + count):
        S = column(columns, k)
        angular = plus(angular, times(x[k], vector(S, at.ANGULAR)))
        linear = plus(linear, times(x[k], vector(S, at.LINEAR)))
    return angular, linear


@inlined
def bias(body, columns, q, v, w, V):
    """Ṡ v, the relative motion (w; V) being S v.

    A translation along axes of F changes by V × w in the axes of M, and so does the first arm of a
    universal joint. Crossed backwards, both change sign and are brought to the origin of F.
    """
    backwards = body[at.REVERSED] != 0.0
    if whole(body[at.KIND]) == at.UNIVERSAL:
        first = whole(body[at.FIRST_V])
        turning = cross(times(v[first], vector(column(columns, first), at.ANGULAR)), w)
        return (times(-1.0, turning) if backwards else turning), NOTHING
    if backwards:
        V = minus(cross(_translation(body, q), w), V)
    return NOTHING, cross(V, w)
