"""Inverse dynamics over arrays: the recursive Newton-Euler algorithm."""

from numba import njit

from torseur.backends.loops.joints import freedoms, place
from torseur.backends.loops.motion import move, need
from torseur.backends.loops.rows import (
    ACC,
    ANGULAR,
    AXIAL,
    BODIES,
    COUPLE,
    DW,
    FIRST_V,
    FORCE,
    KIND,
    LINEAR,
    PARENT,
    REFLECTED,
    SLIDE,
    SPIN,
    TURN,
    P,
    R,
    W,
)
from torseur.backends.loops.vectors import (
    cross,
    dot,
    gather,
    inlined,
    keep,
    matrix,
    out,
    plus,
    times,
    vector,
)


@njit(error_model="numpy")
def inverse_dynamics(bodies, work, columns, q, v, a, gravity, Q):
    """Q ← the generalised forces that produce the accelerations a; see dynamics.newton_euler."""
    n = int(bodies[0, BODIES])
    keep(work, 0, W, (0.0, 0.0, 0.0))
    keep(work, 0, DW, (0.0, 0.0, 0.0))
    keep(work, 0, ACC, times(-1.0, gravity))

    # outward: the motion of each body and the wrench it needs
    for i in range(1, n + 1):
        place(bodies, work, columns, i, q)
        move(bodies, work, columns, i, int(bodies[i, PARENT]), q, v, a)
        need(bodies, work, i)

    # inward: each joint carries its body and everything beyond it
    for i in range(n, 0, -1):
        p, k = int(bodies[i, PARENT]), int(bodies[i, FIRST_V])
        couple, force = vector(work, i, COUPLE), vector(work, i, FORCE)
        if int(bodies[i, KIND]) == AXIAL:
            Q[k] = bodies[i, TURN] * couple[2] + bodies[i, SLIDE] * force[2]
            if bodies[i, REFLECTED] != 0.0:
                Q[k] += spin(bodies, work, i, p, v[k], a[k])
        else:
            for j in range(k, k + freedoms(int(bodies[i, KIND]))):
                angular, linear = vector(columns, j, ANGULAR), vector(columns, j, LINEAR)
                Q[j] = dot(angular, couple) + dot(linear, force)
        if p > 0:
            R_PM = matrix(work, i, R)
            force = out(R_PM, force)
            gather(work, p, FORCE, force)
            gather(work, p, COUPLE, plus(out(R_PM, couple), cross(vector(work, i, P), force)))


@inlined
def spin(bodies, work, i, p, v, a):
    """The torque on the joint of a rotor; the couple on its carrier p is added there.

    The carrier's couple is α j (q̈ ε + q̇ ω × ε), the joint feels α² j q̈ + α j ε · dω.
    """
    reflected = vector(bodies, i, SPIN)
    if p > 0:
        turning = cross(vector(work, p, W), reflected)
        gather(work, p, COUPLE, plus(times(a, reflected), times(v, turning)))
    return bodies[i, REFLECTED] * a + dot(reflected, vector(work, p, DW))
