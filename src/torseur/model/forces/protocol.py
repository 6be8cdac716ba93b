"""Interface of forces, and the places of bodies and joints that they act on.

A force declares its entries in the YAML form (`keys`); reading, checking and listing its values
follow from them. Adding a force is adding one class and one row of `catalogue.py`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from typing import Any, ClassVar, Protocol, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr
from torseur.model.joints.friction import Friction
from torseur.spatial.rotation import Rotation

Array = np.ndarray
GROUND = "ground"
SHARED = "shared"  # a unit that entries of a constraint have in common, whatever it is
OF_COORDINATE = "coordinate"  # that of the coordinate named before
EFFORT = "effort"  # a force on a distance, a couple on an angle
COORDINATE_RATE = "rate"


# --- entries ------------------------------------------------------------------------------------


class Kind(Enum):
    """Kinds of values of entries."""

    CONSTANT = auto()  # an expression of the parameters
    VARYING = auto()  # of parameters, coordinates, speeds and time
    VECTOR = auto()  # three of them
    TENSOR = auto()  # a constant: three moments, or a 3×3 matrix
    SIX_TENSOR = auto()  # one for forces and couples together: six values, or a 6×6 matrix
    ROTATION = auto()  # of the second body in the first, constant
    POINT = auto()  # of a body, constant
    MOVING_POINT = auto()  # the same, depending on the motion
    POINTS = auto()  # several
    ENDS = auto()  # two points, each a body and a position
    PATH = auto()  # two such points or more
    WRAPPED_PATH = auto()  # such points, obstacles between them, pulleys
    CENTRE = auto()  # a body and a position; on the ground it may depend on time
    BODY = auto()
    BODIES = auto()  # one, several or all
    TWO_MASSES = auto()  # two bodies that have mass
    ACTED_ON = auto()  # bodies by which a force is made, the ground among them; not in files
    JOINT = auto()
    COORDINATE = auto()  # of that joint
    AXES = auto()  # "ground" or "body"
    # those of constraints
    TIMED = auto()  # an expression of the parameters and time
    TIMED_VECTOR = auto()
    TIMED_ROTATION = auto()
    TWO_CONSTANTS = auto()
    THREE_CONSTANTS = auto()
    FOUR_CONSTANTS = auto()
    FACTORS = auto()  # coordinates, each with a factor that makes of it a quantity of the unit
    TWO_POINTS = auto()  # one of each body, or one that has the same coordinates in both
    PLACE = auto()  # a point, for a frame with the axes of its body
    DIRECTION = auto()
    TWO_JOINTS = auto()
    PAIR = auto()  # two bodies
    PAIRS = auto()  # several times two bodies
    ANY_COORDINATE = auto()  # of whatever joint
    WORD = auto()  # one of the options
    FLAG = auto()  # true or false
    MESH = auto()  # the path of a file with a surface of triangles
    FRICTION = auto()  # a coefficient, or a table of those of a law
    RESISTANCE = auto()  # a length, or a table with a viscous term
    RESTITUTION = auto()  # a coefficient, or whose law it belongs to
    PATCH = auto()  # a radius, and how the pressure is spread
    # those of sensors
    CONTACT = auto()  # of the section `contacts`
    IMU_ERRORS = auto()  # a table of an acceleration and a rate, each one value or three


ALONG_A_LINE = (Kind.ENDS, Kind.PATH, Kind.WRAPPED_PATH)


@final
@dataclass(frozen=True)
class Key:
    """An entry: its name, its kind, an example when it must be given."""

    name: str
    kind: Kind
    example: str = ""
    of_class: str = ""  # the field of the class, when it is not called so
    local: tuple[tuple[str, Expr, str], ...] = ()  # names of this entry only, and their units
    unit: str = ""  # of its value; EFFORT and COORDINATE_RATE: of the coordinate it acts on
    options: Mapping[str, Any] = field(default_factory=dict)  # the meaning of each word
    called: str = ""  # the kind of such a word, in a message
    when: Callable[[Mapping[str, Any]], bool] | None = None  # it counts, by all that is written

    @property
    def attribute(self) -> str:
        """The field of the class that holds its value."""
        return self.of_class or self.name


# --- effects -------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Attachment:
    """A point of a body, in the frame of the body."""

    body: str
    point: Array

    @property
    def ends(self) -> tuple["Attachment", ...]:
        """The point itself: a part of a path."""
        return (self,)

    @property
    def numbers(self) -> tuple[Any, ...]:
        """Its numbers and expressions."""
        return tuple(self.point)


@final
@dataclass(frozen=True)
class Sheave:
    """A circle on a body, over which a rope runs: counter-clockwise about its axis if wrap > 0."""

    body: str
    point: Array  # the centre, in the frame of the body
    axis: Array  # in the frame of the body
    radius: Expr  # [m]
    wrap: Expr  # the angle of the arc, to within half a turn [rad]

    @property
    def numbers(self) -> tuple[Any, ...]:
        """The coordinates of its centre."""
        return tuple(self.point)


@final
@dataclass(frozen=True)
class Action:
    """A force and a couple on a body, at one of its points, in ground axes or in body axes."""

    at: Attachment
    force: Array  # [N]
    couple: Array = field(default_factory=lambda: np.zeros(3))  # [N m]
    follows: bool = False  # True: components in body axes


@final
@dataclass(frozen=True)
class Freedom:
    """A coordinate of a joint whose rate is a speed: its position and its speed."""

    joint: str
    index: int  # among the speeds of the joint
    q: Any
    v: Any


@final
@dataclass(frozen=True)
class Effect:
    """Effect of a force: wrenches on bodies, generalised forces in joints, stored energy."""

    actions: tuple[Action, ...] = ()
    joint_forces: tuple[tuple[Freedom, Any], ...] = ()
    potential: Any = ZERO  # [J]; zero for a force that has none
    rubbing: tuple[tuple[Freedom, Friction, Any], ...] = ()  # dry friction of a load


class MassData(Protocol):
    """The mass data of a body, in body axes."""

    @property
    def mass(self) -> Any: ...

    @property
    def centre(self) -> Array: ...

    @property
    def inertia(self) -> Array: ...


class Places(Protocol):
    """Positions and velocities of bodies and joints, as numbers or expressions."""

    @property
    def bodies(self) -> Mapping[str, MassData]:
        """The bodies by name, the ground left out."""

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        """The coordinates whose rates are speeds, those of every joint."""

    def position(self, at: Attachment) -> Array:
        """A point, in ground axes."""

    def velocity(self, at: Attachment) -> Array:
        """Its velocity, in ground axes."""

    def rotation(self, body: str) -> Rotation:
        """R_WB, from body axes to ground axes."""

    def twist(self, at: Attachment) -> tuple[Array, Array]:
        """The angular velocity of a body and the velocity of its point, in body axes."""

    def freedom(self, joint: str, coordinate: str, unit: str) -> Freedom:
        """A coordinate of a joint by name; without a name, the only one measured in `unit`."""


class Force(ABC):
    """A force on a mechanism: a frozen dataclass with a name and a place."""

    names: ClassVar[tuple[str, ...]]  # English first, then French
    keys: ClassVar[tuple[Key, ...]]  # its entries
    rubs: ClassVar[bool] = False  # whether it is dry friction, which may stick
    name: str
    place: str  # where it was written

    @abstractmethod
    def effect(self, places: Places) -> Effect:
        """Effect of the force at the current configuration."""


@cache
def no_vector() -> Array:
    """Read-only zero vector (3)."""
    return _zeros(3)


@cache
def no_tensor() -> Array:
    """Read-only 3×3 zero matrix."""
    return _zeros(3, 3)


@cache
def no_six_tensor() -> Array:
    """Read-only 6×6 zero matrix."""
    return _zeros(6, 6)


def _zeros(*shape: int) -> Array:
    zeros = np.full(shape, ZERO, dtype=object)
    zeros.setflags(write=False)
    return zeros


# --- names in a force ---------------------------------------------------------------------------


def place_of(force: Force) -> str:
    """The place of a force in its file, or its name."""
    return force.place or f'force "{force.name}"'


def bodies_of(force: Force) -> tuple[str, ...]:
    """The bodies that a force names."""
    readings: dict[Kind, Callable[[Any], tuple[str, ...]]] = {
        Kind.BODY: lambda body: (body,),
        Kind.BODIES: tuple,
        Kind.TWO_MASSES: tuple,
        Kind.ACTED_ON: tuple,
        Kind.CENTRE: lambda end: (end.body,),
        Kind.ENDS: lambda ends: tuple(end.body for end in ends),
        Kind.PATH: lambda ends: tuple(end.body for end in ends),
        Kind.WRAPPED_PATH: lambda parts: tuple(end.body for x in parts for end in x.ends),
    }
    return tuple(
        name
        for key in force.keys
        if key.kind in readings
        for name in readings[key.kind](getattr(force, key.attribute))
    )


def joints_of(force: Force) -> tuple[str, ...]:
    """The joints that a force names."""
    return tuple(getattr(force, key.attribute) for key in force.keys if key.kind is Kind.JOINT)


def ends_of(force: Force) -> tuple[Attachment | Sheave, ...]:
    """The points of a force along a line, in their order."""
    named = (getattr(force, key.attribute) for key in force.keys if key.kind in ALONG_A_LINE)
    return tuple(end for both in named for end in both if isinstance(end, Attachment | Sheave))


def expressions_of(force: Force) -> list[tuple[str, Any]]:
    """Numbers and expressions of a force, each with the name of its entry."""
    named: list[tuple[str, Any]] = []
    for key in force.keys:
        value = getattr(force, key.attribute)
        if key.kind in ALONG_A_LINE:
            named += [("point", x) for part in value for x in part.numbers]
            sheaves = [end for end in value if isinstance(end, Sheave)]
            named += [(name, getattr(x, name)) for x in sheaves for name in ("radius", "wrap")]
        elif key.kind is Kind.CENTRE:
            named += [("centre of attraction", x) for x in value.point]
        elif key.kind is Kind.FRICTION:
            named += [(key.name, x) for x in value.numbers]
        elif isinstance(value, Rotation):
            named += [(key.name, x) for x in value.matrix.flat]
        elif isinstance(value, tuple):
            named += [(key.name, x) for x in value if isinstance(x, Expr)]
        elif not isinstance(value, str | bool | None):
            named += [(key.name, x) for x in np.ravel(value)]
    return named
