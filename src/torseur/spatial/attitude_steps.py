"""Attitudes integrated by products of rotations: reference functions, one step each.

Llibre (2009) §4.4.5. A quaternion q has the rate ½ q ∘ ω, ω in body axes; after a step it is
q ∘ exp(Δ), so that its norm is kept but for rounding. The rotation vector Δ of a step follows
Δ̇ = ω + ½ Δ × ω + 1/12 Δ × (Δ × ω) + … from zero. Steps of runs use the same product in the return
onto the constraints, and the method of the whole state in between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torseur.spatial import quaternion
from torseur.spatial.vectors import Array, cross


def exponential(delta: Array) -> Array:
    """The attitude after a rotation by the vector Δ, of length the angle; or by many (3, N)."""
    half = np.asarray(delta, dtype=float) / 2
    size = np.sqrt((half * half).sum(axis=0))
    return np.array([np.cos(size), *(np.sinc(size / np.pi) * half)])


def turned(q: Array, delta: Array) -> Array:
    """q ∘ exp(Δ)."""
    return quaternion.product(q, exponential(delta))


def trapezoidal(before: Array, after: Array, h: float) -> Array:
    """Δ = ½ [ω(t) + ω(t + h)] h, (4.5): order 2."""
    return np.asarray((np.asarray(before) + np.asarray(after)) * (h / 2))


def corrected(previous: Array, delta: Array) -> Array:
    """Edward's correction Δ + 1/12 Δ⁻ × Δ, from the increment of the step before.

    It is the term a × b h³/12 that ω = a + b t gives, so that increments that are exact integrals
    of ω gain orders. Trapezoidal increments are wrong by a term in h³ of their own: with them the
    error shrinks but the order stays 2 (erratum E0-27).
    """
    return np.asarray(delta) + cross(previous, delta) / 12


def munthe_kaas(
    rate: Callable[[float, Array, Array], Any], t: float, q: Array, w: Array, h: float
) -> tuple[Array, Array]:
    """One step of order 4 of q and ω, with ω̇ = rate(t, q, ω), on the group of rotations.

    The classical method of Runge and Kutta on Δ and ω, at the attitudes q ∘ exp(Δ); two terms of
    the rate of Δ are enough for order 4. Reference: Munthe-Kaas (1998), BIT 38, 92-111.
    """

    def slope(s: float, delta: Array, spin: Array) -> tuple[Array, Array]:
        once = cross(delta, spin)
        return spin + once / 2 + cross(delta, once) / 12, np.asarray(
            rate(t + s, turned(q, delta), spin), dtype=float
        )

    zero = np.zeros(3)
    u1, a1 = slope(0.0, zero, w)
    u2, a2 = slope(h / 2, h / 2 * u1, w + h / 2 * a1)
    u3, a3 = slope(h / 2, h / 2 * u2, w + h / 2 * a2)
    u4, a4 = slope(h, h * u3, w + h * a3)
    delta = h / 6 * (u1 + 2 * u2 + 2 * u3 + u4)
    return turned(q, delta), w + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
