"""Contacts with surfaces that are not flat: round ones and profiles, and ropes, which are alike.

The normal turns with the place. On a sphere the tangents are those of Frisvad (2012), turned from
the axis `normal` of F, and in a cap about its opposite from that (Duff et al. 2017): no field of
tangents of a sphere is smooth everywhere. On the rim of the cap they jump, what they span does not.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from torseur.algebra.core.expr import ONE, Expr, expression
from torseur.algebra.core.rules import choice, clipped
from torseur.model.joints.plane_curves import OneArgument
from torseur.model.joints.protocol import Array, unit
from torseur.model.joints.rolling import ContactType
from torseur.model.joints.symbol import (
    Capsule,
    Cylinder,
    Part,
    Profile,
    Symbol,
    SymbolBall,
    SymbolBlock,
)
from torseur.spatial.vectors import cross
from torseur.words.sentence import say

OPPOSITE = -0.99  # cosine: the rim of the cap in which tangents are turned from the other side
NEAR = 1e-9  # of a radius: closer to its centre, a surface has no normal


def tangents(n: Array, axis: int) -> tuple[Array, Array]:
    """Two unit vectors at right angles to n and to each other.

    They are the axes after e, turned as e is turned to n by the shortest way: e_k − n_k (n + e) /
    (1 + n·e). About n = −e, where that way is any, −e is turned to n, and the second is reversed.
    """
    side = _near_side(n[axis])
    pole, share = side * unit(axis), 1 / (1 + side * n[axis])
    first, second = ((axis + 1) % 3, (axis + 2) % 3)
    turned = [unit(k) - n[k] * share * (n + pole) for k in (first, second)]
    return turned[0], side * turned[1]


def _near_side(cosine: Any) -> Any:
    """1, or −1 where a direction is nearly opposite to the axis."""
    if isinstance(cosine, Expr):
        return choice(cosine - OPPOSITE, ONE, -ONE)
    return 1 if cosine > OPPOSITE else -1


def larger_of(a: Any, b: Any) -> Any:
    """The larger of two values."""
    return (a + b + abs(a - b)) / 2


def within(x: Any, low: Any, high: Any) -> Any:
    """x, but at least `low` and at most `high`."""
    if any(isinstance(y, Expr) for y in (x, low, high)):
        return clipped(*map(expression, (x, low, high)))
    return min(max(x, low), high)


# --- round surfaces -------------------------------------------------------------------------------


class RoundContact(ContactType):
    """A ball about the origin of M, or a point, against a surface round a centre or an axis of F.

    Within NEAR of that centre the normal shrinks to nothing: none is better than another there.
    """

    radius: Any  # of the ball [m]
    surface_radius: Any  # [m]
    side: int  # 1: outside, −1: inside
    called: ClassVar[dict[int, tuple[str, ...]]]  # its names by its side

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.called[self.side]

    @abstractmethod
    def away(self, p: Array) -> Array:
        """From the centre of the surface, or the nearest point of its axis, to that of the ball."""

    def distance(self, p: Array) -> Any:
        """|away|, and at least NEAR of the radius of the surface."""
        away, least = self.away(p), (NEAR * self.surface_radius) ** 2
        return np.sqrt(larger_of(away @ away, least))

    def normal_at(self, p: Array) -> Array:
        """The normal in F, towards the ball."""
        return np.asarray(self.side * self.away(p) / self.distance(p))

    def touching(self, R: Array, p: Array) -> Array:
        return np.asarray(-self.radius * (R.T @ self.normal_at(p)))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([self.side * (self.distance(p) - self.surface_radius) - self.radius])


@final
@dataclass(frozen=True)
class SphereContact(RoundContact):
    """With a sphere about the origin of F: the gap is |p| − s − r outside, s − r − |p| inside."""

    radius: Any  # [m]
    surface_radius: Any  # [m]
    normal: int = 2  # the axis of F from which the tangents are turned
    side: int = 1

    nv = 3
    called: ClassVar = {1: ("sphere", "ball", "boule"), -1: ("bowl", "cuvette")}
    sizes = ("radius", "surface_radius")

    @property
    def symbol(self) -> Symbol:
        surface = SymbolBall(self.surface_radius, "ground" if self.side > 0 else "hint")
        return Symbol((surface,), (SymbolBall(self.radius, "own"),), foot=False, radius=1.0)

    def away(self, p: Array) -> Array:
        return p

    def frame(self, R: Array, p: Array) -> Array:
        n = self.normal_at(p)
        return np.array([n, *tangents(n, self.normal)])


@final
@dataclass(frozen=True)
class CylinderContact(RoundContact):
    """With an endless cylinder about an axis of F through its origin.

    The gap is ρ − s − r outside, ρ the distance of the centre from the axis; inside it is the
    clearance s − r less ρ. A pin in a hole is the ball in its middle while its axis stays parallel
    to that of the hole.
    """

    radius: Any  # [m]
    surface_radius: Any  # [m]
    axis: int = 2  # of F
    side: int = 1

    nv = 3
    called: ClassVar = {
        1: ("shaft", "cylinder", "arbre", "cylindre"),
        -1: ("hole", "bore", "alésage", "trou"),
    }
    sizes = ("radius", "surface_radius")

    @property
    def axes_named(self) -> Sequence[str]:
        return say("the normal"), say("{axis} of F", "xyz"[self.axis]), say("the circumference")

    @property
    def symbol(self) -> Symbol:
        s, style = self.surface_radius, "ground" if self.side > 0 else "hint"
        ball = SymbolBall(self.radius, "own")
        return Symbol((Cylinder(self.axis, s, s, style),), (ball,), foot=False, radius=1.0)

    def away(self, p: Array) -> Array:
        return np.asarray(p * (1 - unit(self.axis)))

    def frame(self, R: Array, p: Array) -> Array:
        n, a = self.normal_at(p), unit(self.axis)
        return np.array([n, a, cross(n, a)])


@final
@dataclass(frozen=True)
class TautLine(RoundContact):
    """The origins of F and M, which a rope keeps near one another, or a strut apart.

    A strut only pushes: the gap is the distance of its ends less its length; of a rope, which only
    pulls, the opposite.
    """

    surface_radius: Any  # the length [m]
    side: int  # 1: a strut, −1: a rope
    radius: Any = 0

    nv = 5
    called: ClassVar = {1: ("strut", "étai"), -1: ("rope", "corde")}
    forces = 1
    sizes = ("surface_radius",)

    @property
    def meanings(self) -> list[str]:
        return [say("force along its line, on its ends")]

    @property
    def symbol(self) -> Symbol:
        return Symbol((SymbolBall(0.6),), (SymbolBall(0.6),), line="rod")

    def away(self, p: Array) -> Array:
        return p

    def frame(self, R: Array, p: Array) -> Array:
        return np.array([self.normal_at(p)])


# --- profiles -------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class PointOnProfile(ContactType):
    """The origin of M on or above a surface z = f(x) of F, the same for every y.

    The gap is (z − f)/w, w = √(1 + f′²): the distance along the normal, to first order. The first
    row of its frame is the gradient of this gap, which is the unit normal (−f′, 0, 1)/w where it
    touches; the tangents are (1, 0, f′)/w and y.
    """

    height: OneArgument  # f, of PLACE and parameters [m]
    along: int = 0  # the axis x of F
    normal: int = 2  # the axis z of F

    nv = 3
    names = ("profile", "curve", "profil", "courbe")
    sizes = ()

    @property
    def axes_named(self) -> Sequence[str]:
        return say("the normal"), say("the profile"), say("{axis} of F", "xyz"[self.across])

    @property
    def symbol(self) -> Symbol:
        surface = Profile(self.along, self.normal, lambda x: self.height.at(x, 1)[0])
        return Symbol((surface,), (SymbolBall(0.6),), foot=False)

    @property
    def across(self) -> int:
        """The axis y of F."""
        return 3 - self.along - self.normal

    def frame(self, R: Array, p: Array) -> Array:
        f, slope, bend = self.height.at(p[self.along])
        e, n = unit(self.along), unit(self.normal)
        w = np.sqrt(1 + slope**2)
        fall = (p[self.normal] - f) * slope * bend / w**3
        return np.array([(n - slope * e) / w - fall * e, (e + slope * n) / w, unit(self.across)])

    def touching(self, R: Array, p: Array) -> Array:
        return np.zeros(3)

    def gap(self, R: Array, p: Array) -> Array:
        f, slope, _ = self.height.at(p[self.along])
        return np.array([(p[self.normal] - f) / np.sqrt(1 + slope**2)])


# --- capsules and boxes ---------------------------------------------------------------------------


_PARALLEL = 1e-12  # sin² of an angle: axes that are closer to one another are parallel


class ConvexContact(ContactType):
    """Two convex sets, each with a radius about it: the second about the origin of M."""

    nv: ClassVar[int] = 3
    radius: Any  # about the second [m]
    around: Any  # about the first [m]
    turned: ClassVar[int] = 2  # the axis of F from which the tangents are turned

    @abstractmethod
    def nearest(self, R: Array, p: Array) -> tuple[Array, Array]:
        """The nearest points of the first and of the second, in F, from the origin of F."""

    @property
    @abstractmethod
    def least(self) -> Any:
        """A distance below which there is no normal [m]."""

    def _apart(self, R: Array, p: Array) -> tuple[Array, Any, Array]:
        """The normal, the distance of the sets, and the nearest point of the second."""
        first, second = self.nearest(R, p)
        away = second - first
        distance = np.sqrt(larger_of(away @ away, self.least**2))
        return away / distance, distance, second

    def frame(self, R: Array, p: Array) -> Array:
        n, _, _ = self._apart(R, p)
        return np.array([n, *tangents(n, self.turned)])

    def touching(self, R: Array, p: Array) -> Array:
        n, _, second = self._apart(R, p)
        return np.asarray(R.T @ (second - p - self.radius * n))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([self._apart(R, p)[1] - self.radius - self.around])


@final
@dataclass(frozen=True)
class CapsuleOnCapsule(ConvexContact):
    """Two capsules, each about a segment through the origin of its frame.

    Where they are parallel side by side they touch along a line, of which this is a point.
    """

    radius: Any  # [m]
    length: Any  # of the segment of the second; zero: it is a ball [m]
    axis: int  # of M
    surface_radius: Any  # [m]
    surface_length: Any  # [m]
    surface_axis: int  # of F

    names = ("capsule", "gélule")
    sizes = ("radius", "length", "surface_radius", "surface_length")

    @property
    def around(self) -> Any:
        return self.surface_radius

    @property
    def least(self) -> Any:
        return NEAR * self.surface_radius

    @property
    def symbol(self) -> Symbol:
        first = Capsule(self.surface_axis, self.surface_radius, self.surface_length / 2, "ground")
        second: Part = SymbolBall(self.radius, "own")
        if self.length != 0:
            second = Capsule(self.axis, self.radius, self.length / 2, "own")
        return Symbol((first,), (second,), foot=False, radius=1.0)

    def nearest(self, R: Array, p: Array) -> tuple[Array, Array]:
        a, half = unit(self.surface_axis), self.surface_length / 2
        if self.length == 0:
            return clamped(p[self.surface_axis], half) * a, p
        b = R[:, self.axis]
        cosine = b[self.surface_axis]
        sine = larger_of(1 - cosine**2, _PARALLEL)
        along = p[self.surface_axis]
        start = clamped((along - cosine * (b @ p)) / sine, half)
        t = clamped(start * cosine - b @ p, self.length / 2)
        return clamped(along + t * cosine, half) * a, p + t * b


@final
@dataclass(frozen=True)
class BallOnBox(ConvexContact):
    """A ball outside a box about the origin of F: on a side, an edge or a corner."""

    radius: Any  # [m]
    surface_size: tuple[Any, Any, Any]  # [m]

    names = ("box", "boîte", "pavé")
    sizes = ("radius", "surface_size")
    around = 0

    @property
    def least(self) -> Any:
        return NEAR * self.radius

    @property
    def symbol(self) -> Symbol:
        a, b, c = self.surface_size
        block = SymbolBlock((a / 2, b / 2, c / 2), style="ground")
        return Symbol((block,), (SymbolBall(self.radius, "own"),), foot=False, radius=1.0)

    def nearest(self, R: Array, p: Array) -> tuple[Array, Array]:
        sides = zip(p, self.surface_size, strict=True)
        return np.array([clamped(x, size / 2) for x, size in sides]), p


def clamped(x: Any, half: Any) -> Any:
    """x, but between −half and half."""
    return within(x, -half, half)
