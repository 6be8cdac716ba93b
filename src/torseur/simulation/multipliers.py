"""Accelerations and multipliers of M a = S + Jᵀ λ, J a = −γ: four resolutions of one system.

Llibre (2009) §2.2.10 with errata E0-12 to E0-14: the bordered matrix is indefinite (no Cholesky),
and λ = (J M⁻¹ Jᵀ)⁻¹ (−γ − J M⁻¹ S). Where constraints are redundant the accelerations are still
unique; the multipliers given are the smallest.
"""

from collections.abc import Callable

import numpy as np
from scipy import linalg

Array = np.ndarray
Solution = tuple[Array, Array]
_RANK = 1e-10


def direct(M: Array, S: Array, J: Array, gamma: Array) -> Solution:
    """The bordered system at once, by least squares where constraints are redundant."""
    rows, n = J.shape
    border = np.block([[M, -J.T], [J, np.zeros((rows, rows))]])
    found = linalg.lstsq(border, np.concatenate([S, -gamma]), cond=_RANK)[0]
    return found[:n], found[n:]


def schur(M: Array, S: Array, J: Array, gamma: Array) -> Solution:
    """λ first, from J M⁻¹ Jᵀ, which must have a regular M."""
    factor = linalg.cho_factor(M)
    free = linalg.cho_solve(factor, S)
    if not len(J):
        return free, np.zeros(0)
    X = linalg.cho_solve(factor, J.T)
    lam = linalg.lstsq(J @ X, -gamma - J @ free, cond=_RANK)[0]
    return free + X @ lam, lam


def null_space(M: Array, S: Array, J: Array, gamma: Array) -> Solution:
    """a first, from [Nᵀ M; J] a = [Nᵀ S; −γ] with N the kernel of J; then λ."""
    N = linalg.null_space(J, rcond=_RANK)
    rows = np.concatenate([N.T @ M, J])
    a = linalg.lstsq(rows, np.concatenate([N.T @ S, -gamma]), cond=_RANK)[0]
    return a, linalg.lstsq(J.T, M @ a - S, cond=_RANK)[0]


def pseudo_inverse(M: Array, S: Array, J: Array, gamma: Array) -> Solution:
    """a = −J⁺ γ + N ż with ż from the projected equation, J⁺ by singular values."""
    N = linalg.null_space(J, rcond=_RANK)
    inverse = linalg.pinv(J, rtol=_RANK)
    imposed = -inverse @ gamma
    a = imposed + N @ linalg.solve(N.T @ M @ N, N.T @ (S - M @ imposed))
    return a, inverse.T @ (M @ a - S)


RESOLUTIONS: dict[str, Callable[[Array, Array, Array, Array], Solution]] = {
    "direct": direct,
    "schur": schur,
    "null-space": null_space,
    "pseudo-inverse": pseudo_inverse,
}


def accelerations(M: Array, S: Array, J: Array, gamma: Array) -> Solution:
    """By the Schur complement where M is regular, else by the bordered system."""
    try:
        return schur(M, S, J, gamma)
    except linalg.LinAlgError:
        return direct(M, S, J, gamma)
