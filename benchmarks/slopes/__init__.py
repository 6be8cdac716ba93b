"""A box on a slope by several engines: how far it creeps or slides, how deep it sinks in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

Array = np.ndarray
MASS, HALF, RADIUS, GRAVITY = 1.0, 0.1, 0.005, 9.81  # [kg], [m], [m], [m/s²]
INERTIA = MASS * (2 * HALF) ** 2 / 6  # of a cube [kg m²]
CORNERS = tuple((x, y, -HALF + RADIUS) for x in (-HALF, HALF) for y in (-HALF, HALF))


@final
@dataclass(frozen=True)
class Slope:
    """A cube of 0.2 m on balls of 5 mm at its lower corners, let go at rest on a plane that leans.

    The plane is z = 0 and gravity leans: its part along the slope is along x.
    """

    angle: float  # [rad]
    friction: float
    seconds: float
    samples: int = 101

    @property
    def gravity(self) -> list[float]:
        return [GRAVITY * float(np.sin(self.angle)), 0.0, -GRAVITY * float(np.cos(self.angle))]

    @property
    def times(self) -> Array:
        return np.linspace(0.0, self.seconds, self.samples)

    @property
    def acceleration(self) -> float:
        """Of what slides: g (sin θ − μ cos θ)."""
        pull, press = np.sin(self.angle), np.cos(self.angle)
        return float(GRAVITY * max(pull - self.friction * press, 0.0))


@final
@dataclass(frozen=True)
class Slid:
    """Where a box was, along the slope and above the height at which it just touches."""

    along: Array  # (samples) [m]
    height: Array  # (samples) [m]

    def creep(self, slope: Slope) -> float:
        """The mean speed after the first second [m/s]."""
        t = slope.times
        return float(np.polyfit(t[t >= 1.0], self.along[t >= 1.0], 1)[0])

    def error(self, slope: Slope) -> float:
        """Of the acceleration, by the way in the second half, beside the exact one."""
        t, half = slope.times, slope.samples // 2
        found = 2 * np.polyfit(t[half:], self.along[half:], 2)[0]
        return float(abs(found / slope.acceleration - 1))

    @property
    def sunk(self) -> float:
        """How deep it was inside the plane [m]."""
        return max(0.0, -float(self.height.min()))


@final
@dataclass(frozen=True)
class Way:
    """An engine with its settings: a slope made ready, then a motion that is timed."""

    name: str
    ready: Callable[[Slope], Callable[[], Slid]]
