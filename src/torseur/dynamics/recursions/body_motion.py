"""Velocities and accelerations of a body, and the wrench that its motion needs."""

from typing import Any

from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.recursions.body_rows import (
    bias,
    column,
    into,
    keep,
    rotation,
    speeds,
    symmetric,
    vector,
)
from torseur.spatial.triples import Matrix, Symmetric, Vector, cross, dot, mapped, plus, times

NOTHING = (0.0, 0.0, 0.0)


def combined(body: Any, columns: Any, x: Any) -> tuple[Vector, Vector]:
    """S x: the angular and the linear part."""
    angular, linear = NOTHING, NOTHING
    first, end = speeds(body)
    for k in range(first, end):
        w, V = column(body, columns, k)
        angular = plus(angular, times(x[k], w))
        linear = plus(linear, times(x[k], V))
    return angular, linear


def move(body: Any, current: Any, carrier: Any, columns: Any, q: Any, v: Any, a: Any) -> None:
    """w, dw and acc of a body from those of its carrier.

    Composition of motions (Bour, Coriolis) in the axes of the body, by the angular acceleration
    tensor U of Balafoutis and Patel (1991).
    """
    R, w_p, dw_p = rotation(current), vector(carrier, at.W), vector(carrier, at.DW)
    w_J, v_J = combined(body, columns, v)
    dw_J, dv_J = combined(body, columns, a)
    turning, sliding = bias(body, columns, q, v)
    carried = plus(vector(carrier, at.ACC), mapped(tensor(w_p, dw_p), vector(current, at.P)))
    w_c = into(R, w_p)
    dw = plus(plus(into(R, dw_p), plus(dw_J, turning)), cross(w_c, w_J))
    acc = plus(plus(into(R, carried), plus(dv_J, sliding)), cross(plus(times(2, w_c), w_J), v_J))
    keep(current, at.W, plus(w_c, w_J))
    keep(current, at.DW, dw)
    keep(current, at.ACC, acc)


def tensor(w: Vector, dw: Vector) -> Matrix:
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


def momentum_rate(m: Any, h: Vector, K: Symmetric, acc: Vector, U: Matrix) -> tuple[Vector, Vector]:
    """Force and couple at the origin that a motion needs: m acc + U h, h × acc + axial(U K)."""
    xx, yy, zz = U[8] - U[4], U[0] - U[8], U[4] - U[0]
    euler = (
        U[7] * K[3] - U[5] * K[5] + xx * K[4] + U[6] * K[1] - U[3] * K[2],
        U[2] * K[5] - U[6] * K[0] + yy * K[2] + U[1] * K[4] - U[7] * K[1],
        U[3] * K[0] - U[1] * K[3] + zz * K[1] + U[5] * K[2] - U[2] * K[4],
    )
    return plus(times(m, acc), mapped(U, h)), plus(cross(h, acc), euler)


def need(body: Any, current: Any) -> None:
    """The wrench that the motion of a body needs."""
    h, K = vector(body, at.FIRST_MOMENT), symmetric(body, at.SECOND_MOMENT)
    U = tensor(vector(current, at.W), vector(current, at.DW))
    force, couple = momentum_rate(body[at.MASS], h, K, vector(current, at.ACC), U)
    keep(current, at.FORCE, force)
    keep(current, at.COUPLE, couple)


def rotor_torque(
    reflected: Any, spin: Vector, w: Vector, dw: Vector, v: Any, a: Any
) -> tuple[Any, Vector]:
    """The torque on the joint of a rotor and the couple on its carrier, which moves at w, dw.

    The rotor's own spin adds H = α j q̇ ε to the momentum of its carrier: Ḣ = α j (q̈ ε + q̇ ω × ε),
    and the joint feels α j (α q̈ + ε · dω); `reflected` is α² j, `spin` is α j ε.
    """
    return reflected * a + dot(spin, dw), plus(times(a, spin), times(v, cross(w, spin)))
