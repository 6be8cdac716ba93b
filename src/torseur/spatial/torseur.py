"""Torseurs: a resultant and a moment that is transported from point to point.

Components are floats or expressions; what needs a decision (a zero, an axis) is for floats. Along a
run a torseur has a row for each sample: what is linear or bilinear is so in every row.

The second part is the formula sheet of the mechanics of one rigid body (Guérin 2009, formulaire),
in one set of axes. The body has the mass m, its centre at G and the inertia tensor I_G there; its
motion is the kinematic torseur {Ω; V(A)}_A. Points are positions from the origin of the frame of
reference, which is Galilean wherever forces are meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.errors import ModelError, SolveError
from torseur.plain import same
from torseur.spatial.vectors import Array, cross
from torseur.words.sentence import say

_ROUNDING = 1e-14  # of the largest component: what sums and products of numbers leave of a zero


@final
@dataclass(frozen=True)
class Torseur:
    """{R; M}_A: a resultant, and a moment at the point A, all in the same axes.

    Kinematic: R = Ω, M = v(A). Action: R = force, M = couple at A. Kinetic: R = p, M = σ(A).
    """

    _repr_html_ = notebook.html
    _repr_latex_ = notebook.latex

    resultant: Array  # (3), or (samples, 3)
    moment: Array
    point: Array  # A

    def __post_init__(self) -> None:
        for name in ("resultant", "moment", "point"):
            given = getattr(self, name)
            if not isinstance(given, np.ndarray) or given.shape[-1:] != (3,):
                object.__setattr__(self, name, _vector(name, given))

    def __eq__(self, other: object) -> bool:
        """Whether R, M and A are the same; `a == b.at(a.point)` compares the fields."""
        return isinstance(other, Torseur) and same(self, other)

    def __hash__(self) -> int:
        return hash(tuple(self.resultant.ravel().tolist()))

    def __str__(self) -> str:
        """{R; M} at A, as a book writes it; along a run, how many samples there are."""
        if self.resultant.ndim > 1:
            return f"{{R; M}} × {len(self)}"
        R, M, A = map(_components, (*without_rounding(self), self.point))
        return f"{{R = {R}; M = {M}}} at {A}"

    def __len__(self) -> int:
        """The number of samples, 1 unless it is along a run."""
        return self.resultant.size // 3

    def __getitem__(self, sample: int) -> Torseur:
        """The torseur at one sample of a run."""
        return Torseur(self.resultant[sample], self.moment[sample], self.point[sample])

    def at(self, point: Array) -> Torseur:
        """Torseur transported to B, fixed or moving: M_B = M_A + BA × R."""
        if np.shape(point)[-1:] != (3,):
            point = _vector("point", point)
        moment_at = self.moment + cross((self.point - point).T, self.resultant.T).T
        there = (
            point if np.shape(point) == moment_at.shape else np.broadcast_to(point, moment_at.shape)
        )
        return Torseur(self.resultant, moment_at, there)

    def __add__(self, other: Torseur) -> Torseur:
        """The sum, at the point of the first."""
        if not isinstance(other, Torseur):
            return NotImplemented
        there = other.at(self.point)
        return Torseur(self.resultant + there.resultant, self.moment + there.moment, self.point)

    def __neg__(self) -> Torseur:
        return Torseur(-self.resultant, -self.moment, self.point)

    def __sub__(self, other: Torseur) -> Torseur:
        return self + (-other) if isinstance(other, Torseur) else NotImplemented

    def __mul__(self, factor: Any) -> Torseur:
        return Torseur(factor * self.resultant, factor * self.moment, self.point)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Torseur:
        return Torseur(self.resultant / divisor, self.moment / divisor, self.point)

    def comoment(self, other: Torseur) -> Any:
        """R₁·M₂ + R₂·M₁, the same at every point: power for a twist and a wrench."""
        if not isinstance(other, Torseur):
            problem = say("the comoment of a torseur and {given} is not defined.", repr(other))
            raise ModelError("torseur", problem, "Give another torseur.")
        there = other.at(self.point)
        return _dot(self.resultant, there.moment) + _dot(there.resultant, self.moment)

    @property
    def scalar_invariant(self) -> Any:
        """R·M, the same at every point."""
        return _dot(self.resultant, self.moment)

    @property
    def vector_invariant(self) -> Array:
        """R, the same at every point."""
        return self.resultant

    def slider_and_couple(self) -> tuple[Torseur, Torseur]:
        """The slider (glisseur) through its point, and the couple that is left: their sum is it."""
        nothing = 0 * self.resultant
        return (
            Torseur(self.resultant, 0 * self.moment, self.point),
            Torseur(nothing, self.moment, self.point),
        )

    @property
    def wrench_axis(self) -> tuple[Torseur, Torseur]:
        """The slider on the central axis and the couple along it (floats): the shortest split."""
        foot, _, _ = self.central_axis
        return self.at(foot).slider_and_couple()

    @property
    def central_axis(self) -> tuple[Array, Array, Any]:
        """A point and the direction of the central axis, and the pitch M·R/R² along it (floats)."""
        R = np.asarray(self.resultant, dtype=float)
        square = R @ R
        if square == 0.0:
            problem = say(
                "the resultant is zero (moment {moment}): a couple has no central axis.",
                self.moment,
            )
            raise SolveError("torseur", problem)
        foot = self.point + cross(R, self.moment) / square
        return foot, R / np.sqrt(square), self.scalar_invariant / square

    @property
    def kind(self) -> str:
        """Its name (floats): null, couple, slider (glisseur) or general."""
        R, M = np.asarray(self.resultant, float), np.asarray(self.moment, float)
        if not R.any():
            return "couple" if M.any() else "null"
        scale = np.linalg.norm(R) * max(np.linalg.norm(M), np.finfo(float).tiny)
        return "slider" if abs(R @ M) <= 1e-12 * scale else "general"


def without_rounding(torseur: Torseur) -> tuple[Array, Array]:
    """R and M with zeros where numbers are rounding: beside the others, and at a lever of 1 m.

    The lever is the distance of the point from the origin, where that is longer.
    """
    size, moment, far = map(_size, (torseur.resultant, torseur.moment, torseur.point))
    lever = max(1.0, far)
    scales = max(size, moment / lever), max(moment, size * lever)
    pairs = zip((torseur.resultant, torseur.moment), scales, strict=True)
    R, M = (np.array([0.0 if _is_below(c, scale) else c for c in x]) for x, scale in pairs)
    return R, M


def _is_below(c: Any, scale: float) -> bool:
    return isinstance(c, float | int) and abs(c) <= _ROUNDING * scale


def _size(x: Array) -> float:
    return max((abs(float(c)) for c in x if isinstance(c, float | int)), default=0.0)


def _components(x: Array) -> str:
    texts = (f"{c + 0.0:g}" if isinstance(c, float | int) else str(c) for c in x)  # no -0
    return f"({', '.join(texts)})"


def _dot(a: Array, b: Array) -> Any:
    return (a * b).sum(axis=-1)


def _vector(name: str, given: Any) -> Array:
    """Three components from a list; numbers stay numbers, expressions stay expressions."""
    try:
        vector = np.array([float(x) if isinstance(x, Real) else x for x in given])
    except TypeError:
        vector = np.zeros(0)
    if vector.shape != (3,) or vector.dtype.kind not in "fO":
        problem = say("the {name} {given} is not a vector of three components.", name, repr(given))
        raise ModelError("torseur", problem, "For instance [0, 0, 1].")
    return vector


def total(torseurs: Iterable[Torseur], point: Array) -> Torseur:
    """The sum of torseurs, at a point."""
    nothing = np.zeros(np.shape(point))
    sum_ = Torseur(nothing, nothing, point)
    for one in torseurs:
        sum_ = sum_ + one
    return sum_


def twist(rotation: Array, velocity: Array, point: Array) -> Torseur:
    """The kinematic torseur of a body with rotation Ω and velocity v(A)."""
    return Torseur(rotation, velocity, point)


def wrench(force: Array, couple: Array, point: Array) -> Torseur:
    """The torseur of an action: a force and a couple at A."""
    return Torseur(force, couple, point)


def power(motion: Torseur, action: Torseur) -> Any:
    """The power of an action on a body: F·v(A) + C(A)·Ω."""
    return motion.comoment(action)


def velocity(motion: Torseur, point: Array) -> Array:
    """V(B ∈ S) = V(A) + BA × Ω."""
    return motion.at(point).moment


def acceleration(known: Array, arm: Array, rotation: Array, rotation_rate: Array) -> Array:
    """γ(B) = γ(A) + Ω' × AB + Ω × (Ω × AB), from γ(A) and the arm AB; it is no torseur."""
    return np.asarray(known + cross(rotation_rate, arm) + cross(rotation, cross(rotation, arm)))


def seen_from_fixed(rate: Array, rotation: Array, vector: Array) -> Array:
    """The derivative of a vector in R from that in R1, which turns at Ω in R (Bour)."""
    return np.asarray(rate + cross(rotation, vector))


def inertia_at(tensor: Array, mass: Any, arm: Array) -> Array:
    """I_A = I_G + m (AG² 1 − AG AGᵀ), for the arm AG or GA (Huygens; Llibre §1.4.4, E0-2)."""
    return np.asarray(tensor + mass * ((arm @ arm) * np.eye(3, dtype=int) - np.outer(arm, arm)))


def kinetic(mass: Any, centre: Array, tensor: Array, motion: Torseur) -> Torseur:
    """The kinetic torseur {m V(G); I_G Ω}_G (torseur cinétique)."""
    at_centre = motion.at(centre)
    return Torseur(mass * at_centre.moment, tensor @ at_centre.resultant, centre)


def kinetic_moment(mass: Any, centre: Array, tensor: Array, motion: Torseur, point: Array) -> Array:
    """σ_A = m AG × V(A ∈ S) + I_A Ω at a point A that is thought of as fixed in the body."""
    arm = centre - point
    moving = velocity(motion, point)
    return np.asarray(mass * cross(arm, moving) + inertia_at(tensor, mass, arm) @ motion.resultant)


def dynamic(
    mass: Any,
    centre: Array,
    tensor: Array,
    motion: Torseur,
    rotation_rate: Array,
    centre_acceleration: Array,
) -> Torseur:
    """The dynamic torseur {m γ(G); I_G Ω' + Ω × I_G Ω}_G (torseur dynamique)."""
    w = motion.resultant
    moment = tensor @ rotation_rate + cross(w, tensor @ w)
    return Torseur(mass * centre_acceleration, moment, centre)


def dynamic_moment(
    kinetic_rate: Array, mass: Any, place_velocity: Array, velocity_G: Array
) -> Array:
    """δ_A = dσ_A/dt + m V_A × V(G), V_A being the velocity of the *place* A, whatever it is."""
    return np.asarray(kinetic_rate + mass * cross(place_velocity, velocity_G))


def kinetic_energy(momentum: Torseur, motion: Torseur) -> Any:
    """T = ½ {C} · {V}; at G it is ½ m V(G)² + ½ Ω · I_G Ω (Koenig)."""
    return momentum.comoment(motion) / 2


def moment_about_axis(tensor: Array, direction: Array) -> Any:
    """I_Δ = i · I_O i, for the axis through O along the unit vector i."""
    return direction @ (tensor @ direction)
