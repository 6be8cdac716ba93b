"""Spherical joint (liaison rotule)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.model.joints.freedoms import Ball, Freedom
from torseur.model.joints.protocol import NOTHING, Array, columns, reactions_at, unit
from torseur.spatial import quaternion
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import Fixed, Rotation


@final
@dataclass(frozen=True)
class Spherical:
    """Free rotation about a point (*rotule*).

    Four coordinates, the unit quaternion (w, x, y, z) of M in F; three speeds, the angular
    velocity in the axes of M [rad/s]. The joint carries three forces.
    """

    nq: ClassVar[int] = 4
    nv: ClassVar[int] = 3
    names: ClassVar[tuple[str, ...]] = ("spherical", "ball", "rotule", "sphérique")
    coordinate_units: ClassVar[tuple[str, ...]] = ("1", "1", "1", "1")
    speed_units: ClassVar[tuple[str, ...]] = ("rad/s", "rad/s", "rad/s")
    turning: ClassVar[bool] = True
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return (Ball(),)

    def transform(self, q: Array) -> Pose:
        return Pose(NOTHING, Rotation((Fixed(quaternion.matrix(q)),)))

    def motion_subspace(self, q: Array) -> Array:
        return columns(*((unit(k), NOTHING) for k in range(3)))

    def bias(self, q: Array, v: Array) -> Array:
        return np.zeros(6)

    def held(self, R: Array, p: Array) -> Array:
        return columns(*((NOTHING, unit(k)) for k in range(3)))

    def gap(self, R: Array, p: Array) -> Array:
        return R.T @ p

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return quaternion.rate(q, v)

    def speeds(self, q: Array, rates: Array) -> Array:
        return quaternion.angular_velocity(q, rates)

    def read(self, R: Array, p: Array) -> Array:
        return quaternion.from_matrix(np.asarray(R, dtype=float))

    def neutral(self) -> Array:
        return np.array([1.0, 0.0, 0.0, 0.0])
