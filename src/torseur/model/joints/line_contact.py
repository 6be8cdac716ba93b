"""Line contact (liaison linéaire rectiligne, cylindre-plan)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.model.joints.freedoms import Freedom, Turn, in_plane
from torseur.model.joints.protocol import NOTHING, Array, columns, cross_angles, reactions_at, unit
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import Rotation, turn
from torseur.spatial.vectors import cross


@final
@dataclass(frozen=True)
class LineContact:
    """A straight edge on a smooth plane: a line of the second body keeps to a plane of the first.

    Four coordinates: two distances [m] along the axes of F that follow the normal cyclically, the
    angle about the normal, then the angle about the line [rad]; the speeds are their rates. The
    joint (*linéaire rectiligne*) carries the force along the normal and the couple normal to both
    the normal and the line: any force along the normal that meets the line.
    """

    normal: int = 2  # of F
    line: int = 0  # of M, another axis

    nq: ClassVar[int] = 4
    nv: ClassVar[int] = 4
    names: ClassVar[tuple[str, ...]] = (
        "line contact",
        "cylinder-plane",
        "linéaire rectiligne",
        "cylindre-plan",
    )
    coordinate_units: ClassVar[tuple[str, ...]] = ("m", "m", "rad", "rad")
    speed_units: ClassVar[tuple[str, ...]] = ("m/s", "m/s", "rad/s", "rad/s")
    turning: ClassVar[bool] = False
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    def _sliding(self, x: Array) -> Array:
        """The vector of the plane with these components."""
        return x[0] * unit((self.normal + 1) % 3) + x[1] * unit((self.normal + 2) % 3)

    def _rotation(self, q: Array) -> Rotation:
        return turn(self.normal, q[2]) @ turn(self.line, q[3])

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return (*in_plane(self.normal), Turn(self.normal), Turn(self.line))

    def transform(self, q: Array) -> Pose:
        return Pose(self._sliding(q), self._rotation(q))

    def motion_subspace(self, q: Array) -> Array:
        seen = [self._rotation(q).into(unit((self.normal + k) % 3)) for k in range(3)]
        slides = ((NOTHING, seen[1]), (NOTHING, seen[2]))
        return columns(*slides, (seen[0], NOTHING), (unit(self.line), NOTHING))

    def bias(self, q: Array, v: Array) -> Array:
        R, line = self._rotation(q), unit(self.line) * v[3]
        pivoting = R.into(unit(self.normal)) * v[2]
        sliding = R.into(self._sliding(v))
        return np.array([*cross(pivoting, line), *cross(sliding, pivoting + line)])

    def held(self, R: Array, p: Array) -> Array:
        normal = R[self.normal]
        return columns((cross(normal, unit(self.line)), NOTHING), (NOTHING, normal))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([-R[self.normal, self.line], p[self.normal]])

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def speeds(self, q: Array, rates: Array) -> Array:
        return rates

    def read(self, R: Array, p: Array) -> Array:
        n = self.normal
        return np.array([p[(n + 1) % 3], p[(n + 2) % 3], *cross_angles(R, n, self.line)])

    def neutral(self) -> Array:
        return np.zeros(4)
