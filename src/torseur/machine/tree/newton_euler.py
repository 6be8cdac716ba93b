"""Inverse dynamics over arrays: the recursive Newton-Euler algorithm."""

from torseur.machine.runtime.vectors import (
    apart,
    cross,
    dot,
    gather,
    inlined,
    matrix,
    out,
    plus,
    rows,
    times,
    vector,
    whole,
)
from torseur.machine.tree import places as at
from torseur.machine.tree.joints import column, freedoms, place
from torseur.machine.tree.motion import move, need


@apart
def inverse_dynamics(model, work, columns, q, v, a, Q):
    """Q ← the generalised forces that produce the accelerations a; see dynamics.newton_euler.

    The ground's row of the workspace holds its motion: still, but for its acceleration −gravity.
    """
    n = whole(model[at.BODIES])

    # outward: the motion of each body and the wrench it needs
    for i in range(1, n + 1):
        body, here, carrier = rows(model, work, i, at.INVERSE_WIDTH)
        place(body, here, columns, q)
        move(body, here, carrier, columns, q, v, a)
        need(body, here)

    # inward: each joint carries its body and everything beyond it
    for i in range(n, 0, -1):
        body, here, carrier = rows(model, work, i, at.INVERSE_WIDTH)
        kind, k = whole(body[at.KIND]), whole(body[at.FIRST_V])
        couple, force = vector(here, at.COUPLE), vector(here, at.FORCE)
        if kind == at.AXIAL:
            Q[k] = body[at.TURN] * couple[2] + body[at.SLIDE] * force[2]
            if body[at.REFLECTED] != 0.0:
                Q[k] += spin(body, carrier, v[k], a[k])
        else:
            for j in range(k, k + freedoms(kind)):
                S = column(columns, j)
                Q[j] = dot(vector(S, at.ANGULAR), couple) + dot(vector(S, at.LINEAR), force)
        R_PM = matrix(here, at.R)
        force = out(R_PM, force)
        gather(carrier, at.FORCE, force)
        gather(carrier, at.COUPLE, plus(out(R_PM, couple), cross(vector(here, at.P), force)))


@inlined
def spin(body, carrier, v, a):
    """The torque on the joint of a rotor; the couple on its carrier is added there.

    The carrier needs α j (q̈ ε + q̇ ω × ε), the joint α² j q̈ + α j ε · dω.
    """
    reflected = vector(body, at.SPIN)
    turning = cross(vector(carrier, at.W), reflected)
    gather(carrier, at.COUPLE, plus(times(a, reflected), times(v, turning)))
    return body[at.REFLECTED] * a + dot(reflected, vector(carrier, at.DW))
