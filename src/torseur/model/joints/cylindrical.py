"""Cylindrical joint (liaison pivot glissant)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.model.joints.freedoms import Freedom, Slide, Turn
from torseur.model.joints.protocol import (
    NOTHING,
    Array,
    columns,
    offset,
    reactions_at,
    tilt,
    turn_angle,
    unit,
)
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import turn


@final
@dataclass(frozen=True)
class Cylindrical:
    """Translation along and rotation about one axis (*pivot glissant*).

    Two coordinates: the distance [m], then the angle [rad]; the speeds are their rates. The joint
    carries the two forces and the two couples normal to the axis.
    """

    axis: int = 2

    nq: ClassVar[int] = 2
    nv: ClassVar[int] = 2
    names: ClassVar[tuple[str, ...]] = ("cylindrical", "pivot glissant", "cylindrique", "verrou")
    coordinate_units: ClassVar[tuple[str, ...]] = ("m", "rad")
    speed_units: ClassVar[tuple[str, ...]] = ("m/s", "rad/s")
    turning: ClassVar[bool] = False
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return (Slide(self.axis), Turn(self.axis))

    def transform(self, q: Array) -> Pose:
        return Pose(q[0] * unit(self.axis), turn(self.axis, q[1]))

    def motion_subspace(self, q: Array) -> Array:
        e = unit(self.axis)
        return columns((NOTHING, e), (e, NOTHING))

    def bias(self, q: Array, v: Array) -> Array:
        return np.zeros(6)

    def held(self, R: Array, p: Array) -> Array:
        n, b = unit((self.axis + 1) % 3), unit((self.axis + 2) % 3)
        return columns((n, NOTHING), (b, NOTHING), (NOTHING, n), (NOTHING, b))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([*tilt(R, self.axis), *offset(R, p, self.axis)])

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def speeds(self, q: Array, rates: Array) -> Array:
        return rates

    def read(self, R: Array, p: Array) -> Array:
        return np.array([p[self.axis], turn_angle(R, self.axis)])

    def neutral(self) -> Array:
        return np.zeros(2)
