"""Smallest displacements that meet linear conditions, in the metric of a mechanism."""

from __future__ import annotations

import numpy as np

Array = np.ndarray
_RANK = 1e-9
_OTHERS = 1e-3  # what arcs of what is not given weigh beside given values
# Given values are kept in their order unless this moves them so many times further than needed.
DEARER = 10.0


def least_step(J: Array, right: Array, G: Array | None) -> Array:
    """The smallest x with J x = right, by least squares, in the metric xᵀ G x.

    Zero where J is not a number: no step leads from there.
    """
    if not np.isfinite(J).all():
        return np.zeros(J.shape[1])
    if G is None or not len(G):
        return np.asarray(np.linalg.lstsq(J, right, rcond=_RANK)[0])
    root = np.linalg.cholesky(G)  # G = root rootᵀ, y = rootᵀ x
    within = np.linalg.solve(root, J.T).T  # J root⁻ᵀ
    return np.linalg.solve(root.T, np.linalg.lstsq(within, right, rcond=_RANK)[0])


def nearest_step(J: Array, right: Array, A: Array, off: Array, G: Array) -> Array:
    """The x with J x = right that leaves the least of A x + off, then moves least."""
    step = least_step(J, right, G)
    _, sizes, rows = np.linalg.svd(J)
    free = rows[int((sizes > _RANK * sizes.max(initial=0.0)).sum()) :].T
    root = _OTHERS * np.linalg.cholesky(G).T
    right_side = -np.concatenate([off + A @ step, root @ step])
    along = np.linalg.lstsq(np.vstack([A, root]) @ free, right_side, rcond=None)[0]
    return np.asarray(step + free @ along)
