"""Revolute joint (liaison pivot)."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import Freedoms, Turn
from torseur.model.joints.keys import AXIS


@final
@dataclass(frozen=True)
class Revolute(Composed):
    """Rotation about one axis (*liaison pivot*).

    One coordinate, the angle [rad]; its speed is its rate. The joint carries three forces and the
    two couples normal to the axis.
    """

    axis: int = 2  # 0, 1, 2: the axis is x, y, z of both joint frames

    names = ("revolute", "hinge", "pivot", "rotoïde")
    words: ClassVar = {"en": "revolute", "fr": "pivot"}
    keys = AXIS

    @property
    def freedoms(self) -> Freedoms:
        return (Turn(self.axis),)
