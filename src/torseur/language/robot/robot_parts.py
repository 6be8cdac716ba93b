"""Links and joints of a robot as files have them, names for its coordinates, options of reading."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict, final

import numpy as np

from torseur.errors import unknown
from torseur.language.robot.placement import NOWHERE, Numbers, Placement
from torseur.language.text.expression import RESERVED
from torseur.language.yaml.coordinate_entries import identifier
from torseur.model.checks.limits import sensible
from torseur.model.joints.catalogue import joint_class
from torseur.model.joints.freedoms import suffixes
from torseur.model.mass.properties import COMPONENTS, MassProperties
from torseur.model.mass.validity import KINDS
from torseur.spatial.inertia import components_of, tensor_of
from torseur.words.sentence import say

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
    """A solid of a link: a shape or height field of the YAML form, a plane, a hull or a mesh."""

    placement: Placement = field(default_factory=Placement)  # in the link
    shape: Mapping[str, Any] | None = None
    points: np.ndarray | None = field(default=None, compare=False)  # (n, 3) of a hull
    mesh: RobotMesh | None = None
    height_field: Mapping[str, Any] | None = None
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


# --- names ----------------------------------------------------------------------------------------


DUST = 1e-12  # a length [m] below this is zero: rounding of a computation
DUST_RADIUS = 1e-6  # [m]; an inertia below mass × this² is zero too


@final
class Symbols:
    """The names that are taken, and the parameters made so far."""

    def __init__(self) -> None:
        self.taken: set[str] = set(RESERVED)
        self.values: dict[str, Any] = {}
        self.dust = 0  # lengths and inertias that were taken as zero

    def legal(self, name: str) -> str:
        """A name close to this one that may stand in an expression and is not taken."""
        base = identifier(name)
        free, count = base, 1
        while free in self.taken:
            count += 1
            free = f"{base}_{count}"
        self.taken.add(free)
        return free

    def coordinates(self, kinds: Mapping[str, str]) -> dict[str, str]:
        """Coordinates of joints that have one, by name; those of the others are taken first."""
        for name, kind in kinds.items():
            if kind not in (*ONE_COORDINATE, "fixed"):
                endings = (*suffixes(joint_class(kind, name)().freedoms or ()), "_wx", "_wy", "_wz")
                self.taken.update(f"{identifier(name)}{ending}" for ending in endings)
        return {name: self.legal(name) for name, kind in kinds.items() if kind in ONE_COORDINATE}

    def parameter(self, name: str, value: float) -> Any:
        """The name of a new parameter of this value; zero stays zero."""
        if not value:
            return 0
        free = self.legal(name)
        self.values[free] = float(value) if isinstance(value, float) else value
        return free

    def lengths(self, letters: str, of: str, values: Iterable[float]) -> list[Any]:
        """Parameters x_of, y_of and z_of, and zeros."""
        return self._without_dust(letters, "xyz", of, values, DUST)

    def inertia(self, of: str, mass: float, six: Iterable[float]) -> list[Any]:
        """Parameters Ixx_of … Iyz_of, and zeros."""
        return self._without_dust("I", COMPONENTS, of, six, max(mass, DUST) * DUST_RADIUS**2)

    def _without_dust(
        self, letters: str, at: Iterable[str], of: str, values: Iterable[float], least: float
    ) -> list[Any]:
        """Parameters of these letters, and zeros for values smaller than the least."""
        entries: list[Any] = []
        for component, value in zip(at, values, strict=True):
            if not value:
                entries.append(0)
            elif abs(value) < least:
                self.dust += 1
                entries.append(0)
            else:
                entries.append(self.parameter(f"{letters}{component}_{of}", value))
        return entries


# --- options --------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Reading:
    """Options for reading a robot."""

    free_base: bool = False  # the base moves freely, whatever the file says
    packages: Sequence[str | os.PathLike[str]] = ()  # folders in which packages are
    mesh_density: float | None = None  # [kg/m³]: it fills the meshes of massless links
    accept: Sequence[str] = ()  # kinds of error in mass data to let pass
    limits: str | None = None  # "stop": joints stop at their limits
    effort: str | None = None  # "clip": commands are clipped at the efforts of joints
    collisions: bool | str | Mapping[str, Any] = False  # what is made of collision shapes
    keyframe: str | None = None  # of an MJCF: where motions start
    actuators: bool = True  # those of the file are read
    mocap: Mapping[str, Mapping[str, Any]] | None = None  # laws of bodies of an MJCF, of t
    joined: str = ""  # how it stands in a scene: unmoved or moved; empty where it is alone

    def __post_init__(self) -> None:
        for name, given, known in (
            ("limits", self.limits, "stop"),
            ("effort", self.effort, "clip"),
        ):
            if given not in (None, known):
                raise unknown(name, "behaviour", str(given), (known,))
        for kind in self.accept:
            if kind not in KINDS:
                raise unknown("accept", "kind of error", kind, KINDS)
        if self.mesh_density is not None:
            sensible("mesh_density", say("the value"), self.mesh_density)


PLAIN = Reading()


class RobotOptions(TypedDict, total=False):
    """Options for reading a robot that a description of any form may be given."""

    free_base: bool
    packages: Sequence[str]
    mesh_density: float
    accept: Sequence[str]
    limits: str
    effort: str
    mocap: Mapping[str, Mapping[str, Any]]
