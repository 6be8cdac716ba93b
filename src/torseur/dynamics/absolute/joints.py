"""The joints composed of elementary constraints, and their freedoms as measures of two poses.

F is the frame of the joint on its first body, M that on its second; axes 0, 1, 2 are x, y, z. A
row that forbids a tilt compares an axis of F with an axis of M (G1r), one that forbids a
translation compares the origins along an axis of F (G1n) or along the ground (G3t).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from torseur.dynamics.absolute.defined import defined_meanings
from torseur.model.joints.annular_contact import AnnularContact
from torseur.model.joints.cylindrical import Cylindrical
from torseur.model.joints.defined import Defined
from torseur.model.joints.distance import Distance
from torseur.model.joints.fixed import Fixed
from torseur.model.joints.free import Free
from torseur.model.joints.line_contact import LineContact
from torseur.model.joints.parallel_axes import ParallelAxes
from torseur.model.joints.planar import Planar
from torseur.model.joints.point_contact import PointContact
from torseur.model.joints.prismatic import Prismatic
from torseur.model.joints.revolute import Revolute
from torseur.model.joints.screw import Screw
from torseur.model.joints.spherical import Spherical
from torseur.model.joints.universal import Universal


@final
@dataclass(frozen=True)
class Coincident:
    """G3t: the origins of F and M coincide."""

    rows = 3


@final
@dataclass(frozen=True)
class Apart:
    """G1t: the origins of F and M stay at a distance."""

    length: Any  # [m]

    rows = 1


@final
@dataclass(frozen=True)
class Orthogonal:
    """G1r: an axis of F and one of M stay orthogonal."""

    first: int  # of F
    second: int  # of M

    rows = 1


@final
@dataclass(frozen=True)
class InPlane:
    """G1n: the origin of M stays in the plane of F through its origin that is normal to an axis."""

    normal: int  # of F

    rows = 1


@final
@dataclass(frozen=True)
class Threaded:
    """The origin of M advances by lead × the angle along a common axis."""

    axis: int
    lead: Any  # [m/rad]

    rows = 1


Elementary = Coincident | Apart | Orthogonal | InPlane | Threaded


def _next(axis: int) -> tuple[int, int]:
    return (axis + 1) % 3, (axis + 2) % 3


def _aligned(axis: int) -> tuple[Elementary, ...]:
    """G2r: an axis of F is parallel to the same of M; couples about the two axes of M that follow.

    The second couple is about the opposite of its axis (erratum E0-32).
    """
    b, c = _next(axis)
    return Orthogonal(axis, c), Orthogonal(axis, b)


def _along(axis: int) -> tuple[Elementary, ...]:
    """G2n: the origin of M is on an axis of F."""
    return tuple(InPlane(k) for k in _next(axis))


_UNTURNED = tuple(Orthogonal(k, (k + 1) % 3) for k in range(3))  # G3r

_ROWS: dict[type, Callable[[Any], tuple[Elementary, ...]]] = {
    Fixed: lambda joint: (Coincident(), *_UNTURNED),
    Revolute: lambda joint: (Coincident(), *_aligned(joint.axis)),
    Prismatic: lambda joint: (*_along(joint.axis), *_UNTURNED),
    Cylindrical: lambda joint: (*_along(joint.axis), *_aligned(joint.axis)),
    Screw: lambda joint: (
        Threaded(joint.axis, joint.lead) if joint.lead else InPlane(joint.axis),
        *_along(joint.axis),
        *_aligned(joint.axis),
    ),
    Universal: lambda joint: (Coincident(), Orthogonal(joint.first, joint.second)),
    Spherical: lambda joint: (Coincident(),),
    Planar: lambda joint: (InPlane(joint.normal), *_aligned(joint.normal)),
    LineContact: lambda joint: (InPlane(joint.normal), Orthogonal(joint.normal, joint.line)),
    AnnularContact: lambda joint: _along(joint.axis),
    PointContact: lambda joint: (InPlane(joint.normal),),
    ParallelAxes: lambda joint: _aligned(joint.axis),
    Distance: lambda joint: (Apart(joint.length),),
    Free: lambda joint: (),
    Defined: lambda joint: (),
}


def composed(kind: Any) -> bool:
    """Whether a joint type is composed of elementary constraints: all but `defined` are."""
    return not isinstance(kind, Defined)


def elementary_rows(kind: Any) -> tuple[Elementary, ...]:
    """The elementary constraints of a composed joint: 6 − its degrees of freedom rows in all."""
    return _ROWS[type(kind)](kind)


# --- freedoms -----------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Turn:
    """The angle about an axis of F or of M, from its sine and cosine.

    Both are products of an axis of F and one of M; the sine may be reversed.
    """

    axis: int
    of_second: bool  # the axis is one of M
    sine: tuple[int, int]  # axis of F, axis of M
    sign: int
    cosine: tuple[int, int]


@final
@dataclass(frozen=True)
class Slide:
    """The distance of the origin of M along an axis of F, divided by a lead."""

    axis: int
    lead: Any = 1.0


@final
@dataclass(frozen=True)
class Spin:
    """A component of the relative angular velocity on an axis of M: a speed without coordinate."""

    axis: int


@final
@dataclass(frozen=True)
class Given:
    """A coordinate of a joint that its user defines; see `defined`."""

    index: int


Freedom = Turn | Slide | Spin | Given


def _turn(axis: int) -> Turn:
    """About an axis common to F and M: θ = atan2(c_i·b_j, b_i·b_j)."""
    b, c = _next(axis)
    return Turn(axis, False, (c, b), 1, (b, b))


def _cross(first: int, second: int) -> tuple[Turn, Turn]:
    """About an axis of F, then about one of M that is normal to it."""
    third, sign = 3 - first - second, 1 if (second - first) % 3 == 1 else -1
    return (
        Turn(first, False, (third, second), sign, (second, second)),
        Turn(second, True, (first, third), sign, (first, first)),
    )


_SPINS = (Spin(0), Spin(1), Spin(2))


def _plane(normal: int) -> tuple[Slide, ...]:
    return tuple(Slide(k) for k in _next(normal))


_FREEDOMS: dict[type, Callable[[Any], tuple[Freedom, ...]]] = {
    Fixed: lambda joint: (),
    Revolute: lambda joint: (_turn(joint.axis),),
    Prismatic: lambda joint: (Slide(joint.axis),),
    Cylindrical: lambda joint: (Slide(joint.axis), _turn(joint.axis)),
    Screw: lambda joint: (Slide(joint.axis, joint.lead) if joint.lead else _turn(joint.axis),),
    Universal: lambda joint: _cross(joint.first, joint.second),
    Spherical: lambda joint: _SPINS,
    Planar: lambda joint: (*_plane(joint.normal), _turn(joint.normal)),
    LineContact: lambda joint: (*_plane(joint.normal), *_cross(joint.normal, joint.line)),
    AnnularContact: lambda joint: (Slide(joint.axis), *_SPINS),
    PointContact: lambda joint: (*_plane(joint.normal), *_SPINS),
    ParallelAxes: lambda joint: (Slide(0), Slide(1), Slide(2), _turn(joint.axis)),
    Distance: lambda joint: (),
    Free: lambda joint: (Slide(0), Slide(1), Slide(2), *_SPINS),
    Defined: lambda joint: tuple(Given(k) for k in range(joint.nv)),
}


def freedoms(kind: Any) -> tuple[Freedom, ...]:
    """A measure for each speed of a joint; a coordinate that has the same place is its value."""
    return _FREEDOMS[type(kind)](kind)


# --- what the multipliers are -------------------------------------------------------------------

_LETTERS = "xyz"


def meanings(kind: Any) -> tuple[str, ...]:
    """What the multiplier of each row is, in words: of the first body on the second."""
    if isinstance(kind, Defined):
        return defined_meanings(kind)
    return tuple(text for part in elementary_rows(kind) for text in _meant(part))


def _meant(part: Elementary) -> tuple[str, ...]:
    if isinstance(part, Coincident):
        return tuple(f"force along {x} of the ground, at the origin of M" for x in _LETTERS)
    if isinstance(part, Apart):
        return ("force along the line from the origin of F to that of M, which pushes them apart",)
    if isinstance(part, InPlane):
        return (f"force along {_LETTERS[part.normal]} of F, at the origin of M",)
    if isinstance(part, Threaded):
        axis = _LETTERS[part.axis]
        return (f"force along {axis} of F at the origin of M, with −lead times it as a couple",)
    first, second = part.first, part.second
    third, sign = 3 - first - second, "" if (first - second) % 3 == 1 else "−"
    axes = f"{_LETTERS[second]} of M ∧ {_LETTERS[first]} of F"
    return (f"couple about {axes}: {sign}{_LETTERS[third]} of M where these axes are its own",)
