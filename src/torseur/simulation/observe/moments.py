"""The moment theorem of one body, at a point that moves freely or at a point of the body.

At a place A that moves in any way, M_A = dH_A/dt + m V_A × V_G with the velocity of the *place*
(Llibre 2009, §1.3.2; the line before it has one mass too many, erratum E0-1). At a point A of the
body, M_A = m AG × γ_A + I_A Ω̇ + Ω × I_A Ω with the acceleration of the *material* point (§1.4).
At the contact of a rolling wheel the two points are not the same and must not be exchanged. The
ground is taken to be inertial.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.brief import brief
from torseur.errors import require_known
from torseur.model.values.numeric import numeric_mechanism
from torseur.simulation.observe.moving import MovingPoint, ObservedFrame, times
from torseur.simulation.observe.observer import Observer, Samples, observe

Array = np.ndarray


@final
@dataclass(frozen=True, eq=False)
class MomentTheorem:
    """At a place A, in ground axes (samples, 3); the rotors of motors are not counted."""

    __repr__ = brief
    _repr_html_ = notebook.html

    kinetic: Array  # H_A [kg m²/s]
    rate: Array  # dH_A/dt, A moving [N m]
    moment: Array  # M_A that all actions on the body have together [N m]


def moment_theorem(motion: Samples | Observer, body: str, place: MovingPoint) -> MomentTheorem:
    """H_A = I_G Ω + AG × m V_G of a body at a moving place A, its rate, and M_A.

    The place is seen from the ground; only its position and its velocity matter.
    """
    moving, m, centre, I = _data(observe(motion), body)
    w, dw = moving.angular_velocity, moving.angular_acceleration
    I_w = times(I, w)
    G = moving.fixed(centre)
    V_A, AG = place.velocity, G.position - place.position
    about_G = times(I, dw) + np.cross(w, I_w)
    lever = np.cross(AG, m * G.acceleration)
    rate = about_G + np.cross(G.velocity - V_A, m * G.velocity) + lever
    return MomentTheorem(
        I_w + np.cross(AG, m * G.velocity), rate, rate + m * np.cross(V_A, G.velocity)
    )


def moment_at_body_point(motion: Samples | Observer, body: str, place: MovingPoint) -> Array:
    """M_A (samples, 3) [N m] by the formula for a point of the body, in ground axes.

    A is, at each sample, the point of the body that is at the place.
    """
    moving, m, centre, I = _data(observe(motion), body)
    w, dw = moving.angular_velocity, moving.angular_acceleration
    AG = moving.fixed(centre).position - place.position
    square = (AG * AG).sum(axis=-1)[:, None, None] * np.eye(3)
    I_A = I + m * (square - AG[:, :, None] * AG[:, None, :])
    material = moving.carried(place.position)
    return np.asarray(
        m * np.cross(AG, material.acceleration) + times(I_A, dw) + np.cross(w, times(I_A, w))
    )


def _data(observer: Observer, body: str) -> tuple[ObservedFrame, float, Array, Array]:
    """The motion of a body, its mass, its centre in its axes, its inertia there in ground axes."""
    bodies = observer.model.mechanism.bodies
    require_known("moment theorem", "body", body, bodies)
    body_data: Any = numeric_mechanism(observer.model.mechanism, observer.model.parameters).bodies[
        body
    ]
    moving = observer.frame(body)
    R = moving.R[0]
    return (
        moving,
        float(body_data.mass),
        body_data.centre,
        R @ body_data.inertia @ np.swapaxes(R, -1, -2),
    )
