"""Planar joint (liaison appui plan)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.model.joints.freedoms import Freedom, Turn, in_plane
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
class Planar:
    """Motion in a plane (*appui plan*).

    Three coordinates: two distances [m] along the axes of F that follow the normal cyclically, then
    the angle about the normal [rad]; the speeds are their rates. The joint carries the force along
    the normal and the two couples in the plane.
    """

    normal: int = 2

    nq: ClassVar[int] = 3
    nv: ClassVar[int] = 3
    names: ClassVar[tuple[str, ...]] = ("planar", "appui plan", "plane")
    coordinate_units: ClassVar[tuple[str, ...]] = ("m", "m", "rad")
    speed_units: ClassVar[tuple[str, ...]] = ("m/s", "m/s", "rad/s")
    turning: ClassVar[bool] = False
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    def _axes(self) -> tuple[Array, Array, Array]:
        return unit((self.normal + 1) % 3), unit((self.normal + 2) % 3), unit(self.normal)

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return (*in_plane(self.normal), Turn(self.normal))

    def transform(self, q: Array) -> Pose:
        a, b, _ = self._axes()
        return Pose(q[0] * a + q[1] * b, turn(self.normal, q[2]))

    def motion_subspace(self, q: Array) -> Array:
        a, b, n = self._axes()
        R = turn(self.normal, q[2])
        return columns((NOTHING, R.into(a)), (NOTHING, R.into(b)), (n, NOTHING))

    def bias(self, q: Array, v: Array) -> Array:
        a, b, n = self._axes()
        sliding = turn(self.normal, q[2]).into(v[0] * a + v[1] * b)
        return np.array([*NOTHING, *cross(sliding, v[2] * n)])

    def held(self, R: Array, p: Array) -> Array:
        a, b, n = self._axes()
        return columns((a, NOTHING), (b, NOTHING), (NOTHING, n))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([*tilt(R, self.normal), p[self.normal]])

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def speeds(self, q: Array, rates: Array) -> Array:
        return rates

    def read(self, R: Array, p: Array) -> Array:
        n = self.normal
        return np.array([p[(n + 1) % 3], p[(n + 2) % 3], turn_angle(R, n)])

    def neutral(self) -> Array:
        return np.zeros(3)
