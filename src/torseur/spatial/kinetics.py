"""The formula sheet of the mechanics of one rigid body, in torseurs (Guérin 2009, formulaire).

Everything is in one set of axes, floats or expressions. The body has the mass m, its centre at G
and the inertia tensor I_G there; its motion is the kinematic torseur {Ω; V(A)}_A. Points are
positions from the origin of the frame of reference, which is Galilean wherever forces are meant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torseur.spatial.torseur import Torseur
from torseur.spatial.vectors import Array, cross


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
