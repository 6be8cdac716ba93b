"""Forward dynamics over arrays: articulated bodies, joints of several freedoms column by column."""

from numba import njit

from torseur.backends.loops.joints import freedoms, place
from torseur.backends.loops.motion import move, need
from torseur.backends.loops.newton_euler import spin
from torseur.backends.loops.rows import (
    ACC,
    ANGULAR,
    AXIAL,
    BODIES,
    COLUMN_D_INVERSE,
    COLUMN_GAP,
    COLUMN_U_ANGULAR,
    COLUMN_U_LINEAR,
    COUPLE,
    D_INVERSE,
    DW,
    EXTRA_ANGULAR,
    EXTRA_LINEAR,
    FIRST_MOMENT,
    FIRST_V,
    FORCE,
    GAP,
    KIND,
    LINEAR,
    MASS,
    PARENT,
    REFLECTED,
    SECOND_MOMENT,
    SLIDE,
    SPIN,
    TURN,
    U_ANGULAR,
    U_LINEAR,
    A,
    B,
    C,
    P,
    R,
    W,
)
from torseur.backends.loops.vectors import (
    apart,
    applied,
    cross,
    dot,
    gather,
    inlined,
    into,
    keep,
    matrix,
    out,
    plus,
    symmetric,
    times,
    turned,
    turned_symmetric,
    vector,
)

NOTHING = (0.0, 0.0, 0.0)


@njit(error_model="numpy")
def forward_dynamics(bodies, work, columns, q, v, Q, still, a):
    """a ← the accelerations that the generalised forces Q produce; see dynamics.articulated_body.

    `still` holds a zero for every speed. The result is the row of a body whose motion no inertia
    resists, or 0.
    """
    n = int(bodies[0, BODIES])
    keep(work, 0, W, NOTHING)
    keep(work, 0, DW, NOTHING)
    keep(work, 0, ACC, times(-1.0, vector(bodies, 0, 3)))

    # outward: the wrench of each body without joint accelerations, and its own inertia
    for i in range(1, n + 1):
        place(bodies, work, columns, i, q)
        move(bodies, work, columns, i, int(bodies[i, PARENT]), q, v, still)
        need(bodies, work, i)
        _rigid(bodies, work, i)

    # inward: the inertia and the wrench that a body shows to the joint that carries it
    loose = 0
    for i in range(n, 0, -1):
        p, k = int(bodies[i, PARENT]), int(bodies[i, FIRST_V])
        if int(bodies[i, KIND]) == AXIAL:
            d, left = _release(bodies, work, i, p, v[k], Q[k])
        else:
            d = _release_columns(bodies, work, columns, i, Q)
            left = _shown(work, i)
        if d <= 0.0:
            loose = i
        if p > 0:
            _hand_over(work, i, p, left)

    # outward: each joint takes what its articulated body leaves to it
    keep(work, 0, EXTRA_ANGULAR, NOTHING)
    keep(work, 0, EXTRA_LINEAR, NOTHING)
    for i in range(1, n + 1):
        _accelerate(bodies, work, columns, i, int(bodies[i, PARENT]), a)
    return loose


@inlined
def _rigid(bodies, work, i):
    """The inertia of the body alone: A = tr(K) 1 − K, B = h̃, C = m 1."""
    m, h = bodies[i, MASS], vector(bodies, i, FIRST_MOMENT)
    xx, xy, xz, yy, yz, zz = symmetric(bodies, i, SECOND_MOMENT)
    keep(work, i, A, (yy + zz, -xy, -xz))
    keep(work, i, A + 3, (xx + zz, -yz, xx + yy))
    keep(work, i, B, (0.0, -h[2], h[1]))
    keep(work, i, B + 3, (h[2], 0.0, -h[0]))
    keep(work, i, B + 6, (-h[1], h[0], 0.0))
    keep(work, i, C, (m, 0.0, 0.0))
    keep(work, i, C + 3, (m, 0.0, m))


@inlined
def _shown(work, i):
    """The wrench and the articulated inertia of body i: couple, force, A, B, C."""
    return (
        vector(work, i, COUPLE),
        vector(work, i, FORCE),
        symmetric(work, i, A),
        matrix(work, i, B),
        symmetric(work, i, C),
    )


@inlined
def _release(bodies, work, i, p, v, Q):
    """D, and what body i shows once its axial joint gives way."""
    turn, slide = bodies[i, TURN], bodies[i, SLIDE]
    couple, force, I_A, I_B, I_C = _shown(work, i)
    angular = plus(times(turn, (I_A[2], I_A[4], I_A[5])), times(slide, (I_B[2], I_B[5], I_B[8])))
    linear = plus(times(turn, (I_B[6], I_B[7], I_B[8])), times(slide, (I_C[2], I_C[4], I_C[5])))
    d = turn * angular[2] + slide * linear[2]
    if bodies[i, REFLECTED] != 0.0:
        d += bodies[i, REFLECTED]
        angular = plus(angular, into(matrix(work, i, R), vector(bodies, i, SPIN)))
        Q -= spin(bodies, work, i, p, v, 0.0)
    gap, inverse = Q - turn * couple[2] - slide * force[2], 1.0 / d
    keep(work, i, U_ANGULAR, angular)
    keep(work, i, U_LINEAR, linear)
    work[i, GAP], work[i, D_INVERSE] = gap, inverse
    return d, _given_way((couple, force, I_A, I_B, I_C), angular, linear, gap, inverse)


@apart
def _release_columns(bodies, work, columns, i, Q):
    """The same for a joint of several freedoms: D is eliminated one column after the other."""
    first = int(bodies[i, FIRST_V])
    smallest = 1.0
    for k in range(first + freedoms(int(bodies[i, KIND])) - 1, first - 1, -1):
        w, V = vector(columns, k, ANGULAR), vector(columns, k, LINEAR)
        shown = _shown(work, i)
        couple, force, I_A, I_B, I_C = shown
        angular = plus(applied(I_A, w), out(I_B, V))
        linear = plus(into(I_B, w), applied(I_C, V))
        d = dot(w, angular) + dot(V, linear)
        gap = Q[k] - dot(w, couple) - dot(V, force)
        keep(columns, k, COLUMN_U_ANGULAR, angular)
        keep(columns, k, COLUMN_U_LINEAR, linear)
        columns[k, COLUMN_GAP], columns[k, COLUMN_D_INVERSE] = gap, 1.0 / d
        _keep_shown(work, i, _given_way(shown, angular, linear, gap, 1.0 / d))
        smallest = min(smallest, d)
    return smallest


@inlined
def _keep_shown(work, i, shown):
    couple, force, I_A, I_B, I_C = shown
    keep(work, i, COUPLE, couple)
    keep(work, i, FORCE, force)
    keep(work, i, A, (I_A[0], I_A[1], I_A[2]))
    keep(work, i, A + 3, (I_A[3], I_A[4], I_A[5]))
    keep(work, i, B, (I_B[0], I_B[1], I_B[2]))
    keep(work, i, B + 3, (I_B[3], I_B[4], I_B[5]))
    keep(work, i, B + 6, (I_B[6], I_B[7], I_B[8]))
    keep(work, i, C, (I_C[0], I_C[1], I_C[2]))
    keep(work, i, C + 3, (I_C[3], I_C[4], I_C[5]))


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
def _hand_over(work, i, p, left):
    """What is left of body i goes to its carrier p: B' = B + r̃ C, A' = A + r̃ Bᵀ − B' r̃."""
    R_PM, r = matrix(work, i, R), vector(work, i, P)
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
    gather(work, p, COUPLE, couple)
    gather(work, p, FORCE, force)
    gather(work, p, A, (xx, xy, xz))
    gather(work, p, A + 3, (yy, yz, zz))
    gather(work, p, B, (x[0], y[0], z[0]))
    gather(work, p, B + 3, (x[1], y[1], z[1]))
    gather(work, p, B + 6, (x[2], y[2], z[2]))
    gather(work, p, C, (I_C[0], I_C[1], I_C[2]))
    gather(work, p, C + 3, (I_C[3], I_C[4], I_C[5]))


@inlined
def _accelerate(bodies, work, columns, i, p, a):
    """The accelerations of joint i, then those of body i due to all joints up to it."""
    R_PM, dw = matrix(work, i, R), vector(work, p, EXTRA_ANGULAR)
    acc = plus(vector(work, p, EXTRA_LINEAR), cross(dw, vector(work, i, P)))
    acc, dw = into(R_PM, acc), into(R_PM, dw)
    k = int(bodies[i, FIRST_V])
    if int(bodies[i, KIND]) == AXIAL:
        given = dot(vector(work, i, U_ANGULAR), dw) + dot(vector(work, i, U_LINEAR), acc)
        a[k] = work[i, D_INVERSE] * (work[i, GAP] - given)
        dw = dw[0], dw[1], dw[2] + bodies[i, TURN] * a[k]
        acc = acc[0], acc[1], acc[2] + bodies[i, SLIDE] * a[k]
    else:
        for j in range(k, k + freedoms(int(bodies[i, KIND]))):
            given = dot(vector(columns, j, COLUMN_U_ANGULAR), dw)
            given += dot(vector(columns, j, COLUMN_U_LINEAR), acc)
            a[j] = columns[j, COLUMN_D_INVERSE] * (columns[j, COLUMN_GAP] - given)
            dw = plus(dw, times(a[j], vector(columns, j, ANGULAR)))
            acc = plus(acc, times(a[j], vector(columns, j, LINEAR)))
    keep(work, i, EXTRA_ANGULAR, dw)
    keep(work, i, EXTRA_LINEAR, acc)
