"""Line contact (liaison linéaire rectiligne, cylindre-plan)."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import Freedoms, Turn, in_plane
from torseur.model.joints.keys import Key, Kind


@final
@dataclass(frozen=True)
class LineContact(Composed):
    """A straight edge on a smooth plane: a line of the second body keeps to a plane of the first.

    Four coordinates: two distances [m] along the axes of F that follow the normal cyclically, the
    angle about the normal, then the angle about the line [rad]; the speeds are their rates. The
    joint (*linéaire rectiligne*) carries the force along the normal and the couple normal to both
    the normal and the line: any force along the normal that meets the line.
    """

    normal: int = 2  # of F
    line: int = 0  # of M, another axis

    names = (
        "line contact",
        "cylinder-plane",
        "linéaire rectiligne",
        "cylindre-plan",
    )
    words: ClassVar = {"en": "line contact", "fr": "linéaire rectiligne"}
    keys = (Key("normal", Kind.FIRST), Key("line", Kind.SECOND, "x"))

    @property
    def freedoms(self) -> Freedoms:
        return (*in_plane(self.normal), Turn(self.normal), Turn(self.line))
