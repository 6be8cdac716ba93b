"""Formulas of the homogeneous solids: measure, centre and radii of gyration in their own axes.

Plaut 2007, (2.33) to (2.45), with full lengths instead of half-lengths, and the thin disc and
half-disc. The axis of revolution, or the normal of a flat body, is z.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

from torseur.algebra import PI, Expr
from torseur.model.mass.properties import Array, Scalar

_CENTRED = (0, 0, 0)


@final
@dataclass(frozen=True)
class Geometry:
    """A homogeneous solid in axes where its inertia is diagonal."""

    measure: Scalar  # volume [m³], area [m²] or length [m]
    centre: tuple[Scalar, Scalar, Scalar]  # [m]
    gyration: tuple[Scalar, Scalar, Scalar]  # squared radii of gyration at the centre [m²]


def box(size: Array) -> Geometry:
    """Rectangular box, (2.33)."""
    x, y, z = size
    xx, yy, zz = x * x, y * y, z * z
    return Geometry(x * y * z, _CENTRED, ((yy + zz) / 12, (zz + xx) / 12, (xx + yy) / 12))


def plate(size: Array) -> Geometry:
    """Thin rectangle normal to z, (2.34)."""
    x, y = size
    xx, yy = x * x, y * y
    return Geometry(x * y, _CENTRED, (yy / 12, xx / 12, (xx + yy) / 12))


def bar(length: Scalar) -> Geometry:
    """Thin bar along z, (2.35)."""
    across = length * length / 12
    return Geometry(length, _CENTRED, (across, across, 0))


def hollow_cylinder(inner_radius: Scalar, outer_radius: Scalar, length: Scalar) -> Geometry:
    """Tube about z, (2.37)."""
    aa, bb = inner_radius * inner_radius, outer_radius * outer_radius
    across = (aa + bb) / 4 + length * length / 12
    volume = (bb - aa) * length * _pi(outer_radius)
    return Geometry(volume, _CENTRED, (across, across, (aa + bb) / 2))


def cylinder(radius: Scalar, length: Scalar) -> Geometry:
    """Solid cylinder about z, (2.38)."""
    bb = radius * radius
    across = bb / 4 + length * length / 12
    return Geometry(bb * length * _pi(radius), _CENTRED, (across, across, bb / 2))


def torus(minor_radius: Scalar, major_radius: Scalar) -> Geometry:
    """Ring of circular section about z, (2.39)."""
    aa, bb = minor_radius * minor_radius, major_radius * major_radius
    across = 5 * aa / 8 + bb / 2
    volume = 2 * aa * major_radius * _pi(minor_radius) ** 2
    return Geometry(volume, _CENTRED, (across, across, 3 * aa / 4 + bb))


def hoop(radius: Scalar) -> Geometry:
    """Thin circle about z, (2.40)."""
    bb = radius * radius
    return Geometry(2 * radius * _pi(radius), _CENTRED, (bb / 2, bb / 2, bb))


def cone(radius: Scalar, height: Scalar) -> Geometry:
    """Solid cone about z, apex at the origin, base at z = height, (2.41)."""
    aa, hh = radius * radius, height * height
    across = 3 * (4 * aa + hh) / 80
    volume = aa * height * _pi(radius) / 3
    return Geometry(volume, (0, 0, 3 * height / 4), (across, across, 3 * aa / 10))


def hollow_sphere(inner_radius: Scalar, outer_radius: Scalar) -> Geometry:
    """Ball with a concentric hole, (2.43)."""
    a, b = inner_radius, outer_radius
    volume_of_unit_pi = b**3 - a**3
    k = 2 * (b**5 - a**5) / (5 * volume_of_unit_pi)
    return Geometry(4 * volume_of_unit_pi * _pi(b) / 3, _CENTRED, (k, k, k))


def sphere(radius: Scalar) -> Geometry:
    """Solid ball, (2.44)."""
    k = 2 * radius * radius / 5
    return Geometry(4 * radius**3 * _pi(radius) / 3, _CENTRED, (k, k, k))


def shell(radius: Scalar) -> Geometry:
    """Thin sphere, (2.45)."""
    k = 2 * radius * radius / 3
    return Geometry(4 * radius * radius * _pi(radius), _CENTRED, (k, k, k))


def disc(radius: Scalar) -> Geometry:
    """Thin disc normal to z: a cylinder without length."""
    bb = radius * radius
    return Geometry(bb * _pi(radius), _CENTRED, (bb / 4, bb / 4, bb / 2))


def half_disc(radius: Scalar) -> Geometry:
    """Thin half-disc normal to z, diameter along x through the origin, matter at y ≥ 0.

    Plaut 2007, exercise 4.6: the centre is at 4r/(3π) from the diameter.
    """
    rr, b = radius * radius, 4 * radius / (3 * _pi(radius))
    gyration = (rr / 4 - b * b, rr / 4, rr / 2 - b * b)
    return Geometry(rr * _pi(radius) / 2, (0, b, 0), gyration)


def _pi(length: Scalar) -> Scalar:
    """π, exact where the dimensions are expressions."""
    return PI if isinstance(length, Expr) else math.pi
