"""A wheel on a plane: the three points that are all called the point of contact.

The point of the ground, the material point of the wheel and the geometric point, which belongs to
neither, are at the same place; they have different velocities (0, 0 and V for a wheel that rolls
at the speed V) and different accelerations (Llibre 2009, §1.3.2 and §1.5.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur import notebook
from torseur.brief import brief
from torseur.errors import ModelError, SolveError
from torseur.model.description import GROUND
from torseur.simulation.observe.moving import MovingPoint
from torseur.simulation.observe.observer import Observer, Samples, observe
from torseur.spatial.rotation import AXES
from torseur.words.sentence import say

Array = np.ndarray
_FLAT = 1e-9  # sine of the angle between the plane and a wheel that lies on it


@final
@dataclass(frozen=True, eq=False)
class WheelContact:
    """The points of contact of a wheel, in the ground."""

    __repr__ = brief
    _repr_html_ = notebook.html

    surface: MovingPoint  # the point of what the wheel runs on
    wheel: MovingPoint  # the material point of the wheel
    geometric: MovingPoint  # the place of contact
    gap: Array  # (samples): height of the lowest point of the wheel above the plane [m]

    @property
    def slip(self) -> Array:
        """The velocity of the wheel's point relative to the surface's: zero when it rolls."""
        return np.asarray(self.wheel.velocity - self.surface.velocity)


def wheel_contact(
    motion: Samples | Observer,
    wheel: str,
    radius: float,
    *,
    axis: str | Sequence[float] = "z",
    plane: str = GROUND,
    normal: str | Sequence[float] = "z",
) -> WheelContact:
    """The three points of contact of a circle of the frame `wheel` with a plane of a frame.

    The circle is centred at the origin of its frame, about `axis`; the plane goes through the
    origin of its frame, normal to `normal`, which points to the side of the wheel.
    """
    if not radius > 0:
        raise ModelError("wheel contact", say("the radius {radius} must be positive.", radius))
    observer = observe(motion)
    e, n = _direction(axis, "axis"), _direction(normal, "normal")
    X = observer.frame(wheel, plane)
    upward = _upward(X.R @ e, n, observer.t)
    place = MovingPoint(X.p - radius * upward)
    geometric = observer.frame(plane).point(place)
    now = geometric.position
    return WheelContact(
        observer.frame(plane).carried(now),
        observer.frame(wheel).carried(now),
        geometric,
        place.x[0] @ n,
    )


def _direction(given: str | Sequence[float], what: str) -> Array:
    """A unit vector, from a letter or from components."""
    if isinstance(given, str):
        if given not in AXES:
            advice = "Write x, y or z, or three components."
            raise ModelError(
                "wheel contact",
                say('the {what} "{given}" is not a direction.', what, given),
                advice,
            )
        return np.asarray(np.eye(3)[AXES[given]])
    components = np.asarray(given, dtype=float)
    size = np.linalg.norm(components)
    if components.shape != (3,) or not size > 0:
        raise ModelError(
            "wheel contact", say("the {what} {given} is not a direction.", what, list(given))
        )
    return np.asarray(components / size)


def _upward(e: Array, n: Array, t: Array) -> Array:
    """The unit vector of the wheel's plane nearest to n, and its derivatives; e is the axis.

    m = n − (n·e) e, u = m/|m|, differentiated twice.
    """
    c = e @ n  # the cosine between axis and normal, and its derivatives
    m0 = n - c[0][:, None] * e[0]
    m1 = -(c[1][:, None] * e[0] + c[0][:, None] * e[1])
    m2 = -(c[2][:, None] * e[0] + 2 * c[1][:, None] * e[1] + c[0][:, None] * e[2])
    s0 = np.linalg.norm(m0, axis=-1, keepdims=True)
    if s0.min(initial=1.0) < _FLAT:
        when = t[int(np.argmin(s0))]
        raise SolveError(
            f"t = {when:.6g} s",
            say("the wheel lies flat on the plane (sine of its tilt {s0:.3g}).", s0.min()),
            "Every point of its rim touches: there is no single point of contact.",
        )
    s1 = _dot(m0, m1) / s0
    s2 = (_dot(m1, m1) + _dot(m0, m2) - s1**2) / s0
    u0 = m0 / s0
    u1 = (m1 - s1 * u0) / s0
    u2 = (m2 - s2 * u0 - 2 * s1 * u1) / s0
    return np.array([u0, u1, u2])


def _dot(a: Array, b: Array) -> Array:
    return np.asarray((a * b).sum(axis=-1, keepdims=True))
