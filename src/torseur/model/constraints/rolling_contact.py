"""Discs, balls, cylinders, ellipsoids, wheels and outlines that roll without slipping."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

from torseur.algebra.core.expr import Expr
from torseur.model.constraints.contact_shapes import BALL, DISC, ELLIPSOID, LINE, OUTLINE, ROLLER
from torseur.model.constraints.contact_surfaces import (
    BOWL,
    CAM,
    HOLE,
    PLANE,
    PROFILE,
    RING,
    SHAFT,
    SPHERE,
    counts,
    pieces,
)
from torseur.model.constraints.protocol import Constraint, ConstraintInput, JointRows, of_pair
from torseur.model.forces.protocol import Key, Kind, no_vector
from torseur.model.joints.catalogue import plain
from torseur.model.joints.plane_curves import ANGLE, PLACE
from torseur.model.joints.rolling import ContactType
from torseur.spatial.pose import Pose

SHAPES = {
    plain(word): shape
    for shape in (DISC, BALL, ROLLER, LINE, ELLIPSOID, OUTLINE)
    for word in shape.names
}
SURFACES = {
    plain(word): surface
    for surface in (PLANE, SPHERE, BOWL, SHAFT, HOLE, PROFILE, CAM, RING)
    for word in surface.names
}
OF_PLACE, OF_ANGLE = (("x", PLACE, "m"),), (("theta", ANGLE, "rad"),)


def curve(name: str, example: str, of: tuple[tuple[str, Expr, str], ...], when: Any) -> Key:
    """The entry of a function of a place or of an angle."""
    return Key(name, Kind.CONSTANT, example, local=of, unit="m", when=when)


def _has(entry: str) -> Any:
    return counts(entry, shapes=SHAPES, surfaces=SURFACES)


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
        return tuple(of_pair(text, self.first, self.second) for text in self.kind.meanings)


@final
@dataclass(frozen=True)
class RollingContact(FrameContact):
    """Two bodies that touch without slipping: a frame F of the first, a frame M of the second."""

    place: str = ""

    names = ("rolling", "roulement")
    keys = (
        Key("bodies", Kind.PAIR, "[ground, wheel]"),
        Key("shape", Kind.WORD, "disc", options=SHAPES, called="rolling shape"),
        Key("on", Kind.WORD, options=SURFACES, called="contact surface"),
        Key("radius", Kind.CONSTANT, "0.3", unit="m", when=_has("radius")),
        Key("radii", Kind.THREE_CONSTANTS, "[0.3, 0.2, 0.1]", unit="m", when=_has("radii")),
        curve("outline", "0.3", OF_ANGLE, _has("outline")),
        Key("point", Kind.TWO_POINTS),
        Key("normal", Kind.DIRECTION, when=_has("normal")),
        Key("axis", Kind.DIRECTION, "y", when=_has("axis")),
        Key("along", Kind.DIRECTION, when=_has("along")),
        curve("height", "0.1*sin(x/0.2)", OF_PLACE, _has("height")),
        curve("surface_outline", "0.5", OF_ANGLE, _has("surface_outline")),
        Key("surface_radius", Kind.CONSTANT, "0.5", unit="m", when=_has("surface_radius")),
        Key("surface_axis", Kind.DIRECTION, "z", when=_has("surface_axis")),
    )
    words: ClassVar = "{}: a contact without slipping."

    @classmethod
    def described(cls, name: str, given: ConstraintInput) -> RollingContact:
        p_A, p_B = given.get("point", (no_vector(), no_vector()))
        placed = {**given.entries, "through": p_A, "point": p_B}
        ((kind, X_AF, X_BM),) = pieces(replace(given, entries=placed))
        first, second = given["bodies"]
        return cls(name, kind, first, second, X_AF, X_BM, given.place)
