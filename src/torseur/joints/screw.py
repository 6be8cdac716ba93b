"""Screw joint (liaison hélicoïdale)."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from torseur.joints.protocol import NOTHING, Array, columns, turn_angle, unit
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import turn


@final
@dataclass(frozen=True)
class Screw:
    """Rotation about an axis that drives a translation along it (*liaison hélicoïdale*).

    One coordinate, the angle [rad]; the translation is lead × angle. The joint carries the two
    forces and the two couples normal to the axis, and an axial force F with the couple −lead × F.
    """

    axis: int = 2
    lead: Any = 0.0  # [m/rad]: the thread's pitch (per turn) divided by 2π; positive: right-handed

    nq: ClassVar[int] = 1
    nv: ClassVar[int] = 1
    names: ClassVar[tuple[str, ...]] = ("screw", "helical", "hélicoïdale", "vis")
    coordinate_units: ClassVar[tuple[str, ...]] = ("rad",)
    speed_units: ClassVar[tuple[str, ...]] = ("rad/s",)

    def transform(self, q: Array) -> Pose:
        return Pose(self.lead * q[0] * unit(self.axis), turn(self.axis, q[0]))

    def motion_subspace(self, q: Array) -> Array:
        e = unit(self.axis)
        return columns((e, self.lead * e))

    def bias(self, q: Array, v: Array) -> Array:
        return np.zeros(6)

    def reaction_subspace(self, q: Array) -> Array:
        e, n, b = (unit((self.axis + k) % 3) for k in range(3))
        normal = ((n, NOTHING), (b, NOTHING), (NOTHING, n), (NOTHING, b))
        return columns(*normal, (-self.lead * e, e))

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def speeds(self, q: Array, rates: Array) -> Array:
        return rates

    def read(self, R: Array, p: Array) -> Array:
        return np.array([p[self.axis] / self.lead if self.lead else turn_angle(R, self.axis)])

    def neutral(self) -> Array:
        return np.zeros(1)
