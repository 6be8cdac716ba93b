"""Interface of joints.

A joint links a frame F of its first body to a frame M of its second. Motions are (ω; v), six
components in the axes of M at the origin of M, relative to F. Wrenches are (couple; force), six
components in the same axes at the same point, so that the power is their scalar product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum, auto
from typing import Any, ClassVar, NamedTuple, TypeVar, cast, final

import numpy as np

from torseur.algebra.core.expr import Expr
from torseur.model.joints.elementary import Elementary
from torseur.model.joints.freedoms import Freedoms
from torseur.model.joints.friction import JointCompliance, JointFriction, Stop
from torseur.model.joints.symbol import Symbol, by_freedoms
from torseur.notices import warn_of_old_name, with_old_names
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import axial

Array = np.ndarray
T = TypeVar("T")
NOTHING = np.zeros(3)
_UNITS = np.eye(3)
_UNITS.setflags(write=False)


# --- entries in the YAML form -------------------------------------------------------------------


class JointEntryKind(Enum):
    """Kinds of entries.

    A joint has no direction, one common to both bodies, one of the first body, or one of each body
    at right angles to the other. Reading, checking and numeric copies follow from its keys.
    """

    AXIS = auto()  # a direction of both bodies, written once or once for each
    FIRST = auto()  # a direction of the first body
    SECOND = auto()  # a direction of the second body, at right angles to that of the first
    CROSS = auto()  # these two in one entry
    PITCH = auto()  # a length per turn, kept per radian
    LENGTH = auto()  # a positive length
    POSE = auto()  # the pose of M in F as expressions


DIRECTIONS = (
    JointEntryKind.AXIS,
    JointEntryKind.FIRST,
    JointEntryKind.SECOND,
    JointEntryKind.CROSS,
)
NUMBERS = (JointEntryKind.PITCH, JointEntryKind.LENGTH)


@final
@dataclass(frozen=True)
class JointKey:
    """An entry: its name, its kind, an example, the fields of the class that hold its value."""

    name: str
    kind: JointEntryKind
    example: str = "z"
    of_class: tuple[str, ...] = ()  # when they are not called so
    advice: str = ""  # when the value is refused

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the class."""
        return self.of_class or (self.name,)


AXIS = (JointKey("axis", JointEntryKind.AXIS),)
NORMAL = (JointKey("normal", JointEntryKind.AXIS),)


def in_numbers(part: T, number: Callable[[Any], float]) -> T:
    """A dataclass with number(x) for every expression x among its fields, at any depth."""
    whole: Any = part
    values = {x.name: getattr(whole, x.name) for x in fields(whole)}
    known = {name: _numbers(x, number) for name, x in values.items()}
    changed = {name: x for name, x in known.items() if x is not values[name]}
    return cast(T, replace(whole, **changed)) if changed else part


def _numbers(value: Any, number: Callable[[Any], float]) -> Any:
    if isinstance(value, Expr):
        return number(value)
    if isinstance(value, tuple):
        return tuple(_numbers(x, number) for x in value)
    return value.numeric(number) if hasattr(value, "numeric") else value


# --- joints -------------------------------------------------------------------------------------


@with_old_names(held="reactions_at")
class JointType:
    """A joint type: names, entries, coordinates, pose, free motions S, reactions T.

    The joints of `composed` answer all of it. Others answer a part, and give in
    `refused` why it does not answer the rest.
    """

    names: ClassVar[tuple[str, ...]]  # that it may be given; the first is its English name
    words: ClassVar[str | Mapping[str, str]]  # its name in sentences, or by language
    keys: ClassVar[tuple[JointKey, ...]] = ()  # its entries
    carries: ClassVar[bool] = True  # it can carry a body in the tree
    closes: ClassVar[bool] = True  # it can close a loop
    backwards: ClassVar[bool] = False  # its second body carries the first
    refused: ClassVar[str] = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "held" in vars(cls):  # a joint from outside that has the old name
            warn_of_old_name("held", "reactions_at")
            cls.reactions_at = vars(cls)["held"]  # type: ignore[method-assign]

    @property
    def forward(self) -> JointType:
        """The joint as it was described, from its first body to its second."""
        return self

    @property
    def freedoms(self) -> Freedoms | None:
        """Its elementary freedoms in order; None if it is not made of them."""
        return None

    @property
    def elementary(self) -> tuple[Elementary, ...] | None:
        """Its elementary constraints; None if it is not composed of them."""
        return None

    @property
    def symbol(self) -> Symbol:
        """The drawing, by its freedoms; empty if it is not made of them."""
        return Symbol(foot=False) if self.freedoms is None else by_freedoms(self.freedoms)

    @property
    def turning(self) -> bool:
        """Whether the last four coordinates are a unit quaternion."""
        return False

    @property
    def coordinate_units(self) -> tuple[str, ...]:
        """ "rad", "m" or "1" for each coordinate."""
        return ()

    @property
    def speed_units(self) -> tuple[str, ...]:
        """ "rad/s" or "m/s" for each speed."""
        return ()

    @property
    def nq(self) -> int:
        """The number of coordinates."""
        return len(self.coordinate_units)

    @property
    def nv(self) -> int:
        """The degrees of freedom: the number of speeds of a joint that carries a body."""
        return len(self.speed_units)

    @property
    def lengths(self) -> Iterable[Any]:
        """The lengths [m] and lengths per radian of its description."""
        sizes = (key for key in self.keys if key.kind in NUMBERS)
        return (getattr(self, name) for key in sizes for name in key.fields)

    def numeric(self, number: Callable[[Any], float]) -> JointType:
        """The joint with number(x) for every expression x of parameters."""
        return in_numbers(self, number)

    def transform(self, q: Array) -> Pose:
        """X_FM at the coordinates q."""
        raise AssertionError(self.refused)

    def motion_subspace(self, q: Array) -> Array:
        """S (6 × nv): the relative motion is S v."""
        raise AssertionError(self.refused)

    def motions_at(self, R: Array, p: Array) -> Array:
        """S from a pose of M in F that the joint allows."""
        return self.motion_subspace(self.read(R, p))

    def bias(self, q: Array, v: Array) -> Array:
        """Ṡ v (6), the derivative being taken in the axes of M."""
        raise AssertionError(self.refused)

    def reaction_subspace(self, q: Array) -> Array:
        """T (6 × (6 − nv)): the wrenches carried without working; Tᵀ S = 0."""
        X = self.transform(q)
        return self.reactions_at(X.R.matrix, X.p)

    def reactions_at(self, R: Array, p: Array) -> Array:
        """T from a pose of M in F, which need not be one that the joint allows.

        The columns are constant, or affine in R: vectors fixed in F are seen from M as Rᵀ e. Only
        that of a rod depends on p.
        """
        raise AssertionError(self.refused)

    def gap(self, R: Array, p: Array) -> Array:
        """Gap of a pose of M in F (6 − nv): zero for the poses that the joint allows.

        There its rate is Tᵀ (ω; v). Where an axis must not tilt, the gap is twice the tangent of
        half the tilt: it grows all the way to half a turn, where it is not defined.
        """
        raise AssertionError(self.refused)

    def rates(self, q: Array, v: Array) -> Array:
        """q̇ (nq) from the speeds."""
        return v

    def speeds(self, q: Array, rates: Array) -> Array:
        """v (nv) from the rates of the coordinates."""
        return rates

    def read(self, R: Array, p: Array) -> Array:
        """The coordinates of a relative pose that the joint allows, or the nearest such."""
        raise AssertionError(self.refused)

    def neutral(self) -> Array:
        """The coordinates at which F and M coincide."""
        return np.zeros(self.nq)


def unit(axis: int) -> Array:
    """The coordinate vector x, y or z."""
    return np.asarray(_UNITS[axis])


def turn_angle(R: Array, axis: int) -> Any:
    """The angle of a rotation about a coordinate axis, from its matrix."""
    j, k = (axis + 1) % 3, (axis + 2) % 3
    return np.arctan2(R[k, j] - R[j, k], R[j, j] + R[k, k])


def cross_angles(R: Array, i: int, j: int) -> tuple[Any, Any]:
    """The angles about the axis i of F, then about the axis j of M, of a rotation by these two."""
    k, sign = 3 - i - j, 1 if (j - i) % 3 == 1 else -1
    return np.arctan2(sign * R[k, j], R[j, j]), np.arctan2(sign * R[i, k], R[i, i])


def tilt(R: Array, axis: int) -> tuple[Any, Any]:
    """The tilt of an axis common to F and M, about the two axes of M that follow it."""
    j, k = (axis + 1) % 3, (axis + 2) % 3
    scale = 2 / (1 + R[axis, axis])
    return scale * R[axis, k], -scale * R[axis, j]


def turned(R: Array) -> Array:
    """The rotation of M in F as a vector: twice the tangent of half the angle, along the axis."""
    return np.asarray(axial(R) * (2 / (1 + R[0, 0] + R[1, 1] + R[2, 2])))


def offset(R: Array, p: Array, axis: int) -> tuple[Any, Any]:
    """Distance of the origin of M from an axis of F, along the two axes of M after it."""
    across = R.T @ (p * (1 - unit(axis)))
    return across[(axis + 1) % 3], across[(axis + 2) % 3]


def columns(*vectors: Any) -> Array:
    """A 6 × n matrix from n pairs (angular, linear) or (couple, force)."""
    return np.array([[*angular, *linear] for angular, linear in vectors]).T.reshape(6, len(vectors))


@final
class Limit(NamedTuple):
    """Between which values a coordinate stays."""

    name: str
    low: Expr
    high: Expr
    unit: str


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
    friction: JointFriction | None = None
    stop: Stop | None = None  # behaviour at the limits; None: none
    effort: tuple[Expr, ...] = ()  # largest effort of a drive, a speed each [N m, N]
    velocity: tuple[Expr, ...] = ()  # how fast it may move, a speed each [rad/s, m/s]; kept only
    clip: bool = False  # whether commands of control are clipped at `effort`
    compliance: JointCompliance | None = None  # by which it shares loads with others

    @property
    def limited(self) -> Iterator[Limit]:
        """The coordinates that have limits."""
        given = zip(self.coordinates, self.limits, self.kind.coordinate_units, strict=False)
        for name, both, unit in given:
            if both is not None:
                yield Limit(name, *both, unit)
