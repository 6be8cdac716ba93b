"""Rolling without slipping of a disc, a cylinder or a ball on a plane or along a line.

F lies in the plane, its axis `normal` pointing to the side of the wheel; the origin of M is the
centre of the wheel. The point of the wheel that touches has no speed: along the normal that is a
condition on positions, along the plane it is not (Llibre 2009, §1.5.2).
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.model.joints.contact import ContactType
from torseur.model.joints.protocol import NOTHING, Array, unit
from torseur.model.joints.symbol import Ball, Cylinder, Part, Plate, Symbol
from torseur.spatial.vectors import cross


def _rows(R: Array, c: Array, directions: list[Array]) -> Array:
    """Forces along directions of F at the point c of M: (c × Rᵀe; Rᵀe)."""
    seen = [R.T @ e for e in directions]
    return np.array([[*cross(c, e), *e] for e in seen]).T


def _plane(normal: int) -> list[Array]:
    """The normal, then the two directions of the plane that follow it cyclically."""
    return [unit((normal + k) % 3) for k in range(3)]


def _wheel(part: Part, normal: int, radius: Any) -> Symbol:
    """A wheel of radius 1 on its plane."""
    return Symbol((Plate(normal, 0.8),), (part,), foot=False, radius=radius)


def _forces(*axes: int) -> list[str]:
    """Forces along axes of F, in words."""
    return [f"force along {'xyz'[k % 3]} of F, at the point of contact" for k in axes]


@final
@dataclass(frozen=True)
class RollingBall(ContactType):
    """A ball on a plane: force along the normal and two forces in the plane."""

    radius: Any  # [m]
    normal: int = 2

    nv = 3
    names = ("ball", "sphere", "bille", "boule")

    @property
    def meanings(self) -> list[str]:
        return _forces(self.normal, self.normal + 1, self.normal + 2)

    @property
    def symbol(self) -> Symbol:
        return _wheel(Ball(1.0, "own"), self.normal, self.radius)

    def held(self, R: Array, p: Array) -> Array:
        c = -self.radius * (R.T @ unit(self.normal))
        return _rows(R, c, _plane(self.normal))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([p[self.normal] - self.radius])


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
    def symbol(self) -> Symbol:
        return _wheel(Cylinder(self.axis, 1.0, 0.05, "own"), self.normal, self.radius)

    def _downward(self, R: Array) -> tuple[Array, Any]:
        """The steepest radius of the disc in M, upward, and the sine of its slope."""
        n, a = R.T @ unit(self.normal), unit(self.axis)
        steep = n - (n @ a) * a
        return steep, np.sqrt(steep @ steep)

    @property
    def meanings(self) -> list[str]:
        return _forces(self.normal, self.normal + 1, self.normal + 2)

    def held(self, R: Array, p: Array) -> Array:
        steep, size = self._downward(R)
        return _rows(R, -self.radius / size * steep, _plane(self.normal))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([p[self.normal] - self.radius * self._downward(R)[1]])


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
    def meanings(self) -> list[str]:
        forces = _forces(self.normal, self.normal + 1, self.normal + 2)
        normal = "xyz"[self.normal]
        level = f"couple about {'xyz'[self.axis]} of M ∧ {normal} of F"
        return [forces[0], level, *forces[1:], f"couple about {normal} of F"]

    @property
    def symbol(self) -> Symbol:
        return _wheel(Cylinder(self.axis, 1.0, 0.8, "own"), self.normal, self.radius)

    def held(self, R: Array, p: Array) -> Array:
        n, a = R.T @ unit(self.normal), unit(self.axis)
        forces = _rows(R, -self.radius * n, _plane(self.normal))
        level, pivot = ([[*couple, *NOTHING]] for couple in (cross(a, n), n))
        first = (forces[:, :1], np.array(level).T)
        return np.concatenate([*first, forces[:, 1:], np.array(pivot).T], axis=1)

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
    def meanings(self) -> list[str]:
        return _forces(self.normal, self.along)

    @property
    def symbol(self) -> Symbol:
        return _wheel(
            Cylinder(3 - self.along - self.normal, 1.0, 0.05, "own"), self.normal, self.radius
        )

    def held(self, R: Array, p: Array) -> Array:
        c = -self.radius * (R.T @ unit(self.normal))
        return _rows(R, c, [unit(self.normal), unit(self.along)])

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([p[self.normal] - self.radius])


ROLLING = (RollingDisc, RollingBall, RollingCylinder, RollingAlong)
