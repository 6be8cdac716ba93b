"""Constraints kept by projection in the mass metric, positions then speeds; no gains."""

import numpy as np
from scipy import linalg

from torseur.simulation.assemble import CLOSED, advanced
from torseur.simulation.held import Held

Array = np.ndarray
_RANK = 1e-10


def projected(held: Held, q: Array, v: Array, t: float) -> tuple[Array, Array]:
    """The state moved onto the constraints: Δ = −M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ (gap, then J v + b)."""
    model = held.model
    if not held:
        return advanced(model, q, np.zeros_like(v)), v
    for _ in range(10):
        gap = held.gap(q, t)
        if np.abs(gap).max(initial=0.0) < CLOSED:
            break
        q = advanced(model, q, -_correction(held, q, held.J(q, t)[held.positions], gap))
    J = held.J(q, t)
    return q, v - _correction(held, q, J, J @ v + held.rate(q, t))


def _correction(held: Held, q: Array, J: Array, excess: Array) -> Array:
    X = linalg.lstsq(held.model.mass_matrix(q), J.T, cond=_RANK)[0]
    return X @ linalg.lstsq(J @ X, excess, cond=_RANK)[0]
