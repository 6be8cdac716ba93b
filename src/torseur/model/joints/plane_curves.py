"""Plane curves that touch: tracks, on which something rolls or slides, and rims, which do so.

A track is the set of places where a function L is zero; L is positive on the side of what touches
it. A rim is a row of points, each given by an angle u.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import Expr, symbol
from torseur.algebra.core.graph import evaluate, free_symbols, substitute
from torseur.model.joints.protocol import Array, in_numbers, unit
from torseur.model.joints.symbol import Part, Prism, Profile, SymbolBall

PLACE = symbol("x", "input")  # along a profile [m]
ANGLE = symbol("theta", "input")  # about the axis of an outline [rad]


@final
@dataclass(frozen=True)
class OneArgument:
    """A function of one argument with its first two derivatives, for floats and expressions."""

    value: Expr  # of the argument and of parameters
    argument: Expr
    known: tuple[tuple[Expr, Any], ...] = ()  # the parameters, once they are numbers

    def numeric(self, number: Callable[[Any], float]) -> OneArgument:
        """The copy with numbers for the parameters."""
        parameters = (x for x in free_symbols(self.value) if x != self.argument)
        return replace(self, known=tuple((x, number(x)) for x in parameters))

    @cached_property
    def _slopes(self) -> Array:
        slope = derivative(self.value, self.argument)
        return np.array([self.value, slope, derivative(slope, self.argument)], dtype=object)

    def at(self, x: Any, orders: int = 3) -> Array:
        """f, f′ and f″, or the first of them, at x: floats, or expressions if anything is one.

        Floats may be an array of them.
        """
        known = {self.argument: x} | dict(self.known)
        if isinstance(x, Expr) or any(s not in known for s in free_symbols(self.value)):
            return np.asarray(substitute(self._slopes[:orders], known))
        values = evaluate(self._slopes[:orders], {s.name: v for s, v in known.items()})
        return np.array([np.broadcast_to(y, np.shape(x)) for y in values], dtype=float)


# --- tracks ---------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class TrackLevel:
    """L at a place of the plane, its gradient (2) and its second derivatives (2×2)."""

    value: Any
    gradient: Array
    second: Array


class Track(ABC):
    """A curve of the plane of two axes of F, the same all along the third."""

    closed: ClassVar[bool]  # it surrounds the rim, or is surrounded
    axes: tuple[int, int]
    curve: OneArgument

    def numeric(self, number: Callable[[Any], float]) -> Track:
        """The copy with numbers for the parameters."""
        return in_numbers(self, number)

    @property
    @abstractmethod
    def part(self) -> Part:
        """The drawing."""

    @abstractmethod
    def value(self, x: Any, z: Any) -> Any:
        """L."""

    @abstractmethod
    def level(self, x: Any, z: Any) -> TrackLevel:
        """L and its derivatives."""

    @abstractmethod
    def argument(self, x: Any, z: Any) -> Any:
        """Argument of the function of the track at a place on it."""

    @abstractmethod
    def curvature(self, argument: Any) -> Any:
        """Curvature there: positive where the track bends away from the rim [1/m]."""

    @property
    def across(self) -> int:
        """The axis of F along which it is the same."""
        return 3 - sum(self.axes)


@final
@dataclass(frozen=True)
class ProfileTrack(Track):
    """A profile z = f(x): L = z − f(x)."""

    curve: OneArgument
    axes: tuple[int, int] = (0, 2)  # x and z

    closed = False

    @property
    def part(self) -> Part:
        return Profile(*self.axes, lambda x: self.curve.at(x, 1)[0])

    def value(self, x: Any, z: Any) -> Any:
        return z - self.curve.at(x, 1)[0]

    def level(self, x: Any, z: Any) -> TrackLevel:
        f, slope, bend = self.curve.at(x)
        return TrackLevel(z - f, np.array([-slope, 1]), np.array([[-bend, 0], [0, 0]]))

    def argument(self, x: Any, z: Any) -> Any:
        return x

    def curvature(self, argument: Any) -> Any:
        _, slope, bend = self.curve.at(argument)
        return -bend / (1 + slope**2) ** 1.5


@final
@dataclass(frozen=True)
class PolarTrack(Track):
    """ρ = r(θ) about the origin of F, touched from outside or inside: L = ±(ρ − r(θ))."""

    curve: OneArgument
    axes: tuple[int, int]  # from the first, θ turns to the second
    side: int  # 1: outside, −1: inside

    closed = True

    @property
    def part(self) -> Part:
        style = "ground" if self.side > 0 else "hint"
        return Prism(*self.axes, lambda u: self.curve.at(u, 1)[0], style)

    def value(self, x: Any, z: Any) -> Any:
        rho = np.sqrt(x**2 + z**2)
        return self.side * (rho - self.curve.at(np.arctan2(z, x), 1)[0])

    def level(self, x: Any, z: Any) -> TrackLevel:
        """In the directions of ρ and θ: ∇L = (L_ρ, L_θ/ρ), and its derivatives likewise."""
        rho = np.sqrt(x**2 + z**2)
        r, slope, bend = self.curve.at(np.arctan2(z, x))
        turned = np.array([[x, -z], [z, x]]) / rho  # its columns are the two directions
        mixed = slope / rho**2
        second = np.array([[0, mixed], [mixed, 1 / rho - bend / rho**2]])
        return TrackLevel(
            self.side * (rho - r),
            self.side * turned @ np.array([1, -slope / rho]),
            self.side * turned @ second @ turned.T,
        )

    def argument(self, x: Any, z: Any) -> Any:
        return np.arctan2(z, x)

    def curvature(self, argument: Any) -> Any:
        r, slope, bend = self.curve.at(argument)
        return self.side * (r**2 + 2 * slope**2 - r * bend) / (r**2 + slope**2) ** 1.5


# --- rims -----------------------------------------------------------------------------------------


class Rim(ABC):
    """Points about the origin of M, by an angle u."""

    turns: ClassVar[bool]  # with M

    def numeric(self, number: Callable[[Any], float]) -> Rim:
        """The copy with numbers for the parameters."""
        return in_numbers(self, number)

    @property
    @abstractmethod
    def lengths(self) -> tuple[Any, ...]:
        """The lengths that it is given by."""

    @property
    @abstractmethod
    def part(self) -> Part:
        """The drawing."""

    @abstractmethod
    def points(self, u: Any, R: Array, track: Track) -> Array:
        """The point at u from the origin of M, and its derivatives: three rows, in F."""


@final
@dataclass(frozen=True)
class BallRim(Rim):
    """The circle of a ball in the plane of the track, at u from its lowest point."""

    radius: Any  # [m]

    turns = False

    @property
    def lengths(self) -> tuple[Any, ...]:
        return (self.radius,)

    @property
    def part(self) -> Part:
        return SymbolBall(self.radius, "own")

    def points(self, u: Any, R: Array, track: Track) -> Array:
        e, n = (unit(k) for k in track.axes)
        s, c = self.radius * np.sin(u), self.radius * np.cos(u)
        return np.array([s * e - c * n, c * e + s * n, c * n - s * e])


@final
@dataclass(frozen=True)
class PolarRim(Rim):
    """An outline ρ = r(u) in a plane of M: that of a disc where r is constant."""

    curve: OneArgument
    axes: tuple[int, int]  # of M: from the first, u turns to the second

    turns = True

    @property
    def lengths(self) -> tuple[Any, ...]:
        return (self.curve.at(0.0, 1)[0],)

    @property
    def part(self) -> Part:
        return Prism(*self.axes, lambda u: self.curve.at(u, 1)[0], "own")

    def points(self, u: Any, R: Array, track: Track) -> Array:
        r, slope, bend = self.curve.at(u)
        first, second = (R[:, k] for k in self.axes)
        out = np.cos(u) * first + np.sin(u) * second
        round_ = np.cos(u) * second - np.sin(u) * first
        turned = (bend - r) * out + 2 * slope * round_
        return np.array([r * out, slope * out + r * round_, turned])
