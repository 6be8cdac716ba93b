"""The entries of a joint in the YAML form: its directions and its dimensions.

A joint has no direction, one common to both bodies, one of the first body, or one of each body at
right angles to the other. Reading, checking and numeric copies follow from its keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, final


class Kind(Enum):
    """What an entry gives."""

    AXIS = auto()  # a direction of both bodies, written once or once for each
    FIRST = auto()  # a direction of the first body
    SECOND = auto()  # a direction of the second body, at right angles to that of the first
    CROSS = auto()  # these two in one entry
    PITCH = auto()  # a length per turn, kept per radian
    LENGTH = auto()  # a positive length
    POSE = auto()  # the pose of M in F as expressions


DIRECTIONS = (Kind.AXIS, Kind.FIRST, Kind.SECOND, Kind.CROSS)
NUMBERS = (Kind.PITCH, Kind.LENGTH)


@final
@dataclass(frozen=True)
class Key:
    """An entry: its name, its kind, an example, the fields of the class that hold its value."""

    name: str
    kind: Kind
    example: str = "z"
    of_class: tuple[str, ...] = ()  # when they are not called so
    advice: str = ""  # when the value is refused

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the class."""
        return self.of_class or (self.name,)


AXIS = (Key("axis", Kind.AXIS),)
NORMAL = (Key("normal", Kind.AXIS),)


def numbers_of(joint: Any) -> Iterator[tuple[str, Any]]:
    """The dimensions of a joint: the field and the number or expression in it [m, m/rad]."""
    for key in joint.keys:
        if key.kind in NUMBERS:
            yield from ((name, getattr(joint, name)) for name in key.fields)
