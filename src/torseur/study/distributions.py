"""Variation of a quantity: levels, distributions and tolerances, each by its quantiles."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol, final

import numpy as np

from torseur.language.text.literals import plain_unit

Array = np.ndarray
_SURE = 3.0  # deviations on each side that are taken for all, where a distribution has no ends
_NUMBER = r"\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?"
_UNIT = r"[^\d\s+±-][^\s+±-]*"
_BOTH = re.compile(
    rf"(?P<value>[-+]?(?:{_NUMBER}))\s*(?P<unit>{_UNIT})?\s*(?:±|\+/-|\+-)\s*"
    rf"(?P<above>{_NUMBER})\s*(?P<own>%|{_UNIT})?"
)
_EACH = re.compile(
    rf"(?P<value>[-+]?(?:{_NUMBER}))\s*(?P<unit>{_UNIT})?\s*\+\s*(?P<above>{_NUMBER})"
    rf"\s*(?:/\s*)?[-−]\s*(?P<below>{_NUMBER})\s*(?P<own>%|{_UNIT})?"
)


class Distribution(Protocol):
    """Interface of the distribution of a varied quantity."""

    @property
    def nominal(self) -> float: ...
    @property
    def deviation(self) -> float: ...
    @property
    def ends(self) -> tuple[float, float]: ...
    def at(self, shares: Array) -> Array: ...


@final
@dataclass(frozen=True)
class Levels:
    """Values that are taken in turn, or one of them at random."""

    values: tuple[float, ...]

    @property
    def nominal(self) -> float:
        """The middle one."""
        return sorted(self.values)[(len(self.values) - 1) // 2]

    @property
    def deviation(self) -> float:
        """Standard deviation of a value taken at random."""
        return float(np.std(self.values))

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest."""
        return min(self.values), max(self.values)

    def at(self, shares: Array) -> Array:
        """The values at shares between 0 and 1, in the order in which they are given."""
        places = np.minimum((shares * len(self.values)).astype(int), len(self.values) - 1)
        return np.asarray(np.asarray(self.values)[places])


@final
@dataclass(frozen=True)
class Continuous:
    """A distribution of `scipy.stats` by its name there and its arguments."""

    family: str
    arguments: tuple[float, ...]
    nominal: float  # the value that is meant

    @cached_property
    def _frozen(self) -> Any:
        from scipy import stats

        return getattr(stats, self.family)(*self.arguments)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return float(self._frozen.std())

    @property
    def ends(self) -> tuple[float, float]:
        """Between which all values lie; three deviations on each side where there is no end."""
        low, high = map(float, self._frozen.support())
        mean, sure = float(self._frozen.mean()), _SURE * self.deviation
        return (
            low if np.isfinite(low) else mean - sure,
            high if np.isfinite(high) else mean + sure,
        )

    def at(self, shares: Array) -> Array:
        """The quantiles."""
        return np.asarray(self._frozen.ppf(shares), dtype=float)


def normal(mean: float, deviation: float) -> Continuous:
    """Normal, by mean and standard deviation."""
    return Continuous("norm", (mean, deviation), mean)


def uniform(low: float, high: float) -> Continuous:
    """Uniform between two ends."""
    return Continuous("uniform", (low, high - low), (low + high) / 2)


def triangular(low: float, mode: float, high: float) -> Continuous:
    """Triangular: an end, the most frequent value, an end."""
    share = (mode - low) / (high - low)
    return Continuous("triang", (share, low, high - low), mode)


def lognormal(median: float, deviation: float) -> Continuous:
    """Its logarithm is normal: the median, and the standard deviation of the logarithm."""
    return Continuous("lognorm", (deviation, 0.0, median), median)


def truncated(mean: float, deviation: float, low: float, high: float) -> Continuous:
    """Normal, cut off at two ends: mean and deviation are those before the cut."""
    cut = (low - mean) / deviation, (high - mean) / deviation
    return Continuous("truncnorm", (*cut, mean, deviation), mean)


def toleranced(nominal: float, below: float, above: float) -> Continuous:
    """A dimension with its tolerance: normal about the middle of the limits, three deviations wide.

    Parts outside of the limits are rejected: the distribution is cut there.
    """
    middle, half = nominal + (above - below) / 2, (above + below) / 2
    cut = truncated(middle, half / _SURE, nominal - below, nominal + above)
    return Continuous(cut.family, cut.arguments, nominal)


@final
@dataclass(frozen=True)
class DistributionKind:
    """A distribution as it is written: the words of its arguments, what must hold, who makes it."""

    words: tuple[str, ...]
    make: Callable[..., Continuous]
    holds: Callable[..., bool]
    scales: tuple[int, ...] = ()  # arguments that are pure numbers


KINDS: Mapping[str, DistributionKind] = MappingProxyType({
    "normal": DistributionKind(("mean", "deviation"), normal, lambda m, s: s > 0),
    "uniform": DistributionKind(("low", "high"), uniform, lambda a, b: a < b),
    "triangular": DistributionKind(
        ("low", "mode", "high"), triangular, lambda a, c, b: a <= c <= b and a < b
    ),
    "lognormal": DistributionKind(
        ("median", "deviation"), lognormal, lambda m, s: m > 0 and s > 0, scales=(1,)
    ),
    "truncated": DistributionKind(
        ("mean", "deviation", "low", "high"), truncated, lambda m, s, a, b: s > 0 and a < b
    ),
})  # fmt: skip


# --- dimensions with tolerances ------------------------------------------------------------------
#
# As drawings have them: `10 mm ± 0.1`, `10 mm +0.2 -0.1`.


def read_tolerance(text: str, number: Callable[[str], float]) -> Continuous | None:
    """The distribution of a dimension, None if it has no tolerance; `number` reads those of a text.

    A tolerance without a unit has that of the dimension, and the other way round.
    """
    plain = text.strip()
    result = _BOTH.fullmatch(plain) or _EACH.fullmatch(plain)
    if result is None:
        return None
    given = result.groupdict()
    tolerance_unit = plain_unit(given["own"]) if given["own"] and given["own"] != "%" else None
    unit = given["unit"] or tolerance_unit or ""
    nominal = number(f"{given['value']} {unit}".strip())
    above, below = given["above"], given.get("below") or given["above"]
    if given["own"] == "%":
        sizes = [abs(nominal) * float(x) / 100 for x in (below, above)]
    else:
        sizes = [number(f"{x} {tolerance_unit or unit}".strip()) for x in (below, above)]
    return toleranced(nominal, sizes[0], sizes[1])
