"""The examples made larger, heavier and slower: every number by the powers of its dimension."""

from __future__ import annotations

from math import isclose, isfinite, prod
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import yaml

import torseur as ts
from torseur.algebra.core.expr import Expr, number, symbol
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.forms.dimensions import Dimension, DimensionForm, known_dimension
from torseur.language.text.expression import Names, parse_expression
from torseur.language.text.measures import Expected
from torseur.language.text.place import Place
from torseur.model.description import Mechanism

EXAMPLES = Path(ts.__file__).parent / "examples"
READER = "torseur.language.yaml.fields.parse_expression"
Units = tuple[float, float, float]  # of mass, length and time
Reading = tuple[Expr, Names, Expected]


def rescaled(name: str, length: float, mass: float, time: float) -> Mechanism:
    """An example with lengths, masses and times multiplied; all sizes have the same equations.

    A parameter has another value. Elsewhere a number that stands for a quantity is multiplied by a
    parameter of its own: the 0.1 of `mass: 0.1` and the 1.5 of `-1.5/r`.
    """
    document = yaml.safe_load((EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8"))
    units = (mass, length, time)
    readings = _readings(document)
    hidden = [x for x, read in readings.items() if not isclose(_factor(read, (2, 3, 5)), 1)]
    factors = {place: _factor(readings[place], units) for place in hidden}
    letters = {x: f"scale{k}" for k, x in enumerate(hidden) if "parameter " not in x}

    def scaled(text: str, names: Names, place: Place, expected: Expected) -> Expr:
        found, where = parse_expression(text, names, place, expected), str(place)
        if where in letters:
            return found * symbol(letters[where])
        return found * number(factors.get(where, 1))

    own = {letter: factors[place] for place, letter in letters.items()}
    document["parameters"] = {**document.get("parameters", {}), **own}
    with patch(READER, scaled):
        return ts.load(document)


def _readings(document: dict[str, Any]) -> dict[str, Reading]:
    """Every expression of a model by its place."""
    found: dict[str, Reading] = {}

    def recorded(text: str, names: Names, place: Place, expected: Expected) -> Expr:
        value = parse_expression(text, names, place, expected)
        found[str(place)] = value, names, expected
        return value

    with patch(READER, recorded):
        ts.load(document)
    return found


def _factor(reading: Reading, units: Units) -> float:
    """What an expression must be multiplied by when all that its names stand for has changed."""
    found, names, expected = reading
    wanted = _measured(names, expected)
    symbols = sorted(x.name for x in free_symbols(found))
    if wanted is None or names.measures is None:
        return 1.0
    own = {names.known[x].name: _measured(names, unit) for x, unit in names.units_of.items()}
    sizes = {x: _size(own[x] if x in own else names.measures.known(x), units) for x in symbols}
    ratios = []
    for seed in range(2):  # anywhere; the factor is the same
        values = np.random.default_rng(seed).uniform(0.5, 1, len(symbols))
        at = dict(zip(symbols, values, strict=True))
        with np.errstate(all="ignore"):
            before = evaluate(found, at)
            after = evaluate(found, {x: at[x] * sizes[x] for x in symbols})
        ratios.append(before * _size(wanted, units) / after if before and isfinite(before) else 1.0)
    assert isclose(*ratios, rel_tol=1e-9), f"{found} hides quantities in a sum"
    return ratios[0]


def _measured(names: Names, expected: Expected) -> Dimension | None:
    if isinstance(expected, str):
        return known_dimension(expected)
    if not isinstance(expected, DimensionForm) or names.measures is None:
        return None
    form = names.measures.symbols.reduced(expected)
    return None if form.unknown else form.known


def _size(measured: Dimension | None, units: Units) -> float:
    powers = (0, 0, 0) if measured is None else measured.powers[:3]
    return prod(unit ** float(power) for unit, power in zip(units, powers, strict=True))
