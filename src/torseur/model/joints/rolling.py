"""Rolling without slipping of a disc, a cylinder or a ball on a plane or along a line.

F lies in the plane, its axis `normal` pointing to the side of the wheel; the origin of M is the
centre of the wheel. The point of the wheel that touches has no speed: along the normal that is a
condition on positions, along the plane it is not (Llibre 2009, §1.5.2).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from torseur.model.joints.protocol import NOTHING, Array, unit
from torseur.model.joints.symbol import Ball, Cylinder, Part, Plate, Symbol
from torseur.spatial.vectors import cross


class ContactType(ABC):
    """A contact between a frame F of one body and a frame M of another.

    It is a joint that only closes loops: it has no coordinates of its own, and fewer conditions on
    positions than on speeds. Unless a contact says otherwise, its centre stays above the plane by
    its radius, and it carries three forces at the point below.
    """

    nv: ClassVar[int]  # 6 less the number of conditions on speeds
    names: ClassVar[tuple[str, ...]]
    turns_about: ClassVar[str] = ""  # the entry of the direction that it has besides the normal
    radius: Any  # [m]
    normal: int  # of F

    @property
    def lengths(self) -> tuple[Any, ...]:
        """What its description contains of lengths."""
        return (self.radius,)

    def numeric(self, number: Callable[[Any], float]) -> ContactType:
        """The same contact with number(x) for every expression x of parameters."""
        return replace(self, radius=number(self.radius))  # type: ignore[type-var]

    @property
    @abstractmethod
    def wheel(self) -> Part:
        """How a wheel of radius 1 is drawn."""

    @property
    def symbol(self) -> Symbol:
        """How it is drawn."""
        return Symbol((Plate(self.normal, 0.8),), (self.wheel,), foot=False, radius=self.radius)

    @property
    def directions(self) -> list[int]:
        """The axes of F along which there are forces: the normal, then those that follow it."""
        return [(self.normal + k) % 3 for k in range(3)]

    def touching(self, R: Array) -> Array:
        """The point of M that touches."""
        return np.asarray(-self.radius * (R.T @ unit(self.normal)))

    @property
    def meanings(self) -> list[str]:
        """What each column of T is, in words."""
        return [f"force along {'xyz'[k]} of F, at the point of contact" for k in self.directions]

    def held(self, R: Array, p: Array) -> Array:
        """T (6 × (6 − nv)): the wrenches carried, in the axes of M at its origin.

        Forces along directions e of F at the point c of M are (c × Rᵀe; Rᵀe).
        """
        c, seen = self.touching(R), [R.T @ unit(k) for k in self.directions]
        return np.array([[*cross(c, e), *e] for e in seen]).T

    def gap(self, R: Array, p: Array) -> Array:
        """The conditions on positions, those of the first columns of T."""
        return np.array([p[self.normal] - self.radius])


@final
@dataclass(frozen=True)
class RollingBall(ContactType):
    """A ball on a plane: force along the normal and two forces in the plane."""

    radius: Any  # [m]
    normal: int = 2

    nv = 3
    names = ("ball", "sphere", "bille", "boule")
    wheel = Ball(1.0, "own")


@final
@dataclass(frozen=True)
class RollingDisc(ContactType):
    """A thin disc, or a wheel, on a plane: it may lean, roll and pivot."""

    radius: Any  # [m]
    axis: int = 1  # of M
    normal: int = 2

    nv = 3
    names = ("disc", "wheel", "disque", "roue")
    turns_about = "axis"

    @property
    def wheel(self) -> Part:
        return Cylinder(self.axis, 1.0, 0.05, "own")

    def _upward(self, R: Array) -> tuple[Array, Any]:
        """The steepest radius of the disc in M, upward, and the sine of its slope."""
        n, a = R.T @ unit(self.normal), unit(self.axis)
        steep = n - (n @ a) * a
        return steep, np.sqrt(steep @ steep)

    def touching(self, R: Array) -> Array:
        steep, size = self._upward(R)
        return np.asarray(-self.radius / size * steep)

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([p[self.normal] - self.radius * self._upward(R)[1]])


@final
@dataclass(frozen=True)
class RollingCylinder(ContactType):
    """A cylinder on a plane, which it touches along a line: it rolls straight on.

    Its middle rolls as a disc; a couple keeps its axis parallel to the plane, another, about the
    normal, keeps it from pivoting, which would make the ends of the line slip.
    """

    radius: Any  # [m]
    axis: int = 1  # of M
    normal: int = 2

    nv = 1
    names = ("cylinder", "roller", "cylindre", "rouleau")
    turns_about = "axis"

    @property
    def wheel(self) -> Part:
        return Cylinder(self.axis, 1.0, 0.8, "own")

    @property
    def meanings(self) -> list[str]:
        first, *others = super().meanings
        normal = "xyz"[self.normal]
        level = f"couple about {'xyz'[self.axis]} of M ∧ {normal} of F"
        return [first, level, *others, f"couple about {normal} of F"]

    def held(self, R: Array, p: Array) -> Array:
        n, a = R.T @ unit(self.normal), unit(self.axis)
        first, *others = super().held(R, p).T
        level, pivot = ([*couple, *NOTHING] for couple in (cross(a, n), n))
        return np.array([first, level, *others, pivot]).T

    def gap(self, R: Array, p: Array) -> Array:
        level = (R @ unit(self.axis))[self.normal]
        return np.array([p[self.normal] - self.radius, level])


@final
@dataclass(frozen=True)
class RollingAlong(ContactType):
    """A wheel in its own plane on a line: force along the normal and force along the line."""

    radius: Any  # [m]
    along: int = 0  # of F
    normal: int = 2

    nv = 4
    names = ("line", "rail", "droite")
    turns_about = "along"

    @property
    def wheel(self) -> Part:
        return Cylinder(3 - self.along - self.normal, 1.0, 0.05, "own")

    @property
    def directions(self) -> list[int]:
        return [self.normal, self.along]


ROLLING = (RollingDisc, RollingBall, RollingCylinder, RollingAlong)
