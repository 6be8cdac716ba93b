"""Derivatives of inverse dynamics by small motions and by speeds, one for each speed.

A small motion S of a freedom displaces all that is beyond it, about an axis that is fixed in what
carries the freedom and has the rates S' and S'' there. The wrenches beyond turn with it, and
change by I S'' + 2 B S': I is the inertia of all that is beyond, and 2 B S' are Coriolis' forces,
2 m ω' × ṙ for the angular part ω' of S'. A speed changes them by I (S' + Ṡ) + 2 B S. Joints nearer
the ground feel this by their columns; joints beyond feel it of what they carry, where turning
leaves no trace.
Reference: Carpentier and Mansard (2018), Analytical derivatives of rigid body dynamics algorithms;
in the form of Singh, Russell and Wensing (2022), Efficient analytical derivatives of rigid-body
dynamics using spatial vector algebra, for joints of several freedoms.
"""

from typing import Any

from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.recursions.body_rows import (
    address,
    bodies,
    first_of_ball,
    matrix,
    motion_of,
    outward,
    rows,
    speed_before,
    speeds,
    symmetric,
    vector,
)
from torseur.dynamics.recursions.composite_body import body_momentum
from torseur.dynamics.recursions.ground_motion import crossed, spin_in_ground
from torseur.spatial.triples import cross, dot, mapped, mapped_back, plus, times


def add_derivatives(model: Any, work: Any, motions: Any, D: Any, nv: int, width: int) -> None:
    """D += (∂Q by small motions, ∂Q/∂v), by rows of a width, at the motion that was found."""
    for i in range(1, bodies(model) + 1):
        body, current, carrier = rows(model, work, i, at.GROUND_WIDTH)
        first, end = speeds(body)
        for k in range(first, end):
            differentiate(body, current, carrier, motions, k, D, nv, width)
        turn_together(body, current, motions, D, width)


def differentiate(
    body: Any, current: Any, carrier: Any, motions: Any, k: int, D: Any, nv: int, width: int
) -> None:
    """The entries of speed k with itself and with those on the way to the ground."""
    motion = motion_of(motions, k)
    w, V = vector(motion, at.MOTION), vector(motion, at.MOTION + 3)
    turning = vector(motion, at.CARRIED)
    P, N = vector(current, at.MOMENTUM), matrix(current, at.SWEPT)
    F, C = vector(current, at.FORCE), vector(current, at.COUPLE)
    # what its own force is, of the accelerations and of the turning of all beyond it
    linear, angular = whole_momentum(current, w, V)
    swept = plus(mapped_back(N, w), times(2, cross(P, V)))
    # the wrench of all beyond it, by its small motion and by its speed
    f, c = whole_momentum(
        current, vector(motion, at.CARRIED_TWICE), vector(motion, at.CARRIED_TWICE + 3)
    )
    f = plus(plus(f, times(2, cross(turning, P))), cross(w, F))
    c = plus(plus(c, mapped(N, turning)), plus(cross(w, C), cross(V, F)))
    g, d = whole_momentum(current, vector(motion, at.SHARED), vector(motion, at.SHARED + 3))
    g, d = plus(g, times(2, cross(w, P))), plus(d, mapped(N, w))
    row = address(D, k * width)
    row[k] += dot(w, c) + dot(V, f)
    row[nv + k] += dot(w, d) + dot(V, g)
    if body[at.REFLECTED] != 0.0:
        spin = spin_in_ground(body, carrier)
        tilting = cross(vector(carrier, at.W), spin)
        angular, swept, d = plus(angular, spin), plus(swept, tilting), plus(d, tilting)
    j = speed_before(motion)
    while j >= 0:
        other, col = motion_of(motions, j), address(D, j * width)
        w, V = vector(other, at.MOTION), vector(other, at.MOTION + 3)
        row[j] += felt(other, at.CARRIED_TWICE, angular, linear)
        row[j] += dot(swept, vector(other, at.CARRIED))
        row[nv + j] += felt(other, at.SHARED, angular, linear) + dot(swept, w)
        col[k] += dot(w, c) + dot(V, f)
        col[nv + k] += dot(w, d) + dot(V, g)
        j = speed_before(other)


def felt(motion: Any, which: int, angular: Any, linear: Any) -> Any:
    """The product of a motion and a wrench or a momentum."""
    return dot(vector(motion, which), angular) + dot(vector(motion, which + 3), linear)


def whole_momentum(current: Any, w: Any, V: Any) -> Any:
    """Momentum of a body with all that it carries, for a twist: linear and angular part."""
    m, h, K = current[at.WHOLE_M], vector(current, at.WHOLE_H), symmetric(current, at.WHOLE_K)
    return body_momentum(m, h, K, w, V)


def turn_together(body: Any, current: Any, motions: Any, D: Any, width: int) -> None:
    """The columns of a ball turn with each other, or not at all where it is crossed backwards."""
    _, end = speeds(body)
    _, _, step = outward(body)
    for j in range(first_of_ball(body), end):
        one = motion_of(motions, j)
        for k in range(j + 1, end):
            other = motion_of(motions, k)
            angular, linear = crossed(
                (vector(one, at.MOTION), vector(one, at.MOTION + 3)),
                (vector(other, at.MOTION), vector(other, at.MOTION + 3)),
            )
            turned = dot(angular, vector(current, at.COUPLE)) + dot(
                linear, vector(current, at.FORCE)
            )
            D[j * width + k] -= step * turned
