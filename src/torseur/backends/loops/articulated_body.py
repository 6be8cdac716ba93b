"""Forward dynamics over arrays: articulated bodies, joints of several freedoms column by column."""

from torseur.backends.loops import places as at
from torseur.backends.loops.joints import column, freedoms, place
from torseur.backends.loops.motion import move, need
from torseur.backends.loops.newton_euler import spin
from torseur.backends.loops.vectors import (
    address,
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
    symmetric,
    times,
    turned,
    turned_symmetric,
    vector,
)


@apart
def forward_dynamics(model, work, columns, q, v, Q, still, a):
    """a ← the accelerations that the generalised forces Q produce; see dynamics.articulated_body.

    `still` holds a zero for every speed; the ground's row of the workspace holds its motion.
    """
    n, width = int(model[at.BODIES]), at.FORWARD_WIDTH

    # outward: the wrench of each body without joint accelerations, and its own inertia
    for i in range(1, n + 1):
        body, here = address(model, i * at.MODEL_WIDTH), address(work, i * width)
        carrier = address(work, int(body[at.PARENT]) * width)
        place(body, here, columns, q)
        move(body, here, carrier, columns, q, v, still)
        need(body, here)
        _rigid(body, here)

    # inward: the inertia and the wrench that a body shows to the joint that carries it
    for i in range(n, 0, -1):
        body, here = address(model, i * at.MODEL_WIDTH), address(work, i * width)
        carrier = address(work, int(body[at.PARENT]) * width)
        if int(body[at.KIND]) == at.AXIAL:
            k = int(body[at.FIRST_V])
            left = _release(body, here, carrier, v[k], Q[k])
        else:
            _release_columns(body, here, columns, Q)
            left = _shown(here)
        if int(body[at.PARENT]) > 0:
            _hand_over(here, carrier, left)

    # outward: each joint takes what its articulated body leaves to it
    keep(work, at.EXTRA_ANGULAR, (0.0, 0.0, 0.0))
    keep(work, at.EXTRA_LINEAR, (0.0, 0.0, 0.0))
    for i in range(1, n + 1):
        body, here = address(model, i * at.MODEL_WIDTH), address(work, i * width)
        _accelerate(body, here, address(work, int(body[at.PARENT]) * width), columns, a)


@inlined
def _rigid(body, here):
    """The inertia of the body alone: A = tr(K) 1 − K, B = h̃, C = m 1."""
    m, h = body[at.MASS], vector(body, at.FIRST_MOMENT)
    xx, xy, xz, yy, yz, zz = symmetric(body, at.SECOND_MOMENT)
    keep(here, at.A, (yy + zz, -xy, -xz))
    keep(here, at.A + 3, (xx + zz, -yz, xx + yy))
    keep(here, at.B, (0.0, -h[2], h[1]))
    keep(here, at.B + 3, (h[2], 0.0, -h[0]))
    keep(here, at.B + 6, (-h[1], h[0], 0.0))
    keep(here, at.C, (m, 0.0, 0.0))
    keep(here, at.C + 3, (m, 0.0, m))


@inlined
def _shown(here):
    """The wrench and the articulated inertia of body i: couple, force, at.A, at.B, C."""
    return (
        vector(here, at.COUPLE),
        vector(here, at.FORCE),
        symmetric(here, at.A),
        matrix(here, at.B),
        symmetric(here, at.C),
    )


@inlined
def _release(body, here, carrier, v, Q):
    """D, and what body i shows once its axial joint gives way."""
    turn, slide = body[at.TURN], body[at.SLIDE]
    couple, force, I_A, I_B, I_C = _shown(here)
    angular = plus(times(turn, (I_A[2], I_A[4], I_A[5])), times(slide, (I_B[2], I_B[5], I_B[8])))
    linear = plus(times(turn, (I_B[6], I_B[7], I_B[8])), times(slide, (I_C[2], I_C[4], I_C[5])))
    d = turn * angular[2] + slide * linear[2]
    if body[at.REFLECTED] != 0.0:
        d += body[at.REFLECTED]
        angular = plus(angular, into(matrix(here, at.R), vector(body, at.SPIN)))
        Q -= spin(body, carrier, v, 0.0)
    gap, inverse = Q - turn * couple[2] - slide * force[2], 1.0 / d
    keep(here, at.U_ANGULAR, angular)
    keep(here, at.U_LINEAR, linear)
    here[at.GAP], here[at.D_INVERSE] = gap, inverse
    return d, _given_way((couple, force, I_A, I_B, I_C), angular, linear, gap, inverse)


@apart
def _release_columns(body, here, columns, Q):
    """The same for a joint of several freedoms: D is eliminated one column after the other."""
    first = int(body[at.FIRST_V])
    smallest = 1.0
    for k in range(first + freedoms(int(body[at.KIND])) - 1, first - 1, -1):
        w, V = vector(columns, k, at.ANGULAR), vector(columns, k, at.LINEAR)
        shown = _shown(here)
        couple, force, I_A, I_B, I_C = shown
        angular = plus(applied(I_A, w), out(I_B, V))
        linear = plus(into(I_B, w), applied(I_C, V))
        d = dot(w, angular) + dot(V, linear)
        gap = Q[k] - dot(w, couple) - dot(V, force)
        keep(columns, k, at.COLUMN_U_ANGULAR, angular)
        keep(columns, k, at.COLUMN_U_LINEAR, linear)
        columns[k, at.COLUMN_GAP], columns[k, at.COLUMN_D_INVERSE] = gap, 1.0 / d
        _keep_shown(here, _given_way(shown, angular, linear, gap, 1.0 / d))
        smallest = min(smallest, d)
    return smallest


@inlined
def _keep_shown(here, shown):
    couple, force, I_A, I_B, I_C = shown
    keep(here, at.COUPLE, couple)
    keep(here, at.FORCE, force)
    keep(here, at.A, (I_A[0], I_A[1], I_A[2]))
    keep(here, at.A + 3, (I_A[3], I_A[4], I_A[5]))
    keep(here, at.B, (I_B[0], I_B[1], I_B[2]))
    keep(here, at.B + 3, (I_B[3], I_B[4], I_B[5]))
    keep(here, at.B + 6, (I_B[6], I_B[7], I_B[8]))
    keep(here, at.C, (I_C[0], I_C[1], I_C[2]))
    keep(here, at.C + 3, (I_C[3], I_C[4], I_C[5]))


@inlined
def _given_way(shown, angular, linear, gap, inverse):
    """Wrench + U D⁻¹ u, and I − U D⁻¹ Uᵀ."""
    couple, force, I_A, I_B, I_C = shown
    gain = gap * inverse
    g, f = times(inverse, angular), times(inverse, linear)
    return (
        plus(couple, times(gain, angular)),
        plus(force, times(gain, linear)),
        _less(I_A, g, angular),
        (
            I_B[0] - g[0] * linear[0],
            I_B[1] - g[0] * linear[1],
            I_B[2] - g[0] * linear[2],
            I_B[3] - g[1] * linear[0],
            I_B[4] - g[1] * linear[1],
            I_B[5] - g[1] * linear[2],
            I_B[6] - g[2] * linear[0],
            I_B[7] - g[2] * linear[1],
            I_B[8] - g[2] * linear[2],
        ),
        _less(I_C, f, linear),
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
    """What is left of body i goes to its carrier p: B' = at.B + r̃ at.C, A' = at.A + r̃ Bᵀ − B' r̃."""
    R_PM, r = matrix(here, at.R), vector(here, at.P)
    couple, force, I_A, I_B, I_C = left
    force = out(R_PM, force)
    couple = plus(out(R_PM, couple), cross(r, force))
    I_A, I_B, I_C = turned_symmetric(R_PM, I_A), turned(R_PM, I_B), turned_symmetric(R_PM, I_C)
    x = plus((I_B[0], I_B[3], I_B[6]), cross(r, (I_C[0], I_C[1], I_C[2])))  # columns of B'
    y = plus((I_B[1], I_B[4], I_B[7]), cross(r, (I_C[1], I_C[3], I_C[4])))
    z = plus((I_B[2], I_B[5], I_B[8]), cross(r, (I_C[2], I_C[4], I_C[5])))
    a = cross(r, (I_B[0], I_B[1], I_B[2]))  # columns of r̃ Bᵀ
    b = cross(r, (I_B[3], I_B[4], I_B[5]))
    c = cross(r, (I_B[6], I_B[7], I_B[8]))
    xx = I_A[0] + a[0] - (y[0] * r[2] - z[0] * r[1])
    xy = I_A[1] + b[0] - (z[0] * r[0] - x[0] * r[2])
    xz = I_A[2] + c[0] - (x[0] * r[1] - y[0] * r[0])
    yy = I_A[3] + b[1] - (z[1] * r[0] - x[1] * r[2])
    yz = I_A[4] + c[1] - (x[1] * r[1] - y[1] * r[0])
    zz = I_A[5] + c[2] - (x[2] * r[1] - y[2] * r[0])
    gather(carrier, at.COUPLE, couple)
    gather(carrier, at.FORCE, force)
    gather(carrier, at.A, (xx, xy, xz))
    gather(carrier, at.A + 3, (yy, yz, zz))
    gather(carrier, at.B, (x[0], y[0], z[0]))
    gather(carrier, at.B + 3, (x[1], y[1], z[1]))
    gather(carrier, at.B + 6, (x[2], y[2], z[2]))
    gather(carrier, at.C, (I_C[0], I_C[1], I_C[2]))
    gather(carrier, at.C + 3, (I_C[3], I_C[4], I_C[5]))


@inlined
def _accelerate(body, here, carrier, columns, a):
    """The accelerations of joint i, then those of body i due to all joints up to it."""
    R_PM, dw = matrix(here, at.R), vector(carrier, at.EXTRA_ANGULAR)
    acc = plus(vector(carrier, at.EXTRA_LINEAR), cross(dw, vector(here, at.P)))
    acc, dw = into(R_PM, acc), into(R_PM, dw)
    k = int(body[at.FIRST_V])
    if int(body[at.KIND]) == AXIAL:
        given = dot(vector(here, at.U_ANGULAR), dw) + dot(vector(here, at.U_LINEAR), acc)
        a[k] = here[at.D_INVERSE] * (here[at.GAP] - given)
        dw = dw[0], dw[1], dw[2] + body[at.TURN] * a[k]
        acc = acc[0], acc[1], acc[2] + body[at.SLIDE] * a[k]
    else:
        for j in range(k, k + freedoms(int(body[at.KIND]))):
            given = dot(vector(columns, j, at.COLUMN_U_ANGULAR), dw)
            given += dot(vector(columns, j, at.COLUMN_U_LINEAR), acc)
            a[j] = columns[j, at.COLUMN_D_INVERSE] * (columns[j, at.COLUMN_GAP] - given)
            dw = plus(dw, times(a[j], vector(columns, j, at.ANGULAR)))
            acc = plus(acc, times(a[j], vector(columns, j, at.LINEAR)))
    keep(here, at.EXTRA_ANGULAR, dw)
    keep(here, at.EXTRA_LINEAR, acc)
