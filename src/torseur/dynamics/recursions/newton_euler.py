"""Inverse dynamics: the recursive Newton-Euler algorithm.

Reference: Llibre (2009) §3.2.1 with erratum E0-19, in the tensor form of Balafoutis and Patel
(1991).
"""

from typing import Any

from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.recursions.body_motion import move, need, rotor_torque
from torseur.dynamics.recursions.body_rows import (
    bodies,
    column,
    gather,
    out,
    place,
    rotation,
    rows,
    speeds,
    vector,
)
from torseur.spatial.triples import cross, dot, plus


def find_forces(model: Any, work: Any, columns: Any, q: Any, v: Any, a: Any, Q: Any) -> None:
    """Q ← the generalised forces that produce the accelerations a; O(n).

    The ground's row of the workspace holds its motion: still, but for its acceleration −gravity.
    """
    find_wrenches(model, work, columns, q, v, a)
    hand_wrenches(model, work, columns, v, a, Q)


def find_wrenches(model: Any, work: Any, columns: Any, q: Any, v: Any, a: Any) -> None:
    """Outward: the motion of each body and the wrench it needs."""
    for i in range(1, bodies(model) + 1):
        body, current, carrier = rows(model, work, i, at.INVERSE_WIDTH)
        place(body, current, columns, q)
        move(body, current, carrier, columns, q, v, a)
        need(body, current)


def hand_wrenches(model: Any, work: Any, columns: Any, v: Any, a: Any, Q: Any) -> None:
    """Inward: each joint carries its body and everything beyond it."""
    for i in range(bodies(model), 0, -1):
        body, current, carrier = rows(model, work, i, at.INVERSE_WIDTH)
        project(body, current, carrier, columns, v, a, Q)
        R = rotation(current)
        force = out(R, vector(current, at.FORCE))
        couple = plus(out(R, vector(current, at.COUPLE)), cross(vector(current, at.P), force))
        gather(carrier, at.FORCE, force)
        gather(carrier, at.COUPLE, couple)


def project(body: Any, current: Any, carrier: Any, columns: Any, v: Any, a: Any, Q: Any) -> None:
    """Q = Sᵀ wrench; a rotor adds its torque, and a couple on its carrier."""
    couple, force = vector(current, at.COUPLE), vector(current, at.FORCE)
    first, end = speeds(body)
    for k in range(first, end):
        w, V = column(body, columns, k)
        Q[k] = dot(w, couple) + dot(V, force)
        if body[at.REFLECTED] != 0.0:
            w_p, dw_p = vector(carrier, at.W), vector(carrier, at.DW)
            spin = vector(body, at.SPIN)
            torque, reaction = rotor_torque(body[at.REFLECTED], spin, w_p, dw_p, v[k], a[k])
            Q[k] += torque
            gather(carrier, at.COUPLE, reaction)
