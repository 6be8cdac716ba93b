"""Drawings of joints: solids on the first body, in F, and on the second, in M.

A joint that states no `symbol` has the one of its freedoms. Axes 0, 1, 2 are x, y, z; lengths are
in radii of the symbol, which are metres where it has a size of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

from torseur.model.joints import freedoms
from torseur.model.joints.freedoms import Freedom, Helix, Slide, Turn

_HALF = 1.26  # of a pin, along its axis
_BEYOND = 2 * _HALF  # length of a rod behind its sleeve


@final
@dataclass(frozen=True)
class Cylinder:
    """About an axis, around the origin of its frame."""

    axis: int
    radius: float = 1.0
    half: float = _HALF
    style: str = "joint"


@final
@dataclass(frozen=True)
class SymbolBall:
    """Around the origin of its frame."""

    radius: float = 1.2
    style: str = "joint"
    lift: float = 0.0  # how much nearer than other parts it is drawn


@final
@dataclass(frozen=True)
class SymbolBlock:
    """A box whose axes are those of its frame, with its centre at `at`."""

    half: tuple[float, float, float]
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    style: str = "joint"
    lift: float = 0.0


@final
@dataclass(frozen=True)
class Bar:
    """Along an axis, as far as the origin of the other frame goes, and `beyond`.

    One on the second body reaches the origin of M, too.
    """

    axis: int
    radius: float = 0.4
    beyond: float = _BEYOND


@final
@dataclass(frozen=True)
class Plate:
    """A plane, as large as the way of the origin of the other frame, and `beyond`."""

    normal: int
    beyond: float = 2.6


@final
@dataclass(frozen=True)
class Profile:
    """A surface of some height over an axis, as long as the way of the origin of the other frame.

    It is the same across, and `beyond` wide.
    """

    along: int
    normal: int
    height: Callable[[Any], Any]  # [m], of places along the axis [m]
    beyond: float = 5.0


@final
@dataclass(frozen=True)
class Capsule:
    """About a segment along an axis, around the origin of its frame."""

    axis: int
    radius: Any
    half: Any  # of the segment
    style: str = "joint"


@final
@dataclass(frozen=True)
class Prism:
    """An outline of the plane of two axes, a little thick, around the origin of its frame."""

    first: int
    second: int
    radius: Callable[[Any], Any]  # [m], of the angle from the first axis to the second [rad]
    style: str = "joint"


@final
@dataclass(frozen=True)
class SymbolEllipsoid:
    """Around the origin of its frame; its axes are those of its frame."""

    radii: tuple[Any, Any, Any]
    style: str = "joint"
    lift: float = 0.0


Part = (
    Cylinder | SymbolBall | SymbolBlock | SymbolEllipsoid | Capsule | Prism | Bar | Plate | Profile
)


@final
@dataclass(frozen=True)
class Symbol:
    """The parts of a joint on its first and on its second body."""

    first: tuple[Part, ...] = ()
    second: tuple[Part, ...] = ()
    axis: int | None = None  # that it turns about, slides along or is normal to
    line: str = ""  # between the origins of F and M: the style of one
    foot: bool = True  # it stands on the ground by a foot
    on_rail: Symbol | None = None  # instead, along a guide of the ground that is not upright
    radius: Any = None  # of a symbol that has a size of its own [m]

    @property
    def pin(self) -> int | None:
        """The axis of the cylinder about which the second body turns, if it is the only one."""
        return self.axis if self.first[:1] == (Cylinder(self.axis or 0),) else None


def freedoms_of(kind: Any) -> tuple[Freedom, ...]:
    """The elementary freedoms of a joint; none where it is not made of them."""
    return tuple(getattr(kind, "freedoms", None) or ())


def by_freedoms(given: Sequence[Freedom]) -> Symbol:
    """The drawing by freedoms: slides on a bar or a plate; turns by a pin, cross or ball."""
    slides = [x.axis for x in given if isinstance(x, Slide | Helix)]
    turns = [x.axis for x in given if isinstance(x, Turn | Helix)]
    ball = freedoms.Ball() in given
    if len(slides) >= 3:
        ends = () if ball else (SymbolBall(0.6),)
        return Symbol(ends, ends, line="free" if ball else "link", foot=not ball)
    if len(slides) == 2:
        return _on_a_plate(3 - sum(slides), turns, ball)
    if slides:
        return _on_a_bar(slides[0], turns, ball, isinstance(given[0], Helix))
    if ball:
        return Symbol(second=(SymbolBall(),))
    if len(turns) > 1:
        first, *others = (Cylinder(axis, 0.55, 1.7 * _HALF) for axis in turns)
        return Symbol((first, SymbolBall(0.8, lift=0.1)), tuple(others), turns[0])
    weld = SymbolBlock((0.7, 0.7, 0.7), style="ground")
    return Symbol((Cylinder(turns[0]),), axis=turns[0]) if turns else Symbol((weld,))


def _on_a_plate(normal: int, turns: list[int], ball: bool) -> Symbol:
    """A ball, an edge or a block on a plane."""
    along = [axis for axis in turns if axis != normal]
    block = SymbolBlock(_sides(0.9, normal, 0.45), _sides(0.0, normal, 0.45))
    edge = Cylinder(along[0], 0.4, 1.4 * _HALF) if along else block
    touching = SymbolBall(0.9) if ball else edge
    return Symbol((Plate(normal),), (touching,), normal, foot=False)


def _on_a_bar(axis: int, turns: list[int], ball: bool, threaded: bool) -> Symbol:
    """A rod in a sleeve, in a tube or in a nut, or a ball on a bar; others turns are pins."""
    if ball:
        return Symbol((Bar(axis, 0.2, 2.2),), (SymbolBall(1.0),), axis)
    pins = tuple(Cylinder(other) for other in turns if other != axis)
    if axis in turns:
        tube = Cylinder(axis, 1.0, (0.9 if threaded else 1.5) * _HALF)
        return Symbol((tube,), (Bar(axis), *pins), axis)
    half = _sides(0.95, axis, 1.25 * _HALF)
    rail = Symbol((Bar(axis, 0.25, 4.0),), (SymbolBlock(half, lift=-1.7), *pins), axis)
    return Symbol((SymbolBlock(half),), (Bar(axis), *pins), axis, on_rail=rail)


def _sides(across: float, axis: int, along: float) -> tuple[float, float, float]:
    half = [across] * 3
    half[axis] = along
    return half[0], half[1], half[2]
