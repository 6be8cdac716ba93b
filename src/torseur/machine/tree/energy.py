"""Kinetic and potential energy over arrays."""

from torseur.machine.runtime.vectors import (
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
    rows,
    symmetric,
    times,
    vector,
    whole,
)
from torseur.machine.tree import places as at
from torseur.machine.tree.joints import combined, freedoms, place


@apart
def kinetic_energy(model, work, columns, q, v):
    """T = Σ ½ m V² + V · (ω × h) + ½ ω · I ω, rotors included; see dynamics.energy."""
    twice = 0.0
    keep(work, at.W, (0.0, 0.0, 0.0))
    keep(work, at.VELOCITY, (0.0, 0.0, 0.0))
    for i in range(1, whole(model[at.BODIES]) + 1):
        body, here, carrier = rows(model, work, i, at.COMPOSITE_WIDTH)
        place(body, here, columns, q)
        w, V = _velocity(body, here, carrier, columns, v)
        keep(here, at.W, w)
        keep(here, at.VELOCITY, V)
        K = symmetric(body, at.SECOND_MOMENT)
        trace = K[0] + K[3] + K[5]
        twice += body[at.MASS] * dot(V, V) + 2.0 * dot(V, cross(w, vector(body, at.FIRST_MOMENT)))
        twice += trace * dot(w, w) - dot(w, applied(K, w))
        if body[at.REFLECTED] != 0.0:
            speed = v[whole(body[at.FIRST_V])]
            twice += body[at.REFLECTED] * speed * speed
            twice += 2.0 * speed * dot(vector(body, at.SPIN), vector(carrier, at.W))
    return twice / 2.0


@inlined
def _velocity(body, here, carrier, columns, v):
    """The angular velocity of a body and the velocity of its origin, in its own axes."""
    R_PM, w = matrix(here, at.R), vector(carrier, at.W)
    V = into(R_PM, plus(vector(carrier, at.VELOCITY), cross(w, vector(here, at.P))))
    w = into(R_PM, w)
    kind, k = whole(body[at.KIND]), whole(body[at.FIRST_V])
    if kind == at.AXIAL:
        turning, sliding = body[at.TURN] * v[k], body[at.SLIDE] * v[k]
        return (w[0], w[1], w[2] + turning), (V[0], V[1], V[2] + sliding)
    w_J, v_J = combined(columns, k, freedoms(kind), v)
    return plus(w, w_J), plus(V, v_J)


@apart
def potential_energy(model, work, columns, q):
    """V = −gravity · Σ (m r + R h): first moments handed over from the tips to the ground."""
    n = whole(model[at.BODIES])
    keep(work, at.HELD_H, (0.0, 0.0, 0.0))
    for i in range(1, n + 1):
        body, here, _ = rows(model, work, i, at.COMPOSITE_WIDTH)
        place(body, here, columns, q)
        here[at.HELD_M] = body[at.MASS]
        keep(here, at.HELD_H, vector(body, at.FIRST_MOMENT))
    for i in range(n, 0, -1):
        body, here, carrier = rows(model, work, i, at.COMPOSITE_WIDTH)
        m = here[at.HELD_M]
        carrier[at.HELD_M] += m
        h = out(matrix(here, at.R), vector(here, at.HELD_H))
        gather(carrier, at.HELD_H, plus(h, times(m, vector(here, at.P))))
    return -dot(vector(model, at.GRAVITY), vector(work, at.HELD_H))
