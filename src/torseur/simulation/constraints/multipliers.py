"""Accelerations and multipliers of M a = S + Jᵀ λ, J a = −γ: four resolutions of one system.

Llibre (2009) §2.2.10 with errata E0-12 to E0-14: the bordered matrix is indefinite (no Cholesky),
and λ = (J M⁻¹ Jᵀ)⁻¹ (−γ − J M⁻¹ S). Where constraints are redundant the accelerations are still
unique; the multipliers given are the smallest.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy

from torseur.machine.sizes import Sizes

Array = np.ndarray
Solution = tuple[Array, Array]
Resolution = Callable[[Array, Array, Array, Array], Solution]  # of M, S, J, γ
_SINGULAR = 1e-14  # of the pivots of M: less is rounding
RANK = 1e-9  # a singular value below this part of the largest belongs to a repeated row


def direct(M: Array, S: Array, J: Array, gamma: Array, T: Array | None = None) -> Solution:
    """The bordered system at once, by least squares where constraints are redundant.

    Where friction follows from reactions, these act by T (rows, n) in the place of J.
    """
    rows, n = J.shape
    border = np.block([[M, -(J if T is None else T).T], [J, np.zeros((rows, rows))]])
    solution = scipy.linalg.lstsq(border, np.concatenate([S, -gamma]), cond=RANK)[0]
    return solution[:n], solution[n:]


def schur(M: Array, S: Array, J: Array, gamma: Array) -> Solution:
    """λ first, from J M⁻¹ Jᵀ, which must have a regular M."""
    factor = scipy.linalg.cho_factor(M)
    pivots = np.diag(factor[0])
    if len(pivots) and (pivots.min() / pivots.max()) ** 2 < _SINGULAR:
        raise scipy.linalg.LinAlgError("the mass matrix is singular to rounding")
    free = scipy.linalg.cho_solve(factor, S)
    if not len(J):
        return free, np.zeros(0)
    X = scipy.linalg.cho_solve(factor, J.T)
    lam = scipy.linalg.lstsq(J @ X, -gamma - J @ free, cond=RANK)[0]
    return free + X @ lam, lam


def null_space(M: Array, S: Array, J: Array, gamma: Array) -> Solution:
    """a first, from [Nᵀ M; J] a = [Nᵀ S; −γ] with N the kernel of J; then λ."""
    N = scipy.linalg.null_space(J, rcond=RANK)
    rows = np.concatenate([N.T @ M, J])
    a = scipy.linalg.lstsq(rows, np.concatenate([N.T @ S, -gamma]), cond=RANK)[0]
    return a, scipy.linalg.lstsq(J.T, M @ a - S, cond=RANK)[0]


def pseudo_inverse(
    M: Array, S: Array, J: Array, gamma: Array, *, least: float = 0.0, lightest: float = RANK
) -> Solution:
    """a = −J⁺ γ + N ż with ż from the projected equation, J⁺ by singular values; λ = J⁺ᵀ (M a − S).

    Only the inertia that the constraints leave free must be regular: M may be singular, as it is
    for bodies without all their moments of inertia, and rows may repeat others. The arrays are
    those of one state, or of many in their first dimension. `least` is the size of a J that is not
    zero; a free motion whose inertia is below `lightest` of the largest has none, and goes on.
    """
    if J.ndim == 2:
        one = (x[np.newaxis] for x in (M, S, J, gamma))
        a, lam = pseudo_inverse(*one, least=least, lightest=lightest)
        return a[0], lam[0]
    U, sizes, Vt = np.linalg.svd(J)
    limit = RANK * np.maximum(sizes.max(axis=1, initial=0.0), least)
    ranks = (sizes > limit[:, np.newaxis]).sum(axis=1)
    a, lam = np.empty_like(S), np.empty_like(gamma)
    for rank in np.unique(ranks):
        k = ranks == rank
        # J = U diag(d) Vᵀ of states with one rank, and the motions N that it leaves free
        left, d, V, N = U[k, :, :rank], sizes[k, :rank], Vt[k, :rank], Vt[k, rank:]
        inertia, force = M[k], S[k]
        imposed = -_times(V.mT, _times(left.mT, gamma[k]) / d)
        rate = _times(N, force - _times(inertia, imposed))
        a[k] = imposed + _times(N.mT, _settled(N @ inertia @ N.mT, rate, lightest))
        lam[k] = _times(left, _times(V, _times(inertia, a[k]) - force) / d)
    return a, lam


def _times(A: Array, x: Array) -> Array:
    return np.asarray((A @ x[..., np.newaxis])[..., 0])


def _settled(inertia: Array, right: Array, lightest: float) -> Array:
    """The rates of the free motions; the smallest where one of them has no inertia.

    What rounding leaves of an inertia that is zero would give such a motion any rate at all.
    """
    if lightest <= _SINGULAR and _regular(inertia):
        return np.linalg.solve(inertia, right[..., np.newaxis])[..., 0]
    return _times(np.linalg.pinv(inertia, rcond=lightest, hermitian=True), right)


def _regular(inertia: Array) -> bool:
    """Whether every motion of every state has an inertia, beyond rounding."""
    try:
        pivots = np.linalg.cholesky(inertia).diagonal(axis1=-2, axis2=-1)
    except np.linalg.LinAlgError:
        return False
    least, largest = pivots.min(axis=-1, initial=np.inf), pivots.max(axis=-1, initial=0.0)
    return bool((least**2 >= _SINGULAR * largest**2).all())


RESOLUTIONS: dict[str, Resolution] = {
    "direct": direct,
    "schur": schur,
    "null-space": null_space,
    "pseudo-inverse": pseudo_inverse,
}


def accelerations(
    M: Array,
    S: Array,
    J: Array,
    gamma: Array,
    sizes: Sizes | None = None,
    resolution: Resolution | None = None,
) -> Solution:
    """a and λ, of one state or of many, whatever M leaves out and rows of J repeat.

    With the `sizes` of a model the rank of J, and which multipliers are the smallest, do not depend
    on units. A `resolution` other than that by singular values takes one state at a time.
    """
    if sizes is None:
        return (resolution or pseudo_inverse)(M, S, J, gamma)
    c, r = sizes.displacements, sizes.rows
    inertia, force, scaled, bias = M * np.outer(c, c), S * c, sizes.without_dimension(J), gamma / r
    if resolution is None:
        a, lam = pseudo_inverse(inertia, force, scaled, bias, least=1.0, lightest=_SINGULAR)
        return a * c, lam / r
    mass = np.abs(inertia).max(initial=0.0) or 1.0  # beside J, masses may be of any size
    a, lam = resolution(inertia / mass, force / mass, scaled, bias)
    return a * c, mass * lam / r
