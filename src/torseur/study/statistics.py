"""Statistics of samples: moments, quantiles, correlations, Sobol's indices, statistical errors."""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.result import Result

Array = np.ndarray
_SHARES = (0.05, 0.5, 0.95)
_DRAWN = 300  # resamplings
_SEED = 20_101  # of the resamplings: the same data have the same errors


@final
class Statistics(Result):
    """Statistics of one output over the samples that have it."""

    count: int
    mean: float
    deviation: float  # the standard deviation, of the whole population
    least: float
    low: float  # 5 %
    median: float
    high: float  # 95 %
    most: float

    @property
    def error(self) -> float:
        """The standard error of the mean, of independent samples."""
        return float(self.deviation / np.sqrt(self.count))


def statistics(values: Array) -> Statistics:
    """Statistics of the values that are numbers."""
    good = values[np.isfinite(values)]
    if not len(good):
        return Statistics(0, *([np.nan] * 7))
    low, median, high = map(float, np.quantile(good, _SHARES))
    spread = float(good.std(ddof=1)) if len(good) > 1 else 0.0
    ends = float(good.min()), float(good.max())
    return Statistics(len(good), float(good.mean()), spread, ends[0], low, median, high, ends[1])


@final
class Correlation(Result):
    """Correlation of an output with a factor."""

    linear: float  # Pearson's
    ranks: float  # Spearman's: of what only grows or only falls it is 1 or −1


def correlations(rows: Array, values: Array) -> list[Correlation]:
    """Correlation of one output with every factor; zero where either does not vary."""
    from scipy.stats import rankdata

    good = np.isfinite(values)
    y = values[good]
    return [Correlation(_together(x, y), _together(rankdata(x), rankdata(y))) for x in rows[good].T]


def _together(x: Array, y: Array) -> float:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    return float(np.corrcoef(x, y)[0, 1])


# --- Sobol's indices -----------------------------------------------------------------------------
#
# First indices S_i = V[E(y | x_i)] / V(y) by Saltelli et al. (2010), Computer Physics
# Communications 181, table 2 (b); total indices by Jansen (1999), there (f). Errors by bootstrap
# over the samples.


@final
class Index(Result):
    """Indices of one factor: shares of the variance, with standard errors."""

    first: float  # made by the factor alone
    first_error: float
    total: float  # made by it together with others too
    total_error: float


def sobol_indices(values: Array, factors: int) -> list[Index]:
    """The indices of an output at the samples of `saltelli`, in their order.

    Base samples of which any value is missing are left out.
    """
    parts = values.reshape(factors + 2, -1)  # A, B, then A with a column of B
    parts = parts[:, np.isfinite(parts).all(axis=0)]
    count = parts.shape[1]
    if count < 2 or np.ptp(parts[:2]) == 0:
        return [Index(np.nan, np.nan, np.nan, np.nan)] * factors
    first, total = _estimates(parts[:, np.newaxis])
    drawn = np.random.default_rng(_SEED).integers(count, size=(_DRAWN, count))
    again = [_estimates(parts[:, some]) for some in np.array_split(drawn, 30)]
    errors = [np.concatenate([x[k] for x in again], axis=1).std(axis=1, ddof=1) for k in (0, 1)]
    return [
        Index(float(first[k, 0]), float(errors[0][k]), float(total[k, 0]), float(errors[1][k]))
        for k in range(factors)
    ]


def _estimates(parts: Array) -> tuple[Array, Array]:
    """First and total indices (factors, resamplings) of parts (factors + 2, resamplings, n)."""
    A, B, mixed = parts[0], parts[1], parts[2:]
    both = np.concatenate([A, B], axis=1)
    middle, variance = both.mean(axis=1), both.var(axis=1)
    # centred: the estimate of S_i does not change, but for less noise
    first = ((B - middle[:, np.newaxis]) * (mixed - A)).mean(axis=2) / variance
    total = ((A - mixed) ** 2).mean(axis=2) / (2 * variance)
    return first, total
