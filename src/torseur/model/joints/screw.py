"""Screw joint (liaison hélicoïdale)."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import Freedoms, Helix
from torseur.model.joints.keys import AXIS, Key, Kind


@final
@dataclass(frozen=True)
class Screw(Composed):
    """Rotation about an axis that drives a translation along it (*liaison hélicoïdale*).

    One coordinate, the angle [rad]; the translation is lead × angle. The joint carries the two
    forces and the two couples normal to the axis, and an axial force F with the couple −lead × F.
    """

    axis: int = 2
    lead: Any = 0.0  # [m/rad]: the thread's pitch (per turn) divided by 2π; positive: right-handed

    names = ("screw", "helical", "hélicoïdale", "vis")
    words: ClassVar = {"en": "screw", "fr": "hélicoïdale"}
    keys = (*AXIS, Key("pitch", Kind.PITCH, "5 mm", ("lead",)))

    @property
    def freedoms(self) -> Freedoms:
        return (Helix(self.axis, self.lead),)
