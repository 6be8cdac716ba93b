"""Constraints kept by projection in the mass metric, positions then speeds; no gains."""

import numpy as np
from scipy import linalg

from torseur.backends.compiled import CompiledModel
from torseur.simulation.assemble import CLOSED, advanced

Array = np.ndarray
_RANK = 1e-10


def projected(model: CompiledModel, q: Array, v: Array) -> tuple[Array, Array]:
    """The state moved onto the constraints: Δ = −M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ (gap, then J v)."""
    if not model.system.cuts:
        return advanced(model, q, np.zeros_like(v)), v
    for _ in range(10):
        gap = model.closure_gap(q)
        if np.abs(gap).max(initial=0.0) < CLOSED:
            break
        q = advanced(model, q, -_correction(model, q, gap))
    return q, v - _correction(model, q, model.constraint_jacobian(q) @ v)


def _correction(model: CompiledModel, q: Array, excess: Array) -> Array:
    M, J = model.mass_matrix(q), model.constraint_jacobian(q)
    X = linalg.lstsq(M, J.T, cond=_RANK)[0]
    return X @ linalg.lstsq(J @ X, excess, cond=_RANK)[0]
