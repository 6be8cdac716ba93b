"""Random values of every symbol of a formula, and formulas at them with the size of their terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ONE, Expr, expression, number, symbol
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.analyse.at_a_state.random_motion import random_parameters
from torseur.equations.expressions.sampling import unit_quaternions, with_size
from torseur.model.parameters import values as parameter_values
from torseur.model.values.scales import coordinate_units
from torseur.teach.answers.right_model import RightModel

Array = np.ndarray
STATES = 24
EQUAL = 1e-12  # relative to the sizes of the terms
CLOSE = 1e-8  # constraints are closed to 1e-11, and what follows from them is a little worse
_ANGLES = (0.1, 1.4), (1.75, 3.0)  # of both signs; a quotient by a sine or a cosine stays small
_WIDE = (0.5, 2.0)  # parameters of which none hides another


def random_states(model: RightModel, outputs: Iterable[Any], seed: int = 0) -> dict[str, Array]:
    """A column of random values for each symbol: parameters near theirs, then all of one size.

    A small mass hides its terms among those of a large one; where both are about 1, it does not.
    Angles take both signs; lengths are positive, about their initial value.
    """
    rng = np.random.default_rng(seed)
    draws = [random_parameters(model.mechanism, rng, vary=True) for _ in range(STATES // 2)]
    draws += [_of_one_size(model, rng) for _ in range(STATES - len(draws))]
    values = {name: np.array([draw[name] for draw in draws]) for name in draws[0]}
    for name, column in values.items():
        if not column.all():  # a zero would hide every term that has it
            values[name] = np.where(column == 0, rng.uniform(0.1, 0.5, STATES), column)
    units = coordinate_units(model.mechanism)
    for x in free_symbols([expression(y) for y in outputs]):
        if x.kind == "parameter":
            values.setdefault(x.name, rng.uniform(0.5, 1.5, STATES))
        elif x.kind == "coordinate" and units.get(x.name) == "m":
            values[x.name] = _length(model, x.name) * rng.uniform(0.6, 1.4, STATES)
        elif x.kind == "coordinate":
            values[x.name] = _angles(rng)
        elif x.kind == "time":
            values[x.name] = rng.uniform(0.1, 1.0, STATES)
        else:
            values[x.name] = rng.normal(size=STATES)
    return values | unit_quaternions(model.system, rng, STATES)


def _of_one_size(model: RightModel, rng: np.random.Generator) -> dict[str, float]:
    """Every parameter near 1, with the sign it has; those defined from others follow."""
    table = model.mechanism.parameter_table
    defined = {n for n, x in table.items() if x.value is not None and free_symbols(x.value)}
    free = {n: x for n, x in parameter_values(table).items() if n not in defined}
    given = {
        name: float(np.copysign(rng.uniform(*_WIDE), value or 1.0)) for name, value in free.items()
    }
    drawn = parameter_values(table, given)
    return {name: float(x) for name, x in drawn.items() if x is not None}


def _angles(rng: np.random.Generator) -> Array:
    inner, outer = (rng.uniform(*part, STATES) for part in _ANGLES)
    chosen = np.where(rng.random(STATES) < 0.5, inner, outer)
    return np.where(rng.random(STATES) < 0.5, chosen, -chosen)


def _length(model: RightModel, name: str) -> float:
    initial = model.mechanism.initial.get(name)
    known = {n: x for n, x in model.mechanism.parameters.items() if x is not None}
    if initial is None or any(x.name not in known for x in free_symbols(initial)):
        return 0.7
    return abs(float(evaluate(initial, known))) or 0.7


def sized(x: Any, values: Mapping[str, Array]) -> tuple[Array, Array]:
    """A formula at every state, and the sum of the sizes of the terms it is made of."""
    count = len(next(iter(values.values()))) if values else STATES
    pair = with_size(expression(x), values)
    total, size = (np.broadcast_to(np.asarray(y, dtype=float), count) for y in pair)
    return total, size


# --- whether two formulas are the same up to a sign or a factor, and which factor -----------------

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
