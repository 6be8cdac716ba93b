"""Free joint: no joint at all (liaison libre)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.model.joints import attitude
from torseur.model.joints.freedoms import ANYWHERE, Ball, Freedom
from torseur.model.joints.protocol import Array, reactions_at
from torseur.spatial.pose import Pose

_AXES = (0, 1, 2)


@final
@dataclass(frozen=True)
class Free:
    """Six degrees of freedom: nothing is carried.

    Seven coordinates: the position of M in the axes of F [m], then the unit quaternion (w, x, y, z)
    of M in F. Six speeds: the rate of the position in the axes of F [m/s], then the angular
    velocity in the axes of M [rad/s].
    """

    nq: ClassVar[int] = 7
    nv: ClassVar[int] = 6
    names: ClassVar[tuple[str, ...]] = ("free", "floating", "libre")
    coordinate_units: ClassVar[tuple[str, ...]] = ("m", "m", "m", "1", "1", "1", "1")
    speed_units: ClassVar[tuple[str, ...]] = ("m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s")
    turning: ClassVar[bool] = True
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return (*ANYWHERE, Ball())

    def transform(self, q: Array) -> Pose:
        return attitude.transform(_AXES, q)

    def motion_subspace(self, q: Array) -> Array:
        return attitude.motion_subspace(_AXES, q)

    def bias(self, q: Array, v: Array) -> Array:
        return attitude.bias(_AXES, q, v)

    def held(self, R: Array, p: Array) -> Array:
        return np.zeros((6, 0))

    def gap(self, R: Array, p: Array) -> Array:
        return np.zeros(0)

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return attitude.rates(q, v)

    def speeds(self, q: Array, rates: Array) -> Array:
        return attitude.speeds(q, rates)

    def read(self, R: Array, p: Array) -> Array:
        return attitude.read(_AXES, R, p)

    def neutral(self) -> Array:
        return attitude.neutral(_AXES)
