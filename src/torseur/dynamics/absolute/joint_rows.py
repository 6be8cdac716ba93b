"""Joints between two bodies: rows, coordinates read from two poses, meaning of the multipliers.

Rows are for any scalar: numbers, columns of them, expressions. A frame is (end, p, axes): the end
of its body, see `elementary`, its origin from there, and its axes as columns; all in ground axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, final

import numpy as np

from torseur.dynamics.absolute.defined import defined_meanings
from torseur.dynamics.absolute.elementary_rows import (
    coincidence,
    distance,
    in_plane,
    orthogonality,
    threaded,
    turning,
)
from torseur.model.joints.elementary import (
    Apart,
    Coincident,
    Elementary,
    InPlane,
    Orthogonal,
    Threaded,
)
from torseur.model.joints.freedoms import Ball, Freedoms, Helix, Slide, turns
from torseur.spatial.triples import dot, times
from torseur.words.sentence import say

Frame = tuple[Any, Any, Any]


@final
@dataclass(frozen=True)
class Angle:
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
class Advance:
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
class DefinedCoordinate:
    """A coordinate of a joint that its user defines; see `defined`."""

    index: int


Reading = Angle | Advance | Spin | DefinedCoordinate


def readings(kind: Any) -> tuple[Reading, ...]:
    """One for each speed of a joint; a coordinate that has the same place is its value."""
    if kind.freedoms is None:
        return tuple(DefinedCoordinate(k) for k in range(len(kind.speed_units)))
    return tuple(_readings(kind.freedoms))


def _readings(freedoms: Freedoms) -> Iterator[Reading]:
    about = turns(freedoms) or ()
    angles = _cross(*about) if len(about) > 1 else map(_angle, about)
    for freedom in freedoms:
        if isinstance(freedom, Slide):
            yield Advance(freedom.axis)
        elif isinstance(freedom, Helix) and freedom.lead:
            yield Advance(freedom.axis, freedom.lead)
            return
        elif isinstance(freedom, Ball):
            yield from map(Spin, range(3))
    yield from angles


def _angle(axis: int) -> Angle:
    """About an axis common to F and M: θ = atan2(c_i·b_j, b_i·b_j)."""
    b, c = (axis + 1) % 3, (axis + 2) % 3
    return Angle(axis, False, (c, b), 1, (b, b))


def _cross(first: int, second: int) -> tuple[Angle, Angle]:
    """About an axis of F, then about one of M that is normal to it."""
    third, sign = 3 - first - second, 1 if (second - first) % 3 == 1 else -1
    return (
        Angle(first, False, (third, second), sign, (second, second)),
        Angle(second, True, (first, third), sign, (first, first)),
    )


# --- what the multipliers are -------------------------------------------------------------------

_LETTERS = "xyz"


@final
class Effort(Enum):
    """A force or a couple."""

    FORCE_IN_GROUND_AXES = auto()
    FORCE = auto()
    COUPLE = auto()


def meanings(kind: Any) -> tuple[str, ...]:
    """Meaning of the multiplier of each row, in words: of the first body on the second."""
    if kind.elementary is None:
        return defined_meanings(kind)
    return tuple(text for part in kind.elementary for text in _part_efforts(part))


def efforts(kind: Any) -> tuple[Effort, ...]:
    """Meaning of the multiplier of each row of a composed joint."""
    return tuple(effort for part in kind.elementary for effort in _effort(part))


def _effort(part: Elementary) -> tuple[Effort, ...]:
    if isinstance(part, Coincident):
        return (Effort.FORCE_IN_GROUND_AXES,) * len(_LETTERS)
    return (Effort.FORCE if isinstance(part, Apart | InPlane | Threaded) else Effort.COUPLE,)


def _part_efforts(part: Elementary) -> tuple[str, ...]:
    if isinstance(part, Coincident):
        return tuple(
            say("force along {axis} of the ground, at the origin of M", x) for x in _LETTERS
        )
    if isinstance(part, Apart):
        return (
            say("force along the line from the origin of F to that of M, which pushes them apart"),
        )
    if isinstance(part, InPlane):
        return (say("force along {axis} of F, at the origin of M", _LETTERS[part.normal]),)
    if isinstance(part, Threaded):
        return (
            say(
                "force along {axis} of F at the origin of M, with −lead times it as a couple",
                _LETTERS[part.axis],
            ),
        )
    first, second = part.first, part.second
    third, sign = 3 - first - second, "" if (first - second) % 3 == 1 else "−"
    return (
        say(
            "couple about {axis} of M ∧ {other} of F: {third} of M where these axes are its own",
            _LETTERS[second],
            _LETTERS[first],
            sign + _LETTERS[third],
        ),
    )


def joint_rows(kind: Any, first: Frame, second: Frame) -> Iterator[Any]:
    """The rows of a joint between its frames F and M."""
    for part in kind.elementary or ():
        yield from elementary_rows(part, first, second)


def elementary_rows(part: Elementary, first: Frame, second: Frame) -> Iterator[Any]:
    """The rows of one elementary constraint."""
    (i, p_i, F), (j, p_j, M) = first, second
    if isinstance(part, Coincident):
        yield from coincidence(i, p_i, j, p_j)
    elif isinstance(part, Apart):
        yield distance(part.length, 1 / part.length, i, p_i, j, p_j)
    elif isinstance(part, Orthogonal):
        yield orthogonality(i, F[:, part.first], j, M[:, part.second])
    elif isinstance(part, InPlane):
        yield in_plane(0, i, F[:, part.normal], p_i, j, p_j)
    else:
        yield _thread(part, first, second)


def _thread(part: Threaded, first: Frame, second: Frame) -> Any:
    """The value is the distance that the angle does not explain, known within one pitch."""
    (i, p_i, F), (j, p_j, M) = first, second
    u, lead = F[:, part.axis], part.lead
    slide = in_plane(0, i, u, p_i, j, p_j)
    row = threaded(lead, slide, turning(i, j, u, i[2]))
    b, c = (part.axis + 1) % 3, (part.axis + 2) % 3
    cosine, sine = dot(F[:, b], M[:, b]), dot(F[:, c], M[:, b])
    s, k = np.sin(slide[0] / lead), np.cos(slide[0] / lead)
    ahead = lead * np.arctan2(cosine * s - sine * k, cosine * k + sine * s)
    return (ahead, *row[1:])


def measure_row(freedom: Reading, first: Frame, second: Frame) -> Any:
    """The row of a freedom; its value is a distance, or zero for an angle, which is read else."""
    assert not isinstance(freedom, DefinedCoordinate), "the rows of a defined joint come together"
    (i, p_i, F), (j, p_j, M) = first, second
    if isinstance(freedom, Advance):
        value, n, a_i, a_j, bias = in_plane(0, i, F[:, freedom.axis], p_i, j, p_j)
        x = 1 / freedom.lead
        return x * value, times(x, n), times(x, a_i), times(x, a_j), x * bias
    of_second = isinstance(freedom, Spin) or freedom.of_second
    axes, w = (M, j[2]) if of_second else (F, i[2])
    return turning(i, j, axes[:, freedom.axis], w)
