"""Kinetic and potential energy."""

from typing import Any

from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.recursions.body_motion import NOTHING, combined
from torseur.dynamics.recursions.body_rows import (
    bodies,
    composed,
    first_speed,
    into,
    keep,
    keep_rotation,
    out,
    place,
    rotation,
    rows,
    symmetric,
    unturned,
    vector,
)
from torseur.dynamics.recursions.composite_body import inertia_tensor
from torseur.spatial.triples import Vector, applied, cross, dot, plus, times


def find_kinetic_energy(model: Any, work: Any, columns: Any, q: Any, v: Any) -> Any:
    """T = Σ ½ m V² + V · (ω × h) + ½ ω · I_O ω, rotors included (Koenig at the frame origin)."""
    twice = 0.0
    _, ground, _ = rows(model, work, 0, at.COMPOSITE_WIDTH)
    keep(ground, at.W, NOTHING)
    keep(ground, at.VELOCITY, NOTHING)
    for i in range(1, bodies(model) + 1):
        body, current, carrier = rows(model, work, i, at.COMPOSITE_WIDTH)
        place(body, current, columns, q)
        carry_velocity(body, current, carrier, columns, v)
        w, V, h = vector(current, at.W), vector(current, at.VELOCITY), vector(body, at.FIRST_MOMENT)
        tensor = inertia_tensor(symmetric(body, at.SECOND_MOMENT))
        twice = twice + body[at.MASS] * dot(V, V) + 2 * dot(V, cross(w, h))
        twice = twice + dot(w, applied(tensor, w))
        if body[at.REFLECTED] != 0.0:
            twice = twice + rotor_energy(body, vector(carrier, at.W), v[first_speed(body)])
    return twice / 2


def carry_velocity(body: Any, current: Any, carrier: Any, columns: Any, v: Any) -> None:
    """The angular velocity of a body and the velocity of its origin, in its own axes."""
    R, w = rotation(current), vector(carrier, at.W)
    V = plus(vector(carrier, at.VELOCITY), cross(w, vector(current, at.P)))
    w_J, v_J = combined(body, columns, v)
    keep(current, at.W, plus(into(R, w), w_J))
    keep(current, at.VELOCITY, plus(into(R, V), v_J))


def rotor_energy(body: Any, w: Vector, speed: Any) -> Any:
    """Twice the energy of the spin of a rotor whose carrier turns at w."""
    return body[at.REFLECTED] * (speed * speed) + 2 * speed * dot(vector(body, at.SPIN), w)


def find_potential_energy(model: Any, work: Any, columns: Any, q: Any, gravity: Vector) -> Any:
    """V = −Σ gravity · (m r_O + R h), zero for a mass at the ground's origin."""
    total = 0.0
    _, ground, _ = rows(model, work, 0, at.COMPOSITE_WIDTH)
    keep_rotation(ground, unturned())
    keep(ground, at.P, NOTHING)
    for i in range(1, bodies(model) + 1):
        body, current, carrier = rows(model, work, i, at.COMPOSITE_WIDTH)
        place(body, current, columns, q)
        R_WP, h = rotation(carrier), vector(body, at.FIRST_MOMENT)
        p, R = out(R_WP, vector(current, at.P)), composed(R_WP, rotation(current))
        keep(current, at.P, plus(vector(carrier, at.P), p))
        keep_rotation(current, R)
        moment = plus(times(body[at.MASS], vector(current, at.P)), out(R, h))
        total = total - dot(gravity, moment)
    return total
