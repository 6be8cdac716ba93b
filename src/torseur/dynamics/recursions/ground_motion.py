"""Bodies in the ground: their motions and wrenches in its axes and at its origin.

There a twist, its rate and a wrench are the same for every body, so that what a body carries is a
plain sum. The rate of a twist (ω; u) is (dω; du): a point at r accelerates by du + ω × u + U r.
"""

from typing import Any

from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.recursions.body_motion import momentum_rate, rotor_torque, tensor
from torseur.dynamics.recursions.body_rows import (
    bodies,
    column,
    first_of_ball,
    first_speed,
    gather,
    gather_matrix,
    gather_symmetric,
    is_carried,
    keep,
    keep_matrix,
    keep_rotation,
    keep_symmetric,
    matrix,
    motion_of,
    multiplied,
    out,
    outward,
    place,
    rotation,
    rows,
    speeds,
    symmetric,
    vector,
)
from torseur.dynamics.recursions.composite_body import moved_moments
from torseur.spatial.triples import Matrix, Symmetric, Vector, by_columns, cross, dot, plus, times


def place_in_ground(model: Any, work: Any, columns: Any, motions: Any, q: Any) -> None:
    """Outward: where the bodies are, the columns of S, inertias; the ground is placed before."""
    for i in range(1, bodies(model) + 1):
        body, current, carrier = rows(model, work, i, at.GROUND_WIDTH)
        place(body, current, columns, q)
        R_WP = rotation(carrier)
        keep(current, at.P, plus(vector(carrier, at.P), out(R_WP, vector(current, at.P))))
        keep_rotation(current, multiplied(R_WP, rotation(current)))
        lay_columns(body, current, carrier, columns, motions)
        h, K = vector(body, at.FIRST_MOMENT), symmetric(body, at.SECOND_MOMENT)
        h, K = moved_moments(rotation(current), vector(current, at.P), body[at.MASS], h, K)
        keep(current, at.OWN_H, h)
        keep_symmetric(current, at.OWN_K, K)
        current[at.WHOLE_M] = body[at.MASS]
        keep(current, at.WHOLE_H, h)
        keep_symmetric(current, at.WHOLE_K, K)
    for i in range(bodies(model), 0, -1):
        body, current, carrier = rows(model, work, i, at.GROUND_WIDTH)
        if is_carried(body):
            carrier[at.WHOLE_M] += current[at.WHOLE_M]
            gather(carrier, at.WHOLE_H, vector(current, at.WHOLE_H))
            gather_symmetric(carrier, at.WHOLE_K, symmetric(current, at.WHOLE_K))


def lay_columns(body: Any, current: Any, carrier: Any, columns: Any, motions: Any) -> None:
    """The columns of S in the ground, each with the speed before it."""
    R, p, before = rotation(current), vector(current, at.P), carrier[at.OUTERMOST]
    start, count, step = outward(body)
    for n in range(count):
        k = start + n * step
        w, V = column(body, columns, k)
        w = out(R, w)
        motion = motion_of(motions, k)
        keep(motion, at.MOTION, w)
        keep(motion, at.MOTION + 3, plus(out(R, V), cross(p, w)))
        motion[at.BEFORE], motion[at.RANK] = before, carrier[at.LEVEL] + n
        before = 1.0 * k
    current[at.OUTERMOST], current[at.LEVEL] = before, carrier[at.LEVEL] + count


# --- motion -------------------------------------------------------------------------------------


def move_in_ground(model: Any, work: Any, motions: Any, v: Any, a: Any) -> None:
    """Outward: motions and what they need; inward: what each joint carries."""
    for i in range(1, bodies(model) + 1):
        body, current, carrier = rows(model, work, i, at.GROUND_WIDTH)
        move_freedoms(body, current, carrier, motions, v, a)
        need_in_ground(body, current)
    for i in range(bodies(model), 0, -1):
        body, current, carrier = rows(model, work, i, at.GROUND_WIDTH)
        if is_carried(body):
            hand_motion(body, current, carrier, v, a)


def move_freedoms(body: Any, current: Any, carrier: Any, motions: Any, v: Any, a: Any) -> None:
    """The twist of a body and its rate, one freedom after the other from its carrier on."""
    moving = (
        vector(carrier, at.W),
        vector(carrier, at.STREAM),
        vector(carrier, at.DW),
        vector(carrier, at.SLIDING),
    )
    start, count, step = outward(body)
    ball, n = first_of_ball(body), 0
    while n < count:
        k = start + n * step
        if k < ball:
            moving = move_freedom(motion_of(motions, k), moving, v[k], a[k])
            n += 1
        else:
            moving = move_ball(motions, ball, step, moving, v, a)
            n += 3
    keep(current, at.W, moving[0])
    keep(current, at.STREAM, moving[1])
    keep(current, at.DW, moving[2])
    keep(current, at.SLIDING, moving[3])


def move_freedom(motion: Any, moving: Any, v: Any, a: Any) -> Any:
    """Motion beyond one freedom; both of its sides carry its column of S alike."""
    w, u, dw, du = moving
    S = vector(motion, at.MOTION), vector(motion, at.MOTION + 3)
    angular, linear = carry(motion, S, (w, u), (dw, du))
    keep(motion, at.SHARED, times(2, angular))
    keep(motion, at.SHARED + 3, times(2, linear))
    dw = plus(dw, plus(times(a, S[0]), times(v, angular)))
    du = plus(du, plus(times(a, S[1]), times(v, linear)))
    return plus(w, times(v, S[0])), plus(u, times(v, S[1])), dw, du


def move_ball(motions: Any, first: int, step: int, moving: Any, v: Any, a: Any) -> Any:
    """Motion beyond a ball, whose axes are fixed in M: beyond it, or before where crossed back.

    A small turn that leaves the speeds as they are is about an axis fixed on the other side.
    """
    w, u, _, _ = moving
    beyond = moving
    for k in range(first, first + 3):
        motion = motion_of(motions, k)
        S = vector(motion, at.MOTION), vector(motion, at.MOTION + 3)
        beyond = (
            plus(beyond[0], times(v[k], S[0])),
            plus(beyond[1], times(v[k], S[1])),
            plus(beyond[2], times(a[k], S[0])),
            plus(beyond[3], times(a[k], S[1])),
        )
    # Σ Ṡ v, of columns that turn with the body beyond or with the one before
    turning, sliding = crossed((w, u), (beyond[0], beyond[1]))
    after = beyond[0], beyond[1], plus(beyond[2], turning), plus(beyond[3], sliding)
    side = after if step < 0 else moving
    both = plus(w, after[0]), plus(u, after[1])
    for k in range(first, first + 3):
        motion = motion_of(motions, k)
        S = vector(motion, at.MOTION), vector(motion, at.MOTION + 3)
        carry(motion, S, (side[0], side[1]), (side[2], side[3]))
        angular, linear = crossed(both, S)
        keep(motion, at.SHARED, angular)
        keep(motion, at.SHARED + 3, linear)
    return after


def carry(motion: Any, S: Any, twist: Any, rate: Any) -> tuple[Vector, Vector]:
    """The first and the second rate of a motion that is fixed in a body; the first is returned."""
    angular, linear = crossed(twist, S)
    turning, sliding = crossed(rate, S)
    again, along = crossed(twist, (angular, linear))
    keep(motion, at.CARRIED, angular)
    keep(motion, at.CARRIED + 3, linear)
    keep(motion, at.CARRIED_TWICE, plus(turning, again))
    keep(motion, at.CARRIED_TWICE + 3, plus(sliding, along))
    return angular, linear


def crossed(t: Any, s: Any) -> tuple[Vector, Vector]:
    """The rate of a twist s that is fixed in a body whose twist is t."""
    return cross(t[0], s[0]), plus(cross(t[0], s[1]), cross(t[1], s[0]))


# --- what motions need --------------------------------------------------------------------------


def need_in_ground(body: Any, current: Any) -> None:
    """The wrench, the momentum and the sweep of a body alone."""
    w, u, dw = vector(current, at.W), vector(current, at.STREAM), vector(current, at.DW)
    m, h, K = body[at.MASS], vector(current, at.OWN_H), symmetric(current, at.OWN_K)
    acc = plus(vector(current, at.SLIDING), cross(w, u))
    force, couple = momentum_rate(m, h, K, acc, tensor(w, dw))
    keep(current, at.FORCE, force)
    keep(current, at.COUPLE, couple)
    keep(current, at.MOMENTUM, plus(times(m, u), cross(w, h)))
    keep_matrix(current, at.SWEPT, sweep(w, u, h, K))


def sweep(w: Vector, u: Vector, h: Vector, K: Symmetric) -> Matrix:
    """2 Σ m ((r · ṙ) 1 − ṙ rᵀ): the couple of Coriolis' forces 2 m ω' × ṙ is that times ω'."""
    x = plus(times(h[0], u), cross(w, (K[0], K[1], K[2])))  # columns of Σ m ṙ rᵀ
    y = plus(times(h[1], u), cross(w, (K[1], K[3], K[4])))
    z = plus(times(h[2], u), cross(w, (K[2], K[4], K[5])))
    return by_columns(
        (2 * (y[1] + z[2]), -2 * x[1], -2 * x[2]),
        (-2 * y[0], 2 * (x[0] + z[2]), -2 * y[2]),
        (-2 * z[0], -2 * z[1], 2 * (x[0] + y[1])),
    )


def hand_motion(body: Any, current: Any, carrier: Any, v: Any, a: Any) -> None:
    """Add the wrench of a body to its carrier, which carries the rotor of its motor too."""
    gather(carrier, at.FORCE, vector(current, at.FORCE))
    gather(carrier, at.COUPLE, vector(current, at.COUPLE))
    gather(carrier, at.MOMENTUM, vector(current, at.MOMENTUM))
    gather_matrix(carrier, at.SWEPT, matrix(current, at.SWEPT))
    if body[at.REFLECTED] != 0.0:
        k, spin = first_speed(body), spin_in_ground(body, carrier)
        w, dw = vector(carrier, at.W), vector(carrier, at.DW)
        _, couple = rotor_torque(body[at.REFLECTED], spin, w, dw, v[k], a[k])
        gather(carrier, at.COUPLE, couple)
        x, y, z = times(v[k], spin)  # ω' × H, by rows
        gather_matrix(carrier, at.SWEPT, (0.0, z, -y, -z, 0.0, x, y, -x, 0.0))


def spin_in_ground(body: Any, carrier: Any) -> Vector:
    """Spin of a rotor: ratio j × its axis, which its carrier turns."""
    return out(rotation(carrier), vector(body, at.SPIN))


def project_in_ground(model: Any, work: Any, motions: Any, v: Any, a: Any, Q: Any) -> None:
    """Q ← the generalised forces of the motion that was found."""
    for i in range(1, bodies(model) + 1):
        body, current, carrier = rows(model, work, i, at.GROUND_WIDTH)
        couple, force = vector(current, at.COUPLE), vector(current, at.FORCE)
        first, end = speeds(body)
        for k in range(first, end):
            motion = motion_of(motions, k)
            Q[k] = dot(vector(motion, at.MOTION), couple) + dot(
                vector(motion, at.MOTION + 3), force
            )
            if body[at.REFLECTED] != 0.0:
                spin = spin_in_ground(body, carrier)
                w, dw = vector(carrier, at.W), vector(carrier, at.DW)
                torque, _ = rotor_torque(body[at.REFLECTED], spin, w, dw, v[k], a[k])
                Q[k] += torque
