"""What the user said: bodies, joints, motors, loads and parameters, immutable and named.

Every number is an expression over the parameters. Points and inertias are in the frame of their
body; a joint places a frame F on its first body and a frame M on its second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.algebra.expr import ZERO, Expr
from torseur.joints.protocol import JointType
from torseur.mechanism.forces import LineForce
from torseur.spatial.pose import Pose

Array = np.ndarray
GROUND = "ground"


def _nothing() -> Array:
    return np.array([ZERO, ZERO, ZERO])


def _no_inertia() -> Array:
    return np.array([[ZERO] * 3] * 3)


@final
@dataclass(frozen=True)
class Parameter:
    """A named number: its value (None while the user has not given one), unit and meaning."""

    name: str
    value: Expr | None = None  # over other parameters, in SI
    unit: str = ""
    meaning: str = ""
    place: str = ""


@final
@dataclass(frozen=True)
class Body:
    """A rigid body: mass [kg], centre of mass [m], inertia tensor there [kg m²], in body axes."""

    name: str
    mass: Expr = ZERO
    centre: Array = field(default_factory=_nothing)  # (3,)
    inertia: Array = field(default_factory=_no_inertia)  # (3, 3)
    shape: tuple[str, Mapping[str, Any]] | None = None  # for drawing: a solid and its dimensions
    accept: tuple[str, ...] = ()  # kinds of fault in published mass data that the user lets pass
    place: str = ""


@final
@dataclass(frozen=True)
class Joint:
    """A joint between two bodies: the pose of `second` in `first` is X_AF X_FM(q) X_BM⁻¹."""

    name: str
    kind: JointType
    first: str
    second: str
    X_AF: Pose = field(default_factory=Pose)  # frame F in the first body
    X_BM: Pose = field(default_factory=Pose)  # frame M in the second body
    coordinates: tuple[str, ...] = ()
    speeds: tuple[str, ...] = ()
    limits: tuple[tuple[Expr, Expr] | None, ...] = ()
    place: str = ""


@final
@dataclass(frozen=True)
class Motor:
    """An actuator of a joint with one degree of freedom, carried by the joint's first body.

    The rotor turns at `ratio` × the joint's speed about `axis`, given in the frame of the first
    body, whose mass data include the rotor at rest. Without an axis, only the reflected inertia
    ratio² × rotor_inertia counts. Friction is given on the motor side and on the output side; dry
    friction may differ with the direction (positive, negative speed).
    """

    name: str
    joint: str
    ratio: Expr
    rotor_inertia: Expr = ZERO  # about its axis [kg m²]
    axis: Array | None = None
    viscous_motor: Expr = ZERO  # [N m s/rad]
    viscous_output: Expr = ZERO
    dry_motor: tuple[Expr, Expr] = (ZERO, ZERO)  # both magnitudes, ≥ 0
    dry_output: tuple[Expr, Expr] = (ZERO, ZERO)
    torque: Expr = ZERO  # what the motor applies, on its own side
    place: str = ""


@final
@dataclass(frozen=True)
class JointLoad:
    """A generalised force on the single coordinate of a joint [N or N m]."""

    name: str
    joint: str
    value: Expr
    place: str = ""


@final
@dataclass(frozen=True)
class BodyLoad:
    """A force and a couple applied at a point of a body, in ground axes or in body axes."""

    name: str
    body: str
    point: Array  # in the body [m]
    force: Array  # [N]
    couple: Array  # [N m]
    follows: bool = False  # True: components in body axes
    place: str = ""


@final
@dataclass(frozen=True)
class Point:
    """A named point of a body."""

    name: str
    body: str
    position: Array
    place: str = ""


@final
@dataclass(frozen=True)
class Mechanism:
    """A mechanism as described; everything else is computed from it."""

    name: str
    parameter_table: Mapping[str, Parameter]
    bodies: Mapping[str, Body]
    joints: Mapping[str, Joint]
    gravity: Array  # (3,) in ground axes [m/s²]
    motors: Mapping[str, Motor] = field(default_factory=dict)
    loads: Mapping[str, JointLoad | BodyLoad | LineForce] = field(default_factory=dict)
    points: Mapping[str, Point] = field(default_factory=dict)
    initial: Mapping[str, Expr] = field(default_factory=dict)
    description: str = ""
    source: str = ""  # the phrase or the file it came from
    phrase: str = ""  # the description phrase, if it came from one
    notices: tuple[str, ...] = ()  # what was assumed

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of the coordinates, in the order of every array q."""
        return tuple(name for joint in self.joints.values() for name in joint.coordinates)

    @property
    def speeds(self) -> tuple[str, ...]:
        """The names of the speeds, in the order of every array v."""
        return tuple(name for joint in self.joints.values() for name in joint.speeds)

    @property
    def parameters(self) -> dict[str, float | None]:
        """The value of each parameter, None where none was given."""
        from torseur.mechanism.parameters import values

        return values(self.parameter_table)
