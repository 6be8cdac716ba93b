"""Forward dynamics over arrays: articulated bodies, joints of several freedoms column by column."""

from numba import njit

from torseur.backends.loops.joints import freedoms, place
from torseur.backends.loops.motion import move, need
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
            d = _release(bodies, work, i, Q[k])
        else:
            d = _release_columns(bodies, work, columns, i, Q)
        if d <= 0.0:
            loose = i
        if p > 0:
            _hand_over(work, i, p)

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
def _release(bodies, work, i, Q):
    """The articulated body once its axial joint gives way; the result is D."""
    turn, slide = bodies[i, TURN], bodies[i, SLIDE]
    I_A, I_B, I_C = symmetric(work, i, A), matrix(work, i, B), symmetric(work, i, C)
    angular = plus(times(turn, (I_A[2], I_A[4], I_A[5])), times(slide, (I_B[2], I_B[5], I_B[8])))
    linear = plus(times(turn, (I_B[6], I_B[7], I_B[8])), times(slide, (I_C[2], I_C[4], I_C[5])))
    d = turn * angular[2] + slide * linear[2]
    if bodies[i, REFLECTED] != 0.0:
        d += bodies[i, REFLECTED]
        angular = plus(angular, into(matrix(work, i, R), vector(bodies, i, SPIN)))
    couple, force = vector(work, i, COUPLE), vector(work, i, FORCE)
    gap, inverse = Q - turn * couple[2] - slide * force[2], 1.0 / d
    keep(work, i, U_ANGULAR, angular)
    keep(work, i, U_LINEAR, linear)
    work[i, GAP], work[i, D_INVERSE] = gap, inverse
    _give_way(work, i, angular, linear, gap, inverse)
    return d


@njit(error_model="numpy")
def _release_columns(bodies, work, columns, i, Q):
    """The same for a joint of several freedoms: D is eliminated one column after the other."""
    first = int(bodies[i, FIRST_V])
    smallest = 1.0
    for k in range(first + freedoms(int(bodies[i, KIND])) - 1, first - 1, -1):
        w, V = vector(columns, k, ANGULAR), vector(columns, k, LINEAR)
        I_B = matrix(work, i, B)
        angular = plus(applied(symmetric(work, i, A), w), out(I_B, V))
        linear = plus(into(I_B, w), applied(symmetric(work, i, C), V))
        d = dot(w, angular) + dot(V, linear)
        gap = Q[k] - dot(w, vector(work, i, COUPLE)) - dot(V, vector(work, i, FORCE))
        keep(columns, k, COLUMN_U_ANGULAR, angular)
        keep(columns, k, COLUMN_U_LINEAR, linear)
        columns[k, COLUMN_GAP], columns[k, COLUMN_D_INVERSE] = gap, 1.0 / d
        _give_way(work, i, angular, linear, gap, 1.0 / d)
        smallest = min(smallest, d)
    return smallest


@inlined
def _give_way(work, i, angular, linear, gap, inverse):
    """Wrench + U D⁻¹ u, and I − U D⁻¹ Uᵀ."""
    gain = gap * inverse
    gather(work, i, COUPLE, times(gain, angular))
    gather(work, i, FORCE, times(gain, linear))
    g, f = times(-inverse, angular), times(-inverse, linear)
    gather(work, i, A, times(g[0], angular))
    gather(work, i, A + 3, (g[1] * angular[1], g[1] * angular[2], g[2] * angular[2]))
    gather(work, i, B, times(g[0], linear))
    gather(work, i, B + 3, times(g[1], linear))
    gather(work, i, B + 6, times(g[2], linear))
    gather(work, i, C, times(f[0], linear))
    gather(work, i, C + 3, (f[1] * linear[1], f[1] * linear[2], f[2] * linear[2]))


@inlined
def _hand_over(work, i, p):
    """What is left of body i goes to its carrier p: B' = B + r̃ C, A' = A + r̃ Bᵀ − B' r̃."""
    R_PM, r = matrix(work, i, R), vector(work, i, P)
    force = out(R_PM, vector(work, i, FORCE))
    couple = plus(out(R_PM, vector(work, i, COUPLE)), cross(r, force))
    gather(work, p, FORCE, force)
    gather(work, p, COUPLE, couple)
    I_C = turned_symmetric(R_PM, symmetric(work, i, C))
    gather(work, p, C, (I_C[0], I_C[1], I_C[2]))
    gather(work, p, C + 3, (I_C[3], I_C[4], I_C[5]))
    near = turned(R_PM, matrix(work, i, B))
    x = plus((near[0], near[3], near[6]), cross(r, (I_C[0], I_C[1], I_C[2])))  # columns of B'
    y = plus((near[1], near[4], near[7]), cross(r, (I_C[1], I_C[3], I_C[4])))
    z = plus((near[2], near[5], near[8]), cross(r, (I_C[2], I_C[4], I_C[5])))
    gather(work, p, B, (x[0], y[0], z[0]))
    gather(work, p, B + 3, (x[1], y[1], z[1]))
    gather(work, p, B + 6, (x[2], y[2], z[2]))
    I_A = turned_symmetric(R_PM, symmetric(work, i, A))
    a = cross(r, (near[0], near[1], near[2]))  # columns of r̃ Bᵀ
    b = cross(r, (near[3], near[4], near[5]))
    c = cross(r, (near[6], near[7], near[8]))
    gather(
        work,
        p,
        A,
        (
            I_A[0] + a[0] - (y[0] * r[2] - z[0] * r[1]),
            I_A[1] + b[0] - (z[0] * r[0] - x[0] * r[2]),
            I_A[2] + c[0] - (x[0] * r[1] - y[0] * r[0]),
        ),
    )
    gather(
        work,
        p,
        A + 3,
        (
            I_A[3] + b[1] - (z[1] * r[0] - x[1] * r[2]),
            I_A[4] + c[1] - (x[1] * r[1] - y[1] * r[0]),
            I_A[5] + c[2] - (x[2] * r[1] - y[2] * r[0]),
        ),
    )


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
