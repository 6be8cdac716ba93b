"""The ground when it is not Galilean: how its frame turns and how its origin accelerates.

The bodies then feel, besides their loads, the inertia forces −γ_e dm of the entrainment and
−2 Ω × v dm of Coriolis.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import TIME, ZERO, number
from torseur.algebra.core.graph import expressions

Array = np.ndarray
EARTH_RATE = number(7.292115e-5)  # of the Earth about its axis [rad/s]
SUN = number(1.32712440018e20)  # G × mass of the Sun [m³/s²]
ASTRONOMICAL_UNIT = number(149_597_870_700)  # [m]


def _still() -> Array:
    return expressions([0, 0, 0])


@final
@dataclass(frozen=True)
class MovingFrame:
    """The motion of the ground relative to a Galilean frame, in ground axes.

    Without entrainment only the Coriolis forces count: the rest is in the gravity that the
    user gives, as on the Earth, where a plumb line already feels the centrifugal force.
    """

    rotation: Array = field(default_factory=_still)  # Ω [rad/s], of t and the parameters
    acceleration: Array = field(default_factory=_still)  # of the origin [m/s²]
    entrainment: bool = True
    place: str = ""


def laboratory(latitude: Any) -> MovingFrame:
    """A laboratory on the Earth: x to the east, y to the north, z up; Coriolis forces only."""
    up, north = np.sin(latitude), np.cos(latitude)
    rotation = expressions([ZERO, EARTH_RATE * north, EARTH_RATE * up])
    return MovingFrame(rotation, entrainment=False)


def geocentric() -> MovingFrame:
    """The centre of the Earth on a circle about the Sun, axes towards fixed stars.

    At t = 0 the Sun is on the axis −x; the Earth goes round about z.
    """
    angle, size = orbital_rate() * TIME, SUN / ASTRONOMICAL_UNIT**2
    return MovingFrame(acceleration=expressions([-size * angle.cos(), -size * angle.sin(), ZERO]))


def orbital_rate() -> Any:
    """√(G m/d³) of the Earth about the Sun [rad/s]."""
    return (SUN / ASTRONOMICAL_UNIT**3) ** Fraction(1, 2)
