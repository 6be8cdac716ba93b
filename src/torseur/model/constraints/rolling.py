"""A disc, a ball, a cylinder, an ellipsoid or a wheel that rolls without slipping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np

from torseur.algebra.core.graph import expressions
from torseur.model.constraints.protocol import Constraint, JointRows
from torseur.model.forces.protocol import Key, Kind, no_vector
from torseur.model.joints.catalogue import plain
from torseur.model.joints.frames import Values, about_axis, about_two_axes
from torseur.model.joints.rolling import ROLLING, ContactType, PlaneContact
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY, Rotation

AXES = expressions(np.eye(3, dtype=int))
SHAPES: dict[str, Any] = {plain(word): shape for shape in ROLLING for word in shape.names}


def _has(entry: str) -> Callable[[Mapping[str, Any]], bool]:
    """Whether the shape that is written has an entry besides those of all."""

    def counts(given: Mapping[str, Any]) -> bool:
        shape = SHAPES.get(plain(str(given.get("shape"))))
        return entry in given if shape is None else entry in (shape.entry, shape.turns_about)

    return counts


def on_plane(
    shape: type[PlaneContact], given: Mapping[str, Any], value: Values, place: str
) -> tuple[PlaneContact, Rotation, Rotation]:
    """The contact of a shape with a plane, and the axes of its frames F and M in their bodies."""
    size, n = given[shape.entry], given.get("normal", AXES[2])
    if shape.turns_about == "along":
        frames = about_two_axes(n, given.get("along", AXES[0]), None, value, place)
    else:
        frames = about_axis(n, n, None, value, place)
    made: Any = shape
    kind = made(size, *frames.axes[1:], normal=frames.axes[0])
    if shape.turns_about != "axis":
        return kind, frames.R_AF, IDENTITY
    own = about_axis(given["axis"], given["axis"], None, value, place)
    return replace(kind, axis=own.axes[0]), frames.R_AF, own.R_BM


@dataclass(frozen=True)
class FrameContact(Constraint):
    """A contact between a frame F of one body and a frame M of another."""

    name: str
    kind: ContactType
    first: str
    second: str
    X_AF: Pose = field(default_factory=Pose)
    X_BM: Pose = field(default_factory=Pose)

    @property
    def rows(self) -> JointRows:
        return JointRows(self.name, self.kind, self.first, self.second, self.X_AF, self.X_BM)

    @property
    def meanings(self) -> tuple[str, ...]:
        pair = f'of "{self.first}" on "{self.second}"'
        return tuple(f"{text}, {pair}" for text in self.kind.meanings)


@final
@dataclass(frozen=True)
class RollingContact(FrameContact):
    """Two bodies that touch without slipping: a frame F of the first, a frame M of the second."""

    place: str = ""

    names = ("rolling", "roulement")
    keys = (
        Key("bodies", Kind.PAIR, "[ground, wheel]"),
        Key("shape", Kind.WORD, "disc", options=SHAPES, called="rolling shape"),
        Key("radius", Kind.CONSTANT, "0.3", unit="m", when=_has("radius")),
        Key("radii", Kind.THREE_CONSTANTS, "[0.3, 0.2, 0.1]", unit="m", when=_has("radii")),
        Key("point", Kind.TWO_POINTS),
        Key("normal", Kind.DIRECTION),
        Key("axis", Kind.DIRECTION, "y", when=_has("axis")),
        Key("along", Kind.DIRECTION, when=_has("along")),
    )
    words: ClassVar = {
        "en": "{}: a contact without slipping.",
        "fr": "{} : un contact sans glissement.",
    }

    @classmethod
    def described(
        cls, name: str, given: dict[str, Any], value: Values, place: str
    ) -> RollingContact:
        kind, R_AF, R_BM = on_plane(given["shape"], given, value, place)
        p_A, p_B = given.get("point", (no_vector(), no_vector()))
        first, second = given["bodies"]
        return cls(name, kind, first, second, Pose(p_A, R_AF), Pose(p_B, R_BM), place)
