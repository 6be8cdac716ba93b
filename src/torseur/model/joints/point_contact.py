"""Point contact (liaison ponctuelle, sphère-plan)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.model.joints import attitude
from torseur.model.joints.freedoms import Ball, Freedom, in_plane
from torseur.model.joints.protocol import NOTHING, Array, columns, reactions_at
from torseur.spatial.pose import Pose


@final
@dataclass(frozen=True)
class PointContact:
    """A ball on a smooth plane: a point of the second body keeps to a plane of the first.

    Six coordinates: two distances [m] along the axes of F that follow the normal cyclically, then
    the unit quaternion (w, x, y, z) of M in F. Five speeds: the rates of the distances, then the
    angular velocity in the axes of M [rad/s]. The joint (*ponctuelle*) carries the force along the
    normal, through the centre of the ball; it pushes and pulls: nothing lifts off.
    """

    normal: int = 2  # of F

    nq: ClassVar[int] = 6
    nv: ClassVar[int] = 5
    names: ClassVar[tuple[str, ...]] = (
        "point contact",
        "point",
        "sphere-plane",
        "ponctuelle",
        "sphère-plan",
    )
    coordinate_units: ClassVar[tuple[str, ...]] = ("m", "m", "1", "1", "1", "1")
    speed_units: ClassVar[tuple[str, ...]] = ("m/s", "m/s", "rad/s", "rad/s", "rad/s")
    turning: ClassVar[bool] = True
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    def _plane(self) -> tuple[int, int]:
        return (self.normal + 1) % 3, (self.normal + 2) % 3

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return (*in_plane(self.normal), Ball())

    def transform(self, q: Array) -> Pose:
        return attitude.transform(self._plane(), q)

    def motion_subspace(self, q: Array) -> Array:
        return attitude.motion_subspace(self._plane(), q)

    def bias(self, q: Array, v: Array) -> Array:
        return attitude.bias(self._plane(), q, v)

    def held(self, R: Array, p: Array) -> Array:
        return columns((NOTHING, R[self.normal]))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([p[self.normal]])

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return attitude.rates(q, v)

    def speeds(self, q: Array, rates: Array) -> Array:
        return attitude.speeds(q, rates)

    def read(self, R: Array, p: Array) -> Array:
        return attitude.read(self._plane(), R, p)

    def neutral(self) -> Array:
        return attitude.neutral(self._plane())
