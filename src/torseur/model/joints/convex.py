"""Contacts of balls and capsules with capsules and boxes, anywhere on them.

Each is at a distance from something convex: a segment or a box. The nearest points are found by
keeping coordinates between limits (Ericson 2005, §5.1). The normal is continuous; its rate jumps
where the nearest point passes from a side to an edge, or from a segment to its end.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from torseur.model.joints.protocol import Array, unit
from torseur.model.joints.rolling import ContactType
from torseur.model.joints.surfaces import NEAR, larger_of, tangents, within
from torseur.model.joints.symbol import Ball, Block, Capsule, Part, Symbol

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
        own: Part = Ball(self.radius, "own")
        if self.length != 0:
            own = Capsule(self.axis, self.radius, self.length / 2, "own")
        return Symbol((first,), (own,), foot=False, radius=1.0)

    def nearest(self, R: Array, p: Array) -> tuple[Array, Array]:
        a, half = unit(self.surface_axis), self.surface_length / 2
        if self.length == 0:
            return kept(p[self.surface_axis], half) * a, p
        b = R[:, self.axis]
        cosine = b[self.surface_axis]
        sine = larger_of(1 - cosine**2, _PARALLEL)
        along = p[self.surface_axis]
        start = kept((along - cosine * (b @ p)) / sine, half)
        t = kept(start * cosine - b @ p, self.length / 2)
        return kept(along + t * cosine, half) * a, p + t * b


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
        block = Block((a / 2, b / 2, c / 2), style="ground")
        return Symbol((block,), (Ball(self.radius, "own"),), foot=False, radius=1.0)

    def nearest(self, R: Array, p: Array) -> tuple[Array, Array]:
        sides = zip(p, self.surface_size, strict=True)
        return np.array([kept(x, size / 2) for x, size in sides]), p


def kept(x: Any, half: Any) -> Any:
    """x, but between −half and half."""
    return within(x, -half, half)
