"""Screw joint (liaison hélicoïdale)."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from torseur.model.joints.freedoms import Freedom, Helix
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
    turning: ClassVar[bool] = False
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return (Helix(self.axis, self.lead),)

    def transform(self, q: Array) -> Pose:
        return Pose(self.lead * q[0] * unit(self.axis), turn(self.axis, q[0]))

    def motion_subspace(self, q: Array) -> Array:
        e = unit(self.axis)
        return columns((e, self.lead * e))

    def bias(self, q: Array, v: Array) -> Array:
        return np.zeros(6)

    def held(self, R: Array, p: Array) -> Array:
        e, n, b = (unit((self.axis + k) % 3) for k in range(3))
        normal = ((n, NOTHING), (b, NOTHING), (NOTHING, n), (NOTHING, b))
        return columns(*normal, (-self.lead * e, e))

    def gap(self, R: Array, p: Array) -> Array:
        ahead = self._ahead(R, p[self.axis])
        return np.array([*tilt(R, self.axis), *offset(R, p, self.axis), ahead])

    def _ahead(self, R: Array, distance: Any) -> Any:
        """The distance that the angle does not explain, which is known within one pitch."""
        if not self.lead:
            return distance
        j, k = (self.axis + 1) % 3, (self.axis + 2) % 3
        s, c = R[k, j] - R[j, k], R[j, j] + R[k, k]  # of the angle, but for a common factor
        turned = distance / self.lead
        sine, cosine = np.sin(turned), np.cos(turned)
        return self.lead * np.arctan2(c * sine - s * cosine, c * cosine + s * sine)

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def speeds(self, q: Array, rates: Array) -> Array:
        return rates

    def read(self, R: Array, p: Array) -> Array:
        return np.array([p[self.axis] / self.lead if self.lead else turn_angle(R, self.axis)])

    def neutral(self) -> Array:
        return np.zeros(1)
