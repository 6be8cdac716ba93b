"""Links and joints of a robot as files have them, before they are a mechanism."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from torseur.model.mass.properties import MassProperties
from torseur.spatial.inertia import components_of, tensor_of

Array = np.ndarray
Numbers = tuple[float, ...]
NOWHERE: Numbers = (0, 0, 0)
WORLD = "world"  # the link that is the ground
IDENTITY = np.eye(3)
IDENTITY.setflags(write=False)


@final
@dataclass(frozen=True)
class Placement:
    """Where a frame B is in a frame A: a position, and a rotation as the YAML form writes it."""

    position: Numbers = NOWHERE  # p_AB [m]
    rotation: Any = None  # turns, a quaternion or a matrix; None: none
    R: Array = field(default_factory=lambda: IDENTITY)  # the same in floats

    @property
    def p(self) -> Array:
        """The position in floats."""
        return np.array(self.position, dtype=float)


@final
@dataclass(frozen=True)
class Mesh:
    """A file with the surface of a link."""

    file: str
    placement: Placement = field(default_factory=Placement)  # in the link
    scale: Numbers = (1, 1, 1)


@final
@dataclass(frozen=True)
class Visual:
    """A plain solid that a link is drawn with, as the YAML form writes it."""

    shape: Mapping[str, Any]
    placement: Placement = field(default_factory=Placement)  # in the link

    def drawn_by(self, known: Collection[str]) -> bool:
        """Whether a format that knows some solids has it, about the axis z."""
        ((name, given),) = self.shape.items()
        return name in known and given.get("axis", "z") == "z"


@final
@dataclass(frozen=True)
class Link:
    """A link: mass, centre of mass, inertia there in the axes of the link."""

    name: str
    line: int = 0
    mass: float = 0
    centre: Numbers = NOWHERE
    inertia: Numbers = (0,) * 6  # xx, yy, zz, xy, xz, yz: tensor components [kg m²]
    meshes: tuple[Mesh, ...] = ()
    visuals: tuple[Visual, ...] = ()

    @property
    def heavy(self) -> bool:
        """Whether it has a mass or an inertia."""
        return any((self.mass, *self.inertia))

    @property
    def properties(self) -> MassProperties:
        """Its mass data in floats."""
        tensor = np.array(tensor_of(self.inertia), dtype=float)
        return MassProperties(float(self.mass), np.array(self.centre, dtype=float), tensor)

    def weighing(self, data: MassProperties) -> Link:
        """The same link with other mass data, in floats."""
        centre, inertia = map(float, data.centre), map(float, components_of(data.inertia))
        return replace(self, mass=float(data.mass), centre=tuple(centre), inertia=tuple(inertia))


@final
@dataclass(frozen=True)
class Mimic:
    """The coordinate of a joint follows that of another: multiplier × it + offset."""

    joint: str
    multiplier: float = 1
    offset: float = 0


@final
@dataclass(frozen=True)
class RobotJoint:
    """A joint: its type in the YAML form, the frames it joins, its axis in the second link."""

    name: str
    kind: str
    parent: str
    child: str
    line: int = 0
    placement: Placement = field(default_factory=Placement)  # of the child's frame, at zero
    point: Numbers = NOWHERE  # of the joint, in the child
    axis: Numbers = (1, 0, 0)  # in the child; of a cardan, in the parent
    second_axis: Numbers = (0, 1, 0)  # of a cardan, in the child
    pitch: float | None = None  # of a screw, a turn [m]
    limits: tuple[float, float] | None = None
    effort: float | None = None
    velocity: float | None = None
    damping: float = 0
    friction: float = 0
    stiffness: float = 0  # of a spring along its coordinate
    rest: float = 0  # the coordinate at which that does not pull
    armature: float = 0  # inertia of the rotor seen from the joint
    mimic: Mimic | None = None
    closing: bool = False  # it closes a loop


@final
@dataclass(frozen=True)
class Robot:
    """What a file says, part by part, and what is to be told of it."""

    name: str
    links: Mapping[str, Link]
    joints: Mapping[str, RobotJoint]
    gravity: Numbers | None = None
    extra: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # further sections
    notices: tuple[str, ...] = ()
    source: str = ""
    accept: tuple[str, ...] = ()  # kinds of fault in mass data that the user lets pass

    def place(self, part: Link | RobotJoint) -> str:
        """Where a part stands in the file, and which it is."""
        kind = "link" if isinstance(part, Link) else "joint"
        return f'{self.source}:{part.line}: {kind} "{part.name}"'
