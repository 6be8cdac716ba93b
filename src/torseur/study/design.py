"""The samples of a study: all combinations, at random, Latin hypercubes, Sobol's points.

All samples are made before the first is computed, from the seed alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np

from torseur.study.distributions import Levels
from torseur.study.study_description import Study

Array = np.ndarray
_INSIDE = 2.0**-33  # of shares: quantiles at 0 and 1 may be infinite


def samples(study: Study) -> Array:
    """(samples, factors): the values of what varies."""
    if study.design.method == "grid":
        levels = _levels(study)
        return np.array(list(product(*levels)), dtype=float).reshape(-1, len(levels))
    count, width = study.design.samples, len(study.factors)
    shares = _SHARES[study.design.method](count, width, study.design.seed)
    shares = np.clip(shares, _INSIDE, 1 - _INSIDE)
    columns = [x.distribution.at(shares[:, k]) for k, x in enumerate(study.factors)]
    return np.column_stack(columns)


def sample_count(study: Study) -> int:
    """Number of samples, without computing them."""
    if study.design.method == "grid":
        return math.prod(map(len, _levels(study)))
    parts = len(study.factors) + 2 if study.design.method == "saltelli" else 1
    return study.design.samples * parts


def _levels(study: Study) -> list[Sequence[float]]:
    """The values of each factor of a grid."""
    return [x.distribution.values for x in study.factors if isinstance(x.distribution, Levels)]


def nominal(study: Study) -> Array:
    """(factors): the values that are meant."""
    return np.array([x.distribution.nominal for x in study.factors])


def _random(count: int, width: int, seed: int) -> Array:
    """Independent samples (Monte Carlo)."""
    return np.random.default_rng(seed).random((count, width))


def _points(name: str, count: int, width: int, seed: int) -> Array:
    """Points of `scipy.stats.qmc`.

    A Latin hypercube (McKay, Beckman, Conover 1979) has each of `count` slices once. Sobol's
    points, scrambled, are evenly spread whatever their number, best a power of two.
    """
    from scipy.stats import qmc

    points: Any = getattr(qmc, name)(width, rng=np.random.default_rng(seed))
    if name == "Sobol" and count & (count - 1):  # the first of the next power of two
        return np.asarray(points.random(1 << count.bit_length())[:count])
    return np.asarray(points.random(count))


def _saltelli(count: int, width: int, seed: int) -> Array:
    """For indices: A, B, and A with one column of B after the other (Saltelli et al. 2010)."""
    both = _points("Sobol", count, 2 * width, seed)
    A, B = both[:, :width], both[:, width:]
    mixed = [np.where(np.arange(width) == k, B, A) for k in range(width)]
    return np.concatenate([A, B, *mixed])


_SHARES: Mapping[str, Callable[[int, int, int], Array]] = MappingProxyType({
    "random": _random,
    "latin": partial(_points, "LatinHypercube"),
    "sobol": partial(_points, "Sobol"),
    "saltelli": _saltelli,
})  # fmt: skip
METHODS = ("grid", *_SHARES)
