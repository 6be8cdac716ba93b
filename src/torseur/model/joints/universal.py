"""Universal joint (cardan, rotule à doigt)."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import Freedoms, Turn
from torseur.model.joints.keys import Key, Kind


@final
@dataclass(frozen=True)
class Universal(Composed):
    """Rotation about an axis of the first body, then about a normal axis of the second (*cardan*).

    Two coordinates, the angles [rad] about the first and the second arm of the cross; the speeds
    are their rates. The joint carries three forces and the couple normal to both arms.
    """

    first: int = 0  # axis of F
    second: int = 1  # axis of M

    names = ("universal", "cardan", "rotule à doigt")
    words: ClassVar = {"en": "universal", "fr": "rotule à doigt (cardan)"}
    keys = (Key("axes", Kind.CROSS, "[[0, 1, 0], [0, 0, 1]]", ("first", "second")),)

    @property
    def freedoms(self) -> Freedoms:
        return (Turn(self.first), Turn(self.second))
