"""Random values of every symbol of a formula, and formulas at them with the size of their terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from torseur.algebra.core.expr import expression
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
