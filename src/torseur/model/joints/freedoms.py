"""Elementary freedoms: motions of the frame M of a joint, in order, starting from F.

Axes 0, 1, 2 are x, y, z. The pose of M in F is the product of the motions in their order,
so that an axis is one of F turned by the freedoms before it. Slides come first, each along its own
axis; then one helix, one turn, two turns about different axes, or a ball.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

Words = tuple[str, ...]


@final
@dataclass(frozen=True)
class Slide:
    """Along an axis; one coordinate, the distance [m]."""

    axis: int

    coordinate_units: ClassVar[Words] = ("m",)
    speed_units: ClassVar[Words] = ("m/s",)


@final
@dataclass(frozen=True)
class Turn:
    """About an axis; one coordinate, the angle [rad]."""

    axis: int

    coordinate_units: ClassVar[Words] = ("rad",)
    speed_units: ClassVar[Words] = ("rad/s",)


@final
@dataclass(frozen=True)
class Helix:
    """About an axis and along it, by lead × the angle; one coordinate, the angle [rad]."""

    axis: int
    lead: Any  # [m/rad]

    coordinate_units: ClassVar[Words] = ("rad",)
    speed_units: ClassVar[Words] = ("rad/s",)


@final
@dataclass(frozen=True)
class Ball:
    """Any rotation; a unit quaternion, and ω in the axes of M [rad/s] as three speeds."""

    coordinate_units: ClassVar[Words] = ("1", "1", "1", "1")
    speed_units: ClassVar[Words] = ("rad/s", "rad/s", "rad/s")


Freedom = Slide | Turn | Helix | Ball
Freedoms = tuple[Freedom, ...]


def in_plane(normal: int) -> tuple[Slide, Slide]:
    """Along the two axes that follow the normal."""
    return Slide((normal + 1) % 3), Slide((normal + 2) % 3)


ANYWHERE = (Slide(0), Slide(1), Slide(2))


# --- consequences ------------------------------------------------------------------------------


def slides(freedoms: Freedoms) -> list[int]:
    """The axes of F along which M slides freely."""
    return [x.axis for x in freedoms if isinstance(x, Slide)]


def turns(freedoms: Freedoms) -> list[int] | None:
    """The axes about which M turns, those of helices too; None where it turns about every one."""
    if any(isinstance(x, Ball) for x in freedoms):
        return None
    return [x.axis for x in freedoms if isinstance(x, Turn | Helix)]


def barred(freedoms: Freedoms) -> list[int]:
    """The axes of F along which M does not slide freely: after a slide, those that follow it."""
    free = slides(freedoms)
    first = free[0] if free else 0
    return [k for k in ((first + j) % 3 for j in range(3)) if k not in free]


def slides_agree(freedoms: Freedoms) -> bool:
    """Whether the directions of sliding are the same in F and in M."""
    free, about = slides(freedoms), turns(freedoms)
    axes = free if len(free) == 1 else barred(freedoms)
    return about == [] or about == axes


def sweeps(freedoms: Freedoms) -> bool:
    """Whether the directions of sliding turn when they are seen from M."""
    if len(freedoms) < 2:
        return False
    along, about = slides(freedoms), turns(freedoms)
    return bool(along) and (about is None or any(a != b for a in along for b in about))


def twists(freedoms: Freedoms) -> bool:
    """Whether M turns about an axis that turns itself."""
    return len(freedoms) > 1 and len(turns(freedoms) or ()) > 1


def in_order(freedoms: Freedoms) -> bool:
    """Whether slides come first, each along its own axis, then one of the ways to turn."""
    first = [x for x in freedoms if isinstance(x, Slide)]
    rest = freedoms[len(first) :]
    turning = all(isinstance(x, Turn) for x in rest) and len(rest) < 3
    return (
        list(freedoms[: len(first)]) == first
        and (turning or (len(rest) == 1 and not (first and isinstance(rest[0], Helix))))
        and len(set(first)) == len(first)
        and len(set(rest)) == len(rest)
    )


def common_axis(freedoms: Freedoms | None) -> int | None:
    """The axis along or about which every freedom is; None if there is no such axis."""
    axes = {x.axis if isinstance(x, Slide | Turn) else None for x in freedoms or ()}
    return axes.pop() if len(axes) == 1 else None


def only(freedoms: Freedoms | None) -> Freedom | None:
    """The freedom of a joint that has one; None for every other joint."""
    return freedoms[0] if freedoms and len(freedoms) == 1 else None


def suffixes(freedoms: Freedoms) -> Words:
    """Endings that distinguish the coordinates of a joint, after its name."""
    along, about = slides(freedoms), turns(freedoms)
    sliding = ("_distance",) if len(along) == 1 else tuple(f"_{'xyz'[k]}" for k in along)
    if about is None:
        return (*sliding, *(f"_{'q' if along else ''}{x}" for x in "wxyz"))
    if len(freedoms) == 1:
        return ("",)
    turning = ("_angle", "_roll") if along else ("_1", "_2")
    return (*sliding, *turning[: len(about)])


def helix(freedoms: Freedoms) -> Helix | None:
    """The helix of a joint, which then has no other freedom."""
    return next((x for x in freedoms if isinstance(x, Helix)), None)
