"""Statistics of samples: moments, quantiles, correlations, with the errors they have by chance."""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.result import Result

Array = np.ndarray
_SHARES = (0.05, 0.5, 0.95)


@final
class Statistics(Result):
    """Of one output over the samples that have it."""

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
    """Of the values that are numbers."""
    good = values[np.isfinite(values)]
    if not len(good):
        return Statistics(0, *([np.nan] * 7))
    low, median, high = map(float, np.quantile(good, _SHARES))
    spread = float(good.std(ddof=1)) if len(good) > 1 else 0.0
    ends = float(good.min()), float(good.max())
    return Statistics(len(good), float(good.mean()), spread, ends[0], low, median, high, ends[1])


@final
class Correlation(Result):
    """How an output goes with a factor."""

    linear: float  # Pearson's
    ranks: float  # Spearman's: of what only grows or only falls it is 1 or −1


def correlations(rows: Array, values: Array) -> list[Correlation]:
    """Of one output with every factor; zero where either does not vary."""
    from scipy.stats import rankdata

    good = np.isfinite(values)
    y = values[good]
    return [Correlation(_together(x, y), _together(rankdata(x), rankdata(y))) for x in rows[good].T]


def _together(x: Array, y: Array) -> float:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    return float(np.corrcoef(x, y)[0, 1])
