"""Coordinates that a start keeps together: one of a joint, or a whole quaternion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.model.description import Mechanism
from torseur.spatial import quaternion

Array = np.ndarray


@final
@dataclass(frozen=True)
class Pin:
    """Coordinates of a joint that are kept together, and the speeds that move them."""

    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]

    @property
    def is_attitude(self) -> bool:
        """Whether the coordinates are a unit quaternion."""
        return len(self.coordinates) > 1


def pins(mechanism: Mechanism) -> dict[str, Pin]:
    """The pin of every coordinate of a joint."""
    by_name: dict[str, Pin] = {}
    for joint in mechanism.joints.values():
        names, speeds = joint.coordinates, joint.speeds
        if joint.kind.turning:
            ball = Pin(names[-4:], speeds[-3:])
            by_name |= dict.fromkeys(ball.coordinates, ball)
            names, speeds = names[:-4], speeds[:-3]
        if len(names) == len(speeds):
            pairs = zip(names, speeds, strict=True)
            by_name |= {name: Pin((name,), (speed,)) for name, speed in pairs}
    return by_name


def away(pin: Pin, given: Array, current: Array) -> Array:
    """Deviation of a pin's coordinates from the given ones, a row for each of its speeds."""
    if pin.is_attitude:
        return np.asarray(2 * quaternion.product(quaternion.conjugate(given), current)[1:])
    return np.asarray(current - given)
