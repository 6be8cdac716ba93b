"""The joints made of elementary freedoms, each a declaration, and the rod without mass."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from torseur.model.joints.composed import Composed, declared
from torseur.model.joints.elementary import Apart, Elementary
from torseur.model.joints.freedoms import ANYWHERE, Ball, Helix, Slide, Turn, in_plane
from torseur.model.joints.protocol import (
    AXIS,
    NORMAL,
    NOTHING,
    Array,
    JointEntryKind,
    JointKey,
    JointType,
    columns,
)
from torseur.model.joints.symbol import Symbol, SymbolBall


@final
@dataclass(frozen=True)
class Fixed(Composed):
    """No relative motion (*encastrement*): the joint carries any wrench."""

    names = ("fixed", "weld", "encastrement", "complète")
    words: ClassVar = "fixed"
    freedoms = ()


@final
@dataclass(frozen=True)
class Revolute(Composed):
    """Rotation about one axis (*liaison pivot*).

    One coordinate, the angle [rad]; its speed is its rate. The joint carries three forces and the
    two couples normal to the axis.
    """

    axis: int = 2  # 0, 1, 2: the axis is x, y, z of both joint frames

    names = ("revolute", "hinge", "pivot", "rotoïde")
    words: ClassVar = "revolute"
    keys = AXIS
    freedoms = declared(lambda joint: (Turn(joint.axis),))


@final
@dataclass(frozen=True)
class Prismatic(Composed):
    """Translation along one axis (*liaison glissière*).

    One coordinate, the distance [m]; its speed is its rate. The joint carries three couples and
    the two forces normal to the axis.
    """

    axis: int = 2  # 0, 1, 2: the axis is x, y, z of both joint frames

    names = ("prismatic", "slider", "glissière", "prismatique")
    words: ClassVar = "prismatic"
    keys = AXIS
    freedoms = declared(lambda joint: (Slide(joint.axis),))


@final
@dataclass(frozen=True)
class StateFreedom(Composed):
    """The freedom that stands for a first-order state where equations of rest are solved."""

    names = ("state",)
    words: ClassVar = "state"
    freedoms = (Slide(0),)


@final
@dataclass(frozen=True)
class Cylindrical(Composed):
    """Translation along and rotation about one axis (*pivot glissant*).

    Two coordinates: the distance [m], then the angle [rad]; the speeds are their rates. The joint
    carries the two forces and the two couples normal to the axis.
    """

    axis: int = 2

    names = ("cylindrical", "cylindrique", "pivot glissant", "verrou")
    words: ClassVar = "cylindrical"
    keys = AXIS
    freedoms = declared(lambda joint: (Slide(joint.axis), Turn(joint.axis)))


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
    words: ClassVar = "screw"
    keys = (*AXIS, JointKey("pitch", JointEntryKind.PITCH, "5 mm", ("lead",)))
    freedoms = declared(lambda joint: (Helix(joint.axis, joint.lead),))


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
    words: ClassVar = "universal"
    keys = (JointKey("axes", JointEntryKind.CROSS, "[[0, 1, 0], [0, 0, 1]]", ("first", "second")),)
    freedoms = declared(lambda joint: (Turn(joint.first), Turn(joint.second)))


@final
@dataclass(frozen=True)
class Spherical(Composed):
    """Free rotation about a point (*rotule*).

    Four coordinates, the unit quaternion (w, x, y, z) of M in F; three speeds, the angular
    velocity in the axes of M [rad/s]. The joint carries three forces.
    """

    names = ("spherical", "ball", "rotule", "sphérique")
    words: ClassVar = "spherical"
    freedoms = (Ball(),)


@final
@dataclass(frozen=True)
class Planar(Composed):
    """Motion in a plane (*appui plan*).

    Three coordinates: two distances [m] along the axes of F that follow the normal cyclically, then
    the angle about the normal [rad]; the speeds are their rates. The joint carries the force along
    the normal and the two couples in the plane.
    """

    normal: int = 2

    names = ("planar", "plane", "appui plan")
    words: ClassVar = "planar"
    keys = NORMAL
    freedoms = declared(lambda joint: (*in_plane(joint.normal), Turn(joint.normal)))


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

    names = ("line contact", "cylinder-plane", "linéaire rectiligne", "cylindre-plan")
    words: ClassVar = "line contact"
    keys = (JointKey("normal", JointEntryKind.FIRST), JointKey("line", JointEntryKind.SECOND, "x"))
    freedoms = declared(
        lambda joint: (*in_plane(joint.normal), Turn(joint.normal), Turn(joint.line))
    )


@final
@dataclass(frozen=True)
class AnnularContact(Composed):
    """A ball in a tube: a point of the second body keeps to a line of the first (*annulaire*).

    Five coordinates: the distance along the axis [m], then the unit quaternion (w, x, y, z) of M in
    F. Four speeds: the rate of the distance, then the angular velocity in the axes of M [rad/s].
    The joint carries the two forces normal to the axis, through the centre of the ball.
    """

    axis: int = 2  # of F

    names = (
        "annular contact",
        "annular",
        "sphere-cylinder",
        "linéaire annulaire",
        "sphère-cylindre",
    )
    words: ClassVar = "annular contact"
    keys = (JointKey("axis", JointEntryKind.FIRST),)
    freedoms = declared(lambda joint: (Slide(joint.axis), Ball()))


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

    names = ("point contact", "point", "sphere-plane", "ponctuelle", "sphère-plan")
    words: ClassVar = "point contact"
    keys = (JointKey("normal", JointEntryKind.FIRST),)
    freedoms = declared(lambda joint: (*in_plane(joint.normal), Ball()))


@final
@dataclass(frozen=True)
class ParallelAxes(Composed):
    """Any translation, and rotation about one direction.

    Four coordinates: the position of M in the axes of F [m], then the angle about the axis [rad];
    the speeds are their rates. The joint carries the two couples normal to the axis.
    """

    axis: int = 2

    names = ("parallel axes", "axes parallèles")
    words: ClassVar = "parallel axes"
    keys = AXIS
    freedoms = declared(lambda joint: (*ANYWHERE, Turn(joint.axis)))


@final
@dataclass(frozen=True)
class Free(Composed):
    """Six degrees of freedom: nothing is carried.

    Seven coordinates: the position of M in the axes of F [m], then the unit quaternion (w, x, y, z)
    of M in F. Six speeds: the rate of the position in the axes of F [m/s], then the angular
    velocity in the axes of M [rad/s].
    """

    names = ("free", "floating", "libre")
    words: ClassVar = "free"
    freedoms = (*ANYWHERE, Ball())


@final
@dataclass(frozen=True)
class Distance(JointType):
    """A rod of negligible mass with a ball joint at each end: the origins of F and M keep apart.

    It has no coordinates of its own and only closes loops. It carries the force along itself,
    positive when it pushes its ends apart.
    """

    length: Any = 1.0  # [m], positive

    names = ("distance", "rod", "massless link", "barre", "tige")
    words: ClassVar = "distance"
    keys = (
        JointKey(
            "length", JointEntryKind.LENGTH, "0.5", advice="For points that coincide: spherical."
        ),
    )
    carries = False
    symbol = Symbol((SymbolBall(0.6),), (SymbolBall(0.6),), line="rod")
    refused = "a rod only closes loops: it has no coordinates from which a body could be placed"

    @property
    def nv(self) -> int:
        return 5

    @property
    def elementary(self) -> tuple[Elementary, ...]:
        return (Apart(self.length),)

    def reactions_at(self, R: Array, p: Array) -> Array:
        return columns((NOTHING, (R.T @ p) / np.sqrt(p @ p)))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([np.sqrt(p @ p) - self.length])

    def read(self, R: Array, p: Array) -> Array:
        return np.zeros(0)
