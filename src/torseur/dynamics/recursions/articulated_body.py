"""Forward dynamics by articulated bodies, without forming the mass matrix.

Reference: Featherstone (2008), table 7.1. The bias wrench of each body is that of zero joint
accelerations, so that the sweeps deal with the accelerations of joints alone. A joint of several
freedoms gives way one column of S after the other.
"""

from typing import Any

from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.recursions.body_motion import NOTHING, move, need, rotor_torque
from torseur.dynamics.recursions.body_rows import (
    bodies,
    column,
    gather,
    gather_matrix,
    gather_symmetric,
    into,
    is_carried,
    keep,
    keep_matrix,
    keep_symmetric,
    matrix,
    out,
    place,
    reciprocal,
    rotation,
    rows,
    solved,
    speeds,
    symmetric,
    turned,
    turned_symmetric,
    vector,
)
from torseur.spatial.triples import (
    applied,
    by_columns,
    cross,
    dot,
    less,
    mapped,
    mapped_back,
    matrix_less,
    plus,
    times,
)


def find_accelerations(
    model: Any, work: Any, columns: Any, q: Any, v: Any, Q: Any, still: Any, a: Any
) -> None:
    """a ← the accelerations that the generalised forces Q produce; O(n).

    `still` holds a zero for every speed; the ground's row of the workspace holds its motion.
    """
    # outward: the wrench of each body without joint accelerations, and its own inertia
    for i in range(1, bodies(model) + 1):
        body, current, carrier = rows(model, work, i, at.FORWARD_WIDTH)
        place(body, current, columns, q)
        move(body, current, carrier, columns, q, v, still)
        need(body, current)
        stiffen(body, current)

    # inward: the inertia and the wrench that a body shows to the joint that carries it
    for i in range(bodies(model), 0, -1):
        body, current, carrier = rows(model, work, i, at.FORWARD_WIDTH)
        release(body, current, carrier, columns, v, Q)

    # outward: each joint takes what its articulated body leaves to it
    _, ground, _ = rows(model, work, 0, at.FORWARD_WIDTH)
    keep(ground, at.EXTRA_ANGULAR, NOTHING)
    keep(ground, at.EXTRA_LINEAR, NOTHING)
    for i in range(1, bodies(model) + 1):
        body, current, carrier = rows(model, work, i, at.FORWARD_WIDTH)
        accelerate(body, current, carrier, columns, a)


def stiffen(body: Any, current: Any) -> None:
    """The inertia of the body alone: A = tr(K) 1 − K, B = h̃, C = m 1."""
    m, h = body[at.MASS], vector(body, at.FIRST_MOMENT)
    xx, xy, xz, yy, yz, zz = symmetric(body, at.SECOND_MOMENT)
    keep_symmetric(current, at.A, (yy + zz, -xy, -xz, zz + xx, -yz, xx + yy))
    keep_matrix(current, at.B, (0.0, -h[2], h[1], h[2], 0.0, -h[0], -h[1], h[0], 0.0))
    keep_symmetric(current, at.C, (m, 0.0, 0.0, m, 0.0, m))


def release(body: Any, current: Any, carrier: Any, columns: Any, v: Any, Q: Any) -> None:
    """Add the apparent inertia and force of a body, its joint released, to its carrier."""
    apparent = (
        vector(current, at.COUPLE),
        vector(current, at.FORCE),
        symmetric(current, at.A),
        matrix(current, at.B),
        symmetric(current, at.C),
    )
    first, end = speeds(body)
    for k in range(end - 1, first - 1, -1):
        apparent = give_way(body, current, carrier, columns, k, apparent, v[k], Q[k])
    if is_carried(body):
        hand_inertia(current, carrier, apparent)


def give_way(
    body: Any, current: Any, carrier: Any, columns: Any, k: int, apparent: Any, v: Any, Q: Any
) -> Any:
    """Wrench + U D⁻¹ u, and I − U D⁻¹ Uᵀ, for U = I S and what is left of Q, u."""
    couple, force, A, B, C = apparent
    w, V = column(body, columns, k)
    angular = plus(applied(A, w), mapped(B, V))
    linear = plus(mapped_back(B, w), applied(C, V))
    d = dot(w, angular) + dot(V, linear)
    gap = Q - dot(w, couple) - dot(V, force)
    if body[at.REFLECTED] != 0.0:
        spin, w_p, dw_p = vector(body, at.SPIN), vector(carrier, at.W), vector(carrier, at.DW)
        torque, reaction = rotor_torque(body[at.REFLECTED], spin, w_p, dw_p, v, 0.0)
        gather(carrier, at.COUPLE, reaction)
        angular = plus(angular, into(rotation(current), spin))
        d += body[at.REFLECTED]
        gap -= torque
    inverse = reciprocal(body, d)
    solution = solved(body, current, columns, k)
    keep(solution, at.U_ANGULAR, angular)
    keep(solution, at.U_LINEAR, linear)
    solution[at.GAP], solution[at.D_INVERSE] = gap, inverse
    gain, g, f = inverse * gap, times(inverse, angular), times(inverse, linear)
    return (
        plus(couple, times(gain, angular)),
        plus(force, times(gain, linear)),
        less(A, g, angular),
        matrix_less(B, g, linear),
        less(C, f, linear),
    )


def hand_inertia(current: Any, carrier: Any, apparent: Any) -> None:
    """Wrench and inertia of a body join its carrier: B' = B + r̃ C, A' = A + r̃ Bᵀ − B' r̃."""
    R, r = rotation(current), vector(current, at.P)
    couple, force, A, B, C = apparent
    force = out(R, force)
    couple = plus(out(R, couple), cross(r, force))
    A, B, C = turned_symmetric(R, A), turned(R, B), turned_symmetric(R, C)
    x = plus((B[0], B[3], B[6]), cross(r, (C[0], C[1], C[2])))  # columns of B'
    y = plus((B[1], B[4], B[7]), cross(r, (C[1], C[3], C[4])))
    z = plus((B[2], B[5], B[8]), cross(r, (C[2], C[4], C[5])))
    a = cross(r, (B[0], B[1], B[2]))  # columns of r̃ Bᵀ
    b = cross(r, (B[3], B[4], B[5]))
    c = cross(r, (B[6], B[7], B[8]))
    xx = A[0] + a[0] - (y[0] * r[2] - z[0] * r[1])
    xy = A[1] + b[0] - (z[0] * r[0] - x[0] * r[2])
    xz = A[2] + c[0] - (x[0] * r[1] - y[0] * r[0])
    yy = A[3] + b[1] - (z[1] * r[0] - x[1] * r[2])
    yz = A[4] + c[1] - (x[1] * r[1] - y[1] * r[0])
    zz = A[5] + c[2] - (x[2] * r[1] - y[2] * r[0])
    gather(carrier, at.COUPLE, couple)
    gather(carrier, at.FORCE, force)
    gather_symmetric(carrier, at.A, (xx, xy, xz, yy, yz, zz))
    gather_matrix(carrier, at.B, by_columns(x, y, z))
    gather_symmetric(carrier, at.C, C)


def accelerate(body: Any, current: Any, carrier: Any, columns: Any, a: Any) -> None:
    """The accelerations of a joint, then those of its body due to all joints up to it."""
    R, dw = rotation(current), vector(carrier, at.EXTRA_ANGULAR)
    acc = into(R, plus(vector(carrier, at.EXTRA_LINEAR), cross(dw, vector(current, at.P))))
    dw = into(R, dw)
    first, end = speeds(body)
    for k in range(first, end):
        w, V = column(body, columns, k)
        solution = solved(body, current, columns, k)
        left = solution[at.GAP] - dot(vector(solution, at.U_ANGULAR), dw)
        a[k] = solution[at.D_INVERSE] * (left - dot(vector(solution, at.U_LINEAR), acc))
        dw = plus(dw, times(a[k], w))
        acc = plus(acc, times(a[k], V))
    keep(current, at.EXTRA_ANGULAR, dw)
    keep(current, at.EXTRA_LINEAR, acc)
