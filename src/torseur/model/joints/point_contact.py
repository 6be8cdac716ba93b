"""Point contact (liaison ponctuelle, sphère-plan)."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import Ball, Freedoms, in_plane
from torseur.model.joints.keys import Key, Kind


@final
@dataclass(frozen=True)
class PointContact(Composed):
    """A ball on a smooth plane: a point of the second body keeps to a plane of the first.

    Six coordinates: two distances [m] along the axes of F that follow the normal cyclically, then
    the unit quaternion (w, x, y, z) of M in F. Five speeds: the rates of the distances, then the
    angular velocity in the axes of M [rad/s]. The joint (*ponctuelle*) carries the force along the
    normal, through the centre of the ball; it pushes and pulls: nothing lifts off.
    """

    normal: int = 2  # of F

    names = (
        "point contact",
        "point",
        "sphere-plane",
        "ponctuelle",
        "sphère-plan",
    )
    words: ClassVar = {"en": "point contact", "fr": "ponctuelle"}
    keys = (Key("normal", Kind.FIRST),)

    @property
    def freedoms(self) -> Freedoms:
        return (*in_plane(self.normal), Ball())
