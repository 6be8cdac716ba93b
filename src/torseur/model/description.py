"""The description of a mechanism: bodies, joints, motors, loads, parameters; immutable.

Every number is an expression over the parameters. Points and inertias are in the frame of their
body; a joint places a frame F on its first body and a frame M on its second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.expr import TIME, ZERO, Expr, number
from torseur.algebra.core.graph import expressions
from torseur.brief import numbered, shortened
from torseur.errors import ModelError
from torseur.model.chosen import Change, ChosenCoordinate, change
from torseur.model.constraints.protocol import Constraint
from torseur.model.forces.body import BodyLoad as BodyLoad
from torseur.model.forces.joint import JointLoad as JointLoad
from torseur.model.forces.protocol import GROUND as GROUND
from torseur.model.forces.protocol import Force, no_tensor, no_vector
from torseur.model.joint_graph import spanning
from torseur.model.joints.protocol import Joint as Joint
from torseur.model.parameters import Parameter as Parameter
from torseur.model.parameters import values
from torseur.model.sensors import Sensor
from torseur.output import writable, write_text
from torseur.plain import same
from torseur.spatial.height_fields import HeightField
from torseur.spatial.pose import Pose
from torseur.words.sentence import say

Array = np.ndarray
EARTH_RATE = number(7.292115e-5)  # of the Earth about its axis [rad/s]
SUN = number(1.32712440018e20)  # G × mass of the Sun [m³/s²]
ASTRONOMICAL_UNIT = number(149_597_870_700)  # [m]


def _still() -> Array:
    return expressions([0, 0, 0])


@final
@dataclass(frozen=True)
class MovingFrame:
    """The motion of the ground relative to a Galilean frame, in ground axes.

    Without entrainment only the Coriolis forces count: the rest is in the gravity that the
    user gives, as on the Earth, where a plumb line already feels the centrifugal force.
    """

    rotation: Array = field(default_factory=_still)  # Ω [rad/s], of t and the parameters
    acceleration: Array = field(default_factory=_still)  # of the origin [m/s²]
    entrainment: bool = True
    place: str = ""


def laboratory(latitude: Any) -> MovingFrame:
    """A laboratory on the Earth: x to the east, y to the north, z up; Coriolis forces only."""
    up, north = np.sin(latitude), np.cos(latitude)
    rotation = expressions([ZERO, EARTH_RATE * north, EARTH_RATE * up])
    return MovingFrame(rotation, entrainment=False)


def geocentric() -> MovingFrame:
    """The centre of the Earth on a circle about the Sun, axes towards fixed stars.

    At t = 0 the Sun is on the axis −x; the Earth goes round about z.
    """
    angle, size = orbital_rate() * TIME, SUN / ASTRONOMICAL_UNIT**2
    return MovingFrame(acceleration=expressions([-size * angle.cos(), -size * angle.sin(), ZERO]))


def orbital_rate() -> Any:
    """√(G m/d³) of the Earth about the Sun [rad/s]."""
    return (SUN / ASTRONOMICAL_UNIT**3) ** Fraction(1, 2)


_WHENCE = (
    "place",
    "source",
    "form",
    "notices",
    "phrase",
    "uncommanded",
)  # origin of a part, not its content

Shape = tuple[str, Mapping[str, Any]]  # a solid and its dimensions


@final
@dataclass(frozen=True)
class Mesh:
    """A file with a surface of a body, and where its frame is in that of the body."""

    file: str
    pose: Pose = field(default_factory=Pose)
    scale: tuple[Expr, ...] = ()  # along its axes; empty: as it is


@final
@dataclass(frozen=True)
class Part:
    """A piece of a body, or one that is taken away from it, and where its frame is in the body."""

    shape: Shape | None = None
    pose: Pose = field(default_factory=Pose)
    removed: bool = False
    friction: Expr | None = None  # of a solid that touches, where it has its own
    height_field: HeightField | None = None  # instead of a shape


@final
@dataclass(frozen=True)
class Body:
    """A rigid body: mass [kg], centre of mass [m], inertia tensor there [kg m²], in body axes."""

    name: str
    mass: Expr = ZERO
    centre: Array = field(default_factory=no_vector)  # (3,)
    inertia: Array = field(default_factory=no_tensor)  # (3, 3)
    shape: Shape | None = None  # for drawing
    accept: tuple[str, ...] = ()  # kinds of error in published mass data that the user lets pass
    place: str = ""
    meshes: tuple[Mesh, ...] = ()  # surfaces in files
    parts: tuple[Part, ...] = ()  # where it is made of several
    visuals: tuple[Part, ...] = ()  # solids that it is drawn with instead
    collision: tuple[Part, ...] = ()  # solids that it touches others with instead


@final
@dataclass(frozen=True)
class Motor:
    """An actuator of a joint with one degree of freedom, carried by the joint's first body.

    The rotor turns at `ratio` × the joint's speed about `axis`, given in the frame of the first
    body, whose mass data include the rotor at rest. Without an axis, only the reflected inertia
    ratio² × rotor_inertia counts. Friction is given on the motor side and on the output side; dry
    friction may differ with the direction (positive, negative speed of the joint).
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
    torque: Expr = ZERO  # applied by the motor, on its side
    place: str = ""

    @property
    def viscous_friction(self) -> Expr:
        """α² ξ_e + ξ_s: friction of both sides, reduced to the joint."""
        return self.ratio**2 * self.viscous_motor + self.viscous_output

    @property
    def dry_friction(self) -> tuple[Expr, Expr]:
        """|α| Q_e + Q_s: friction of both sides, reduced to the joint, forwards and backwards."""
        size, both = abs(self.ratio), zip(self.dry_motor, self.dry_output, strict=True)
        forward, backward = (size * motor + output for motor, output in both)
        return forward, backward


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
class Frame:
    """A named frame that moves with a body; the bodies and the ground are frames themselves."""

    name: str
    body: str
    pose: Pose = field(default_factory=Pose)  # in the frame of the body
    place: str = ""


@final
@dataclass(frozen=True)
class Event:
    """An instant to find in a motion: when an expression passes through zero."""

    name: str
    zero: Expr  # of coordinates, speeds, time and parameters
    direction: int = 0  # −1: falling, +1: rising, 0: both
    stop: bool = False  # the motion ends there
    place: str = ""


@final
@dataclass(frozen=True)
class FirstOrderState:
    """A quantity besides the motion with a rate of its own: a filter, a pressure, a current."""

    name: str
    rate: Expr  # of coordinates, speeds, states, time and parameters [unit/s]
    initial: Expr = ZERO  # at the start
    unit: str = ""
    place: str = ""


class Described(Protocol):
    """An actuator as it is described; its force and its states are those of the mechanism."""

    @property
    def coordinate(self) -> str: ...
    @property
    def set_point(self) -> Expr:
        """The entry that commands it."""

    @property
    def set_point_limits(self) -> tuple[Expr, Expr] | None:
        """The range of its command, if it is that of its force."""

    @property
    def set_point_is_coordinate(self) -> bool:
        """Whether its command is a value of its coordinate."""

    def commanded(self, command: Expr) -> Described:
        """The actuator with another command."""

    def parts(self, joint: Joint) -> Any:
        """Its force and its states."""


class SourceForm(Protocol):
    """The source that a mechanism was read from."""

    def text(self, mechanism: Mechanism) -> str:
        """The description of the mechanism as it is now, to be read again."""

    def written(self, mechanism: Mechanism, ending: str) -> str:
        """The description in the format of a file with this ending."""


@final
@dataclass(frozen=True, eq=False)
class Mechanism:
    """A mechanism as described; everything else is computed from it."""

    _repr_svg_ = notebook.svg

    name: str
    parameter_table: Mapping[str, Parameter]
    bodies: Mapping[str, Body]
    joints: Mapping[str, Joint]
    gravity: Array  # (3,) in ground axes [m/s²]
    motors: Mapping[str, Motor] = field(default_factory=dict)
    loads: Mapping[str, Force] = field(default_factory=dict)
    frame: MovingFrame | None = None  # how the ground moves, if it is not Galilean
    points: Mapping[str, Point] = field(default_factory=dict)
    frames: Mapping[str, Frame] = field(default_factory=dict)
    constraints: Mapping[str, Constraint] = field(default_factory=dict)
    motions: Mapping[str, Constraint] = field(default_factory=dict)
    contacts: Mapping[str, Constraint] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()  # speeds along which laws of control act if none are named
    commanded: tuple[str, ...] = ()  # those along which one does; actuators, parameters
    uncommanded: Mechanism | None = None  # before a law gave other commands than forces
    impacts: str = ""  # "sequential": shocks at one instant come one after the other
    states: Mapping[str, FirstOrderState] = field(default_factory=dict)
    actuators: Mapping[str, Described] = field(default_factory=dict)  # forces, and some states
    sensors: Mapping[str, Sensor] = field(default_factory=dict)
    events: Mapping[str, Event] = field(default_factory=dict)
    reactions: str = ""  # "least_norm": the user accepts the smallest of many possible reactions
    initial: Mapping[str, Expr] = field(default_factory=dict)
    carried_by: tuple[str, ...] = ()  # the joints that carry bodies, where others may not be chosen
    chosen: Mapping[str, ChosenCoordinate] = field(default_factory=dict)  # by the user
    description: str = ""
    source: str = ""  # the phrase or the file it came from
    phrase: str = ""  # the description phrase, if it came from one
    notices: tuple[str, ...] = ()  # assumptions and unread contents
    form: SourceForm | None = None  # its source, to be written again

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mechanism) and same(self, other, _WHENCE)

    def __hash__(self) -> int:
        return hash((self.name, *self.bodies, *self.joints))

    def __getstate__(self) -> dict[str, Any]:
        """Its fields: computed results are not sent to other processes."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def __repr__(self) -> str:
        parts = f"{numbered(len(self.bodies), 'body')}, {numbered(len(self.joints), 'joint')}"
        names = ", ".join(self.every_coordinate)
        return f'<Mechanism "{self.name}": {parts}, coordinates {shortened(names or "none")}>'

    def save(self, path: str | Path) -> Path:
        """Write the YAML form (.yaml), which `load` reads back equal, or URDF (.urdf), MJCF (.xml).

        What URDF or MJCF cannot say is refused by name, or listed in comments of the file.
        """
        ending = Path(path).suffix.lower()
        if ending not in (".yaml", ".yml", ".urdf", ".xml"):
            advice = "Endings: .yaml, .yml, .urdf, .xml (MuJoCo)."
            raise ModelError("save", say('cannot write "{path}".', path), advice)
        place = writable(path)
        return write_text(place, self._known_form.written(self._described, ending))

    def yaml(self) -> str:
        """The YAML form as text."""
        return self._known_form.text(self._described)

    @property
    def _described(self) -> Mechanism:
        """The mechanism before a law commanded parts of it."""
        return self.uncommanded or self

    @property
    def _known_form(self) -> SourceForm:
        if self.form is None:
            problem = "it was not read from a description."
            raise ModelError(f'mechanism "{self.name}"', problem, "Use ts.load or ts.Builder.")
        return self.form

    @cached_property
    def _carrying(self) -> tuple[Joint, ...]:
        """The joints that carry bodies, in the order of the description."""
        carrying = {joint.name for joint, _ in spanning(self).carrying}
        return tuple(joint for joint in self.joints.values() if joint.name in carrying)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """The names of the coordinates, in the order of every array q.

        They are those of the joints that carry bodies; see `every_coordinate`.
        """
        return tuple(name for joint in self._carrying for name in joint.coordinates)

    @cached_property
    def speeds(self) -> tuple[str, ...]:
        """The names of the speeds, in the order of every array v."""
        return tuple(name for joint in self._carrying for name in joint.speeds)

    @cached_property
    def change(self) -> Change:
        """From the coordinates of the joints to those that the user chooses."""
        return change(self.chosen, self.coordinates if self.chosen else ())

    @cached_property
    def every_coordinate(self) -> tuple[str, ...]:
        """The names of all coordinates that can be given and read, those of closing joints too."""
        return tuple(name for joint in self.joints.values() for name in joint.coordinates)

    @cached_property
    def every_speed(self) -> tuple[str, ...]:
        """The names of all speeds that can be given and read, those of closing joints too."""
        return tuple(name for joint in self.joints.values() for name in joint.speeds)

    def command_symbol(self, name: str) -> str:
        """The name of the symbol of a command: u[q] of a force along q."""
        is_speed = name in self.every_speed
        return f"u[{name.removesuffix('.')}]" if is_speed else f"command[{name}]"

    @property
    def parameters(self) -> dict[str, float | None]:
        """The value of each parameter, None where none was given."""
        return values(self.parameter_table)
