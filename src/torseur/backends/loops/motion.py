"""Velocities and accelerations of every body, and the wrench each motion needs."""

from torseur.backends.loops.joints import bias, combined, freedoms
from torseur.backends.loops.rows import (
    ACC,
    AXIAL,
    COUPLE,
    DW,
    FIRST_MOMENT,
    FIRST_V,
    FORCE,
    KIND,
    MASS,
    SECOND_MOMENT,
    SLIDE,
    TURN,
    P,
    R,
    W,
)
from torseur.backends.loops.vectors import (
    apart,
    cross,
    inlined,
    into,
    keep,
    matrix,
    out,
    plus,
    symmetric,
    times,
    vector,
)


@inlined
def move(bodies, work, columns, i, p, q, v, a):
    """w, dw and acc of body i from those of its carrier p: composition of motions (Bour, Coriolis)."""
    R_PM = matrix(work, i, R)
    w_p, dw_p = vector(work, p, W), vector(work, p, DW)
    w = into(R_PM, w_p)
    dw = into(R_PM, dw_p)
    carried = plus(vector(work, p, ACC), out(tensor(w_p, dw_p), vector(work, i, P)))
    acc = into(R_PM, carried)
    if int(bodies[i, KIND]) == AXIAL:
        k = int(bodies[i, FIRST_V])
        turn, slide = bodies[i, TURN], bodies[i, SLIDE]
        s, t = turn * v[k], 2.0 * (slide * v[k])
        dw = dw[0] + w[1] * s, dw[1] - w[0] * s, dw[2] + turn * a[k]
        acc = acc[0] + w[1] * t, acc[1] - w[0] * t, acc[2] + slide * a[k]
        w = w[0], w[1], w[2] + s
        keep(work, i, W, w)
        keep(work, i, DW, dw)
        keep(work, i, ACC, acc)
    else:
        keep(work, i, W, w)
        keep(work, i, DW, dw)
        keep(work, i, ACC, acc)
        _relative(bodies, work, columns, i, q, v, a)


@apart
def _relative(bodies, work, columns, i, q, v, a):
    """What the joint adds to the motion its body is carried along with."""
    first, count = int(bodies[i, FIRST_V]), freedoms(int(bodies[i, KIND]))
    w_c = vector(work, i, W)
    w_J, v_J = combined(columns, first, count, v)
    dw_J, dv_J = combined(columns, first, count, a)
    turning, sliding = bias(bodies, columns, i, q, v, w_J, v_J)
    dw = plus(plus(dw_J, turning), cross(w_c, w_J))
    acc = plus(plus(dv_J, sliding), cross(plus(times(2.0, w_c), w_J), v_J))
    keep(work, i, W, plus(w_c, w_J))
    keep(work, i, DW, plus(vector(work, i, DW), dw))
    keep(work, i, ACC, plus(vector(work, i, ACC), acc))


@inlined
def tensor(w, dw):
    """U = dw̃ + w̃ w̃: a point at r from the origin accelerates by acc + U r."""
    x, y, z = w
    xx, yy, zz, xy, yz, zx = x * x, y * y, z * z, x * y, y * z, z * x
    return (
        -(yy + zz),
        xy - dw[2],
        zx + dw[1],
        xy + dw[2],
        -(zz + xx),
        yz - dw[0],
        zx - dw[1],
        yz + dw[0],
        -(xx + yy),
    )


@inlined
def need(bodies, work, i):
    """The wrench that the motion of body i needs: m acc + U h, h × acc + axial(U K)."""
    h, K = vector(bodies, i, FIRST_MOMENT), symmetric(bodies, i, SECOND_MOMENT)
    acc = vector(work, i, ACC)
    U = tensor(vector(work, i, W), vector(work, i, DW))
    xx, yy, zz = U[8] - U[4], U[0] - U[8], U[4] - U[0]
    euler = (
        U[7] * K[3] - U[5] * K[5] + xx * K[4] + U[6] * K[1] - U[3] * K[2],
        U[2] * K[5] - U[6] * K[0] + yy * K[2] + U[1] * K[4] - U[7] * K[1],
        U[3] * K[0] - U[1] * K[3] + zz * K[1] + U[5] * K[2] - U[2] * K[4],
    )
    keep(work, i, FORCE, plus(times(bodies[i, MASS], acc), out(U, h)))
    keep(work, i, COUPLE, plus(cross(h, acc), euler))
