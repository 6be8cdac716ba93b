"""Cylindrical, spherical and polar coordinates: local bases, velocities and accelerations on them.

Cylindrical (r, θ, z) and polar (r, θ): e_r = (cos θ, sin θ, 0), e_θ = (−sin θ, cos θ, 0), e_z.
Spherical (r, θ, φ), with the colatitude θ from z and the azimuth φ:
e_r = (sin θ cos φ, sin θ sin φ, cos θ), e_θ = ∂e_r/∂θ, e_φ = e_z × e_r / sin θ (Plaut, §2.3.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.brief import brief
from torseur.errors import ModelError
from torseur.spatial.given_attitudes import scalar_of
from torseur.spatial.vectors import Array
from torseur.words.sentence import say

Scalars = Sequence[Any] | Array


@final
@dataclass(frozen=True, eq=False)
class LocalMotion:
    """Motion of a point with components in local axes, the columns of `basis`."""

    __repr__ = brief
    _repr_html_ = notebook.html

    position: Array  # (3,) in fixed axes [m]
    basis: Array  # (3, 3): R from local to fixed components
    velocity: Array  # (3,) on the local basis [m/s]
    acceleration: Array  # (3,) on the local basis [m/s²]

    @property
    def fixed_velocity(self) -> Array:
        """The velocity in fixed axes."""
        return np.asarray(self.basis @ self.velocity)

    @property
    def fixed_acceleration(self) -> Array:
        """The acceleration in fixed axes."""
        return np.asarray(self.basis @ self.acceleration)


def _counted(kind: str, names: str, *parts: Scalars) -> tuple[Scalars, ...]:
    """Coordinates, rates and accelerations, each with one number or symbol for every name."""
    count = len(names.split(", "))
    for argument, values in zip(("coordinates", "rates", "accelerations"), parts, strict=True):
        if len(values) != count:
            raise ModelError(
                f"attitude.{kind}",
                say("{argument} has {given} numbers, not {count}.", argument, len(values), count),
                say("They belong to {names}.", names),
            )
    return tuple([_scalar(x, kind) for x in values] for values in parts)


def _scalar(given: Any, kind: str) -> Any:
    scalar = scalar_of(given)
    if scalar is None:
        problem = say("{given} is neither a number nor a symbol.", repr(given))
        advice = 'For instance 0.3, or a name such as "theta", with the rate "theta.".'
        raise ModelError(f"attitude.{kind}", problem, advice)
    return scalar


def cylindrical(
    coordinates: Scalars, rates: Scalars = (0, 0, 0), accelerations: Scalars = (0, 0, 0)
) -> LocalMotion:
    """A point at (r, θ, z): v = (ṙ, rθ̇, ż), γ = (r̈ − rθ̇², rθ̈ + 2ṙθ̇, z̈)."""
    parts = _counted("cylindrical", "r, θ, z", coordinates, rates, accelerations)
    (r, theta, z), (dr, dtheta, dz), (ddr, ddtheta, ddz) = parts
    c, s = np.cos(theta), np.sin(theta)
    return LocalMotion(
        np.array([r * c, r * s, z]),
        np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
        np.array([dr, r * dtheta, dz]),
        np.array([ddr - r * dtheta * dtheta, r * ddtheta + 2 * dr * dtheta, ddz]),
    )


def polar(
    coordinates: Scalars, rates: Scalars = (0, 0), accelerations: Scalars = (0, 0)
) -> LocalMotion:
    """A point of the plane z = 0 at (r, θ)."""
    parts = _counted("polar", "r, θ", coordinates, rates, accelerations)
    return cylindrical(*((*values, 0) for values in parts))


def spherical(
    coordinates: Scalars, rates: Scalars = (0, 0, 0), accelerations: Scalars = (0, 0, 0)
) -> LocalMotion:
    """A point at (r, θ, φ), θ from z: v = (ṙ, rθ̇, rφ̇ sin θ).

    γ = (r̈ − rθ̇² − rφ̇² sin²θ, rθ̈ + 2ṙθ̇ − rφ̇² sin θ cos θ, rφ̈ sin θ + 2ṙφ̇ sin θ + 2rθ̇φ̇ cos θ).
    """
    parts = _counted("spherical", "r, θ, φ", coordinates, rates, accelerations)
    (r, theta, phi), (dr, dtheta, dphi), (ddr, ddtheta, ddphi) = parts
    c, s, cp, sp = np.cos(theta), np.sin(theta), np.cos(phi), np.sin(phi)
    along = ddr - r * dtheta * dtheta - r * dphi * dphi * s * s
    down = r * ddtheta + 2 * dr * dtheta - r * dphi * dphi * s * c
    around = r * ddphi * s + 2 * dr * dphi * s + 2 * r * dtheta * dphi * c
    return LocalMotion(
        np.array([r * s * cp, r * s * sp, r * c]),
        np.array([[s * cp, c * cp, -sp], [s * sp, c * sp, cp], [c, -s, 0]]),
        np.array([dr, r * dtheta, r * dphi * s]),
        np.array([along, down, around]),
    )
