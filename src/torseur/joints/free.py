"""Free joint: no joint at all (liaison libre)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.joints.protocol import NOTHING, Array, columns, unit
from torseur.spatial import quaternion
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import Fixed, Rotation
from torseur.spatial.vectors import cross


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

    def transform(self, q: Array) -> Pose:
        return Pose(q[:3], Rotation((Fixed(quaternion.matrix(q[3:])),)))

    def motion_subspace(self, q: Array) -> Array:
        R = quaternion.matrix(q[3:])
        return columns(
            *((NOTHING, R[k]) for k in range(3)), *((unit(k), NOTHING) for k in range(3))
        )

    def bias(self, q: Array, v: Array) -> Array:
        moving = quaternion.matrix(q[3:]).T @ v[:3]
        return np.array([*NOTHING, *cross(moving, v[3:])])

    def reaction_subspace(self, q: Array) -> Array:
        return np.zeros((6, 0))

    def rates(self, q: Array, v: Array) -> Array:
        return np.array([*v[:3], *quaternion.rate(q[3:], v[3:])])

    def speeds(self, q: Array, rates: Array) -> Array:
        return np.array([*rates[:3], *quaternion.angular_velocity(q[3:], rates[3:])])

    def read(self, R: Array, p: Array) -> Array:
        return np.array([*p, *quaternion.from_matrix(np.asarray(R, dtype=float))])

    def neutral(self) -> Array:
        return np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
