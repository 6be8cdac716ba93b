"""Parallel axes: an axis of each body keeps to the direction of the other (axes parallèles)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.model.joints.freedoms import ANYWHERE, Freedom, Turn
from torseur.model.joints.protocol import (
    NOTHING,
    Array,
    columns,
    reactions_at,
    tilt,
    turn_angle,
    unit,
)
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import turn
from torseur.spatial.vectors import cross


@final
@dataclass(frozen=True)
class ParallelAxes:
    """Any translation, and rotation about one direction.

    Four coordinates: the position of M in the axes of F [m], then the angle about the axis [rad];
    the speeds are their rates. The joint carries the two couples normal to the axis.
    """

    axis: int = 2

    nq: ClassVar[int] = 4
    nv: ClassVar[int] = 4
    names: ClassVar[tuple[str, ...]] = ("parallel axes", "axes parallèles")
    coordinate_units: ClassVar[tuple[str, ...]] = ("m", "m", "m", "rad")
    speed_units: ClassVar[tuple[str, ...]] = ("m/s", "m/s", "m/s", "rad/s")
    turning: ClassVar[bool] = False
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return (*ANYWHERE, Turn(self.axis))

    def transform(self, q: Array) -> Pose:
        return Pose(np.array(q[:3]), turn(self.axis, q[3]))

    def motion_subspace(self, q: Array) -> Array:
        R = turn(self.axis, q[3])
        slides = ((NOTHING, R.into(unit(k))) for k in range(3))
        return columns(*slides, (unit(self.axis), NOTHING))

    def bias(self, q: Array, v: Array) -> Array:
        sliding = turn(self.axis, q[3]).into(v[:3])
        return np.array([*NOTHING, *cross(sliding, v[3] * unit(self.axis))])

    def held(self, R: Array, p: Array) -> Array:
        n, b = unit((self.axis + 1) % 3), unit((self.axis + 2) % 3)
        return columns((n, NOTHING), (b, NOTHING))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array(tilt(R, self.axis))

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def speeds(self, q: Array, rates: Array) -> Array:
        return rates

    def read(self, R: Array, p: Array) -> Array:
        return np.array([*p, turn_angle(R, self.axis)])

    def neutral(self) -> Array:
        return np.zeros(4)
