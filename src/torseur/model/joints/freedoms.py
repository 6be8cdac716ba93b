"""Elementary freedoms: what a joint lets its frame M do, one after the other, starting from F.

Axes 0, 1, 2 are x, y, z. The pose of M in F is the product of the motions in their order,
so that an axis is one of F turned by the freedoms before it. Slides come before turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final


@final
@dataclass(frozen=True)
class Slide:
    """Along an axis; one coordinate, the distance [m]."""

    axis: int


@final
@dataclass(frozen=True)
class Turn:
    """About an axis; one coordinate, the angle [rad]."""

    axis: int


@final
@dataclass(frozen=True)
class Helix:
    """About an axis and along it, by lead × the angle; one coordinate, the angle [rad]."""

    axis: int
    lead: Any  # [m/rad]


@final
@dataclass(frozen=True)
class Ball:
    """Any rotation; a unit quaternion, and ω in the axes of M [rad/s] as three speeds."""


Freedom = Slide | Turn | Helix | Ball


def in_plane(normal: int) -> tuple[Slide, Slide]:
    """Along the two axes that follow the normal."""
    return Slide((normal + 1) % 3), Slide((normal + 2) % 3)


ANYWHERE = (Slide(0), Slide(1), Slide(2))
