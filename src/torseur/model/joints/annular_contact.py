"""Annular contact (liaison linéaire annulaire, sphère-cylindre)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from torseur.model.joints import attitude
from torseur.model.joints.freedoms import Ball, Freedom, Slide
from torseur.model.joints.protocol import NOTHING, Array, columns, reactions_at
from torseur.spatial.pose import Pose


@final
@dataclass(frozen=True)
class AnnularContact:
    """A ball in a tube: a point of the second body keeps to a line of the first (*annulaire*).

    Five coordinates: the distance along the axis [m], then the unit quaternion (w, x, y, z) of M in
    F. Four speeds: the rate of the distance, then the angular velocity in the axes of M [rad/s].
    The joint carries the two forces normal to the axis, through the centre of the ball.
    """

    axis: int = 2  # of F

    nq: ClassVar[int] = 5
    nv: ClassVar[int] = 4
    names: ClassVar[tuple[str, ...]] = (
        "annular contact",
        "annular",
        "sphere-cylinder",
        "linéaire annulaire",
        "sphère-cylindre",
    )
    coordinate_units: ClassVar[tuple[str, ...]] = ("m", "1", "1", "1", "1")
    speed_units: ClassVar[tuple[str, ...]] = ("m/s", "rad/s", "rad/s", "rad/s")
    turning: ClassVar[bool] = True
    carries: ClassVar[bool] = True
    closes: ClassVar[bool] = True

    def _normals(self) -> tuple[int, int]:
        return (self.axis + 1) % 3, (self.axis + 2) % 3

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return (Slide(self.axis), Ball())

    def transform(self, q: Array) -> Pose:
        return attitude.transform((self.axis,), q)

    def motion_subspace(self, q: Array) -> Array:
        return attitude.motion_subspace((self.axis,), q)

    def bias(self, q: Array, v: Array) -> Array:
        return attitude.bias((self.axis,), q, v)

    def held(self, R: Array, p: Array) -> Array:
        return columns(*((NOTHING, R[k]) for k in self._normals()))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([p[k] for k in self._normals()])

    def reaction_subspace(self, q: Array) -> Array:
        return reactions_at(self, q)

    def rates(self, q: Array, v: Array) -> Array:
        return attitude.rates(q, v)

    def speeds(self, q: Array, rates: Array) -> Array:
        return attitude.speeds(q, rates)

    def read(self, R: Array, p: Array) -> Array:
        return attitude.read((self.axis,), R, p)

    def neutral(self) -> Array:
        return attitude.neutral((self.axis,))
