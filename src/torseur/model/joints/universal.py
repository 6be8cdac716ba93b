"""Universal joint (cardan, rotule à doigt)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.model.joints.freedoms import Freedom, Turn
from torseur.model.joints.protocol import NOTHING, Array, columns, cross_angles, reactions_at, unit
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import turn
from torseur.spatial.vectors import cross


@final
@dataclass(frozen=True)
class Universal:
    """Rotation about an axis of the first body, then about a normal axis of the second (*cardan*).

    Two coordinates, the angles [rad] about the first and the second arm of the cross; the speeds
    are their rates. The joint carries three forces and the couple normal to both arms.
    """

    first: int = 0  # axis of F
    second: int = 1  # axis of M

    nq: ClassVar[int] = 2
    nv: ClassVar[int] = 2
    names: ClassVar[tuple[str, ...]] = ("universal", "cardan", "rotule à doigt")
    coordinate_units: ClassVar[tuple[str, ...]] = ("rad", "rad")
    speed_units: ClassVar[tuple[str, ...]] = ("rad/s", "rad/s")
    turning: ClassVar[bool] = False
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return (Turn(self.first), Turn(self.second))

    def transform(self, q: Array) -> Pose:
        return Pose(NOTHING, turn(self.first, q[0]) @ turn(self.second, q[1]))

    def _first_arm(self, q: Array) -> Array:
        return turn(self.second, q[1]).into(unit(self.first))

    def motion_subspace(self, q: Array) -> Array:
        return columns((self._first_arm(q), NOTHING), (unit(self.second), NOTHING))

    def bias(self, q: Array, v: Array) -> Array:
        turning = cross(self._first_arm(q), unit(self.second)) * (v[0] * v[1])
        return np.array([*turning, *NOTHING])

    def held(self, R: Array, p: Array) -> Array:
        forces = [(NOTHING, unit(k)) for k in range(3)]
        return columns((cross(R[self.first], unit(self.second)), NOTHING), *forces)

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([-R[self.first, self.second], *(R.T @ p)])

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def speeds(self, q: Array, rates: Array) -> Array:
        return rates

    def read(self, R: Array, p: Array) -> Array:
        return np.array(cross_angles(R, self.first, self.second))

    def neutral(self) -> Array:
        return np.zeros(2)
