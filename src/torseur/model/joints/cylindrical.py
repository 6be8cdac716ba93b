"""Cylindrical joint (liaison pivot glissant)."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import Freedoms, Slide, Turn
from torseur.model.joints.keys import AXIS


@final
@dataclass(frozen=True)
class Cylindrical(Composed):
    """Translation along and rotation about one axis (*pivot glissant*).

    Two coordinates: the distance [m], then the angle [rad]; the speeds are their rates. The joint
    carries the two forces and the two couples normal to the axis.
    """

    axis: int = 2

    names = ("cylindrical", "pivot glissant", "cylindrique", "verrou")
    words: ClassVar = {"en": "cylindrical", "fr": "pivot glissant"}
    keys = AXIS

    @property
    def freedoms(self) -> Freedoms:
        return (Slide(self.axis), Turn(self.axis))
