"""Planar joint (liaison appui plan)."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import Freedoms, Turn, in_plane
from torseur.model.joints.keys import NORMAL


@final
@dataclass(frozen=True)
class Planar(Composed):
    """Motion in a plane (*appui plan*).

    Three coordinates: two distances [m] along the axes of F that follow the normal cyclically, then
    the angle about the normal [rad]; the speeds are their rates. The joint carries the force along
    the normal and the two couples in the plane.
    """

    normal: int = 2

    names = ("planar", "appui plan", "plane")
    words: ClassVar = {"en": "planar", "fr": "appui plan"}
    keys = NORMAL

    @property
    def freedoms(self) -> Freedoms:
        return (*in_plane(self.normal), Turn(self.normal))
