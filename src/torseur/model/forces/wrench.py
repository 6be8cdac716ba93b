"""A force and a couple at a point of a body, as expressions."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from torseur.model.forces.protocol import (
    Action,
    Array,
    Attachment,
    Effect,
    Key,
    Kind,
    Places,
    no_vector,
)


@final
@dataclass(frozen=True)
class BodyLoad:
    """A force and a couple applied at a point of a body, in ground axes or in body axes.

    In body axes it follows the body: a jet, a follower load.
    """

    name: str
    body: str
    point: Array = field(default_factory=no_vector)  # in the body [m]
    force: Array = field(default_factory=no_vector)  # [N]
    couple: Array = field(default_factory=no_vector)  # [N m]
    follows: bool = False  # True: components in body axes
    place: str = ""

    names: ClassVar[tuple[str, ...]] = ("wrench", "torseur")
    keys: ClassVar[tuple[Key, ...]] = (
        Key("body", Kind.BODY, "rod"),
        Key("point", Kind.POINT),
        Key("force", Kind.VECTOR, unit="N"),
        Key("couple", Kind.VECTOR, unit="N.m"),
        Key("frame", Kind.AXES, of_class="follows"),
    )

    def effect(self, places: Places) -> Effect:
        at = Attachment(self.body, self.point)
        return Effect((Action(at, self.force, self.couple, self.follows),))
