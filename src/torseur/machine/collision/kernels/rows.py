"""Rows of a mechanism at points of bodies, along the speeds that carry them.

The velocity of a point p of a body along d is Σ (d · v_k + (p × d) · ω_k) times the speed k, over
the speeds that carry the body, with (ω_k; v_k) the axis of a speed at the origin of the ground.
"""

from torseur.machine.collision.kernels.access import length
from torseur.machine.runtime.vectors import apart, cross, dot, inlined, minus, times, vector

TWIST = 6  # numbers of an axis: ω, v


@inlined
def carried(axis, k, arm, d):
    """The part of the speed k in the velocity along d of a point; arm is p × d."""
    return dot(arm, vector(axis, TWIST * k)) + dot(d, vector(axis, TWIST * k + 3))


@apart
def write_row(n, axis, moves, place, into):
    """into (n,) ← the row of the velocity of a body past another along d, at a point p.

    moves are the speeds of each of them: what moves both has no part in it.
    """
    (one, other), (p, d) = moves, place
    arm = cross(p, d)
    for k in range(n):
        share = one[k] - other[k]
        into[k] = share * carried(axis, k, arm, d) if share != 0.0 else 0.0


@apart
def speed_of(n, axis, moves, place, v):
    """The velocity itself, at speeds v."""
    (one, other), (p, d) = moves, place
    arm, total = cross(p, d), 0.0
    for k in range(n):
        share = one[k] - other[k]
        if share != 0.0:
            total += share * carried(axis, k, arm, d) * v[k]
    return total


@inlined
def leaned(t, n):
    """Two directions normal to n and to each other, the first one nearest to t."""
    a = minus(t, times(dot(t, n), n))
    a = times(1.0 / length(a), a)
    return a, cross(n, a)
