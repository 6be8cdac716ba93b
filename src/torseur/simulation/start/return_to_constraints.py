"""Constraints kept by projection in the mass metric, positions then speeds; no gains."""

import numpy as np
from scipy import linalg

from torseur.simulation.start.assemble import advanced
from torseur.simulation.start.numeric_constraints import Held

Array = np.ndarray
_RANK = 1e-10


def projected(held: Held, q: Array, v: Array, t: float) -> tuple[Array, Array]:
    """The state moved onto the constraints: Δ = −M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ (gap, then J v + b)."""
    model = held.model
    if not held:
        return advanced(model, q, np.zeros_like(v)), v
    for _ in range(10):
        if np.abs(held.opening(q, t)).max(initial=0.0) < held.closed_within(q):
            break
        J = held.scaled_J(q, t)[held.positions]
        q = advanced(model, q, -_correction(held, q, J, held.opening(q, t)))
    excess = (held.J(q, t) @ v + held.rate(q, t)) / held.sizes.rows
    return q, v - _correction(held, q, held.scaled_J(q, t), excess)


def _correction(held: Held, q: Array, J: Array, excess: Array) -> Array:
    """The smallest change of speeds that removes an excess; J and it have no dimension."""
    sizes = held.sizes.displacements
    M = held.model.mass_matrix(q) * np.outer(sizes, sizes)
    X = linalg.lstsq(M, J.T, cond=_RANK)[0]
    return sizes * (X @ linalg.lstsq(J @ X, excess, cond=_RANK)[0])
