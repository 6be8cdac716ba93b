"""Velocities and accelerations of every body, and the wrench each motion needs."""

from torseur.machine.runtime.vectors import (
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
    whole,
)
from torseur.machine.tree import places as at
from torseur.machine.tree.joints import bias, combined, freedoms


@inlined
def move(body, here, carrier, columns, q, v, a):
    """w, dw and acc of a body from those of its carrier (composition of motions)."""
    R_PM = matrix(here, at.R)
    w_p, dw_p = vector(carrier, at.W), vector(carrier, at.DW)
    w = into(R_PM, w_p)
    dw = into(R_PM, dw_p)
    carried = plus(vector(carrier, at.ACC), out(tensor(w_p, dw_p), vector(here, at.P)))
    acc = into(R_PM, carried)
    if whole(body[at.KIND]) == at.AXIAL:
        k = whole(body[at.FIRST_V])
        turn, slide = body[at.TURN], body[at.SLIDE]
        s, t = turn * v[k], 2.0 * (slide * v[k])
        dw = dw[0] + w[1] * s, dw[1] - w[0] * s, dw[2] + turn * a[k]
        acc = acc[0] + w[1] * t, acc[1] - w[0] * t, acc[2] + slide * a[k]
        w = w[0], w[1], w[2] + s
    keep(here, at.W, w)
    keep(here, at.DW, dw)
    keep(here, at.ACC, acc)
    if whole(body[at.KIND]) != at.AXIAL:
        _add_relative(body, here, columns, q, v, a)


@apart
def _add_relative(body, here, columns, q, v, a):
    """What the joint adds to the motion its body is carried along with."""
    first, count = whole(body[at.FIRST_V]), freedoms(whole(body[at.KIND]))
    w_c = vector(here, at.W)
    w_J, v_J = combined(columns, first, count, v)
    dw_J, dv_J = combined(columns, first, count, a)
    turning, sliding = bias(body, columns, q, v, w_J, v_J)
    dw = plus(plus(dw_J, turning), cross(w_c, w_J))
    acc = plus(plus(dv_J, sliding), cross(plus(times(2.0, w_c), w_J), v_J))
    keep(here, at.W, plus(w_c, w_J))
    keep(here, at.DW, plus(vector(here, at.DW), dw))
    keep(here, at.ACC, plus(vector(here, at.ACC), acc))


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
def need(body, here):
    """The wrench that the motion of a body needs: m acc + U h, h × acc + axial(U K)."""
    h, K = vector(body, at.FIRST_MOMENT), symmetric(body, at.SECOND_MOMENT)
    acc = vector(here, at.ACC)
    U = tensor(vector(here, at.W), vector(here, at.DW))
    xx, yy, zz = U[8] - U[4], U[0] - U[8], U[4] - U[0]
    euler = (
        U[7] * K[3] - U[5] * K[5] + xx * K[4] + U[6] * K[1] - U[3] * K[2],
        U[2] * K[5] - U[6] * K[0] + yy * K[2] + U[1] * K[4] - U[7] * K[1],
        U[3] * K[0] - U[1] * K[3] + zz * K[1] + U[5] * K[2] - U[2] * K[4],
    )
    keep(here, at.FORCE, plus(times(body[at.MASS], acc), out(U, h)))
    keep(here, at.COUPLE, plus(cross(h, acc), euler))
