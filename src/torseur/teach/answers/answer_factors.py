"""Whether two formulas are the same up to a sign or a factor, and which factor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ONE, Expr, expression, number, symbol
from torseur.teach.answers.sampling import EQUAL, sized

Array = np.ndarray
_SMALL = 1000  # the largest denominator of a number in a factor


@final
@dataclass(frozen=True)
class SampledFactor:
    """The right formula and the given one at random states, with the sizes of their terms."""

    expected: Array
    given: Array
    size: Array
    values: Mapping[str, Array]  # of the symbols, or of the parameters alone
    tolerance: float = EQUAL

    def close(self, factor: Array | float) -> bool:
        """Whether expected = factor × given at every state where both are finite."""
        apart = np.abs(self.expected - factor * self.given)
        good = np.isfinite(apart)
        size = self.size * np.maximum(np.abs(factor), 1.0)
        return bool(good.sum() >= 3 and (apart[good] <= self.tolerance * size[good]).all())

    @property
    def worst(self) -> int:
        """The state at which they are furthest apart."""
        apart = np.abs(self.expected - self.given) / np.maximum(self.size, 1e-300)
        return int(np.nanargmax(np.where(np.isfinite(apart), apart, -1.0)))


def sampled(
    expected: Any, given: Any, values: Mapping[str, Array], tolerance: float = EQUAL
) -> SampledFactor:
    """Two formulas at the states of some values."""
    (a, size_a), (b, size_b) = sized(expected, values), sized(given, values)
    return SampledFactor(a, b, size_a + size_b, values, tolerance)


def product_factor(samples: SampledFactor, parameters: Iterable[str]) -> Expr | None:
    """A number, or a product of powers of parameters."""
    return constant_factor(samples) or monomial_factor(samples, parameters)


def monomial_factor(samples: SampledFactor, parameters: Iterable[str]) -> Expr | None:
    """c Π p^n with expected = factor × given, from the logarithms of their ratio; None if none."""
    ratio = _ratio(samples)
    names = [name for name in parameters if np.ptp(samples.values[name]) > 0]
    if ratio is None or len(names) + 2 > len(ratio):
        return None
    logs = np.log(np.abs([samples.values[name] for name in names])).reshape(-1, len(ratio))
    target = np.log(np.abs(ratio))
    fit, *_ = np.linalg.lstsq(np.vstack([logs, np.ones(len(ratio))]).T, target, rcond=None)
    powers = [Fraction(float(x)).limit_denominator(2) for x in fit[:-1]]
    monomial = np.array([float(power) for power in powers]) @ logs
    size = Fraction(float(np.exp((target - monomial).mean()))).limit_denominator(_SMALL)
    signed = size if ratio[0] > 0 else -size
    factor: Expr = number(signed)
    for name, power in zip(names, powers, strict=True):
        factor = factor * symbol(name) ** power
    close = size != 0 and samples.close(float(signed) * np.exp(monomial))
    return expression(factor) if close else None


def constant_factor(samples: SampledFactor) -> Expr | None:
    """1, −1, or another number."""
    for sign in (1, -1):
        if samples.close(float(sign)):
            return ONE if sign > 0 else -ONE
    ratio = _ratio(samples)
    if ratio is None:
        return None
    value = Fraction(float(np.median(ratio))).limit_denominator(_SMALL)
    return number(value) if value != 0 and samples.close(float(value)) else None


def _ratio(samples: SampledFactor) -> Array | None:
    """expected / given, where it has one sign and both are clearly not zero."""
    clear = np.minimum(np.abs(samples.expected), np.abs(samples.given)) > 1e-6 * samples.size
    if not clear.all():
        return None
    ratio = samples.expected / samples.given
    return ratio if (ratio > 0).all() or (ratio < 0).all() else None
