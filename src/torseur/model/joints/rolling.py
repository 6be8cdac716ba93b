"""Contacts between two bodies, and those of balls, discs, cylinders and ellipsoids with a plane.

F lies in the plane, its axis `normal` pointing to the side of the wheel; the origin of M is the
centre of the wheel. The point of the wheel that touches has no speed where it rolls: along the
normal that is a condition on positions, along the plane it is not (Llibre 2009, §1.5.2). `at_poses`
asks a contact at many poses at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, expressions
from torseur.model.joints.protocol import NOTHING, Array, in_numbers, unit
from torseur.model.joints.symbol import Cylinder, Part, Plate, Symbol, SymbolBall, SymbolEllipsoid
from torseur.spatial.vectors import cross
from torseur.words.sentence import say


class ContactType(ABC):
    """A contact between a frame F of one body and a frame M of another.

    It is a joint that only closes loops: it has no coordinates of its own, and fewer conditions on
    positions than on speeds. It carries forces at the point of M that touches: along the normal,
    then along the tangents.
    """

    nv: ClassVar[int]  # 6 less the number of conditions on speeds
    names: ClassVar[tuple[str, ...]]
    forces: ClassVar[int] = 3  # along how many axes of its frame
    sizes: ClassVar[tuple[str, ...]] = ("radius",)  # its fields that are lengths, or rows of them

    @property
    def lengths(self) -> tuple[Any, ...]:
        """The lengths of its description."""
        return tuple(x for name in self.sizes for x in np.ravel(getattr(self, name)))

    def numeric(self, number: Callable[[Any], float]) -> ContactType:
        """The contact with number(x) for every expression x of parameters."""
        return in_numbers(self, number)

    @property
    @abstractmethod
    def symbol(self) -> Symbol:
        """The drawing."""

    @property
    def axes_named(self) -> Sequence[str]:
        """The axes of its frame in words."""
        return say("the normal"), say("the first tangent"), say("the second tangent")

    @property
    def meanings(self) -> list[str]:
        """Meaning of each column of T, in words."""
        listed = self.axes_named[: self.forces]
        return [say("force along {axis}, at the point of contact", axis) for axis in listed]

    @abstractmethod
    def frame(self, R: Array, p: Array) -> Array:
        """The normal, from the first body to the second, and the tangents: rows, in F."""

    @abstractmethod
    def touching(self, R: Array, p: Array) -> Array:
        """The point of M that touches."""

    @abstractmethod
    def gap(self, R: Array, p: Array) -> Array:
        """The conditions on positions, those of the first columns of T."""

    def reactions_at(self, R: Array, p: Array) -> Array:
        """T (6 × (6 − nv)): the wrenches carried, in the axes of M at its origin.

        Forces along directions e of F at the point c of M are (c × Rᵀe; Rᵀe).
        """
        c, axes = self.touching(R, p), self.frame(R, p)[: self.forces] @ R
        return np.array([[*cross(c, e), *e] for e in axes]).T


class PlaneContact(ContactType):
    """A contact with a plane. Unless it says otherwise, its centre is above it by its radius."""

    entry: ClassVar[str] = "radius"  # of its size
    turns_about: ClassVar[str] = ""  # the entry of the direction that it has besides the normal
    radius: Any  # [m]
    normal: int  # of F

    @property
    @abstractmethod
    def wheel(self) -> Part:
        """The drawing of a wheel of radius 1."""

    @property
    def symbol(self) -> Symbol:
        return Symbol((Plate(self.normal, 0.8),), (self.wheel,), foot=False, radius=self.radius)

    @property
    def directions(self) -> list[int]:
        """The normal, and the axes of F that follow it."""
        return [(self.normal + k) % 3 for k in range(3)]

    @property
    def axes_named(self) -> Sequence[str]:
        return [say("{axis} of F", "xyz"[k]) for k in self.directions]

    def frame(self, R: Array, p: Array) -> Array:
        return np.array([unit(k) for k in self.directions])

    def touching(self, R: Array, p: Array) -> Array:
        return np.asarray(-self.radius * (R.T @ unit(self.normal)))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([p[self.normal] - self.radius])


@final
@dataclass(frozen=True)
class RollingBall(PlaneContact):
    """A ball on a plane: force along the normal and two forces in the plane."""

    radius: Any  # [m]
    normal: int = 2

    nv = 3
    names = ("ball", "sphere", "bille", "boule")
    wheel = SymbolBall(1.0, "own")


@final
@dataclass(frozen=True)
class RollingDisc(PlaneContact):
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

    def touching(self, R: Array, p: Array) -> Array:
        steep, size = self._upward(R)
        return np.asarray(-self.radius / size * steep)

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([p[self.normal] - self.radius * self._upward(R)[1]])


@final
@dataclass(frozen=True)
class RollingCylinder(PlaneContact):
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
        level = say("couple about {axis} of M ∧ {other} of F", "xyz"[self.axis], normal)
        return [first, level, *others, say("couple about {axis} of F", normal)]

    def reactions_at(self, R: Array, p: Array) -> Array:
        n, a = R.T @ unit(self.normal), unit(self.axis)
        first, *others = super().reactions_at(R, p).T
        level, pivot = ([*couple, *NOTHING] for couple in (cross(a, n), n))
        return np.array([first, level, *others, pivot]).T

    def gap(self, R: Array, p: Array) -> Array:
        level = (R @ unit(self.axis))[self.normal]
        return np.array([p[self.normal] - self.radius, level])


@final
@dataclass(frozen=True)
class RollingAlong(PlaneContact):
    """A wheel in its own plane on a line: force along the normal and force along the line."""

    radius: Any  # [m]
    along: int = 0  # of F
    normal: int = 2

    nv = 4
    names = ("line", "rail", "droite")
    forces = 2
    turns_about = "along"

    @property
    def wheel(self) -> Part:
        return Cylinder(3 - self.along - self.normal, 1.0, 0.05, "own")

    @property
    def directions(self) -> list[int]:
        return [self.normal, self.along, 3 - self.along - self.normal]


@final
@dataclass(frozen=True)
class RollingEllipsoid(PlaneContact):
    """An ellipsoid on a plane; its axes are those of M.

    Its lowest point is −D²n / h for the normal n in M, D the diagonal of its radii; h = √(nᵀD²n) is
    how high its centre then is.
    """

    radii: tuple[Any, Any, Any]  # [m]
    normal: int = 2

    nv = 3
    names = ("ellipsoid", "ellipsoïde")
    sizes = ("radii",)
    entry = "radii"

    @property
    def radius(self) -> Any:
        """The first of its radii, in which it is drawn."""
        return self.radii[0]

    @property
    def wheel(self) -> Part:
        a, b, c = self.radii
        return SymbolEllipsoid((1.0, b / a, c / a), "own")

    def _lowest(self, R: Array) -> tuple[Array, Any]:
        """D²n and h."""
        n = R.T @ unit(self.normal)
        squared = np.array([a * a for a in self.radii]) * n
        return squared, np.sqrt(n @ squared)

    def touching(self, R: Array, p: Array) -> Array:
        squared, height = self._lowest(R)
        return np.asarray(-squared / height)

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([p[self.normal] - self._lowest(R)[1]])


ROLLING = (RollingDisc, RollingBall, RollingCylinder, RollingAlong, RollingEllipsoid)


_R = np.array([[symbol(f"R[{i},{j}]", "input") for j in range(3)] for i in range(3)], dtype=object)
_P = np.array([symbol(f"p[{i}]", "input") for i in range(3)], dtype=object)


def at_poses(function: Callable[[Array, Array], Any], R: Array, p: Array) -> Array:
    """Values of a function of a pose at each of R (n, 3, 3) and p (n, 3), pose by pose.

    The function is called once, for expressions, which are then evaluated on arrays.
    """
    formulas = expressions(np.asarray(function(_R, _P), dtype=object))
    names = [x.name for x in (*_R.ravel(), *_P)]
    columns = np.concatenate([R.reshape(-1, 9), p], axis=1).T
    with np.errstate(all="ignore"):
        entries = [evaluate(x, dict(zip(names, columns, strict=True))) for x in formulas.ravel()]
    table = np.stack([np.broadcast_to(x, len(p)) for x in entries], axis=1)
    return np.asarray(table, dtype=float).reshape(len(p), *formulas.shape)
