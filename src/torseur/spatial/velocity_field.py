"""Velocity fields: whether one is that of a rigid body, and the torseur it then is.

A field is rigid when its strain rate D = ½ (grad v + gradᵀ v) vanishes everywhere; its rotation is
then Ω = ½ curl v, and v(B) = v(A) + Ω × AB (Plaut 2007, §1.1.2 and §1.1.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.algebra.printing.text import text
from torseur.brief import brief
from torseur.errors import ModelError, SolveError
from torseur.spatial.torseur import Torseur
from torseur.spatial.vectors import Array, axial
from torseur.words.sentence import say

# What is zero at this many random places, to rounding, is taken to be zero everywhere.
_PLACES, _TRIALS, _ROUNDING = 4, 40, 1e-11


@final
@dataclass(frozen=True, eq=False)
class VelocityField:
    """v(x): three expressions of three coordinates, of the time and of parameters."""

    _repr_html_ = notebook.preformatted

    v: Array  # (3,) of expressions [m/s]
    x: tuple[Expr, Expr, Expr]  # the symbols of the coordinates

    @cached_property
    def gradient(self) -> Array:
        """∂v_i/∂x_j."""
        return np.asarray(jacobian(self.v, self.x))

    @cached_property
    def strain_rate(self) -> Array:
        """D, symmetric: what changes lengths and angles [1/s]."""
        return expressions((self.gradient + self.gradient.T) / 2)

    @property
    def rotation(self) -> Array:
        """Ω = ½ curl v: the rotation of the body when the field is rigid [rad/s]."""
        return expressions(axial(self.gradient) / 2)

    @property
    def rigid(self) -> bool:
        """Whether it is the field of a rigid body whatever the parameters are."""
        return not self.conditions

    @cached_property
    def conditions(self) -> tuple[Expr, ...]:
        """Expressions that must vanish for the field to be rigid; empty when it is."""
        return tuple({split(x)[1]: None for x in self._strains.values()})

    def torseur(self, point: Sequence[Any]) -> Torseur:
        """The kinematic torseur {Ω; v(A)} at A, of a rigid field."""
        if not self.rigid:
            raise ModelError("velocity field", say("it is {why}.", self._why_not()))
        at = expressions(np.asarray(point, dtype=object))
        velocity = substitute(self.v, dict(zip(self.x, at, strict=True)))
        return Torseur(self.rotation, velocity, at)

    @cached_property
    def _strains(self) -> dict[str, Expr]:
        """The strain rates that do not vanish, by name."""
        D = self.strain_rate
        alive = self._alive() if D.any() else np.zeros((3, 3), dtype=bool)
        places = [(i, j) for i in range(3) for j in range(i, 3) if alive[i, j]]
        return {f"D{i + 1}{j + 1}": D[i, j] for i, j in places}

    def _why_not(self) -> str:
        """When the field would be rigid; never where a strain rate depends on places alone."""
        if any(set(free_symbols(x)) <= set(self.x) for x in self.conditions):
            rates = ", ".join(f"{name} = {text(x)}" for name, x in self._strains.items())
            return say("not rigid: strain rates {rates}", rates)
        listed = ", ".join(f"{text(x)} = 0" for x in self.conditions)
        return say("rigid only if {listed}", listed)

    def _alive(self) -> Array:
        """Which strain rates are not zero at random places; rules do not see every zero."""
        rng = np.random.default_rng(0)
        both = np.array([self.strain_rate, expressions(self.gradient)])
        names = [symbol.name for symbol in free_symbols(both)]
        alive, samples = np.zeros((3, 3), dtype=bool), 0
        for _ in range(_TRIALS):
            values = dict(zip(names, rng.uniform(0.2, 0.9, len(names)), strict=True))
            values |= {x.name: rng.uniform(-0.9, 0.9) for x in self.x}
            with np.errstate(all="ignore"):
                D, gradient = np.asarray(evaluate(both, values), dtype=float)
            if not (np.isfinite(D).all() and np.isfinite(gradient).all()):
                continue
            alive |= np.abs(D) > _ROUNDING * np.abs(gradient).max()
            samples += 1
            if samples == _PLACES:
                return alive
        components = ", ".join(text(x, limit=60) for x in self.v)
        raise SolveError(
            "velocity field",
            say("[{components}] has no value at {trials} places.", components, _TRIALS),
        )

    def __str__(self) -> str:
        rotation = ", ".join(text(x) for x in self.rotation)
        if self.rigid:
            return say("Rigid; rotation [{rotation}].", rotation)
        why = self._why_not()
        return say("{why}; half its curl is [{rotation}].", why[0].upper() + why[1:], rotation)


@final
@dataclass(frozen=True, eq=False)
class RigidFit:
    """The rigid motion nearest to velocities known at some points (least squares)."""

    __repr__ = brief
    _repr_html_ = notebook.html

    torseur: Torseur  # {Ω; v(G)} at the mean G of the points
    residuals: Array  # (points, 3): what it leaves of the velocities [m/s]
    unseen: Array  # (k, 3): directions about which the points do not show a rotation
    strain_rate: Array | None  # D of the nearest affine field; None for points of one plane
    largest_speed: float  # [m/s]

    @property
    def residual(self) -> float:
        """The largest speed that is left [m/s]."""
        return float(np.linalg.norm(self.residuals, axis=1).max())

    def rigid(self, tolerance: float = 1e-9) -> bool:
        """Whether what is left is below this share of the largest speed."""
        return self.residual <= tolerance * self.largest_speed


def rigid_fit(points: Array, velocities: Array) -> RigidFit:
    """Rigid motion that fits velocities (n, 3) at points (n, 3) best, and the residuals.

    v_i = v(G) + Ω × GM_i in the least squares sense; of all rotations about the line of points that
    have only one line, the smallest.
    """
    x, v = np.asarray(points, dtype=float), np.asarray(velocities, dtype=float)
    if x.ndim != 2 or x.shape[1:] != (3,) or x.shape != v.shape or not len(x):
        problem = say(
            "expected points and velocities of the same shape (n, 3), got {shape}, {shape2}.",
            x.shape,
            v.shape,
        )
        raise ModelError("rigid fit", problem)
    for name, given in (("points", x), ("velocities", v)):
        if not np.isfinite(given).all():
            row = int(np.argmin(np.isfinite(given).all(axis=1)))
            problem = say("{name}[{row}] = {given} is not finite.", name, row, given[row].tolist())
            raise ModelError("rigid fit", problem)
    G, mean = x.mean(axis=0), v.mean(axis=0)
    r, u = x - G, v - mean
    scatter = r.T @ r
    inertia = np.trace(scatter) * np.eye(3) - scatter  # Σ (r² 1 − r rᵀ) Ω = Σ r × u
    sizes, directions = np.linalg.eigh(inertia)
    determined = sizes > 1e-12 * max(sizes[-1], np.finfo(float).tiny)
    axes = directions[:, determined]
    rotation = axes @ ((axes.T @ np.cross(r, u).sum(axis=0)) / sizes[determined])
    extents = np.linalg.eigvalsh(scatter)
    strain = None
    if extents[0] > 1e-12 * extents[-1]:  # the points do not lie in one plane
        gradient = np.linalg.lstsq(r, u, rcond=None)[0].T
        strain = (gradient + gradient.T) / 2
    return RigidFit(
        Torseur(rotation, mean, G),
        u - np.cross(rotation, r),
        directions[:, ~determined].T,
        strain,
        float(np.linalg.norm(v, axis=1).max()),
    )
