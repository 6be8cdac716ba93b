"""Interface of constraints: entries, rows, how rows hold, and words.

A row is J v + b = 0 for speeds and J a + γ = 0 for accelerations; one that holds positions has a
gap too. A constraint states what its rows follow from, in one of four ways:

- `JointRows`: a joint or a contact between two frames. The first rows, as many as its gap has
  entries, hold positions; the others hold speeds only.
- `ExpressionRow`: an expression of coordinates, speeds and time that stays zero. Without speeds it
  holds positions; with speeds, in which it is linear, it holds speeds.
- `MeshRow`: two bodies that have the same speed along a direction at a point of a third. It holds
  speeds, and positions too where the condition has an integral.
- `MeetingRows`: bodies that meet by their shapes, or not, as they move.

`holding` is the way rows hold: by the mechanism itself, imposed from outside
as a law of time, or one side only, with a law of friction and of shocks. Adding a constraint is
adding one class and one row of `catalogue.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, ClassVar, cast, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ONE, ZERO, Expr
from torseur.algebra.core.graph import free_symbols
from torseur.errors import ModelError
from torseur.model.forces.protocol import GROUND, Attachment, Key, Sheave, no_vector
from torseur.model.joints.frames import Frames, Values, about_axis, unit_vector
from torseur.model.joints.friction import NO_REBOUND, Compliance, Friction, Restitution
from torseur.spatial.pose import Pose
from torseur.words.sentence import say

Array = np.ndarray
MULTIPLIER = "lambda"


# --- how rows hold ------------------------------------------------------------------------------


class Holding(Enum):
    """Source of the force of rows that act on both sides."""

    HELD = auto()  # by the mechanism itself
    IMPOSED = auto()  # from outside: a law of time; the multiplier drives it


@final
@dataclass(frozen=True)
class Unilateral:
    """Rows that come together, the normal one first: it only pushes, the others resist by friction.

    While the gap is positive there is no force. Where it closes there is a shock, or a spring that
    gives way.
    """

    friction: Friction | None = None
    restitution: Restitution = NO_REBOUND
    spring: Compliance | None = None


# --- rows ---------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class JointRows:
    """The rows of a joint or contact between a frame F of one body and a frame M of another."""

    name: str
    kind: Any  # a JointType or a ContactType
    first: str
    second: str
    X_AF: Pose = field(default_factory=Pose)  # in the first body, where F may move with time
    X_BM: Pose = field(default_factory=Pose)
    moving: bool = False  # F follows a law of time, and M follows F

    coordinates: ClassVar[tuple[str, ...]] = ()  # it has none of its own
    speeds: ClassVar[tuple[str, ...]] = ()

    @property
    def count(self) -> int:
        """Number of rows."""
        return 6 - int(self.kind.nv)

    @property
    def positions(self) -> int:
        """Number of rows, the first ones, that hold positions."""
        return len(self.kind.gap(np.eye(3), np.eye(3)[0]))

    @property
    def rolls(self) -> bool:
        """Whether some rows hold speeds only."""
        return self.positions < self.count

    @property
    def lengths(self) -> tuple[Any, ...]:
        """The lengths that it is given by."""
        still = () if self.moving else tuple(self.X_AF.p)
        return (*still, *self.X_BM.p, *self.kind.lengths)


@final
@dataclass(frozen=True)
class ExpressionRow:
    """An expression that stays zero; of an imposed motion, its coordinate and law."""

    name: str
    zero: Expr
    coordinate: str = ""
    law: Expr = ZERO  # of t and the parameters

    count: ClassVar[int] = 1
    lengths: ClassVar[tuple[Any, ...]] = ()

    @property
    def positions(self) -> int:
        """1 for a condition on positions."""
        return int(not has_speeds(self.zero))


@final
@dataclass(frozen=True)
class MeshRow:
    """Two bodies with the same speed along a direction, at a point of their carrier.

    The multiplier is the force on the second body along that direction; |multiplier| × `apart`
    pushes it besides, without working.
    """

    name: str
    first: str
    second: str
    carrier: str
    point: Array  # in the carrier [m]
    direction: Array  # in the carrier
    apart: Array = field(default_factory=no_vector)  # in the carrier

    count: ClassVar[int] = 1
    positions: ClassVar[int] = 0

    @property
    def lengths(self) -> tuple[Any, ...]:
        """The lengths that it is given by."""
        return tuple(self.point)

    @property
    def pushes_apart(self) -> bool:
        """Whether there is a force besides that of the multiplier."""
        return any(x != 0 for x in self.apart)


@final
@dataclass(frozen=True)
class RopeRow:
    """A path through points and over sheaves that keeps its length; the multiplier pulls."""

    name: str
    through: tuple[Attachment | Sheave, ...]
    length: Expr | None  # None: that of the start
    place: str = ""

    count: ClassVar[int] = 1

    @property
    def positions(self) -> int:
        """1 where the length is given."""
        return int(self.length is not None)

    @property
    def lengths(self) -> tuple[Any, ...]:
        """The lengths that it is given by."""
        given = () if self.length is None else (self.length,)
        return (*given, *(x for end in self.through for x in end.point))


@final
@dataclass(frozen=True)
class MeetingRows:
    """The rows of bodies that meet or not: how many there are is found along a motion."""

    name: str
    bodies: tuple[str, ...]  # none: all of them

    count: ClassVar[int] = 0
    positions: ClassVar[int] = 0
    lengths: ClassVar[tuple[Any, ...]] = ()


Rows = JointRows | ExpressionRow | MeshRow | RopeRow


def has_speeds(zero: Expr) -> bool:
    """Whether an expression contains speeds."""
    return any(x.kind == "speed" for x in free_symbols(zero))


def check_linear(zero: Expr, place: str) -> None:
    """Speeds must come in linearly: only then is a condition kept by a force that is known."""
    speeds = [x for x in free_symbols(zero) if x.kind == "speed"]
    left = [x.name for x in free_symbols(jacobian([zero], speeds)) if x.kind == "speed"]
    if left:
        raise ModelError(
            place,
            say('it is not linear in the speed "{bent}".', left[0]),
            "A condition on speeds reads a(q, t)·v + b(q, t) = 0.",
        )


# --- constraints --------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Rubbing:
    """Friction of a constraint of one row: the row that it resists, up to coefficient × load.

    The load is `factor` times the size of the multiplier.
    """

    row: Rows
    law: Friction
    factor: Expr = ONE


@final
@dataclass(frozen=True)
class ConstraintInput:
    """The entries of a constraint, what expressions are worth, and where it was written."""

    entries: Mapping[str, Any]
    value: Values
    place: str

    def __getitem__(self, entry: str) -> Any:
        return self.entries[entry]

    def __contains__(self, entry: str) -> bool:
        return entry in self.entries

    def get(self, entry: str, otherwise: Any = None) -> Any:
        """An entry, or its default where it is left out."""
        return self.entries.get(entry, otherwise)

    def direction(self, entry: str, otherwise: Array) -> Array:
        """An entry as a unit vector."""
        return unit_vector(self.get(entry, otherwise), self.value, self.place)

    def about(self, a: Array) -> Frames:
        """The frames of two bodies that have a direction in common, for one of their axes."""
        return about_axis(a, a, None, self.value, self.place)


class Declaration:
    """A way to write a constraint: its names, its entries, and the constraint they make."""

    names: ClassVar[tuple[str, ...]]  # English first, then French
    keys: ClassVar[tuple[Key, ...]]  # in the YAML form

    @classmethod
    def described(cls, name: str, given: ConstraintInput) -> Constraint:
        """The constraint of its entries, which are its fields unless it says otherwise."""
        make = cast(Callable[..., Constraint], cls)
        return make(name=name, place=given.place, **given.entries)


@final
@dataclass(frozen=True)
class Unknown:
    """A multiplier in formulas: a force F or T, a couple C, or a mere multiplier λ."""

    letter: str
    words: str  # its meaning
    unit: str = ""


def multiplier_of(name: str) -> Unknown:
    """The multiplier of a relation, of which nothing more is known."""
    return Unknown(MULTIPLIER, say("multiplier of {relation}", name))


class Constraint(Declaration, ABC):
    """A restraint of a mechanism: a dataclass with a name and a place."""

    words: ClassVar[str | Mapping[str, str]]  # the sentence that tells it, {} for its name
    name: str
    place: str

    @property
    def holding(self) -> Holding | Unilateral:
        """The way its rows hold."""
        return Holding.HELD

    @property
    @abstractmethod
    def rows(self) -> Rows | MeetingRows:
        """The source of its rows."""

    @property
    def all_rows(self) -> tuple[Rows, ...]:
        """Its rows; of one-sided constraints, the gap and then the rows of friction."""
        return () if isinstance(self.rows, MeetingRows) else (self.rows,)

    @property
    def rubbing(self) -> Rubbing | None:
        """Friction while it holds both sides; None without."""
        return None

    @property
    @abstractmethod
    def meanings(self) -> tuple[str, ...]:
        """In words, the force or couple that the multiplier of each row is."""

    def unknown(self, units: Mapping[str, str]) -> Unknown:
        """Letter and meaning of its multiplier in formulas; `units` are of coordinates."""
        return multiplier_of(self.name)


def of_pair(effort: str, first: str, second: str) -> str:
    """A force or couple of the first body on the second."""
    one, other = called_body(first), called_body(second)
    return say('{effort}, of "{first}" on "{second}"', effort, one, other)


def called_body(name: str) -> str:
    """The name of a body; that of the ground is a word."""
    return say("ground") if name == GROUND else name


def bodies_of(rows: Rows | MeetingRows) -> tuple[str, ...]:
    """The bodies that rows name, each once."""
    if isinstance(rows, ExpressionRow):
        return ()
    if isinstance(rows, MeetingRows):
        return rows.bodies
    if isinstance(rows, RopeRow):
        return tuple(dict.fromkeys(end.body for end in rows.through))
    carrier = (rows.carrier,) if isinstance(rows, MeshRow) else ()
    return tuple(dict.fromkeys((rows.first, rows.second, *carrier)))
