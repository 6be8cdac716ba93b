"""Fixed joint (liaison encastrement)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.model.joints.freedoms import Freedom
from torseur.model.joints.protocol import Array, reactions_at, turned
from torseur.spatial.pose import Pose


@final
@dataclass(frozen=True)
class Fixed:
    """No relative motion (*encastrement*): the joint carries any wrench."""

    nq: ClassVar[int] = 0
    nv: ClassVar[int] = 0
    names: ClassVar[tuple[str, ...]] = ("fixed", "weld", "encastrement", "complète")
    coordinate_units: ClassVar[tuple[str, ...]] = ()
    speed_units: ClassVar[tuple[str, ...]] = ()
    turning: ClassVar[bool] = False
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return ()

    def transform(self, q: Array) -> Pose:
        return Pose()

    def motion_subspace(self, q: Array) -> Array:
        return np.zeros((6, 0))

    def bias(self, q: Array, v: Array) -> Array:
        return np.zeros(6)

    def held(self, R: Array, p: Array) -> Array:
        return np.eye(6)

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([*turned(R), *(R.T @ p)])

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def speeds(self, q: Array, rates: Array) -> Array:
        return rates

    def read(self, R: Array, p: Array) -> Array:
        return np.zeros(0)

    def neutral(self) -> Array:
        return np.zeros(0)
