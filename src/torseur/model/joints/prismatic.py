"""Prismatic joint (liaison glissière)."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import Freedoms, Slide
from torseur.model.joints.keys import AXIS


@final
@dataclass(frozen=True)
class Prismatic(Composed):
    """Translation along one axis (*liaison glissière*).

    One coordinate, the distance [m]; its speed is its rate. The joint carries three couples and
    the two forces normal to the axis.
    """

    axis: int = 2  # 0, 1, 2: the axis is x, y, z of both joint frames

    names = ("prismatic", "slider", "glissière", "prismatique")
    words: ClassVar = {"en": "prismatic", "fr": "glissière"}
    keys = AXIS

    @property
    def freedoms(self) -> Freedoms:
        return (Slide(self.axis),)
