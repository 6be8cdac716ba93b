"""Spherical joint (liaison rotule)."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import Ball, Freedoms


@final
@dataclass(frozen=True)
class Spherical(Composed):
    """Free rotation about a point (*rotule*).

    Four coordinates, the unit quaternion (w, x, y, z) of M in F; three speeds, the angular
    velocity in the axes of M [rad/s]. The joint carries three forces.
    """

    names = ("spherical", "ball", "rotule", "sphérique")
    words: ClassVar = {"en": "spherical", "fr": "rotule"}

    @property
    def freedoms(self) -> Freedoms:
        return (Ball(),)
