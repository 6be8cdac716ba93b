"""Prismatic joint (liaison glissière)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.model.joints.freedoms import Freedom, Slide
from torseur.model.joints.protocol import (
    NOTHING,
    Array,
    columns,
    offset,
    reactions_at,
    turned,
    unit,
)
from torseur.spatial.pose import Pose


@final
@dataclass(frozen=True)
class Prismatic:
    """Translation along one axis (*liaison glissière*).

    One coordinate, the distance [m]; its speed is its rate. The joint carries three couples and
    the two forces normal to the axis.
    """

    axis: int = 2  # 0, 1, 2: the axis is x, y, z of both joint frames

    nq: ClassVar[int] = 1
    nv: ClassVar[int] = 1
    names: ClassVar[tuple[str, ...]] = ("prismatic", "slider", "glissière", "prismatique")
    coordinate_units: ClassVar[tuple[str, ...]] = ("m",)
    speed_units: ClassVar[tuple[str, ...]] = ("m/s",)
    turning: ClassVar[bool] = False
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return (Slide(self.axis),)

    def transform(self, q: Array) -> Pose:
        return Pose(q[0] * unit(self.axis))

    def motion_subspace(self, q: Array) -> Array:
        return columns((NOTHING, unit(self.axis)))

    def bias(self, q: Array, v: Array) -> Array:
        return np.zeros(6)

    def held(self, R: Array, p: Array) -> Array:
        n, b = unit((self.axis + 1) % 3), unit((self.axis + 2) % 3)
        couples = [(unit(k), NOTHING) for k in range(3)]
        return columns(*couples, (NOTHING, n), (NOTHING, b))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([*turned(R), *offset(R, p, self.axis)])

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def speeds(self, q: Array, rates: Array) -> Array:
        return rates

    def read(self, R: Array, p: Array) -> Array:
        return np.array([p[self.axis]])

    def neutral(self) -> Array:
        return np.zeros(1)
