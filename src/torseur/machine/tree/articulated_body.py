"""Forward dynamics over arrays: articulated bodies, joints of several freedoms column by column."""

from torseur.machine.runtime.vectors import (
    apart,
    applied,
    cross,
    dot,
    gather,
    gather_matrix,
    gather_symmetric,
    inlined,
    into,
    keep,
    keep_matrix,
    keep_symmetric,
    matrix,
    out,
    plus,
    rows,
    symmetric,
    times,
    turned,
    turned_symmetric,
    vector,
    whole,
)
from torseur.machine.tree import places as at
from torseur.machine.tree.joints import column, freedoms, place
from torseur.machine.tree.motion import move, need
from torseur.machine.tree.newton_euler import spin


@apart
def forward_dynamics(model, work, columns, q, v, Q, still, a):
    """a ← the accelerations that the generalised forces Q produce; see dynamics.articulated_body.

    `still` holds a zero for every speed; the ground's row of the workspace holds its motion.
    """
    n = whole(model[at.BODIES])

    # outward: the wrench of each body without joint accelerations, and its own inertia
    for i in range(1, n + 1):
        body, here, carrier = rows(model, work, i, at.FORWARD_WIDTH)
        place(body, here, columns, q)
        move(body, here, carrier, columns, q, v, still)
        need(body, here)
        _rigid(body, here)

    # inward: the inertia and the wrench that a body shows to the joint that carries it
    for i in range(n, 0, -1):
        body, here, carrier = rows(model, work, i, at.FORWARD_WIDTH)
        if whole(body[at.KIND]) == at.AXIAL:
            k = whole(body[at.FIRST_V])
            left = _release(body, here, carrier, v[k], Q[k])
        else:
            _release_columns(body, here, columns, Q)
            left = _shown(here)
        if whole(body[at.PARENT]) > 0:
            _hand_over(here, carrier, left)

    # outward: each joint takes what its articulated body leaves to it
    keep(work, at.EXTRA_ANGULAR, (0.0, 0.0, 0.0))
    keep(work, at.EXTRA_LINEAR, (0.0, 0.0, 0.0))
    for i in range(1, n + 1):
        body, here, carrier = rows(model, work, i, at.FORWARD_WIDTH)
        _accelerate(body, here, carrier, columns, a)


@inlined
def _rigid(body, here):
    """The inertia of the body alone: A = tr(K) 1 − K, B = h̃, C = m 1."""
    m, h = body[at.MASS], vector(body, at.FIRST_MOMENT)
    xx, xy, xz, yy, yz, zz = symmetric(body, at.SECOND_MOMENT)
    keep_symmetric(here, at.A, (yy + zz, -xy, -xz, xx + zz, -yz, xx + yy))
    keep_matrix(here, at.B, (0.0, -h[2], h[1], h[2], 0.0, -h[0], -h[1], h[0], 0.0))
    keep_symmetric(here, at.C, (m, 0.0, 0.0, m, 0.0, m))


@inlined
def _shown(here):
    """The wrench and the articulated inertia of a body: couple, force, A, B, C."""
    return (
        vector(here, at.COUPLE),
        vector(here, at.FORCE),
        symmetric(here, at.A),
        matrix(here, at.B),
        symmetric(here, at.C),
    )


@inlined
def _release(body, here, carrier, v, Q):
    """What a body shows once its axial joint gives way."""
    turn, slide = body[at.TURN], body[at.SLIDE]
    couple, force, A, B, C = _shown(here)
    angular = plus(times(turn, (A[2], A[4], A[5])), times(slide, (B[2], B[5], B[8])))
    linear = plus(times(turn, (B[6], B[7], B[8])), times(slide, (C[2], C[4], C[5])))
    d = turn * angular[2] + slide * linear[2]
    if body[at.REFLECTED] != 0.0:
        d += body[at.REFLECTED]
        angular = plus(angular, into(matrix(here, at.R), vector(body, at.SPIN)))
        Q -= spin(body, carrier, v, 0.0)
    gap, inverse = Q - turn * couple[2] - slide * force[2], 1.0 / d
    keep(here, at.U_ANGULAR, angular)
    keep(here, at.U_LINEAR, linear)
    here[at.GAP], here[at.D_INVERSE] = gap, inverse
    return _given_way((couple, force, A, B, C), angular, linear, gap, inverse)


@apart
def _release_columns(body, here, columns, Q):
    """The same for a joint of several freedoms: D is eliminated one column after the other."""
    first = whole(body[at.FIRST_V])
    for k in range(first + freedoms(whole(body[at.KIND])) - 1, first - 1, -1):
        S = column(columns, k)
        w, V = vector(S, at.ANGULAR), vector(S, at.LINEAR)
        couple, force, A, B, C = _shown(here)
        angular = plus(applied(A, w), out(B, V))
        linear = plus(into(B, w), applied(C, V))
        gap = Q[k] - dot(w, couple) - dot(V, force)
        inverse = 1.0 / (dot(w, angular) + dot(V, linear))
        keep(S, at.COLUMN_U_ANGULAR, angular)
        keep(S, at.COLUMN_U_LINEAR, linear)
        S[at.COLUMN_GAP], S[at.COLUMN_D_INVERSE] = gap, inverse
        couple, force, A, B, C = _given_way((couple, force, A, B, C), angular, linear, gap, inverse)
        keep(here, at.COUPLE, couple)
        keep(here, at.FORCE, force)
        keep_symmetric(here, at.A, A)
        keep_matrix(here, at.B, B)
        keep_symmetric(here, at.C, C)


@inlined
def _given_way(shown, angular, linear, gap, inverse):
    """Wrench + U D⁻¹ u, and I − U D⁻¹ Uᵀ."""
    couple, force, A, B, C = shown
    gain = gap * inverse
    g, f = times(inverse, angular), times(inverse, linear)
    return (
        plus(couple, times(gain, angular)),
        plus(force, times(gain, linear)),
        _less(A, g, angular),
        (
            B[0] - g[0] * linear[0],
            B[1] - g[0] * linear[1],
            B[2] - g[0] * linear[2],
            B[3] - g[1] * linear[0],
            B[4] - g[1] * linear[1],
            B[5] - g[1] * linear[2],
            B[6] - g[2] * linear[0],
            B[7] - g[2] * linear[1],
            B[8] - g[2] * linear[2],
        ),
        _less(C, f, linear),
    )


@inlined
def _less(S, g, b):
    """S − g bᵀ, the result being known to be symmetric."""
    return (
        S[0] - g[0] * b[0],
        S[1] - g[0] * b[1],
        S[2] - g[0] * b[2],
        S[3] - g[1] * b[1],
        S[4] - g[1] * b[2],
        S[5] - g[2] * b[2],
    )


@inlined
def _hand_over(here, carrier, left):
    """What is left of a body goes to its carrier: B' = B + r̃ C, A' = A + r̃ Bᵀ − B' r̃."""
    R_PM, r = matrix(here, at.R), vector(here, at.P)
    couple, force, A, B, C = left
    force = out(R_PM, force)
    couple = plus(out(R_PM, couple), cross(r, force))
    A, B, C = turned_symmetric(R_PM, A), turned(R_PM, B), turned_symmetric(R_PM, C)
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
    gather_matrix(carrier, at.B, (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))
    gather_symmetric(carrier, at.C, C)


@inlined
def _accelerate(body, here, carrier, columns, a):
    """The accelerations of a joint, then those of its body due to all joints up to it."""
    R_PM, dw = matrix(here, at.R), vector(carrier, at.EXTRA_ANGULAR)
    acc = plus(vector(carrier, at.EXTRA_LINEAR), cross(dw, vector(here, at.P)))
    acc, dw = into(R_PM, acc), into(R_PM, dw)
    kind, k = whole(body[at.KIND]), whole(body[at.FIRST_V])
    if kind == at.AXIAL:
        given = dot(vector(here, at.U_ANGULAR), dw) + dot(vector(here, at.U_LINEAR), acc)
        a[k] = here[at.D_INVERSE] * (here[at.GAP] - given)
        dw = dw[0], dw[1], dw[2] + body[at.TURN] * a[k]
        acc = acc[0], acc[1], acc[2] + body[at.SLIDE] * a[k]
    else:
        for j in range(k, k + freedoms(kind)):
            S = column(columns, j)
            given = dot(vector(S, at.COLUMN_U_ANGULAR), dw)
            given += dot(vector(S, at.COLUMN_U_LINEAR), acc)
            a[j] = S[at.COLUMN_D_INVERSE] * (S[at.COLUMN_GAP] - given)
            dw = plus(dw, times(a[j], vector(S, at.ANGULAR)))
            acc = plus(acc, times(a[j], vector(S, at.LINEAR)))
    keep(here, at.EXTRA_ANGULAR, dw)
    keep(here, at.EXTRA_LINEAR, acc)
