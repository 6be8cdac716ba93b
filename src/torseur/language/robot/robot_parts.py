"""Links and joints of a robot as files have them, before they are a mechanism."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from torseur.language.robot.placement import NOWHERE, Numbers, Placement
from torseur.model.mass.properties import MassProperties
from torseur.spatial.inertia import components_of, tensor_of

WORLD = "world"  # the link that is the ground
ONE_COORDINATE = ("revolute", "prismatic", "screw")  # joints with one angle or distance


@final
@dataclass(frozen=True)
class RobotMesh:
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
        ((name, sizes),) = self.shape.items()
        return name in known and sizes.get("axis", "z") == "z"


@final
@dataclass(frozen=True)
class CollisionSolid:
    """A solid of a link: a shape of the YAML form, a plane, points of a hull or a mesh."""

    placement: Placement = field(default_factory=Placement)  # in the link
    shape: Mapping[str, Any] | None = None
    points: np.ndarray | None = field(default=None, compare=False)  # (n, 3) of a hull
    mesh: RobotMesh | None = None
    is_plane: bool = False  # its normal is the axis z
    friction: float | None = None  # its coefficient, where the file has one
    groups: tuple[int, int] = (1, 1)  # sets: it is of the first, and meets those of the second


@final
@dataclass(frozen=True)
class RobotLink:
    """A link: mass, centre of mass, inertia there in the axes of the link."""

    name: str
    line: int = 0
    mass: float = 0
    centre: Numbers = NOWHERE
    inertia: Numbers = (0,) * 6  # xx, yy, zz, xy, xz, yz: tensor components [kg m²]
    meshes: tuple[RobotMesh, ...] = ()
    visuals: tuple[Visual, ...] = ()
    collision: tuple[CollisionSolid, ...] = ()

    @property
    def heavy(self) -> bool:
        """Whether it has a mass or an inertia."""
        return any((self.mass, *self.inertia))

    @property
    def properties(self) -> MassProperties:
        """Its mass data in floats."""
        tensor = np.array(tensor_of(self.inertia), dtype=float)
        return MassProperties(float(self.mass), np.array(self.centre, dtype=float), tensor)

    def weighing(self, data: MassProperties) -> RobotLink:
        """The link with other mass data, in floats."""
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
    """The contents of a file, part by part, with notices about them."""

    name: str
    links: Mapping[str, RobotLink]
    joints: Mapping[str, RobotJoint]
    gravity: Numbers | None = None
    extra: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # further sections
    notices: tuple[str, ...] = ()
    source: str = ""
    accept: tuple[str, ...] = ()  # kinds of error in mass data that the user lets pass
    never_collide: tuple[tuple[str, str], ...] = ()  # pairs of links, by the file
    least_friction: bool = False  # of two coefficients the smaller acts; otherwise the larger

    def place(self, part: RobotLink | RobotJoint) -> str:
        """The file and line of a part, with its kind and name."""
        kind = "link" if isinstance(part, RobotLink) else "joint"
        return f'{self.source}:{part.line}: {kind} "{part.name}"'
