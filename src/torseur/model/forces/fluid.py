"""Forces of a fluid on a body that stands for a box or an ellipsoid, from its own motion.

The formulas are those that MuJoCo documents under "Fluid forces"; those of the ellipsoid are of
Andersen, Pesavento and Wang (2005), with the lift of Kutta, the Magnus force and added masses.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression, number
from torseur.algebra.core.rules import larger, smaller
from torseur.model.forces.protocol import (
    Action,
    Array,
    Attachment,
    Effect,
    Force,
    Key,
    Kind,
    Places,
    no_vector,
)
from torseur.spatial.rotation import IDENTITY, Rotation
from torseur.spatial.vectors import cross, vector

_SMALL = number(1e-30)  # a speed [m/s, rad/s] beside which all others are large
_PI = number(np.pi)
Three = tuple[Expr, Expr, Expr]
_WHERE = (
    Key("body", Kind.BODY, "wing"),
    Key("density", Kind.CONSTANT, unit="kg/m^3"),
    Key("viscosity", Kind.CONSTANT, unit="Pa.s"),
    Key("wind", Kind.VECTOR, unit="m/s"),
    Key("centre", Kind.POINT, of_class="point"),
    Key("rotation", Kind.ROTATION),
)
_SIZE = Key("size", Kind.THREE_CONSTANTS, "[0.4, 0.1, 0.02]", unit="m")


@final
@dataclass(frozen=True)
class FluidBox(Force):
    """The resistance of a fluid to a box, along and about its axes.

    The force along x is −½ ρ b_y b_z |v| v − 3 π d μ v, the couple about x
    −ρ b_x (b_y⁴ + b_z⁴) |ω| ω/64 − π d³ μ ω, with d the mean of the edges b; v is the velocity of
    the centre in the fluid.
    """

    name: str
    body: str
    size: Three  # edges b [m]
    density: Expr = ZERO  # ρ [kg/m³]
    viscosity: Expr = ZERO  # μ [Pa s]
    wind: Array = field(default_factory=no_vector)  # velocity of the fluid, in ground axes [m/s]
    point: Array = field(default_factory=no_vector)  # the centre, in the body [m]
    rotation: Rotation = IDENTITY  # of the box in the body
    place: str = ""

    names = ("fluid box", "boîte dans un fluide")
    keys = (*_WHERE[:1], _SIZE, *_WHERE[1:])

    def effect(self, places: Places) -> Effect:
        at = Attachment(self.body, self.point)
        w, v = _motion(places, at, self.rotation, self.wind)
        mean, rho, mu = sum(self.size, ZERO) / 3, self.density, self.viscosity
        force, couple = [], []
        for k in range(3):
            b, c, d = (self.size[(k + j) % 3] for j in range(3))
            drag = rho * c * d * abs(expression(v[k])) / 2 + 3 * _PI * mean * mu
            turning = rho * b * (c**4 + d**4) * abs(expression(w[k])) / 64 + _PI * mean**3 * mu
            force.append(-drag * v[k])
            couple.append(-turning * w[k])
        return Effect((_action(at, self.rotation, force, couple),))


@final
@dataclass(frozen=True)
class FluidEllipsoid(Force):
    """The forces of a fluid on an ellipsoid: drag, Kutta's lift, the Magnus force, added masses.

    The drag is that of Stokes plus ρ |v| (blunt A + slender (A_max − A)) v, A the area that
    the ellipsoid shows to the flow. Of added masses the terms that depend on velocities count.
    """

    name: str
    body: str
    size: Three  # half axes [m]
    blunt: Expr = ZERO  # coefficients of drag
    slender: Expr = ZERO
    angular: Expr = ZERO
    lift: Expr = ZERO  # of Kutta's lift
    magnus: Expr = ZERO
    added_mass: Three = (ZERO, ZERO, ZERO)  # over the density [m³]
    added_inertia: Three = (ZERO, ZERO, ZERO)  # over the density [m⁵]
    density: Expr = ZERO  # ρ [kg/m³]
    viscosity: Expr = ZERO  # μ [Pa s]
    wind: Array = field(default_factory=no_vector)  # velocity of the fluid, in ground axes [m/s]
    point: Array = field(default_factory=no_vector)  # the centre, in the body [m]
    rotation: Rotation = IDENTITY  # of the ellipsoid in the body
    place: str = ""

    names = ("fluid ellipsoid", "ellipsoïde dans un fluide")
    keys = (
        *_WHERE[:1],
        _SIZE,
        *(Key(name, Kind.CONSTANT, unit="1") for name in ("blunt", "slender", "angular")),
        *(Key(name, Kind.CONSTANT, unit="1") for name in ("lift", "magnus")),
        Key("added_mass", Kind.THREE_CONSTANTS, unit="m^3"),
        Key("added_inertia", Kind.THREE_CONSTANTS, unit="m^5"),
        *_WHERE[1:],
    )

    def effect(self, places: Places) -> Effect:
        at = Attachment(self.body, self.point)
        w, v = _motion(places, at, self.rotation, self.wind)
        shape, rho = _Ellipsoid(self.size), self.density
        momentum, spin = (
            vector(*(rho * a * x for a, x in zip(added, rates, strict=True)))
            for added, rates in ((self.added_mass, v), (self.added_inertia, w))
        )
        area, normal, cosine = shape.facing(v)
        circulation = np.asarray(self.lift * rho * cosine * area * cross(normal, v))
        dragging = area * self.blunt + self.slender * (shape.greatest_area - area)
        drag = 3 * _PI * self.viscosity * shape.diameter + rho * _size(v) * dragging
        force = cross(momentum, w) + cross(circulation, v) - drag * v
        force = force + self.magnus * rho * shape.volume * cross(w, v)
        moments = (
            x * (self.angular * m + self.slender * (shape.greatest_moment - m))
            for x, m in zip(w, shape.moments, strict=True)
        )
        turning = _PI * self.viscosity * shape.diameter**3 + rho * _size(moments)
        couple = cross(momentum, v) + cross(spin, w) - turning * w
        return Effect((_action(at, self.rotation, force, couple),))


def _motion(places: Places, at: Attachment, rotation: Rotation, wind: Array) -> tuple[Array, Array]:
    """ω and the velocity in the fluid, in the axes of a shape on a body."""
    w, v = places.twist(at)
    in_fluid = v - places.rotation(at.body).into(wind)
    return rotation.into(w), rotation.into(in_fluid)


def _action(at: Attachment, rotation: Rotation, force: Any, couple: Any) -> Action:
    F, M = (rotation.out(vector(*x)) for x in (force, couple))
    return Action(at, F, M, follows=True)


def _size(v: Iterable[Any]) -> Expr:
    """|v|, with a slope at rest."""
    return expression(sum((x * x for x in v), _SMALL**2)).sqrt()


@final
@dataclass(frozen=True)
class _Ellipsoid:
    """Areas and moments of an ellipsoid with half axes a, b, c."""

    size: Three

    @property
    def _sorted(self) -> Three:
        """The half axes, the greatest one first."""
        a, b, c = self.size
        most, least = larger(larger(a, b), c), smaller(smaller(a, b), c)
        return most, a + b + c - most - least, least

    @property
    def volume(self) -> Expr:
        a, b, c = self.size
        return 4 * _PI / 3 * a * b * c

    @property
    def diameter(self) -> Expr:
        """That of a sphere of the same mean half axis."""
        return 2 * sum(self.size, ZERO) / 3

    @property
    def greatest_area(self) -> Expr:
        most, middle, _ = self._sorted
        return _PI * most * middle

    @property
    def greatest_moment(self) -> Expr:
        most, middle, _ = self._sorted
        return 8 * _PI / 15 * middle * most**4

    @property
    def moments(self) -> tuple[Expr, ...]:
        """Moments of the areas swept about the axes."""
        turned = (tuple(self.size[(k + j) % 3] for j in range(3)) for k in range(3))
        return tuple(8 * _PI / 15 * a * larger(b, c) ** 4 for a, b, c in turned)

    def facing(self, v: Array) -> tuple[Expr, Array, Expr]:
        """The area shown to the flow, a normal where it meets the flow, and the cosine over it."""
        a, b, c = self.size
        squares = [(b * c) ** 2, (c * a) ** 2, (a * b) ** 2]
        speeds = [expression(x * x) + _SMALL**2 for x in v]
        along = sum((s * x for s, x in zip(squares, speeds, strict=True)), ZERO)
        across = sum((s**2 * x for s, x in zip(squares, speeds, strict=True)), ZERO)
        normal = vector(*(s * x for s, x in zip(squares, v, strict=True)))
        return _PI * (across / along).sqrt(), normal, along / (_size(v) * across)
