"""Free joint: no joint at all (liaison libre)."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import ANYWHERE, Ball, Freedoms


@final
@dataclass(frozen=True)
class Free(Composed):
    """Six degrees of freedom: nothing is carried.

    Seven coordinates: the position of M in the axes of F [m], then the unit quaternion (w, x, y, z)
    of M in F. Six speeds: the rate of the position in the axes of F [m/s], then the angular
    velocity in the axes of M [rad/s].
    """

    names = ("free", "floating", "libre")
    words: ClassVar = {"en": "free", "fr": "libre"}

    @property
    def freedoms(self) -> Freedoms:
        return (*ANYWHERE, Ball())
