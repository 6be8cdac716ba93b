"""Parallel axes: an axis of each body keeps to the direction of the other (axes parallèles)."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import ANYWHERE, Freedoms, Turn
from torseur.model.joints.keys import AXIS


@final
@dataclass(frozen=True)
class ParallelAxes(Composed):
    """Any translation, and rotation about one direction.

    Four coordinates: the position of M in the axes of F [m], then the angle about the axis [rad];
    the speeds are their rates. The joint carries the two couples normal to the axis.
    """

    axis: int = 2

    names = ("parallel axes", "axes parallèles")
    words: ClassVar = {"en": "parallel axes", "fr": "axes parallèles"}
    keys = AXIS

    @property
    def freedoms(self) -> Freedoms:
        return (*ANYWHERE, Turn(self.axis))
