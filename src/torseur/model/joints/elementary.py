"""The elementary constraints that a joint is composed of in absolute coordinates.

F is the frame of the joint on its first body, M that on its second; axes 0, 1, 2 are x, y, z. A
row that forbids a tilt compares an axis of F with an axis of M (G1r), one that forbids a
translation compares the origins along an axis of F (G1n) or along the ground (G3t).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

from torseur.model.joints.freedoms import Freedoms, barred, helix, slides, turns


@final
@dataclass(frozen=True)
class Coincident:
    """G3t: the origins of F and M coincide."""

    rows: ClassVar[int] = 3


@final
@dataclass(frozen=True)
class Apart:
    """G1t: the origins of F and M stay at a distance."""

    length: Any  # [m]

    rows: ClassVar[int] = 1


@final
@dataclass(frozen=True)
class Orthogonal:
    """G1r: an axis of F and one of M stay orthogonal."""

    first: int  # of F
    second: int  # of M

    rows: ClassVar[int] = 1


@final
@dataclass(frozen=True)
class InPlane:
    """G1n: the origin of M stays in the plane of F through its origin that is normal to an axis."""

    normal: int  # of F

    rows: ClassVar[int] = 1


@final
@dataclass(frozen=True)
class Threaded:
    """The origin of M advances by lead × the angle along a common axis."""

    axis: int
    lead: Any  # [m/rad]

    rows: ClassVar[int] = 1


Elementary = Coincident | Apart | Orthogonal | InPlane | Threaded


def elementary_constraints(freedoms: Freedoms) -> tuple[Elementary, ...]:
    """Constraints of a joint: on the origin of M, then on its axes."""
    return *_placing(freedoms), *_turning(turns(freedoms))


def _placing(freedoms: Freedoms) -> tuple[Elementary, ...]:
    """G3t, G2n or G1n; along a helix, the thread first."""
    screw = helix(freedoms)
    if screw is not None:
        a, b, c = ((screw.axis + k) % 3 for k in range(3))
        thread = Threaded(a, screw.lead) if screw.lead else InPlane(a)
        return thread, InPlane(b), InPlane(c)
    if not slides(freedoms):
        return (Coincident(),)
    return tuple(InPlane(k) for k in barred(freedoms))


def _turning(about: list[int] | None) -> tuple[Elementary, ...]:
    """G3r, G2r or G1r; of G2r the second couple is about the opposite of its axis (E0-32)."""
    if about is None:
        return ()
    if not about:
        return tuple(Orthogonal(k, (k + 1) % 3) for k in range(3))
    if len(about) > 1:
        return (Orthogonal(*about),)
    axis = about[0]
    return Orthogonal(axis, (axis + 2) % 3), Orthogonal(axis, (axis + 1) % 3)
