"""The elementary constraints between two bodies, to be stacked into joints of one's own.

Coincidence of two points (G3t), a distance (G1t), two orthogonal directions (G1r), a point on a
plane (G1n): Llibre (2009), §4.5.1. A pivot is a coincidence and two orthogonalities.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from torseur.algebra.core.graph import expressions
from torseur.model.constraints.contact_shapes import require_positive
from torseur.model.constraints.protocol import Constraint, ConstraintInput, of_pair
from torseur.model.constraints.rolling_contact import FrameContact
from torseur.model.forces.protocol import Key, Kind, no_vector
from torseur.model.joints.composed import Composed, declared
from torseur.model.joints.freedoms import Slide, Turn
from torseur.model.joints.library import Distance, PointContact, Spherical
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import Rotation, from_matrix
from torseur.spatial.vectors import Array
from torseur.words.sentence import say

Between = tuple[Any, Pose, Pose]

_BODIES = Key("bodies", Kind.PAIR, "[crank, rod]")
_POINTS = Key("point", Kind.TWO_POINTS)
_NEXT = from_matrix(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]))  # x, y, z become z, x, y


@final
@dataclass(frozen=True)
class Orthogonality(Composed):
    """Two directions that stay orthogonal: everything is free but the rotation about both."""

    first: int = 0
    second: int = 1

    names = ("orthogonality", "orthogonalité")
    words: ClassVar = "orthogonality"
    keys = ()
    freedoms = declared(
        lambda joint: (*(Slide(k) for k in range(3)), Turn(joint.first), Turn(joint.second))
    )


def _along(given: ConstraintInput, entry: str) -> tuple[int, Rotation]:
    """A frame of a body that has a direction for one of its axes, and which."""
    frames = given.about(given[entry])
    return frames.axes[0], frames.R_AF


def _ends(given: ConstraintInput) -> tuple[Array, Array]:
    p_A, p_B = given.get("point", (no_vector(), no_vector()))
    return p_A, p_B


@dataclass(frozen=True)
class ElementaryConstraint(FrameContact):
    """A constraint between a frame F of one body and a frame M of another."""

    place: str = ""

    forces: ClassVar[tuple[str, ...]]  # meaning of the multiplier of each row

    @classmethod
    def described(cls, name: str, given: ConstraintInput) -> Constraint:
        (first, second), (kind, X_AF, X_BM) = given["bodies"], cls.between(given)
        return cls(name, kind, first, second, X_AF, X_BM, given.place)

    @staticmethod
    @abstractmethod
    def between(given: ConstraintInput) -> Between:
        """The joint that the constraint is, and its frames F and M."""

    @property
    def meanings(self) -> tuple[str, ...]:
        return tuple(of_pair(text, self.first, self.second) for text in self.forces)


@final
@dataclass(frozen=True)
class Coincidence(ElementaryConstraint):
    """G3t: a point of one body and a point of the other coincide."""

    names = ("coincidence", "coïncidence")
    keys = (_BODIES, _POINTS)
    words: ClassVar = "{}: two points coincide."
    forces = tuple(say("force along {axis} of M", axis) for axis in "xyz")

    @staticmethod
    def between(given: ConstraintInput) -> Between:
        p_A, p_B = _ends(given)
        return Spherical(), Pose(p_A), Pose(p_B)


@final
@dataclass(frozen=True)
class Separation(ElementaryConstraint):
    """G1t: a point of one body and a point of the other stay at a distance."""

    names = ("separation", "écartement")
    keys = (_BODIES, _POINTS, Key("length", Kind.CONSTANT, "0.5", unit="m"))
    words: ClassVar = "{}: two points stay at a distance."
    forces = (say("force that pushes the points apart"),)

    @staticmethod
    def between(given: ConstraintInput) -> Between:
        require_positive(given, "length")
        p_A, p_B = _ends(given)
        return Distance(given["length"]), Pose(p_A), Pose(p_B)


@final
@dataclass(frozen=True)
class OrthogonalDirections(ElementaryConstraint):
    """G1r: a direction of one body and a direction of the other stay orthogonal."""

    names = ("orthogonality", "orthogonalité")
    keys = (
        _BODIES,
        Key("first_direction", Kind.DIRECTION, "z"),
        Key("second_direction", Kind.DIRECTION, "x"),
    )
    words: ClassVar = "{}: two directions stay orthogonal."
    forces = (say("couple about the normal to both directions"),)

    @staticmethod
    def between(given: ConstraintInput) -> Between:
        a, R_AF = _along(given, "first_direction")
        b, R_BM = _along(given, "second_direction")
        if a == b:
            b, R_BM = (b + 1) % 3, R_BM @ _NEXT
        return Orthogonality(a, b), Pose(no_vector(), R_AF), Pose(no_vector(), R_BM)


@final
@dataclass(frozen=True)
class PointOnPlane(ElementaryConstraint):
    """G1n: a point of one body stays over a plane of the other, at a height."""

    names = ("point on plane", "point sur plan")
    keys = (
        _BODIES,
        _POINTS,
        Key("normal", Kind.DIRECTION, "z"),
        Key("height", Kind.CONSTANT, unit="m"),
    )
    words: ClassVar = "{}: a point stays on a plane."
    forces = (say("force along the normal"),)

    @staticmethod
    def between(given: ConstraintInput) -> Between:
        p_A, p_B = _ends(given)
        axis, R_AF = _along(given, "normal")
        raised = p_A + given.get("height", 0) * R_AF.out(expressions(np.eye(3, dtype=int)[axis]))
        return PointContact(normal=axis), Pose(raised, R_AF), Pose(p_B)
