"""Revolute joint (liaison pivot)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.model.joints.freedoms import Freedom, Turn
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


@final
@dataclass(frozen=True)
class Revolute:
    """Rotation about one axis (*liaison pivot*).

    One coordinate, the angle [rad]; its speed is its rate. The joint carries three forces and the
    two couples normal to the axis.
    """

    axis: int = 2  # 0, 1, 2: the axis is x, y, z of both joint frames

    nq: ClassVar[int] = 1
    nv: ClassVar[int] = 1
    names: ClassVar[tuple[str, ...]] = ("revolute", "hinge", "pivot", "rotoïde")
    coordinate_units: ClassVar[tuple[str, ...]] = ("rad",)
    speed_units: ClassVar[tuple[str, ...]] = ("rad/s",)
    turning: ClassVar[bool] = False
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return (Turn(self.axis),)

    def transform(self, q: Array) -> Pose:
        return Pose(NOTHING, turn(self.axis, q[0]))

    def motion_subspace(self, q: Array) -> Array:
        return columns((unit(self.axis), NOTHING))

    def bias(self, q: Array, v: Array) -> Array:
        return np.zeros(6)

    def held(self, R: Array, p: Array) -> Array:
        n, b = unit((self.axis + 1) % 3), unit((self.axis + 2) % 3)
        forces = [(NOTHING, unit(k)) for k in range(3)]
        return columns((n, NOTHING), (b, NOTHING), *forces)

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([*tilt(R, self.axis), *(R.T @ p)])

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def speeds(self, q: Array, rates: Array) -> Array:
        return rates

    def read(self, R: Array, p: Array) -> Array:
        return np.array([turn_angle(R, self.axis)])

    def neutral(self) -> Array:
        return np.zeros(1)
