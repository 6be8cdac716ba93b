"""Linear least squares with covariances, ordinary or weighted by what groups of rows leave."""

from __future__ import annotations

from dataclasses import replace
from typing import final

import numpy as np
import scipy

from torseur.result import Result

Array = np.ndarray
WORST = 1e8  # condition beyond which columns are not told apart
_PASSES = 3  # of weights found from what the fit before left
_FLOOR = 1e-13  # of the largest force: a group of rows is not trusted beyond rounding


@final
class Fit(Result):
    """x with W x + residual = y, the errors of groups of rows being of different sizes."""

    x: Array  # (n)
    covariance: Array  # (n, n)
    sigma: Array  # (groups) the standard deviation of each group of rows
    residual: Array  # (rows)
    freedom: int  # rows − n
    condition: float  # of W with weighted rows and columns of length 1
    weakest: Array  # (n): how much each column is in the combinations that are shown least

    @property
    def deviations(self) -> Array:
        """The standard deviation of each x."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    def intervals(self, confidence: float = 0.95) -> Array:
        """Between which each x lies with a probability (n, 2), by Student's distribution."""
        half = scipy.stats.t.ppf((1 + confidence) / 2, self.freedom) * self.deviations
        return np.column_stack([self.x - half, self.x + half])


def ordinary(W: Array, y: Array, group: Array) -> Fit:
    """All rows weigh the same; one standard deviation for all of them."""
    fit, _ = _solved(W, y)
    spread = float(np.sqrt(fit.residual @ fit.residual / max(fit.freedom, 1)))
    sigma = np.full(int(group.max(initial=-1)) + 1, spread)
    return replace(fit, covariance=spread**2 * fit.covariance, sigma=sigma)


def weighted(W: Array, y: Array, group: Array) -> Fit:
    """Rows weigh by the inverse of the standard deviation that their group was left with.

    Each group loses the freedom that its rows take in the fit, the trace of their part of the hat
    matrix, which leaves its variance without bias where the weights are right.
    """
    groups = int(group.max(initial=-1)) + 1
    sigma = np.ones(groups)
    least = _FLOOR * float(np.abs(y).max(initial=0.0))
    for _ in range(_PASSES):
        fit, leverage = _solved(W / sigma[group, np.newaxis], y / sigma[group])
        if not np.isfinite(fit.condition):
            return replace(fit, sigma=sigma)
        left = y - W @ fit.x
        squares, rows, taken = (
            np.bincount(group, x, groups) for x in (left**2, np.ones(len(y)), leverage)
        )
        sigma = np.sqrt(squares / np.maximum(rows - taken, 1.0))
        sigma = np.maximum(sigma, max(least, 1e-300))
    fit, _ = _solved(W / sigma[group, np.newaxis], y / sigma[group])
    return replace(fit, sigma=sigma, residual=y - W @ fit.x)


def _solved(W: Array, y: Array) -> tuple[Fit, Array]:
    """The solution for rows of unit variance, and how much of the freedom each row takes."""
    lengths = np.linalg.norm(W, axis=0)
    size = np.where(lengths > 0, lengths, 1.0)
    basis, R = np.linalg.qr(W / size)
    _, s, right = np.linalg.svd(R)
    regular = s.size > 0 and s[-1] > np.finfo(float).eps * s[0]
    condition = float(s[0] / s[-1]) if regular else float("inf")
    n = W.shape[1]
    inverse = np.full((n, n), np.nan)
    if np.isfinite(condition):
        inverse = scipy.linalg.solve_triangular(R, np.eye(n)) / size[:, np.newaxis]
    x = inverse @ (basis.T @ y)
    covariance = inverse @ inverse.T
    weak = min(int((s * WORST > s[0]).sum()), n - 1) if n else 0
    weakest = np.linalg.norm(right[weak:], axis=0)
    fit = Fit(x, covariance, np.ones(1), y - W @ x, len(y) - n, condition, weakest)
    return fit, np.asarray((basis**2).sum(axis=1))
